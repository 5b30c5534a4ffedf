"""Embedding providers side by side: `python -m tests.bench.providers [--data FOLDER] [PROVIDER[:MODEL] …]` prints a table.

Owns the choice of texts and sets; every figure comes from the same run on this machine. A provider that cannot run here is a row that
says why. Asserts nothing.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

from rich import box
from rich.console import Console
from rich.table import Table

from holovault.chunking import chunk, window_string, windows
from holovault.config import Config, Home
from holovault.config.values import Provider
from holovault.embed import EmbeddingService, make_embedding
from holovault.engine.models import Models
from holovault.errors import HolovaultError
from holovault.markdown import parse
from tests.bench.retrieval.__main__ import score
from tests.bench.retrieval.building import build
from tests.bench.retrieval.data import load, sample

SETS = ("xquad-ru-ru", "xquad-en-ru")
HEAD = ("provider", "model", "dimension", "trained", "window", "cold s", "MB loaded / at work", "question ms", "windows/s")
QUESTIONS = 150
WINDOWS = 96
"""Enough for a rate, few enough for slow models."""


def texts(docs: Path) -> list[str]:
    """Windows of the manual, in both of its languages."""
    found: list[str] = []
    for page in sorted(docs.rglob("*.md")):
        for piece in chunk(parse(page.read_text(encoding="utf-8"))):
            found += [window_string(window, piece.text) for window in windows(piece)]
    step = max(1, len(found) // WINDOWS)
    return found[::step][:WINDOWS]


def measured(service: EmbeddingService, passages: list[str]) -> list[str]:
    """Seconds to the first answer, memory loaded and after work, milliseconds of a warm question, windows per second."""
    begun = time.perf_counter()
    service.embed_query("how long does it take", None)
    cold, loaded = time.perf_counter() - begun, service.rss_mb()
    begun = time.perf_counter()
    for number in range(10):
        service.embed_query(f"a question of ten words or so, number {number}", None)
    warm = (time.perf_counter() - begun) * 100
    begun = time.perf_counter()
    service.embed_passages(passages)
    rate = len(passages) / (time.perf_counter() - begun)
    return [f"{cold:.1f}", f"{loaded:.0f} / {service.rss_mb():.0f}", f"{warm:.0f}", f"{rate:.1f}"]


def quality(service: EmbeddingService, config: Config, data: Path | None) -> list[str]:
    """nDCG@10 of the hybrid search on two sets, Russian and English questions over Russian passages."""
    if data is None:
        return ["", ""]
    cells = []
    for name in SETS:
        chosen = sample(load(data / name), QUESTIONS)
        with tempfile.TemporaryDirectory() as folder:
            built = build(chosen, Path(folder), service, config)
            cells.append(f"{score(chosen, built, 'hybrid', None).ndcg:.3f}")
            built.store.close()
    return cells


def trained(provider: str, name: str, home: Home) -> str:
    """Tokens that the model was trained to read at once, as `holovault model list` says it."""
    rows = Models(home).rows(None)
    found = next((one.trained for one in rows if one.provider == provider and (provider != "fastembed" or one.name == name)), None)
    return "" if found is None else str(found or "any")


def row(named: str, data: Path | None, passages: list[str]) -> list[str] | str:
    """One provider's line, or the sentence that says why there is none."""
    provider, _, model = named.partition(":")
    config = Config()
    if provider not in get_args(Provider):
        return f"{named}: there is no such provider"
    config = replace(config, embedding=replace(config.embedding, provider=cast(Provider, provider), model=model or None))
    service: EmbeddingService | None = None
    try:
        home = Home.from_environment()
        service = make_embedding(config.embedding, None, home)
        if service.spec is None:
            return f"{named}: {service.status().reason or 'no model'}"
        spec = service.spec
        facts = [spec.name, str(spec.dimension), trained(provider, spec.name, home), str(spec.window)]
        return [named, *facts, *measured(service, passages), *quality(service, config, data)]
    except HolovaultError as fault:
        return f"{named}: {fault}"
    finally:
        if service is not None:
            service.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Embedding providers side by side.")
    parser.add_argument("providers", nargs="*", default=["bundled", "e5", "fastembed"])
    parser.add_argument("--data", type=Path, help="folder of the retrieval sets; without it no quality is measured")
    options = parser.parse_args()
    table = Table(*HEAD, *SETS, box=box.MARKDOWN)
    passages = texts(Path(__file__).resolve().parent.parent.parent / "docs")
    absent: list[str] = []
    for named in options.providers:
        found = row(named, options.data, passages)
        if isinstance(found, str):
            absent.append(found)
        else:
            table.add_row(*found)
    console = Console(width=180)
    console.print(table)
    for sentence in absent:
        console.print(sentence)


if __name__ == "__main__":
    main()
