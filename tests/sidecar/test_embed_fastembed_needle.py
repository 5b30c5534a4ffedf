"""With a model that reads 128 tokens, the last sentence of a chunk of a thousand is found by meaning alone, in the whole engine."""

from pathlib import Path

from holovault.config import Home
from tests.support.engines import ask, indexed_engine, open_engine
from tests.support.fastembed_models import NAME, registered
from tests.support.vaults import make_vault

NEEDLE = "Grandmother hid her silver thimble beneath loose floorboards."
STREETS = ["Harbour", "Mill", "Station", "Church", "Castle", "Garden", "Bridge", "Market", "Abbey", "Forest", "School", "Tower"]
STREETS += ["River", "Palace", "Orchard", "Quarry", "Chapel", "Meadow", "Barrack", "Theatre", "Windmill", "Convent", "Arsenal"]
PIPES = ["cast iron", "grey plastic", "copper", "clay"]
LINES = [
    f"The water main below {street} Street is made of {PIPES[number % 4]}, was laid in {1921 + number * 7} and loses {3 + number} litres "
    f"an hour through joints that the council plans to replace by {2027 + number}."
    for number, street in enumerate(STREETS)
]
NOTES: dict[str, str | bytes] = {
    "Water.md": "# Water mains\n\n" + "\n".join([*LINES, NEEDLE]) + "\n",
    "Choir.md": "# Choir\n\nWe rehearse a requiem on Thursdays and the altos still miss their entry.\n",
    "Roof.md": "# Roof\n\nTwo tiles came loose in the storm and the gutter is full of moss.\n",
    "Sewing.md": "# Sewing\n\nThe machine needs oil and a new belt before winter.\n",
}
CONFIG = f'[embedding]\nprovider = "fastembed"\nmodel = "{NAME}"\n'


def test_a_needle_at_the_end_of_a_long_chunk_is_found_by_meaning(tmp_path: Path) -> None:
    registered(Home(tmp_path / "home"), [str(note) for note in NOTES.values()])
    vault = make_vault(tmp_path / "vault", NOTES, CONFIG)
    with indexed_engine(vault.root, tmp_path / "home") as engine:
        status = engine.status()
        assert (status.model.provider, status.model.name, status.failures) == ("fastembed", NAME, ())
        assert (status.pending, status.embedded) == (0, status.windows)
        chunks = engine.explain("Water.md").chunks
        assert chunks[-1].tokens > 800
        assert chunks[-1].windows >= 8
        answer = ask(engine, "silver thimble hid beneath floorboards", "semantic")
        assert answer.degraded == ()
        assert answer.results[0].path == "Water.md"
        assert answer.results[0].end_line >= len(LINES) + 3


def test_without_the_models_files_words_answer_and_the_answer_says_what_to_do(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault", NOTES, '[embedding]\nprovider = "fastembed"\n')
    with indexed_engine(vault.root, tmp_path / "home") as engine:
        answer = ask(engine, "silver thimble")
        assert answer.results[0].path == "Water.md"
        (lane,) = answer.degraded
        assert (lane.lane, "holovault model download" in lane.reason) == ("semantic", True)


def test_a_model_of_another_machine_costs_no_words(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault", NOTES, '[embedding]\nprovider = "fastembed"\nmodel = "my/own"\n')
    with open_engine(vault.root, tmp_path / "home") as engine:
        answer = ask(engine, "silver thimble")
        engine.catch_up(None)
        answer = ask(engine, "silver thimble")
        assert answer.results[0].path == "Water.md"
        assert [(lane.lane, lane.code) for lane in answer.degraded] == [("semantic", "failed")]
        assert "holovault model add" in answer.degraded[0].reason
        assert engine.status().model.state == "failed"
