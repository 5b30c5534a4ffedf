"""Exports that broke other importers, one case for each report; the cases are those of Claude.ai."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holovault.markdown import parse
from holovault_importers.redaction import redact
from tests.support.exports import ROOT, at, chat, imported, only_note, project, talk, text, tool, tree, turn, uid, write_json

Vault = Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def take(vault: Path, *chats: Any, **options: Any) -> Any:
    """Import these conversations."""
    return imported(vault, write_json(vault.parent / "conversations.json", list(chats)), **options)


def body(vault: Path) -> str:
    """The one chat below its front matter."""
    return only_note(vault).split("\n---\n", 1)[1]


def test_an_unknown_block_costs_nothing_and_is_kept_folded(vault: Vault) -> None:
    blocks = [text("before"), {"type": "hologram_v9", "payload": {"a": 1}}, {"type": "token_budget"}, text("after")]
    report = take(vault, chat(1, "x", [turn(1, "human", blocks)]))
    assert [(tally.name, tally.count) for tally in report.unknown] == [("hologram_v9", 1)]
    assert "> [!question]- Unknown block: hologram_v9" in body(vault) and '>  "payload": {' in body(vault)
    assert body(vault).index("before") < body(vault).index("hologram") < body(vault).index("after")


def test_an_injected_prompt_is_never_a_persons_word(vault: Vault) -> None:
    injected = {"type": "injected_prompt_block", "prompt": "<userMemories>dump</userMemories>", "injection_source": "memory"}
    report = take(vault, chat(1, "x", [turn(1, "human", [text("hello"), injected])]))
    assert "dump" not in body(vault)
    assert any(tally.name == "left out: injected_prompt_block" for tally in report.contents)


@pytest.mark.parametrize("missing", ["uuid", "name", "updated_at", "created_at", "summary", "account"])
def test_a_missing_field_costs_no_conversation(vault: Vault, missing: str) -> None:
    made = chat(1, "Rivers", talk(1, "Which?", "The Volga."))
    del made[missing]
    assert take(vault, made).new == 1
    assert take(vault, made).unchanged == 1
    assert "The Volga." in body(vault)


@pytest.mark.parametrize("name", [None, 5, "", "   ", ["x"]])
def test_a_name_that_is_no_name_gives_an_untitled_note(vault: Vault, name: object) -> None:
    take(vault, chat(1, name, talk(1, "Which?", "The Volga.")))
    assert "Chats/2026/2026-03-01 Untitled (00000001).md" in tree(vault)


def test_turns_of_tools_only_do_not_vanish(vault: Vault) -> None:
    take(vault, chat(1, "x", [turn(1, "human", "go"), turn(2, "assistant", tool("web_search", {"query": "q"}), 1)]))
    assert "### Claude · 2026-03-01 09:01Z\n\n→ tools: web_search ×1" in body(vault)


def test_text_stands_in_where_there_are_no_blocks(vault: Vault) -> None:
    flat = turn(1, "human", [], text="from the flat copy")
    encoded = turn(2, "assistant", [], 1) | {"content": '[{"type": "text", "text": "encoded twice"}]'}
    take(vault, chat(1, "x", [flat, encoded, None, 7]))
    assert "from the flat copy" in body(vault) and "encoded twice" in body(vault)


def test_blocks_go_before_the_flat_copy_and_its_placeholders(vault: Vault) -> None:
    placeholder = "```\nThis block is not supported on your current device yet.\n```"
    mixed = turn(1, "assistant", [text("real")], text=f"thinking… {placeholder}")
    lone = turn(2, "assistant", [], 1, text=placeholder + "\nrest")
    take(vault, chat(1, "x", [mixed, lone]))
    assert "real" in body(vault) and "rest" in body(vault) and "not supported" not in body(vault) and "thinking…" not in body(vault)


def test_pasted_text_without_a_name_is_kept(vault: Vault) -> None:
    pasted = {"file_name": "", "file_size": 9, "file_type": "txt", "extracted_content": "pasted line\n```\ncode\n```"}
    named = {"file_name": "a.md", "file_size": 9, "file_type": "txt", "extracted_content": "# Head"}
    files = [{"file_name": "a.md"}, {"file_name": "photo.png", "file_uuid": "x"}]
    report = take(vault, chat(1, "x", [turn(1, "human", [], attachments=[pasted, named], files=files)]))
    assert "- 📎 pasted text (4 lines):\n\n````\npasted line\n```\ncode\n```\n````" in body(vault)
    assert body(vault).count("a.md") == 1 and "- 📎 photo.png (not in the export)" in body(vault)
    assert ("attachments", 3) in [(tally.name, tally.count) for tally in report.contents]


def test_without_parents_messages_are_in_the_order_of_time(vault: Vault) -> None:
    jumbled = [turn(1, "human", "q1", 1), turn(4, "assistant", "a2", 40), turn(2, "assistant", "a1", 10), turn(3, "human", "q2", 30)]
    take(vault, chat(1, "x", jumbled))
    assert re.findall(r"^(q1|a1|q2|a2)$", body(vault), re.MULTILINE) == ["q1", "a1", "q2", "a2"]


def test_of_the_same_second_the_question_comes_first(vault: Vault) -> None:
    take(vault, chat(1, "x", [turn(1, "assistant", "answer"), turn(2, "human", "question")]))
    assert body(vault).index("\nquestion") < body(vault).index("\nanswer")


def test_branches_are_followed_and_never_mixed(vault: Vault) -> None:
    first = talk(1, "first prompt", "first answer")
    edited = [turn(5, "human", "edited prompt", 5, ROOT), turn(6, "assistant", "edited answer", 6, uid(5))]
    back = turn(7, "human", "back to the first", 20, first[1]["uuid"])
    report = take(vault, chat(1, "x", [*first, *edited, back]))
    active, _, left = body(vault).partition("## Branches")
    assert re.findall(r"^(first prompt|first answer|back to the first|edited .*)$", active, re.MULTILINE) == [
        "first prompt",
        "first answer",
        "back to the first",
    ]
    assert "> edited prompt" in left and "> edited answer" in left
    assert ("branches", 1) in [(tally.name, tally.count) for tally in report.contents]


def test_an_answer_made_anew_follows_the_leaf_that_the_export_names(vault: Vault) -> None:
    question = turn(1, "human", "regex?", 0, ROOT)
    answers = [turn(2, "assistant", "v1", 1, uid(1)), turn(3, "assistant", "v2", 2, uid(1))]
    take(vault, chat(1, "x", [question, *answers], current_leaf_message_uuid=uid(2)))
    assert "\nv1\n" in body(vault).partition("## Branches")[0] and "> v2" in body(vault).partition("## Branches")[2]


def test_cycles_and_parents_that_are_not_there_end(vault: Vault) -> None:
    take(vault, chat(1, "x", [turn(1, "human", "a", 1, uid(2)), turn(2, "assistant", "b", 2, uid(1)), turn(3, "human", "c", 3, uid(99))]))
    assert all(f"{word}\n" in body(vault) + "\n" for word in "abc")


def test_artifacts_are_replayed_to_their_last_version(vault: Vault) -> None:
    create = {
        "command": "create",
        "id": "fmt",
        "type": "application/vnd.ant.code",
        "language": "js",
        "title": "Price / fmt",
        "content": 'p = "$1";',
    }
    update = {"command": "update", "id": "fmt", "old_str": '"$1"', "new_str": '"$& $1 \\1"'}
    messages = [turn(1, "human", "go"), turn(2, "assistant", [*tool("artifacts", create), *tool("artifacts", update)], 1)]
    take(vault, chat(1, "x", messages))
    assert '```js\np = "$& $1 \\1";\n```' in only_note(vault, "Artifacts")
    rewrite = {"command": "rewrite", "id": "fmt", "content": "final"}
    missing = {"command": "update", "id": "fmt", "old_str": "NOT THERE", "new_str": "x"}
    take(
        vault, chat(1, "x", [*messages, turn(3, "assistant", [*tool("artifacts", missing), *tool("artifacts", rewrite)], 2)], at(59, day=2))
    )
    note = only_note(vault, "Artifacts")
    assert "```js\nfinal\n```" in note and "versions: 4" in note and "partial: true" in note and 'title: "Price / fmt"' in note


def test_artifacts_as_files_are_replayed_too(vault: Vault) -> None:
    made = tool("create_file", {"path": "/out/report.md", "file_text": "# Report\n\nhello $1\n"})
    changed = tool("str_replace", {"path": "/out/report.md", "old_str": "hello $1", "new_str": "bye"})
    take(vault, chat(1, "x", [turn(1, "assistant", [*made, *changed, *tool("present_files", {"filepaths": []})])]))
    assert "bye" in only_note(vault, "Artifacts") and "→ tools: present_files ×1" in body(vault)


def test_a_hundred_versions_are_one_note(vault: Vault) -> None:
    steps = [{"command": "update", "id": "a", "old_str": f"v{n}", "new_str": f"v{n + 1}"} for n in range(120)]
    calls = [call for step in ({"command": "create", "id": "a", "title": "A", "content": "v0"}, *steps) for call in tool("artifacts", step)]
    take(vault, chat(1, "x", [turn(1, "assistant", calls)]))
    assert "v120" in only_note(vault, "Artifacts")


def test_an_artifact_of_a_branch_that_was_left_is_kept(vault: Vault) -> None:
    question = turn(1, "human", "go", 0, ROOT)
    made = tool("artifacts", {"command": "create", "id": "a", "title": "Left", "content": "kept all the same"})
    take(vault, chat(1, "x", [question, turn(2, "assistant", made, 1, uid(1)), turn(3, "assistant", "other answer", 2, uid(1))]))
    assert "kept all the same" in only_note(vault, "Artifacts")


def test_without_artifacts_there_are_none(vault: Vault) -> None:
    take(
        vault,
        chat(1, "x", [turn(1, "assistant", tool("artifacts", {"command": "create", "id": "a", "title": "A", "content": "v0"}))]),
        artifacts=False,
    )
    assert not (vault / "Artifacts").exists() and "→ artifact **A** v1 (create)" in body(vault)


def test_chats_are_filed_under_a_project_only_where_the_export_says_so(vault: Vault) -> None:
    chats = [
        chat(1, "x", talk(1, "a", "b")),
        chat(2, "y", talk(2, "a", "b"), project_uuid=uid(7)),
        chat(3, "z", talk(3, "a", "b"), project_uuid=None),
    ]
    export = write_json(vault.parent / "all" / "c.json", chats)
    write_json(vault.parent / "all" / "p.json", [project(7, "Atlas"), project(8, "Other")])
    imported(vault, export.parent)
    assert {path for path, note in tree(vault).items() if 'project: "Atlas"' in note} == {"Chats/2026/2026-03-01 y (00000002).md"}


def test_projects_of_one_name_have_folders_of_their_own(vault: Vault) -> None:
    docs = [
        {"uuid": f"d{n}", "filename": name, "content": f"text {n}"} for n, name in enumerate(["a.md", "a.md", "../../evil.md", "C:\\x.md"])
    ]
    export = write_json(vault.parent / "p.json", [project(7, "R&D: Заметки / планы", "short", docs), project(8, "R&D: Заметки / планы")])
    imported(vault, export)
    found = {path for path in tree(vault) if path.startswith("Projects/")}
    first, second = "Projects/R&D Заметки планы", "Projects/R&D Заметки планы (00000008)"
    assert (
        found == {f"{first}/CONTEXT.md", f"{second}/CONTEXT.md", *(f"{first}/docs/{name}.md" for name in ("a", "a (d1)", "evil", "x"))}
        or len(found) == 6
    )
    assert all("text" in tree(vault)[path] for path in found if "/docs/" in path)
    assert imported(vault, export).unchanged == 6


def test_aliases_bring_projects_together(vault: Vault) -> None:
    vault.mkdir()
    (vault / "knowledge.toml").write_text('[projects.aliases]\nhv = "Holovault"\n', "utf-8")
    imported(vault, write_json(vault.parent / "p.json", [project(7, "hv", "one"), project(8, "Holovault", "two")]))
    found = {path for path in tree(vault) if path.startswith("Projects/")}
    assert found == {"Projects/Holovault/CONTEXT.md", "Projects/Holovault/CONTEXT (00000008).md"}


def test_no_encoded_image_reaches_a_note(vault: Vault) -> None:
    blob = "iVBORw0KGgo" * 5000
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": blob}}
    strange = {"type": "new_image", "data": blob}
    calls = tool("shot", {"data": blob}, [{"type": "text", "text": blob}])
    take(vault, chat(1, "x", [turn(1, "human", [text("look"), image, strange, *calls])]), tools="full")
    assert "iVBORw0KGgo" not in "".join(tree(vault).values())


def test_a_lone_surrogate_stops_nothing(vault: Vault) -> None:
    take(vault, chat(1, "cut \ud83d", talk(1, "cut \ude00 here", "whole \ud83d\ude00 and \u0000 nul \u2028 line \ufeff mark")))
    note = only_note(vault)
    assert "cut \ufffd" in note and "whole 😀" in note
    assert not re.search("[\x00\u2028\ufeff\x85]", note)


TITLES = [
    '# ^ [ ] | : / \\ ? * < > " %',
    "CON",
    "nul.md",
    "  .hidden.. ",
    "Очень длинное название " * 40,
    "🚀" * 200,
    "a\u202eb\u0000c\nd",
    "Cafe\u0301",
    "...",
    "con.txt",
]


@pytest.mark.parametrize("title", TITLES, ids=range(len(TITLES)))
def test_any_title_makes_a_name_for_three_systems(vault: Vault, title: str) -> None:
    take(vault, chat(1, title, talk(1, "a", "b")))
    (path,) = (path for path in tree(vault) if path.startswith("Chats/"))
    name = path.rpartition("/")[2]
    assert not re.search(r'[\x00-\x1f\u202e\\/:*?"<>|#^\[\]%]', name)
    assert len(path) <= 160 and len(name.encode()) <= 255
    assert not name.startswith(".") and name.endswith(" (00000001).md")
    assert parse(only_note(vault)).front.error is None


def test_titles_that_differ_in_case_or_form_do_not_meet(vault: Vault) -> None:
    names = ["Daily", "daily", "DAILY", "Cafe\u0301", "Caf\u00e9"]
    assert take(vault, *(chat(n, name, talk(n, "a", f"b{n}")) for n, name in enumerate(names, start=1))).new == 5
    assert len({path.casefold() for path in tree(vault) if path.startswith("Chats/")}) == 5


@pytest.mark.parametrize(
    "title",
    ['"quoted" - [a, b] {c: d} # x: yes\n---\nsecond: line', "'", "key: value", "- item", "&a *b !c %d @e `f", "2026-01-01"],
)
def test_any_title_is_one_value_of_valid_front_matter(vault: Vault, title: str) -> None:
    take(vault, chat(1, title, talk(1, "a", "b")))
    front = parse(only_note(vault)).front
    assert front.error is None and front.title == " ".join(title.split()) and front.source == "claude.ai"


@pytest.mark.parametrize("value", [None, "0001-01-01T00:00:00Z", "soon", 5e18, True])
def test_no_date_is_made_up(vault: Vault, value: object) -> None:
    messages = [message | {"created_at": value} for message in talk(1, "a", "b")]
    take(vault, chat(1, "x", messages) | {"created_at": value, "updated_at": value})
    (path,) = (path for path in tree(vault) if path.startswith("Chats/"))
    assert path == "Chats/undated/x (00000001).md"
    assert "created" not in only_note(vault) and "### You\n" in only_note(vault)


@pytest.mark.skipif(sys.platform == "win32", reason="what Windows is told")
def test_dates_do_not_depend_on_the_machines_zone(tmp_path: Path) -> None:
    export = write_json(tmp_path / "c.json", [chat(1, "x", talk(1, "a", "b")) | {"created_at": "2026-03-01T23:30:00-05:00"}])
    script = (
        "import sys; from pathlib import Path; from tests.support.exports import imported; imported(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    trees = []
    for zone in ("Asia/Tokyo", "America/New_York"):
        vault = tmp_path / zone.replace("/", "-")
        subprocess.run([sys.executable, "-c", script, str(vault), str(export)], check=True, timeout=60, env={**os.environ, "TZ": zone})
        trees.append(tree(vault))
    assert trees[0] == trees[1]
    assert any(path.startswith("Chats/2026/2026-03-02") for path in trees[0])


def test_a_token_of_this_program_is_a_secret_like_any_other() -> None:
    assert redact(f"pasted hv_{'aB3_-' * 8}xyz here") == ("pasted [redacted: Holovault token] here", 1)
    assert redact("hv_state and hv_" + "x" * 60) == ("hv_state and hv_" + "x" * 60, 0)


def test_secrets_of_tools_are_replaced_and_counted_prose_only_on_request(vault: Vault) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLE"
    calls = tool("bash_tool", {"command": f"export AWS={secret}"}, "PASSWORD=correcthorse")
    made = chat(1, "x", [turn(1, "human", f"my key is {secret}"), turn(2, "assistant", calls, 1)])
    report = take(vault, made, tools="full")
    tools = next(note for path, note in tree(vault).items() if path.endswith(" tools.md"))
    assert secret not in tools and "correcthorse" not in tools and tools.count("[redacted: ") == 2 == report.redacted
    assert secret in next(note for path, note in tree(vault).items() if path.startswith("Chats/") and "tools" not in path)
    take(vault, made, tools="full", redact=True)
    assert not [path for path, note in tree(vault).items() if secret in note]
    take(vault, made, tools="full", redact=False)
    assert len([path for path, note in tree(vault).items() if secret in note]) == 2


def test_thinking_is_folded_on_request_only(vault: Vault) -> None:
    made = chat(1, "x", [turn(1, "assistant", [{"type": "thinking", "thinking": "let me see"}, text("answer")])])
    take(vault, made)
    assert "let me see" not in body(vault)
    assert take(vault, made, thinking=True).updated == 1
    assert "> [!quote]- Thinking\n> let me see" in body(vault)


def test_a_long_chat_is_split_and_its_first_part_keeps_its_lines(vault: Vault) -> None:
    long = talk(1, *(f"{'question' if n % 2 == 0 else 'answer'} {n} " + "word " * 6000 for n in range(24)))
    take(vault, chat(1, "x", long[:12]))
    before = {path: note for path, note in tree(vault).items() if path.startswith("Chats/")}
    report = take(vault, chat(1, "x", long, at(59, day=2)))
    after = {path: note for path, note in tree(vault).items() if path.startswith("Chats/")}
    assert len(before) < len(after) == 3 and all(len(note) < 400_000 for note in after.values())
    first = "Chats/2026/2026-03-01 x (00000001).md"
    assert 'next: "[[Chats/2026/2026-03-01 x (00000001) part 2]]"' in after[first]
    assert report.new + report.updated == 3
    assert re.findall(r"^## (\d+) ·", "".join(after[path] for path in sorted(after, key=lambda path: (len(path), path))), re.MULTILINE) == [
        str(n) for n in range(1, 13)
    ]


def test_memory_files_never_become_facts_and_keep_their_places(vault: Vault) -> None:
    files = [
        {"path": path, "content": f"# {path}\n- text"}
        for path in ("/areas/x.md", "/people/Анна.md", "/topics/maps.md", "/facts/y.md", "/../../z.md")
    ]
    memory = {"account_uuid": "acc", "conversations_memory": "**Work**\n\nmaps\n\n**Communication style**\n\nshort", "memory_files": files}
    imported(vault, write_json(vault.parent / "m.json", memory))
    notes = tree(vault)
    expected = {
        "Memory/profile.md",
        "Memory/preferences.md",
        "Memory/areas/x.md",
        "Memory/people/Анна.md",
        "Topics/maps.md",
        "Memory/files/y.md",
        "Memory/z.md",
    }
    assert set(notes) == expected | {"INDEX.md"}
    assert "short" in notes["Memory/preferences.md"] and "maps" in notes["Memory/profile.md"]


def test_a_published_page_is_kept_with_its_active_version(vault: Vault) -> None:
    folder = vault.parent / "frames/artifacts/b7741a75"
    page = {
        "id": "b7741a75",
        "kind": "page",
        "updated_at": at(0),
        "active_version": "v2",
        "versions": [{"id": "v1", "title": "Old"}, {"id": "v2", "title": "Kit"}],
    }
    write_json(folder / "artifact.json", page)
    for version in ("v1", "v2"):
        (folder / "versions" / version).mkdir(parents=True)
        (folder / "versions" / version / "index.html").write_text(f"<h1>{version}</h1>", "utf-8")
    imported(vault, vault.parent / "frames")
    assert "```html\n<h1>v2</h1>\n```" in tree(vault)["Artifacts/Kit (b7741a75).md"]


def test_design_chats_keep_both_sides_and_what_broke_in(vault: Vault) -> None:
    answer = {
        "contentBlocks": [
            {"type": "text", "text": "Working"},
            {"type": "user_interjection", "message": {"content": "use blue"}},
            {"type": "text", "text": "Done"},
        ]
    }
    messages = [{"uuid": "a", "role": "user", "content": {"content": "make a page"}}, {"uuid": "b", "role": "assistant", "content": answer}]
    imported(
        vault,
        write_json(vault.parent / "d.json", {"uuid": uid(1), "title": "Landing", "created_at": at(0), "messages": messages, "project": {}}),
    )
    assert re.findall(r"^(make a page|Working|use blue|Done)$", body(vault), re.MULTILINE) == ["make a page", "Working", "use blue", "Done"]


def test_since_and_project_skip_and_say_so(vault: Vault) -> None:
    chats = [chat(1, "x", talk(1, "a", "b"), at(0)), chat(2, "y", talk(2, "a", "b"), at(0, day=9))]
    assert [(t.name, t.count) for t in take(vault, *chats, since="2026-03-05").skipped] == [("before --since", 1)]
    assert [(t.name, t.count) for t in take(vault, *chats, project="Atlas").skipped] == [("not of --project", 2)]
