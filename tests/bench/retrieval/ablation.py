"""What each lane is worth: nDCG@10 with all lanes and with each one left out, and what every share of structure does.

`python -m tests.bench.retrieval.ablation --data FOLDER [--sets NAME …] [--vaults FOLDER_OR_TAR …] [--questions N]`.

Owns the table. Words are left out by their weight and meaning by its model, so that the other lanes still get their candidates; in the
column *meaning alone* words propose nothing either. Of a vault the questions are those of `tests.bench.lane`. Asserts nothing.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path
from statistics import fmean

from rich import box
from rich.console import Console
from rich.table import Table

from holovault.config import Config, Home
from holovault.embed import EmbeddingService, make_embedding
from holovault.hrr import Atoms
from holovault.model import Hit, Mode, Profile, SearchRequest
from holovault.searcher import Searcher
from holovault.store import Store
from tests.bench import lane
from tests.bench.retrieval.building import build, complete, searching
from tests.bench.retrieval.data import load, sample
from tests.bench.retrieval.measures import ndcg
from tests.bench.retrieval.vectors import RememberingEmbedding
from tests.bench.structure import indexed
from tests.bench.vaults import unpacked
from tests.support.searching import NoModel

SETS = ("xquadr-ru", "xquadr-en", "tldr-x-ru-en", "obshelp-desc-en")
SHARES = (0.0, 0.1, 0.2, 0.3)
HITS = 60


@dataclass(frozen=True, slots=True)
class Case:
    """Questions with the grades of their answers, over one index; `answer` says which answer a hit is."""

    name: str
    store: Store
    questions: Sequence[tuple[str, Mapping[str, float]]]
    answer: Callable[[Hit], str]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to ask: what the configuration says, whether there is a model, and which lanes may propose."""

    title: str
    config: Config
    profile: Profile = "coverage"
    mode: Mode = "hybrid"
    model: bool = True


def ways(config: Config) -> Iterator[Way]:
    """All lanes, then each left out, for both profiles in which lanes have weights."""

    def with_(title: str, profile: Profile = "coverage", **search: object) -> Way:
        return Way(title, replace(config, search=replace(config.search, **search)), profile)  # type: ignore[arg-type]

    weights = config.search.weights
    yield with_("all")
    yield with_("− words", semantic_weight=1.0)
    yield replace(with_("− meaning"), model=False)
    yield with_("− structure", hrr_weight=0.0)
    yield replace(with_("meaning alone"), mode="semantic")
    yield with_("weighted: all", "weighted")
    yield with_("− words", "weighted", weights=replace(weights, fts=0.0))
    yield with_("− jaccard", "weighted", weights=replace(weights, jaccard=0.0))
    yield replace(with_("− meaning", "weighted"), model=False)
    yield with_("− structure", "weighted", weights=replace(weights, hrr=0.0))


def shares(config: Config) -> Iterator[Way]:
    """The default profile with more and more structure."""
    for share in SHARES:
        yield Way(f"{share:.1f}", replace(config, search=replace(config.search, hrr_weight=share)))


class Asking:
    """Asks one case in any way."""

    def __init__(self, case: Case, embedding: EmbeddingService, atoms: Atoms) -> None:
        self._case = case
        self._embedding = embedding
        self._atoms = atoms

    def each(self, way: Way) -> list[float]:
        """nDCG@10 of every question."""
        searcher = searching(self._case.store, self._embedding if way.model else NoModel(), way.config, self._atoms)
        return [ndcg(self._ranked(searcher, text, way), grades) for text, grades in self._case.questions]

    def spoken(self, way: Way) -> float:
        """The share of questions in which structure has a say on any hit."""
        searcher = searching(self._case.store, self._embedding, way.config, self._atoms)
        asked = (searcher.search(SearchRequest(text, 10, max_wait=None)).results for text, _ in self._case.questions)
        return fmean(any(hit.signals.hrr for hit in hits) for hits in asked)

    def _ranked(self, searcher: Searcher, text: str, way: Way) -> list[str]:
        found = searcher.search(SearchRequest(text, HITS, way.mode, way.profile, max_wait=None)).results
        return list(dict.fromkeys(map(self._case.answer, found)))


