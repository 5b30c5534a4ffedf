"""Exports of ChatGPT: what broke other importers, one case for each report."""

import itertools
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.exports import chat, only_note, talk, tree, uid, write_json, zipped
from tests.support.sessions import chatgpt, counted, node, skipped, taken

Vault = Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def take(vault: Vault, *chats: Any, **options: Any) -> Any:
    return taken("chatgpt", vault, write_json(vault.parent / "conversations.json", list(chats)), **options)


def body(vault: Vault) -> str:
    """The one chat below its front matter."""
    return only_note(vault).split("\n---\n", 1)[1]


def linear(*said: str) -> list[dict[str, Any]]:
    """Nodes of a person and the assistant in exchange."""
    return [
        node(f"n{place}", "assistant" if place % 2 else "user", words, f"n{place - 1}" if place else "root", place)
        for place, words in enumerate(said)
    ]


def test_a_chat_becomes_a_note_with_its_address_and_dates(vault: Vault) -> None:
    take(vault, chatgpt(1, "Rivers", linear("Which river?", "The Volga.")))
    text = only_note(vault)
    assert 'source: "chatgpt"' in text and f'source_url: "https://chatgpt.com/c/{uid(1)}"' in text
    assert 'created: "2026-03-01T09:00:00Z"' in text and 'updated: "2026-03-01T10:00:00Z"' in text
    assert "### ChatGPT · 2026-03-01 09:01Z\n\nThe Volga." in text and "Chats/2026/2026-03-01 Rivers (00000001).md" in tree(vault)


def test_the_branch_that_is_shown_is_told_and_the_others_stand_aside(vault: Vault) -> None:
    nodes = [
        *linear("Question", "Old answer"),
        node("again", "assistant", "New answer", "n0", 3),
        node("edited", "user", "Edited question", "root", 4),
    ]
    take(vault, chatgpt(1, "Tree", nodes, current="n1"))
    told, _, aside = body(vault).partition("## Branches")
    assert "Old answer" in told and "New answer" not in told and "New answer" in aside and "Edited question" in aside
    assert "Left behind after message 1" in aside and "Left behind from the beginning" in aside


@pytest.mark.parametrize("lost", ["current_node", "children", "parent"])
def test_a_tree_with_one_kind_of_pointer_is_a_tree(vault: Vault, lost: str) -> None:
    made = chatgpt(1, "x", linear("q1", "a1", "q2", "a2"))
    made.pop(lost, None)
    for entry in made["mapping"].values():
        entry.pop(lost, None)
    take(vault, made)
    assert [body(vault).index(word) for word in ("q1", "a1", "q2", "a2")] == sorted(
        body(vault).index(word) for word in ("q1", "a1", "q2", "a2")
    )
    assert "Branches" not in body(vault)


def test_pointers_in_a_circle_and_to_nowhere_end(vault: Vault) -> None:
    made = chatgpt(1, "x", linear("q1", "a1", "q2"))
    made["mapping"]["n0"]["parent"] = "n2"
    made["mapping"]["n1"]["parent"] = "gone"
    take(vault, made, chatgpt(2, "y", linear("q"), current="gone"))
    assert sum("q2" in text for text in tree(vault).values()) == 1


def test_what_a_person_never_saw_is_nobodys_word(vault: Vault) -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    context = {"content_type": "user_editable_context", "user_profile": "profile words", "user_instructions": "instruction words"}
    nodes = [
        node("s", "system", "system words", "root", metadata=hidden),
        node("c", "user", context, "s"),
        node("m", "system", {"content_type": "model_editable_context", "model_set_context": "memory words"}, "c"),
        node("q", "user", "Hello", "m"),
        node("e", "system", "", "q"),
        node("a", "assistant", "Hi.", "e"),
    ]
    report = take(vault, chatgpt(1, "x", nodes))
    assert not [word for word in ("system words", "profile", "instruction", "memory words") if word in body(vault)]
    found = counted(report)
    assert found["left out: hidden message"] == found["left out: user_editable_context"] == found["left out: model_editable_context"] == 1
    assert found["messages"] == 2


