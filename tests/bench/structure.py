"""The algebra alone against the exact index: `python -m tests.bench.structure [--sizes 1000 …] [--vaults FOLDER_OR_TAR …]`.

Owns the table of precision and recall of full scans at the thresholds of chance, on generated structure and on real vaults, and shows
what structure is worth in a search there. Asserts nothing.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from holovault.chunking import VERSION as CHUNKER_VERSION
from holovault.config import Config
from holovault.hrr import Atoms, compose
from holovault.indexer import StructurePass
from holovault.indexer.cutting import CutInput, CutSettings, Knife
from holovault.lexemes import Analyzer
from holovault.model import FileState
from holovault.searcher.algebra import Alone
from holovault.store import Store, StoredNote
from holovault.store.structure import Matrix
from tests.bench import lane
from tests.bench.vaults import unpacked
from tests.support.alone import Agreement, Found, agreement, generated

SIZES = (1_000, 12_000, 100_000)
NAMES = 3_000
ASKED = 300
"""Names of a generated vault that are asked for, spread over all; of a real one all are."""

TOGETHER = 40
"""Frequent names whose pairs are reasoned about."""

_SLICE = 500


@dataclass(frozen=True, slots=True)
class Case:
    """A matrix, the names to ask for, and who states them."""

    name: str
    matrix: Matrix
    names: Sequence[str]
    holding: Callable[[str], Found]
    composing_s: float


def synthetic(chunks: int, atoms: Atoms) -> Case:
    """Generated structure, its exact index kept as sets."""
    begun = time.monotonic()
    holders: dict[str, list[int]] = {}
    phases, counts, w2 = np.empty((chunks, 1024), dtype=np.uint8), np.empty(chunks, np.int64), np.empty(chunks, np.int64)
    for number, fillers in enumerate(generated(chunks, NAMES, 7)):
        made = compose(fillers, atoms)
        phases[number], counts[number], w2[number] = made.phases, made.count, made.w2
        for one in fillers:
            if one.role == "entity":
                holders.setdefault(one.name, []).append(number)
    took = time.monotonic() - begun
    names = sorted(holders)
    asked = names[:: max(1, len(names) // ASKED)]
    matrix = Matrix(np.arange(chunks, dtype=np.int64), phases, counts, w2)
    return Case(f"generated, {chunks:,} chunks", matrix, asked, lambda name: np.array(holders[name], dtype=np.int64), took)


@contextmanager
def indexed(vault: Path) -> Iterator[Store]:
    """The words index of a vault, cut and stored as the product does it; its vectors still wait."""
    knife = Knife(CutSettings(Config().search.languages, 128))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder), Analyzer.version, CHUNKER_VERSION) as store:
        notes = [_stored(knife, vault, path) for path in sorted(vault.rglob("*.md"))]
        for start in range(0, len(notes), _SLICE):
            store.notes.put(notes[start : start + _SLICE])
        yield store


def real(name: str, store: Store, atoms: Atoms) -> Case:
    """A vault's own names; composes their vectors."""
    begun = time.monotonic()
    StructurePass(store, atoms).all(lambda _: None, lambda: False)
    took = time.monotonic() - begun
    names = [one.name for one in store.structure.entities(1_000_000)]
    title = f"{name}: {store.notes.counts().files:,} notes, {len(store.structure.matrix()):,} chunks"
    return Case(title, store.structure.matrix(), names, lambda one: store.structure.chunks_with(one, "entity"), took)


def _stored(knife: Knife, vault: Path, file: Path) -> StoredNote:
    data, path = file.read_bytes(), file.relative_to(vault).as_posix()
    state = FileState(path, path, sha256(data).hexdigest(), len(data), 0, 0, 0)
    return StoredNote(state, knife.cut(CutInput(path, data)), 1, None, "2026-01-01T00:00:00Z")


def probes(case: Case, atoms: Atoms) -> tuple[Agreement, float]:
    """Every name by a scan, and the milliseconds that one takes."""
    alone = Alone(case.matrix, atoms)
    begun = time.monotonic()
    found = [alone.probe(name).chunks for name in case.names]
    took = time.monotonic() - begun
    return agreement(zip(found, map(case.holding, case.names), strict=True)), 1000 * took / max(1, len(case.names))


def reasons(case: Case, atoms: Atoms) -> Agreement:
    """Pairs of the most frequent names that share a chunk."""
    alone = Alone(case.matrix, atoms)
    held = {name: case.holding(name) for name in case.names}
    often = sorted(held, key=lambda name: -len(held[name]))[:TOGETHER]
    both = {pair: np.intersect1d(held[pair[0]], held[pair[1]]) for pair in combinations(often, 2)}
    some = [(pair, true) for pair, true in both.items() if len(true)][:100]
    return agreement((alone.reason(pair).chunks, true) for pair, true in some)


def row(case: Case, atoms: Atoms) -> list[str]:
    """One line of the table."""
    probe, ms = probes(case, atoms)
    pair = reasons(case, atoms)
    sizes = case.matrix.counts
    return [
        case.name,
        f"{np.median(sizes):.0f} / {sizes.max() if len(sizes) else 0}",
        f"{probe.questions:,}",
        f"{probe.precision:.4f}",
        f"{probe.recall:.4f}",
        f"{probe.alarmed / max(1, probe.questions):.3f}",
        f"{pair.precision:.4f}",
        f"{pair.recall:.4f}",
        f"{ms:.1f}",
        f"{1000 * case.composing_s / max(1, len(case.matrix)):.2f}",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--vaults", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    table = Table(box=box.MARKDOWN)
    heads = ("", "fillers, median / most", "names", "probe precision", "recall", "names with a false alarm", "reason precision", "recall")
    for head in (*heads, "ms a scan", "ms to compose a chunk"):
        table.add_column(head)
    lanes = Table(*lane.HEADS, box=box.MARKDOWN)
    atoms = Atoms()
    for size in given.sizes:
        table.add_row(*row(synthetic(size, atoms), atoms))
    for source in given.vaults:
        with unpacked(source) as vault, indexed(vault) as store:
            table.add_row(*row(real(vault.name, store, atoms), atoms))
            lanes.add_section()
            for line in lane.rows(vault.name, store, atoms):
                lanes.add_row(*line)
    console = Console(width=220)
    console.print(table)
    if given.vaults:
        console.print(lanes)


if __name__ == "__main__":
    main()
