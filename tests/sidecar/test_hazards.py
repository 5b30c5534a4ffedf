"""Files that make indexers hang, grow or stop: each ends in a right answer or in one listed failure."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from holovault.engine import Engine
from holovault.errors import PathForbiddenError, UserError
from tests.support.engines import Child, ask, first, found, open_engine, run_as_a_person
from tests.support.hazards import NAMES, ROW_OF_THE_NEEDLE, Hazards, make_hazards

GROWTH_MB = 400.0
"""What the owner may grow by, and a cutter may weigh, over a vault whose largest notes have 5 MB."""
CHILD_MB = 700.0


@dataclass(frozen=True, slots=True)
class Indexed:
    """The vault, the engine that indexed it in another process, and what that process said at its end."""

    hazards: Hazards
    engine: Engine
    failed: tuple[str, ...]
    grown_mb: float
    child_mb: float


def _number(report: dict[str, object], key: str) -> float:
    value = report[key]
    assert isinstance(value, (int, float))
    return float(value)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    place = tmp_path_factory.mktemp("hazards")
    hazards = make_hazards(place)
    child = Child(hazards.vault.root, place / "home", prefix=run_as_a_person() or ())
    end = child.until("end", 0)
    child.finish()
    report = end["report"]
    assert isinstance(report, dict)
    failed = tuple(str(failure["path"]) for failure in report["failed"])
    grown = _number(end, "after_mb") - _number(end, "before_mb")
    with open_engine(hazards.vault.root, place / "home") as engine:
        yield Indexed(hazards, engine, failed, grown, _number(end, "children_mb"))
    if "closed" in hazards.made:
        hazards.vault.at("closed folder").chmod(0o700)


def test_memory_is_bounded_whatever_a_note_looks_like(indexed: Indexed) -> None:
    assert indexed.grown_mb < GROWTH_MB
    assert indexed.child_mb < CHILD_MB


def test_an_ordinary_note_among_them_is_found(indexed: Indexed) -> None:
    assert first(indexed.engine, "marmalade").path == "Plain.md"


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("kumquat", "Large/One line.md"),
        ("lychee", "Large/One line.md"),
        ("rambutan", "Large/No spaces.md"),
        ("quince", "Large/Table.md"),
        ("persimmon", "Large/Table.md"),
        ("mangosteen", "Large/Images.md"),
        ("papaya", "Large/Families.md"),
        ("guava", "Large/Nested.md"),
        ("jackfruit", "Large/Quotes.md"),
        ("durian", "Bytes/Latin.md"),
        ("salak", "Bytes/Zero.md"),
        ("фейхоа", "Bytes/Utf16.md"),
        ("loquat", "Bytes/Mark.md"),
        ("soursop", "Bytes/Front only.md"),
        ("medlar", "Bytes/Broken front.md"),
        ("tamarind", "x.md/Inner.md"),
    ],
)
def test_a_word_is_found_on_its_own_line(indexed: Indexed, word: str, path: str) -> None:
    hit = first(indexed.engine, word)
    assert hit.path == path
    lines = indexed.engine.read(path, hit.start_line, hit.end_line).text
    assert word in lines
    if path != "Bytes/Front only.md":
        start, end = hit.matches[0]
        assert hit.excerpt[start:end] == word


def test_a_row_deep_in_a_long_table_has_its_line(indexed: Indexed) -> None:
    hit = first(indexed.engine, "persimmon")
    line = ROW_OF_THE_NEEDLE + 4
    assert hit.start_line <= line <= hit.end_line
    assert hit.end_line - hit.start_line < 200


def test_an_excerpt_never_shows_half_a_character(indexed: Indexed) -> None:
    for word in ("papaya", "kumquat", "lychee", "rambutan"):
        for hit in ask(indexed.engine, word).results:
            assert "\ufffd" not in hit.excerpt
            assert not hit.excerpt.startswith("\u200d")
            assert not hit.excerpt.endswith("\u200d")


@pytest.mark.parametrize("key", NAMES)
def test_a_note_with_an_odd_name_is_found_and_read_under_it(indexed: Indexed, key: str) -> None:
    name = indexed.hazards.names.get(key)
    if name is None:
        pytest.skip("this system has no such names")
    path = unicodedata.normalize("NFC", f"Names/{name}")
    assert found(indexed.engine, f"name{key.replace(' ', '')}word") == [path]
    assert indexed.engine.read(path).text.startswith("# Title")


@pytest.mark.parametrize("word", ["cherimoya", "sapodilla"])
def test_what_is_only_a_comment_is_not_found(indexed: Indexed, word: str) -> None:
    assert found(indexed.engine, word) == []


@pytest.mark.parametrize("path", ["Bytes/Empty.md", "Bytes/Blank.md", "Bytes/Comments only.md", "Bytes/Random.md", "Bytes/Zero.md"])
def test_a_note_with_little_to_say_is_in_the_index_all_the_same(indexed: Indexed, path: str) -> None:
    assert indexed.engine.explain(path).indexed


def test_nothing_outside_the_vault_is_found(indexed: Indexed) -> None:
    assert found(indexed.engine, "quartermaster emeralds") == []


def test_every_note_is_indexed_once_however_links_loop(indexed: Indexed) -> None:
    unreadable = 1 if "closed" in indexed.hazards.made and run_as_a_person() is not None else 0
    plain = [path for path in indexed.hazards.vault.root.rglob("*.md") if path.is_file() and not path.is_symlink()]
    ordinary = [path for path in plain if "closed folder" not in path.parts and not path.name.startswith("not text")]
    assert indexed.engine.status().files == len(ordinary) - unreadable


@pytest.mark.parametrize("path", ["Fifo.md", "Dangling.md", "Itself.md", "Closed.md", "closed folder"])
def test_what_cannot_be_read_is_one_listed_failure(indexed: Indexed, path: str) -> None:
    if not indexed.hazards.made:
        pytest.skip("this system has no FIFOs, links and modes of this kind")
    if "losed" in path and run_as_a_person() is None:
        pytest.skip("root reads everything here, and setpriv is missing to run a process that does not")
    assert [failed for failed in indexed.failed if failed == path or failed.startswith(f"{path}/")] != []
    assert len([failed for failed in indexed.failed if failed == path]) <= 1


def test_a_name_that_is_no_text_is_one_listed_failure(indexed: Indexed) -> None:
    if "no text" not in indexed.hazards.made:
        pytest.skip("this file system takes only text for names")
    assert len([failed for failed in indexed.failed if failed.startswith("not text")]) == 1


def test_every_failure_is_about_a_file_that_deserves_it(indexed: Indexed) -> None:
    bad = (
        "Fifo.md",
        "Dangling.md",
        "Itself.md",
        "Closed.md",
        "closed folder",
        "Out.md",
        "out",
        "loop",
        "not text",
        "Bytes/Broken front.md",
    )
    assert [path for path in indexed.failed if not path.startswith(bad)] == []
    assert len(indexed.failed) == len(set(indexed.failed))


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.md",
        "Names/../../outside/secret.md",
        "..",
        "/etc/passwd",
        "out/secret.md",
        "Out.md",
        "x\x00.md",
        "..\\outside\\secret.md",
    ],
)
def test_a_path_out_of_the_vault_is_refused_for_reading_and_writing(indexed: Indexed, path: str) -> None:
    if path in ("out/secret.md", "Out.md") and not indexed.hazards.made:
        pytest.skip("this system makes no links for ordinary people")
    with pytest.raises(PathForbiddenError):
        indexed.engine.read(path)
    with pytest.raises(PathForbiddenError):
        indexed.engine.write(path, b"overwritten\n", None, True)
    secret = indexed.hazards.outside / "secret.md"
    assert secret.read_text(encoding="utf-8") == "The quartermaster hid the emeralds.\n"
    assert [item.name for item in indexed.hazards.outside.iterdir()] == ["secret.md"]


def test_reading_a_fifo_does_not_wait_for_a_writer(indexed: Indexed) -> None:
    if "fifo" not in indexed.hazards.made:
        pytest.skip("this system has no FIFOs")
    with pytest.raises(UserError):
        indexed.engine.read("Fifo.md")