def test_a_tool_and_its_answer_are_one_use(vault: Vault) -> None:
    code = {"content_type": "code", "language": "unknown", "text": "print(2 + 2)"}
    output = {"content_type": "execution_output", "text": "4"}
    nodes = [
        node("q", "user", "count", "root"),
        node("t", "assistant", code, "q", 1, recipient="python"),
        node("o", "tool", output, "t", 1, name="python"),
        node("b", "tool", {"content_type": "tether_browsing_display", "result": "page"}, "o", 1, name="browser"),
        node("a", "assistant", "It is four.", "b", 2),
    ]
    take(vault, chatgpt(1, "x", nodes), tools="full")
    text = next(text for path, text in tree(vault).items() if path.startswith("Chats") and "tools" not in path)
    assert "→ tools: python ×1, browser ×1\n\nIt is four." in text and text.count("### ChatGPT") == 1
    tools = next(text for path, text in tree(vault).items() if "tools.md" in path)
    assert "print(2 + 2)" in tools and "page" in tools


def test_every_type_of_content_is_kept_or_counted(vault: Vault) -> None:
    parts = [
        "look",
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
        {"content_type": "audio_transcription", "text": "spoken"},
        None,
    ]
    thought = {"content_type": "thoughts", "thoughts": [{"summary": "Plan", "content": "think hard"}]}
    nodes = [
        node("q", "user", {"content_type": "multimodal_text", "parts": parts}, "root"),
        node("th", "assistant", thought, "q"),
        node("re", "assistant", {"content_type": "reasoning_recap", "content": "Thought for 5s"}, "th"),
        node("co", "assistant", {"content_type": "code", "language": "python", "text": "x = 1"}, "re"),
        node("un", "assistant", {"content_type": "hologram", "parts": ["its words"], "depth": 3}, "co"),
    ]
    report = take(vault, chatgpt(1, "x", nodes))
    text = body(vault)
    assert "look" in text and "spoken" in text and "- 📎 image (left out)" in text and "```python\nx = 1\n```" in text
    assert "its words" in text and "Unknown block: hologram" in text and "Thought for" not in text and "think hard" not in text
    assert [(tally.name, tally.count) for tally in report.unknown] == [("hologram", 1)]
    assert counted(report)["left out: thinking"] == counted(report)["left out: reasoning_recap"] == 1
    other = vault.parent / "other"
    taken("chatgpt", other, vault.parent / "conversations.json", thinking=True)
    assert "> **Plan**" in only_note(other) and "> think hard" in only_note(other)


def test_marks_of_sources_become_links_or_go(vault: Vault) -> None:
    new = "\ue200cite\ue202turn0search0\ue201"
    reference = {"matched_text": new, "type": "grouped_webpages", "items": [{"title": "Volga [river]", "url": "https://example.org/volga"}]}
    plain = {"matched_text": " ", "type": "sources_footnote", "items": []}
    old = {"metadata": {"title": "Oka", "url": "https://example.org/oka", "extra": {"cited_message_idx": 3}}}
    said = f"The Volga.{new} The Oka.【3†source】 The Don.【9:1†lines】 \ue200filecite\ue202x\ue201 end"
    take(
        vault,
        chatgpt(
            1, "x", [node("a", "assistant", said, "root", metadata={"content_references": [plain, reference], "citations": [old, None]})]
        ),
    )
    assert "The Volga. ([Volga  river](https://example.org/volga)) The Oka. ([Oka](https://example.org/oka)) The Don.  end" in body(vault)


def test_a_source_that_is_no_web_address_is_no_link(vault: Vault) -> None:
    mark = "\ue200cite\ue202turn0\ue201"
    reference = {"matched_text": mark, "items": [{"title": "t", "url": "javascript:alert(1)"}]}
    take(vault, chatgpt(1, "x", [node("a", "assistant", f"So.{mark}", "root", metadata={"content_references": [reference]})]))
    assert "javascript" not in body(vault) and "So." in body(vault)


