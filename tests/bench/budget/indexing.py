"""How fast the index follows the vault: unchanged scans, first index, saves, moved folders."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from holovault.config import Home
from holovault.engine import Engine
from holovault.model import IndexRequest, Mode, SearchRequest
from tests.bench.budget.lines import Bench, Line, milliseconds
from tests.bench.budget.searching import middle
from tests.bench.synthetic import Plan, make
from tests.support.embeddings import WordEmbedding
from tests.support.vaults import NO_MODEL

SAVES = 12


@contextmanager
def _words_only(bench: Bench, plan: Plan) -> Iterator[tuple[Path, Path]]:
    """A vault without a model and a fresh home for it."""
    root = make(bench.work / "words", plan)
    (root / "knowledge.toml").write_text(NO_MODEL, encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        yield root, Path(home)


def unchanged_scan(bench: Bench) -> list[Line]:
    """A whole pass that finds nothing to do."""
    return [_unchanged(bench, Plan(313, 8_000), "≤ 30 ms"), _unchanged(bench, Plan(bench.scaled(10_000), 800), "≤ 600 ms")]


def _unchanged(bench: Bench, plan: Plan, budget: str) -> Line:
    with _words_only(bench, plan) as (root, home), Engine.open(root, Home(home), owner="bench") as engine:
        engine.index(IndexRequest(wait=False))
        times = []
        for _ in range(10):
            start = time.perf_counter()
            report = engine.index(IndexRequest(wait=False))
            times.append(time.perf_counter() - start)
    return Line(f"unchanged vault, {plan.files:,} notes", budget, milliseconds(times), f"{report.unchanged:,} unchanged")


def first_index(bench: Bench) -> list[Line]:
    """Words of 50 MB of Markdown, with the cutter children."""
    plan = Plan(bench.scaled(6_000), 8_000)
    with _words_only(bench, plan) as (root, home), Engine.open(root, Home(home), owner="bench") as engine:
        size = sum(path.stat().st_size for path in root.rglob("*.md"))
        report = engine.index(IndexRequest(wait=False))
        rss = psutil.Process().memory_info().rss / 1e6
        file = sum(path.stat().st_size for path in (home / "index").rglob("index.db"))
    speed = size / 1e6 / report.seconds
    remark = f"{report.files:,} notes, {report.chunks:,} chunks, {report.seconds:.1f} s, index {file / 1e6:.0f} MB, RSS {rss:.0f} MB"
    return [Line(f"first index of words, {size / 1e6:.0f} MB", "≥ 2 MB/s", f"{speed:.2f} MB/s", remark)]


def renamed_folder(bench: Bench) -> list[Line]:
    """Vectors stay with the text, so a moved folder costs none."""
    count = bench.scaled(1_000)
    with _words_only(bench, Plan(count, 2_000, seed=2)) as (root, home):
        old, new = root / "Projects", root / "Moved"
        embedding = WordEmbedding()
        with Engine.open(root, Home(home), owner="bench", embedding=embedding) as engine:
            engine.index(IndexRequest(wait=True))
            old.rename(new)
            try:
                report = engine.index(IndexRequest(wait=True))
            finally:
                new.rename(old)
    remark = f"{report.renamed:,} renamed, {report.reused:,} windows kept their vector, {report.seconds:.1f} s"
    return [Line(f"rename of a folder in a vault of {count:,} notes", "0 embeddings", f"{report.embedded} embeddings", remark)]


def save_to_found(bench: Bench) -> list[Line]:
    """From the save of a note to the first search that finds it, cold model first."""
    prepared = middle(bench)
    note = prepared.root / "Saved now.md"
    try:
        with prepared.engine(watching=True) as engine:
            _until(lambda: engine.state == "ready", engine)
            rounds = [_save(engine, note, number) for number in range(SAVES + 1)]
            path = engine.search(SearchRequest("fixing the lifting machines of a port", mode="semantic", max_wait=None)).results[:1]
    finally:
        note.unlink(missing_ok=True)
    right = "its paraphrase finds it first" if [hit.path for hit in path] == [note.name] else "its paraphrase does not find it first"
    return [
        Line("save → found by words", "≤ 500 ms", milliseconds([words for words, _ in rounds])),
        Line("save → found by meaning, model warm", "≤ 2 s", milliseconds([meaning for _, meaning in rounds[1:]]), right),
        Line("save → found by meaning, model cold", "≤ 5 s", f"{rounds[0][1]:.1f} s"),
    ]


def _save(engine: Engine, note: Path, number: int) -> tuple[float, float]:
    """Seconds until the saved note's new word is found, and until none of its windows waits for a vector."""
    word = "zq" + "bcdfghjklm"[number // 10] + "bcdfghjklm"[number % 10]
    start = time.perf_counter()
    note.write_text(f"# Saved\n\nThe {word} is in this note on the repair of harbour cranes.\n", encoding="utf-8")
    _until(lambda: _finds(engine, word, "lexical", note.name), engine)
    words = time.perf_counter() - start
    _until(lambda: engine.status().pending == 0, engine)
    return words, time.perf_counter() - start


def _finds(engine: Engine, query: str, mode: Mode, name: str) -> bool:
    return name in [hit.path for hit in engine.search(SearchRequest(query, mode=mode, max_wait=None)).results]


def _until(condition: Callable[[], bool], engine: Engine, bound: float = 120.0) -> None:
    deadline = time.monotonic() + bound
    since = 0
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {bound} s; the engine says {engine.status()}")
        since = engine.events(since, 0.005).next
