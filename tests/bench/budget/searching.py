"""How fast answers come: alone, while notes are being indexed, and on a very large vault."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from holovault.engine import Engine
from holovault.model import Mode, SearchRequest
from holovault.store import ScanLimits
from tests.bench.budget.lines import Bench, Line, milliseconds
from tests.bench.budget.prepared import Prepared, near, prepare, questions
from tests.bench.synthetic import Plan, notes

MIDDLE = Plan(files=3_300, file_bytes=8_000)
"""About 12,000 chunks and 60,000 windows."""
LARGE = Plan(files=27_500, file_bytes=8_000)
"""About 100,000 chunks and 500,000 windows."""
WARM_UP = 20
RECALL_AT = 10


def middle(bench: Bench) -> Prepared:
    return prepare(bench.work, Plan(bench.scaled(MIDDLE.files), MIDDLE.file_bytes))


def search_alone(bench: Bench) -> list[Line]:
    """Nothing else runs."""
    prepared = middle(bench)
    asked = questions(prepared, 300)
    with prepared.engine() as engine:
        size = _size(engine)
        every = _timed(engine, asked, "hybrid")
        words = _timed(engine, asked, "lexical")
    return [
        Line(f"search, all lanes, warm ({size})", "p50 ≤ 30 ms, p99 ≤ 80 ms", milliseconds(every), "vectors: model's own plus noise"),
        Line(f"search, words only ({size})", "p50 ≤ 12 ms", milliseconds(words)),
    ]


def search_while_indexing(bench: Bench) -> list[Line]:
    """The same questions while a thousand new notes are found, cut, written, and embedded by the real model."""
    prepared = middle(bench)
    asked = questions(prepared, 200, seed=4)
    count = bench.scaled(1_000)
    incoming = prepared.root / "incoming"
    with prepared.engine(watching=True) as engine:
        _wait(engine, lambda: engine.state == "ready")
        alone = _timed(engine, asked, "hybrid")
        before = engine.status().files
        try:
            incoming.mkdir(exist_ok=True)
            for number, (_, text) in enumerate(notes(Plan(count, 8_000, seed=99))):
                (incoming / f"new {number:05}.md").write_text(text, encoding="utf-8")
            words = _timed_while(engine, asked, lambda: engine.status().files < before + count)
            meaning = _timed(engine, asked, "hybrid", warm_up=0)
            pending = engine.status().pending
        finally:
            for place in incoming.glob("*.md"):
                place.unlink()
            incoming.rmdir()
        _wait(engine, lambda: engine.status().files == before)
    return [
        Line("the same on an open daemon, nothing to do", "p50 ≤ 30 ms, p99 ≤ 80 ms", milliseconds(alone)),
        Line(f"the same while {count:,} notes are being indexed", "p50 ≤ 30 ms, p99 ≤ 80 ms", milliseconds(words)),
        Line(
            "the same while they are being embedded", "p50 ≤ 30 ms, p99 ≤ 80 ms", milliseconds(meaning), f"{pending:,} windows still waited"
        ),
    ]


def search_large(bench: Bench) -> list[Line]:
    """Half a million windows: codes first, exact rescoring after."""
    prepared = prepare(bench.work, Plan(bench.scaled(LARGE.files), LARGE.file_bytes))
    asked = questions(prepared, 200)
    with prepared.engine() as engine:
        size = _size(engine)
        every = _timed(engine, asked, "hybrid")
        words = _timed(engine, asked, "lexical")
    recall = _recall(prepared)
    return [
        Line(f"search, all lanes, warm ({size})", "p50 ≤ 70 ms", milliseconds(every), "vectors: model's own plus noise"),
        Line(f"search, words only ({size})", "p50 ≤ 40 ms", milliseconds(words)),
        Line(f"recall@{RECALL_AT} of codes against the exact scan ({size})", "≥ .99", f"{recall:.4f}", "200 queries at cosine about .6"),
    ]


def _recall(prepared: Prepared) -> float:
    rng = np.random.default_rng(11)
    asked = near(prepared.base, rng, rng.integers(0, len(prepared.base), 200), share=0.6)
    answers = []
    for scan in (ScanLimits(exact=10_000_000), ScanLimits(exact=0)):
        with prepared.store(scan) as store:
            answers.append([{match.chunk for match in store.vectors.search(vector, RECALL_AT)} for vector in asked])
    return float(np.mean([len(exact & coded) / max(1, len(exact)) for exact, coded in zip(*answers, strict=True)]))


def _size(engine: Engine) -> str:
    status = engine.status()
    return f"{status.chunks:,} chunks, {status.windows:,} windows"


def _timed(engine: Engine, asked: Sequence[str], mode: Mode, warm_up: int = WARM_UP) -> list[float]:
    for query in asked[:warm_up]:
        engine.search(SearchRequest(query, mode=mode, max_wait=None))
    return [_one(engine, query, mode) for query in asked]


def _timed_while(engine: Engine, asked: Sequence[str], busy: Callable[[], bool]) -> list[float]:
    times: list[float] = []
    while busy():
        times.extend(_one(engine, asked[(len(times) + step) % len(asked)], "hybrid") for step in range(5))
    return times


def _one(engine: Engine, query: str, mode: Mode) -> float:
    start = time.perf_counter()
    engine.search(SearchRequest(query, mode=mode, max_wait=None))
    return time.perf_counter() - start


def _wait(engine: Engine, condition: Callable[[], bool], bound: float = 600.0) -> None:
    deadline = time.monotonic() + bound
    since = 0
    while not condition() and time.monotonic() < deadline:
        since = engine.events(since, 0.2).next