def canvas(*updates: dict[str, Any]) -> list[dict[str, Any]]:
    """A document made on the canvas, and changed."""
    given = {"name": "plan", "type": "document", "content": "# Plan\n\nfirst step\nsecond step"}
    about = {"canvas": {"textdoc_id": "doc1", "title": "Plan of maps", "textdoc_type": "document"}}
    nodes = [
        node("q", "user", "write it", "root"),
        node("c", "assistant", {"content_type": "code", "text": json.dumps(given)}, "q", recipient="canmore.create_textdoc"),
        node("r", "tool", "Successfully created", "c", name="canmore.create_textdoc", metadata=about),
    ]
    for place, update in enumerate(updates):
        call = {"content_type": "code", "text": json.dumps({"updates": [update]})}
        nodes.append(node(f"u{place}", "assistant", call, nodes[-1]["id"], recipient="canmore.update_textdoc"))
        nodes.append(node(f"v{place}", "tool", "ok", nodes[-1]["id"], name="canmore.update_textdoc", metadata=about))
    return [*nodes, node("a", "assistant", "There it is.", nodes[-1]["id"])]


def test_a_canvas_document_is_an_artifact_with_its_versions_replayed(vault: Vault) -> None:
    updates = (
        {"pattern": "first step", "multiple": False, "replacement": r"better \1 $& step"},
        {"pattern": r"second\ step", "replacement": "third step"},
    )
    take(vault, chatgpt(1, "Maps", canvas(*updates)))
    (note,) = [text for path, text in tree(vault).items() if path.startswith("Artifacts/")]
    assert r"better \1 $& step" in note and "third step" in note and "versions: 3" in note and "partial" not in note
    text = next(text for path, text in tree(vault).items() if path.startswith("Chats"))
    assert "|Plan of maps]] v1 (create)" in text and "v3 (update)" in text and "There it is." in text


@pytest.mark.parametrize("pattern", ["(a+)+$", "no such text", "", "["])
def test_a_pattern_that_is_no_text_is_never_run_and_marks_the_document(vault: Vault, pattern: str) -> None:
    take(vault, chatgpt(1, "Maps", canvas({"pattern": pattern, "multiple": True, "replacement": "gone"})))
    (note,) = [text for path, text in tree(vault).items() if path.startswith("Artifacts/")]
    assert "partial: true" in note and "first step" in note and "gone" not in note


def test_a_pattern_for_everything_replaces_everything(vault: Vault) -> None:
    take(vault, chatgpt(1, "Maps", canvas({"pattern": ".*", "multiple": True, "replacement": "all new"})))
    (note,) = [text for path, text in tree(vault).items() if path.startswith("Artifacts/")]
    assert "all new" in note and "first step" not in note


def test_a_broken_canvas_call_is_a_use_of_a_tool(vault: Vault) -> None:
    broken = {"content_type": "code", "text": '{"name": "x", "content": "cut'}
    take(vault, chatgpt(1, "x", [node("q", "user", "go", "root"), node("c", "assistant", broken, "q", recipient="canmore.create_textdoc")]))
    assert "→ tools: canmore.create\\_textdoc ×1" in body(vault) or "→ tools: canmore.create_textdoc ×1" in body(vault)


def test_texts_of_uploaded_files_are_kept_and_other_files_named(vault: Vault) -> None:
    attached = [
        {"id": "file-AbC", "name": "notes.md", "mimeType": "text/markdown"},
        {"id": "file-Pic", "name": "p.png"},
        {"id": "file-Gone", "name": "gone.txt"},
    ]
    export = {
        "conversations.json": [chatgpt(1, "x", [node("q", "user", "see", "root", metadata={"attachments": attached})])],
        "file-AbC-notes.md": "# Привет\n```\nopen".encode(),
        "file-AbCd-other.md": b"wrong one",
        "file-Pic-p.png": b"\x89PNG\x00",
        "user.json": {"email": "user@example.com"},
        "message_feedback.json": [],
        "chat.html": b"<html>",
    }
    report = taken("chatgpt", vault, zipped(vault.parent / "export.zip", export))
    text = body(vault)
    assert "- 📎 notes.md (3 lines):\n\n````\n# Привет\n```\nopen\n````" in text and "wrong one" not in text
    assert "- 📎 p.png (not in the export)" in text and "- 📎 gone.txt (not in the export)" in text and report.examined == 1


