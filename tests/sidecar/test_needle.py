"""No text is silently cut: the last sentence of a very long chunk is as findable by meaning as the first."""

from collections.abc import Iterator

import pytest

from holovault.engine import Engine
from holovault.lexemes import Analyzer
from holovault.model import Mode
from tests.support.engines import first, indexed_engine
from tests.support.vaults import BUNDLED, make_vault

NEEDLE = "My sister's cat swallowed a button last winter, so the vet had to operate on her stomach."
PARAPHRASE = "a pet needed surgery after eating part of a shirt"
STREETS = ["Harbour", "Mill", "Station", "Church", "Castle", "Garden", "Bridge", "Market", "Abbey", "Forest", "School", "Tower"]
STREETS += ["River", "Palace", "Orchard", "Quarry", "Chapel", "Meadow", "Barrack", "Theatre", "Windmill", "Convent"]
PIPES = ["cast iron", "grey plastic", "copper", "clay"]


def _water_works() -> str:
    """About nine hundred tokens of one paragraph on water pipes, then the needle on a line of its own."""
    sentences = [
        f"The water main below {street} Street is made of {PIPES[number % len(PIPES)]}, was laid in {1921 + number * 7} "
        f"and loses {3 + number} litres an hour through joints that the council plans to replace by {2027 + number}."
        for number, street in enumerate(STREETS)
    ]
    lines = [*sentences, "The rest of the network was inspected with a camera and will last a while.", NEEDLE]
    return "# Water mains\n\n" + "\n".join(lines) + "\n"


OTHERS: dict[str, str | bytes] = {
    "Trains.md": "# Trains\n\nThe night train to the coast leaves at eleven and arrives before breakfast.\n",
    "Choir.md": "# Choir\n\nWe rehearse a requiem on Thursdays; the altos still miss their entry.\n",
    "Roof.md": "# Roof\n\nTwo tiles came loose in the storm and the gutter is full of moss.\n",
    "Shares.md": "# Shares\n\nThe fund follows an index of large companies and costs a fifth of a percent a year.\n",
    "Хор.md": "# Хор\n\nРепетиции по четвергам, концерт в декабре.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    place = tmp_path_factory.mktemp("needle")
    vault = make_vault(place / "vault", {**OTHERS, "Water.md": _water_works()}, BUNDLED)
    with indexed_engine(vault.root, place / "home") as opened:
        yield opened


def test_the_needle_lies_at_the_end_of_one_long_chunk(engine: Engine) -> None:
    (chunk,) = [part for part in engine.explain("Water.md").chunks if part.end_line >= len(_water_works().splitlines())]
    assert 500 <= chunk.tokens <= 1_000
    assert chunk.windows >= 4
    assert chunk.start_line <= 3


def test_the_paraphrase_shares_no_word_with_any_note(engine: Engine) -> None:
    analyzer = Analyzer()
    asked = {term.term for term in analyzer.analyze(PARAPHRASE) if not analyzer.is_stop(term.term)}
    written = {term.term for text in (*OTHERS.values(), _water_works()) for term in analyzer.analyze(str(text))}
    assert asked
    assert asked & written == set()


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_the_last_sentence_of_a_long_chunk_is_found_by_its_meaning(engine: Engine, mode: Mode) -> None:
    line = _water_works().splitlines().index(NEEDLE) + 1
    hit = first(engine, PARAPHRASE, mode)
    assert hit.path == "Water.md"
    assert hit.start_line <= line <= hit.end_line
