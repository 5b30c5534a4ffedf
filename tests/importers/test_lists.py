"""INDEX.md and topics: made anew between their marks from what is in the vault; what a person writes around them stays."""

import re
from pathlib import Path

import pytest

from holovault_importers.aliases import propose
from tests.support.exports import at, chat, imported, talk, tree, write_json

TOPIC = '[topics]\nsearch = ["BM25", "вектор*", "full text"]\n'


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/knowledge.toml").write_text(TOPIC, "utf-8")
    return tmp_path / "vault"


def take(vault: Path, *said: str) -> None:
    chats = [chat(n, f"Chat {n}", talk(n, words, "So it is."), at(59, day=n)) for n, words in enumerate(said, start=1)]
    imported(vault, write_json(vault.parent / "c.json", chats))


def test_a_topic_lists_the_lines_that_speak_of_it(vault: Path) -> None:
    take(vault, "What is bm25?", "Про векторы и вектор", "A vector, BM250, full\ntext", "Nothing")
    made = tree(vault)["Topics/search.md"]
    listed = dict(re.findall(r"\[\[([^|]+)\|[^\]]+\]\]: lines? ([\d, ]+)", made))
    assert {path.partition(" ")[2].partition(" (")[0] for path in listed} == {"Chat 1", "Chat 2", "Chat 3"}
    for path, lines in listed.items():
        text = (vault / f"{path}.md").read_text("utf-8").split("\n")
        assert all(re.search("bm25|вектор|full$", text[int(line) - 1], re.IGNORECASE) for line in lines.split(", "))


def test_what_a_person_writes_around_a_list_stays(vault: Path) -> None:
    take(vault, "What is BM25?")
    for name in ("INDEX.md", "Topics/search.md"):
        text = (vault / name).read_text("utf-8")
        (vault / name).write_text(f"My introduction.\n\n{text}\nMy end.\n", "utf-8", newline="\n")
    take(vault, "What is BM25?", "And BM25 again?")
    for name in ("INDEX.md", "Topics/search.md"):
        text = (vault / name).read_text("utf-8")
        assert text.startswith("My introduction.\n\n") and text.endswith("\nMy end.\n")
    assert "2026: 2 notes" in (vault / "INDEX.md").read_text("utf-8")
    assert (vault / "Topics/search.md").read_text("utf-8").count("[[Chats/") == 2


def test_a_list_without_its_marks_is_a_persons(vault: Path) -> None:
    (vault / "INDEX.md").write_text("My own index.\n", "utf-8")
    report = imported(vault, write_json(vault.parent / "c.json", [chat(1, "x", talk(1, "a", "b"))]))
    assert (vault / "INDEX.md").read_text("utf-8") == "My own index.\n"
    assert any("INDEX.md is yours" in remark for remark in report.remarks)


def test_what_a_person_writes_into_a_list_ends_its_renewal(vault: Path) -> None:
    take(vault, "What is BM25?")
    for name in ("INDEX.md", "Topics/search.md"):
        text = (vault / name).read_text("utf-8")
        (vault / name).write_text(text.replace("<!-- /", "my remark\n<!-- /"), "utf-8", newline="\n")
    take(vault, "What is BM25?", "And BM25 again?")
    assert all("my remark" in (vault / name).read_text("utf-8") for name in ("INDEX.md", "Topics/search.md"))


def test_a_topic_of_the_memory_keeps_its_text_above_its_list(vault: Path) -> None:
    memory = {"account_uuid": "a", "memory_files": [{"path": "/topics/Maps.md", "content": "Tiles of three levels."}]}
    export = write_json(vault.parent / "m.json", memory)
    imported(vault, export)
    take(vault, "Do you like maps?")
    text = (vault / "Topics/Maps.md").read_text("utf-8")
    assert text.index("Tiles of three levels.") < text.index("<!-- holovault:topic ") < text.index("Chat 1")
    assert imported(vault, export).unchanged == 1
    memory["memory_files"] = [{"path": "/topics/Maps.md", "content": "Tiles of four levels."}]
    assert imported(vault, write_json(export, memory)).updated == 1
    text = (vault / "Topics/Maps.md").read_text("utf-8")
    assert "four" in text and "three" not in text and "Chat 1" in text


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"Holovault": 9, "holo-vault": 1}, [("holo-vault", "Holovault")]),
        ({"Поиск": 2, "поиск v2": 5}, [("Поиск", "поиск v2")]),
        ({"Knowledge base": 3, "kb": 1}, [("kb", "Knowledge base")]),
        ({"Dashboard": 3, "Dashbord": 1}, [("Dashbord", "Dashboard")]),
        ({"Server 1": 1, "Server 2": 1, "Bread": 1, "River": 1}, [("Server 2", "Server 1")]),
        ({"Maps": 1, "Mops": 1, "Work": 1, "Word": 1}, []),
    ],
)
def test_names_that_look_alike_are_proposed_for_a_person_to_judge(names: dict[str, int], expected: list[tuple[str, str]]) -> None:
    assert [(item.alias, item.project) for item in propose(names)] == expected
