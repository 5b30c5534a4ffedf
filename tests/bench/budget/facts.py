"""How fast a page of facts comes out of ten thousand, however they are narrowed."""

import tempfile
import time
from pathlib import Path

from holovault.config import Home
from holovault.engine import Engine
from holovault.model import FactQuery, IndexRequest
from tests.bench.budget.lines import Bench, Line, milliseconds
from tests.support.vaults import NO_MODEL, make_vault

PER_NOTE = 100
ROUNDS = 40
ASKED = {
    "all": FactQuery(limit=50),
    "by words": FactQuery(query="ёлка сервер 7", limit=50),
    "by category": FactQuery(category="Семья", limit=50),
    "by tag": FactQuery(tag="дом", limit=50),
    "by trust": FactQuery(min_trust=0.6, limit=50),
}


def facts_by_filter(bench: Bench) -> list[Line]:
    """A page of 50, with what the page's other columns count."""
    count = bench.scaled(10_000)
    with tempfile.TemporaryDirectory() as folder:
        notes = {f"Memory/Facts/{number}.md": _note(number) for number in range(count // PER_NOTE)}
        vault = make_vault(Path(folder) / "vault", notes | {"knowledge.toml": NO_MODEL})
        with Engine.open(vault.root, Home(Path(folder) / "home"), owner="bench") as engine:
            engine.index(IndexRequest(wait=False))
            return [_measured(engine, name, query) for name, query in ASKED.items()]


def _measured(engine: Engine, name: str, query: FactQuery) -> Line:
    total = engine.facts.list(query).total
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        engine.facts.list(query)
        times.append(time.perf_counter() - start)
    return Line(f"page of 50 facts, {name}", "≤ 20 ms", milliseconds(times), f"{total:,} meet it")


def _note(number: int) -> str:
    lines = (
        f"- Ёлка {number} стоит у сервера {each} и ждёт [[Иван|Ивана]] #{'дом/сад' if each % 3 else 'work'}"
        f" [trust:: {0.4 + each % 5 / 10:.1f}] ^f{number}x{each}"
        for each in range(PER_NOTE)
    )
    return "# Facts\n\n## " + ("Семья" if number % 4 else "Work") + "\n\n" + "\n".join(lines) + "\n"