def test_numbered_parts_in_folders_and_zips_are_one_export(vault: Vault) -> None:
    first, second = chatgpt(1, "One", linear("q", "a")), chatgpt(2, "Two", linear("q", "a"))
    (vault.parent / "e").mkdir()
    zipped(vault.parent / "e/part.zip", {"conversations-001.json": [second], "export_manifest.json": {"logical_files": []}})
    write_json(vault.parent / "e/conversations-000.json", [first, second])
    report = taken("chatgpt", vault, vault.parent / "e")
    assert report.new == 2 and skipped(report) == {"twice in the export": 1} and not report.problems


def test_a_missing_field_costs_no_chat(vault: Vault) -> None:
    keys = ("title", "create_time", "update_time", "current_node")
    values: tuple[Any, ...] = (None, 5, {}, [])
    chats = [
        chatgpt(number, "Rivers", linear("Which?", "The Volga.")) | {key: value}
        for number, (key, value) in enumerate(itertools.product(keys, values))
    ]
    nameless = chatgpt(99, "No id", linear("Which?", "The Volga.")) | {"conversation_id": None, "id": 7}
    assert take(vault, *chats, nameless).new == len(chats) + 1
    assert take(vault, *chats, nameless).unchanged == len(chats) + 1
    notes = [text for path, text in tree(vault).items() if path.startswith("Chats")]
    assert all("The Volga." in text and "1970" not in text for text in notes)


def test_a_message_of_any_shape_costs_at_most_itself(vault: Vault) -> None:
    keys, values = ("author", "content", "metadata", "create_time", "recipient", "message"), (None, 5, "words", [7])
    chats = []
    for number, (key, value) in enumerate(itertools.product(keys, values)):
        nodes = linear("Which?", "The Volga.", "Thanks")
        (nodes[1] if key == "message" else nodes[1]["message"])[key] = value
        chats.append(chatgpt(number, "x", nodes))
    take(vault, *chats)
    notes = [text for path, text in tree(vault).items() if path.startswith("Chats")]
    assert len(notes) == len(chats) and all("Which?" in text and "Thanks" in text for text in notes)


def test_what_is_no_conversation_is_skipped_and_counted(vault: Vault) -> None:
    report = take(
        vault, chatgpt(1, "x", linear("q")), {"other": 1}, 7, chatgpt(2, "Empty", []), chatgpt(3, "y", [node("s", "system", "", "root")])
    )
    assert (report.new, skipped(report)) == (1, {"not a conversation": 2, "empty conversation": 2})


def test_a_cut_file_gives_what_is_there_and_the_place(vault: Vault) -> None:
    whole = json.dumps([chatgpt(n, f"Chat {n}", linear("q", "a")) for n in (1, 2, 3)])
    file = vault.parent / "conversations.json"
    file.write_text(whole[:-200], "utf-8")
    report = taken("chatgpt", vault, file)
    assert report.new == 2 and "cannot be read past byte" in report.problems[0]
    packed = vault.parent / "c.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", whole)
    packed.write_bytes(packed.read_bytes()[:-30])
    assert taken("chatgpt", vault, packed).problems


def test_an_export_of_another_kind_is_told_its_importer(vault: Vault) -> None:
    file = write_json(vault.parent / "conversations.json", [chat(1, "x", talk(1, "q", "a"))])
    assert taken("chatgpt", vault, file).problems == (
        "conversations.json is an export of Claude.ai: import it with holovault import claude.",
    )


def test_the_same_again_writes_nothing_and_a_longer_chat_goes_on(vault: Vault) -> None:
    take(vault, chatgpt(1, "x", linear("q1", "a1")))
    stamps = {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()}
    assert take(vault, chatgpt(1, "x", linear("q1", "a1"))).unchanged == 1
    assert {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()} == stamps
    (note,) = (vault / "Chats").rglob("*.md")
    note.write_text(note.read_text("utf-8").replace("a1", "a1 by hand"), "utf-8")
    longer = chatgpt(1, "x", linear("q1", "a1", "q2", "a2"), update_time=1_772_400_000)
    assert take(vault, longer).appended == 1
    assert "a1 by hand" in note.read_text("utf-8") and note.read_text("utf-8").endswith("a2\n")
