"""Queries on which other search programs fail, on a vault that was written for them, with and without a model."""

import unicodedata
from collections.abc import Iterator

import pytest

from holovault.engine import Engine
from holovault.model import Mode
from tests.support.engines import MODES, ask, first, found, indexed_engine
from tests.support.library import LIBRARY
from tests.support.vaults import BUNDLED, NO_MODEL, make_vault

NFC_PATH = "Мой.md"

BEST = [
    ("pve-01", "Servers/pve-01.md"),
    ("File-back Ingest Lint", "Ingest/Lint.md"),
    ("daemon-reexec", "Servers/Upgrades.md"),
    ("don't use agents", "Agents/House rules.md"),
    ("don’t use agents", "Agents/House rules.md"),
    ("Downloads/transcripts", "Transfers/Old recordings.md"),
    ("what's the budget, roughly?", "Money/Budget.md"),
    ("2026.4.10", "Releases/Spring.md"),
    ("1.0.21", "Releases/Patch.md"),
    ('"1.0.21"', "Releases/Patch.md"),
    ("crew:run", "Crew/Night shift.md"),
    ("C++", "Code/Templates.md"),
    ("foo_bar", "Code/Settings.md"),
    ("fooXbar", "Code/Generated.md"),
    ("100% _done_ list", "Notes/100% _done_ list.md"),
    ("how do I restore the nightly postgres backup?", "Backup/Postgres.md"),
    ("суббота", "Дом/Дача.md"),
    ("базе", "Работа/Копии.md"),
    ("базы", "Работа/Копии.md"),
    ("елка", "Дом/Праздник.md"),
    ("ёлка", "Дом/Праздник.md"),
    ("芯片", "硬件/功耗.md"),
    ("배포", "업무/금요일.md"),
    ("배포는", "업무/금요일.md"),
    ("Мой", NFC_PATH),
    (unicodedata.normalize("NFD", "Мой"), NFC_PATH),
]
"""Query and the note that must come first, by words alone and with a model."""

BOTH = [
    ("озера", {"Дом/Отпуск.md", "Дом/Птицы.md"}),
    ("озеро", {"Дом/Отпуск.md", "Дом/Птицы.md"}),
    ("миграции", {"Работа/Переезд.md", "Работа/План.md"}),
    ("миграция", {"Работа/Переезд.md", "Работа/План.md"}),
    ("readme", {"Code/README.md", "Notes/readme.md"}),
]
"""Query and the notes that must all be found, whatever the form of the word."""

WORDLESS = ["", "   ", "\t\n", "*", "**", "^", "-", "--", '"', '""', "\x00", "🦊🚀", "(", ")", "()", "%", "?", ":", "'", "\\"]
"""Nothing to look for: the honest answer is nothing, never the newest notes."""

ODD = [
    "a'b",
    'a"b',
    'lone " quote',
    'three " quote " marks "',
    "title:foo",
    "NEAR(",
    "NEAR(a b, 3)",
    "AND OR NOT",
    "a AND (b OR",
    "col:*",
    "-",
    "-notes",
    "--help",
    "x\x00y",
    "pve-01\x00",
    "budget " * 1_430,
    "".join(chr(1040 + number % 32) for number in range(10_000)),
    "\ud800 half a pair",
    "[key:value",
    "path:",
    "tag:#",
    "after:never before:soon",
    "within:-3d",
    "ﷺ ＡＢＣ ①",
    "e\u0301\u0301\u0301",
    "%s %d {0} $1",
    "'; DROP TABLE files; --",
]
"""Nothing in particular is expected, except an answer."""


@pytest.fixture(scope="module", params=["none", "bundled"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    place = tmp_path_factory.mktemp("library")
    vault = make_vault(place / "vault", LIBRARY, BUNDLED if request.param == "bundled" else NO_MODEL)
    with indexed_engine(vault.root, place / "home") as opened:
        yield opened


def _speaks(engine: Engine, mode: Mode) -> bool:
    """Semantic search without a model has nothing to say, and says that."""
    return mode != "semantic" or engine.status().model.provider != "none"


@pytest.mark.parametrize("query", [*(query for query, _ in BEST), *(query for query, _ in BOTH), *WORDLESS, *ODD])
@pytest.mark.parametrize("mode", MODES)
def test_any_query_gets_an_answer(engine: Engine, query: str, mode: Mode) -> None:
    response = ask(engine, query, mode)
    assert len(response.results) <= 10
    assert all(hit.path in LIBRARY or hit.path == NFC_PATH for hit in response.results)


@pytest.mark.parametrize(("query", "path"), BEST)
@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_the_note_that_was_meant_comes_first(engine: Engine, query: str, path: str, mode: Mode) -> None:
    assert first(engine, query, mode).path == path


@pytest.mark.parametrize(("query", "paths"), BOTH)
@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_every_form_of_a_word_finds_every_other(engine: Engine, query: str, paths: set[str], mode: Mode) -> None:
    assert paths <= set(found(engine, query, mode))


@pytest.mark.parametrize("query", WORDLESS)
@pytest.mark.parametrize("mode", MODES)
def test_a_query_without_a_word_finds_nothing(engine: Engine, query: str, mode: Mode) -> None:
    assert found(engine, query, mode) == []


@pytest.mark.parametrize("query", ["what's the budget, roughly?", "how do I restore the nightly postgres backup?"])
def test_a_question_is_understood_by_meaning_alone(engine: Engine, query: str) -> None:
    expected = dict(BEST)[query]
    assert found(engine, query, "semantic")[:1] == ([expected] if _speaks(engine, "semantic") else [])


def test_a_search_by_meaning_without_a_model_says_that_there_is_none(engine: Engine) -> None:
    missing = [(lane.lane, lane.code) for lane in ask(engine, "the budget", "semantic").degraded]
    assert missing == ([] if _speaks(engine, "semantic") else [("semantic", "disabled")])


def test_a_version_in_quotes_is_not_a_run_of_its_digits(engine: Engine) -> None:
    assert found(engine, '"1.0.21"', "lexical") == ["Releases/Patch.md"]


def test_a_word_that_no_note_has_finds_no_recent_notes_instead(engine: Engine) -> None:
    assert found(engine, "четверг", "lexical") == []


def test_an_underscore_is_no_wildcard(engine: Engine) -> None:
    assert found(engine, '"foo_bar"', "lexical") == ["Code/Settings.md"]


def test_a_name_in_decomposed_form_is_one_note_under_its_composed_path(engine: Engine) -> None:
    assert found(engine, "осенью", "lexical") == [NFC_PATH]
    assert engine.read(NFC_PATH).path == NFC_PATH
    assert engine.status().files == len(LIBRARY)


def test_names_that_differ_only_in_case_are_two_notes(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("case")
    vault = make_vault(place / "vault", {"README.md": "Large letters speak of turnips.\n"})
    if vault.at("readme.md").exists():
        pytest.skip("this file system takes README.md and readme.md for one name")
    vault.write("readme.md", "Small letters speak of parsnips.\n")
    with indexed_engine(vault.root, place / "home") as opened:
        assert found(opened, "turnips") == ["README.md"]
        assert found(opened, "parsnips") == ["readme.md"]
