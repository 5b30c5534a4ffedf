"""The command: builds, asks, prints. See the package."""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from holovault.config import Config, Home
from holovault.embed import EmbeddingService, make_embedding
from holovault.embed.providers import PROVIDERS
from holovault.model import Mode, Profile, SearchRequest
from tests.bench.retrieval.building import Built, build
from tests.bench.retrieval.data import E5_REFERENCE, REFERENCE, Asked, Reference, RetrievalSet, load, sample
from tests.bench.retrieval.measures import ndcg, recall
from tests.bench.retrieval.vectors import RememberingEmbedding

HITS = 60
MODES: tuple[Mode, ...] = ("hybrid", "lexical", "semantic")
FAMILIES = ("xquad", "locomo", "tldr", "obshelp")
SALAD = ("qwzxv plrtk", "zzxqj vbnmk wrtpl", "жбрщц фывъщ", "ыъьэ щщцк", "xkcdqz", "kjhgfd lkjhg poiuy", "ппркщ ъъшж", "hjvbq")


@dataclass(frozen=True, slots=True)
class Score:
    """Means over the questions of one set; `none` is the share that found nothing at all, `ms` the mean time."""

    ndcg: float
    recall: float
    none: float
    ms: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse, run every set, print a line for each and the means."""
    options = _options().parse_args(arguments)
    config = replace(Config(), embedding=replace(Config().embedding, provider=options.provider, model=options.model))
    if options.semantic_weight is not None:
        config = replace(config, search=replace(config.search, semantic_weight=options.semantic_weight))
    embedding = RememberingEmbedding(make_embedding(config.embedding, None, Home.from_environment()), options.cache)
    try:
        _run(options, config, embedding)
    finally:
        embedding.close()


def _run(options: argparse.Namespace, config: Config, embedding: EmbeddingService) -> None:
    names: list[str] = options.sets or list(REFERENCE)
    foreign = {name: load(options.data / name).queries[:: options.absent] for name in names} if options.absent else {}
    print(f"{'set':16} {'before':>13} | " + " | ".join(f"{mode:>26}" for mode in options.modes) + " | floor–ceiling  absent found")
    totals: dict[Mode, list[Score]] = {mode: [] for mode in options.modes}
    for name in names:
        data = sample(load(options.data / name), options.questions)
        with tempfile.TemporaryDirectory() as folder:
            built = build(data, Path(folder), embedding, config)
            scores: dict[Mode, Score] = {mode: score(data, built, mode, options.profile) for mode in options.modes}
            before = _before(options.provider)[name]
            print(_line(name, before, scores, built, _absent(built, name, foreign, options.modes)), flush=True)
            built.store.close()
        for mode, reached in scores.items():
            totals[mode].append(reached)
    mean_before = fmean(_before(options.provider)[name].ndcg for name in names)
    means = {mode: Score(*(fmean(getattr(one, field) for one in all_) for field in Score.__slots__)) for mode, all_ in totals.items()}
    print(f"{'mean':16} {mean_before:13.3f} | " + " | ".join(_cell(mean, None) for mean in means.values()))


def score(data: RetrievalSet, built: Built, mode: Mode, profile: Profile | None) -> Score:
    rows = [
        (ndcg(ranked, grades), recall(ranked, grades), float(not ranked), took)
        for query in data.queries
        if (grades := data.grades.get(query.id))
        for ranked, took in [_ask(built, query, mode, profile)]
    ]
    return Score(*(fmean(column) for column in zip(*rows, strict=True)))


def _ask(built: Built, query: Asked, mode: Mode, profile: Profile | None) -> tuple[list[str], float]:
    """Documents by their best passage, best first, and milliseconds. A question of a group is asked of its folder."""
    plain = query.text.replace('"', " ")
    text = plain if query.group is None else f'{plain} folder:"{query.group}"'
    response = built.searcher.search(SearchRequest(text, limit=HITS, mode=mode, profile=profile, max_wait=None))
    assert not response.degraded, response.degraded
    return list(dict.fromkeys(built.documents[hit.path] for hit in response.results)), response.took_ms


def _absent(built: Built, name: str, foreign: dict[str, tuple[Asked, ...]], modes: Sequence[Mode]) -> str:
    """Share of questions of other families, and of letter salad, that find something, in each mode."""
    if not foreign:
        return ""
    family = next(one for one in FAMILIES if name.startswith(one))
    near = {family} | ({"tldr", "obshelp"} if family in {"tldr", "obshelp"} else set())
    texts = [query.text for other, queries in foreign.items() if not other.startswith(tuple(near)) for query in queries]
    cells = []
    for mode in modes:
        absent = fmean(bool(_ask(built, Asked("", text), mode, None)[0]) for text in texts) if texts else 0.0
        salad = fmean(bool(_ask(built, Asked("", text), mode, None)[0]) for text in SALAD)
        cells.append(f"{absent:.2f}/{salad:.2f}")
    return "  ".join(cells)


def _before(provider: str) -> dict[str, Reference]:
    """What was measured with the same model; with the bundled one for models that were not."""
    return E5_REFERENCE if provider == "e5" else REFERENCE


def _line(name: str, before: Reference, scores: dict[Mode, Score], built: Built, absent: str) -> str:
    cells = " | ".join(_cell(score, before.ndcg) for score in scores.values())
    return f"{name:16} {before.ndcg:.3f} / {before.recall:.3f} | {cells} | {built.scale[0]:.3f}–{built.scale[1]:.3f}  {absent}"


def _cell(score: Score, before: float | None) -> str:
    change = "      " if before is None else f"{score.ndcg - before:+.3f}"
    return f"{score.ndcg:.3f} {change} {score.recall:.3f} {score.none:4.0%} {score.ms:4.0f}"


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.retrieval", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "holovault-bench-vectors",
        help="folder for vectors that stay between runs (default: one in the system's temporary folder)",
    )
    parser.add_argument(
        "--provider", choices=sorted(PROVIDERS), default="bundled", help="whose model; its files are looked for in the home"
    )
    parser.add_argument("--model", help="of that provider; its default unless given")
    parser.add_argument("--sets", nargs="*", choices=sorted(REFERENCE), help="all unless named")
    parser.add_argument("--modes", nargs="*", choices=MODES, default=list(MODES))
    parser.add_argument("--profile", choices=("coverage", "rrf", "weighted"))
    parser.add_argument("--semantic-weight", type=float)
    parser.add_argument("--questions", type=int, metavar="N", help="at most so many of each set, evenly spread; all unless given")
    parser.add_argument("--absent", type=int, default=0, metavar="N", help="also ask every Nth question of the other families")
    return parser


if __name__ == "__main__":
    main()