@contextmanager
def of_set(folder: Path, embedding: EmbeddingService, config: Config, questions: int) -> Iterator[Case]:
    """A retrieval set, every document a note."""
    data = sample(load(folder), questions)
    with tempfile.TemporaryDirectory() as place:
        built = build(data, Path(place), embedding, config)
        asked = [(one.text.replace('"', " "), grades) for one in data.queries if (grades := data.grades.get(one.id))]
        yield Case(data.name, built.store, asked, lambda hit: built.documents[hit.path])
        built.store.close()


@contextmanager
def of_vault(source: Path, embedding: EmbeddingService, atoms: Atoms, questions: int) -> Iterator[Case]:
    """A vault with its links; so many questions of each kind that `lane` knows, all of which have one answer."""
    with unpacked(source) as vault, indexed(vault) as store:
        complete(store, embedding, atoms)
        known = [one for asked in lane.kinds(store).values() for one in asked[:questions]]
        asked = [(one.text, {f"{one.path}:{one.line}": 1.0}) for one in known]
        yield Case(vault.name, store, asked, lambda hit: f"{hit.path}:{hit.start_line}")


def by_chance(better: int, worse: int) -> float:
    """How often a coin tossed for every question that changed gives at least as uneven a result (two-sided sign test)."""
    tosses, most = better + worse, max(better, worse)
    return min(1.0, 2 * sum(comb(tosses, heads) for heads in range(most, tosses + 1)) / 2**tosses) if tosses else 1.0


def main() -> None:
    """Ask and print both tables."""
    options = _options().parse_args()
    config, atoms = Config(), Atoms()
    embedding = RememberingEmbedding(make_embedding(config.embedding, None, Home.from_environment()), options.cache)
    lanes = Table("set", "questions", *(way.title for way in ways(config)), box=box.MARKDOWN)
    structure = Table("set", *(way.title for way in shares(config)), "speaks in", "better / worse at .2", "by chance", box=box.MARKDOWN)
    sources = [of_set(options.data / name, embedding, config, options.questions) for name in options.sets]
    sources += [of_vault(vault, embedding, atoms, options.questions) for vault in options.vaults]
    try:
        for source in sources:
            with source as case:
                asking = Asking(case, embedding, atoms)
                lanes.add_row(case.name, str(len(case.questions)), *(f"{fmean(asking.each(way)):.3f}" for way in ways(config)))
                structure.add_row(case.name, *_shares(asking, config))
                Console(stderr=True).print(f"{case.name} is done")
    finally:
        embedding.close()
    console = Console(width=200)
    console.print(lanes)
    console.print(structure)


def _shares(asking: Asking, config: Config) -> list[str]:
    at = {way.title: asking.each(way) for way in shares(config)}
    pairs = list(zip(at["0.0"], at["0.2"], strict=True))
    better, worse = sum(with_ > without for without, with_ in pairs), sum(with_ < without for without, with_ in pairs)
    spoken = asking.spoken(next(way for way in shares(config) if way.title == "0.2"))
    return [*(f"{fmean(own):.3f}" for own in at.values()), f"{spoken:.0%}", f"{better} / {worse}", f"{by_chance(better, worse):.2f}"]


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.retrieval.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--vaults", type=Path, nargs="*", default=[], help="vaults whose own notes are asked for")
    parser.add_argument("--questions", type=int, default=60, help="of each set, evenly spread, and of each kind of a vault")
    default = Path(tempfile.gettempdir()) / "holovault-bench-vectors"
    parser.add_argument("--cache", type=Path, default=default, help="folder for vectors that stay between runs")
    return parser


if __name__ == "__main__":
    main()
