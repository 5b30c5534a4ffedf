"""Nonsense, and topics that no note speaks of, find nothing with the bundled model: a list of ten bad answers is worse than none."""

from collections.abc import Iterator

import pytest

from holovault.engine import Engine
from holovault.model import Mode
from tests.support.engines import MODES, ask, found, indexed_engine
from tests.support.vaults import BUNDLED, make_vault

HOUSEHOLD: dict[str, str | bytes] = {
    "Garden/Tomatoes.md": "# Tomatoes\n\nSow the seeds indoors in March and move the seedlings outside once the nights are warm.\n",
    "Garden/Compost.md": "# Compost\n\nKitchen scraps, leaves and cardboard rot in half a year if the heap stays damp.\n",
    "Kitchen/Bread.md": "# Sourdough bread\n\nFeed the starter in the evening, knead in the morning and bake for forty minutes.\n",
    "Kitchen/Knives.md": "# Knives\n\nA dull blade slips. Sharpen it on the wet stone at twenty degrees, then strop it on leather.\n",
    "Computer/Backup.md": (
        "# Backup\n\nEvery night the laptop copies its documents to the disk in the cellar, and once a week to a server abroad, "
        "so that a fire or a thief cannot take them.\n"
    ),
    "Computer/Passwords.md": "# Passwords\n\nThe manager keeps long random secrets; the main phrase is on paper in the safe.\n",
    "Health/Sleep.md": "# Sleep\n\nNo coffee after two, no screens after ten, and the bedroom at eighteen degrees.\n",
    "Health/Running.md": "# Running\n\nThree slow runs a week and one fast one; new shoes after eight hundred kilometres.\n",
    "Дом/Ремонт.md": "# Ремонт\n\nСтены в ванной выравниваем штукатуркой, потом кладём плитку и затираем швы.\n",
    "Дом/Кот.md": "# Кот\n\nКота зовут Барсик, прививки делаем в сентябре, корм покупаем мешками по десять килограммов.\n",
    "Работа/Отчёт.md": "# Отчёт\n\nКвартальный отчёт сдаём до десятого числа, цифры по продажам присылает бухгалтерия.\n",
    "Работа/Собеседование.md": "# Собеседование\n\nСпрашиваем кандидата о прошлых проектах и даём небольшую задачу на дом.\n",
}

NONSENSE = ["qwzxv plrtk", "zzxqj vbnmk wrtpl", "жбрщц фывъщ", "ыъьэ щщцк", "🦊🚀🧿", "xkcdqz", "kjhgfd lkjhg poiuy"]

ABSENT = [
    "medieval falconry licences",
    "orbital mechanics of Jupiter's moons",
    "maritime insurance law",
    "quantum chromodynamics",
    "история византийских императоров",
    "уравнения Максвелла",
    "опера Вагнера",
]

PARAPHRASES = [
    ("keeping files safe in case the hardware dies", "Computer/Backup.md"),
    ("sleeping better at night", "Health/Sleep.md"),
    ("питомец и ветеринар", "Дом/Кот.md"),
    ("growing vegetables from seed", "Garden/Tomatoes.md"),
    ("job interview", "Работа/Собеседование.md"),
]
"""Words that the note does not use, some of them in another language."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    place = tmp_path_factory.mktemp("household")
    vault = make_vault(place / "vault", HOUSEHOLD, BUNDLED)
    with indexed_engine(vault.root, place / "home") as opened:
        yield opened


@pytest.mark.parametrize("query", NONSENSE)
@pytest.mark.parametrize("mode", MODES)
def test_nonsense_finds_nothing(engine: Engine, query: str, mode: Mode) -> None:
    assert found(engine, query, mode) == []


@pytest.mark.parametrize("query", ABSENT)
@pytest.mark.parametrize("mode", MODES)
def test_a_topic_that_no_note_speaks_of_finds_nothing(engine: Engine, query: str, mode: Mode) -> None:
    assert found(engine, query, mode) == []


@pytest.mark.parametrize(("query", "path"), PARAPHRASES)
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_a_real_paraphrase_finds_its_note(engine: Engine, query: str, path: str, mode: Mode) -> None:
    response = ask(engine, query, mode)
    assert response.degraded == ()
    assert path in [hit.path for hit in response.results[:3]]
