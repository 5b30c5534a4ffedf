"""No record of a session's or chat's shape stops an import, no length takes memory, no zone moves a date."""

import copy
import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holovault.model import ImportRequest
from holovault_importers.inputs import InputFile
from holovault_importers.jsonlines import LONGEST_LINE, TOO_LONG, records
from holovault_importers.render import Options, Renderer
from holovault_importers.render.messages import Style
from holovault_importers.values import Contents, Conversation, Problem, Skipped
from tests.support.exports import write_json
from tests.support.sessions import (
    SOURCES,
    answer,
    chatgpt,
    event,
    item,
    message,
    meta,
    node,
    result,
    rollout,
    session,
    taken,
    use,
    user,
    write_long_session,
)

Json = dict[str, Any]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "uuid", "name", "content"]), inner, max_size=3)
    ),
    max_leaves=6,
)
CANVAS = {"content_type": "code", "text": json.dumps({"name": "x", "type": "document", "content": "y"})}
RICH: dict[str, list[Json]] = {
    "claude-code": [
        user(1, "go"),
        answer(2, "so", use("a"), {"type": "thinking", "thinking": "hm"}, {"type": "new"}),
        result(3, "a", [{"type": "text", "text": "out"}]),
        {"type": "attachment", "uuid": "q", "parentUuid": "", "attachment": {"type": "queued_command", "prompt": "and"}},
        {"type": "system", "subtype": "compact_boundary", "uuid": "c", "logicalParentUuid": "x"},
        user(5, "recap", isCompactSummary=True),
        {"type": "custom-title", "customTitle": "t"},
        {"type": "summary", "summary": "s", "leafUuid": "l"},
        user(7, "side", isSidechain=True, agentId="z"),
    ],
    "codex": [
        meta(),
        message(1, "user", "go"),
        event(1, "user_message", message="go", images=["x"]),
        item(2, "function_call", name="shell", arguments="{}", call_id="c"),
        item(2, "function_call_output", call_id="c", output={"content": "x"}),
        item(3, "reasoning", summary=[{"text": "t"}]),
        event(4, "thread_rolled_back", num_turns=0),
        message(5, "assistant", "done"),
    ],
    "chatgpt": [
        chatgpt(1, "x", [node("q", "user", "go", "root", metadata={"attachments": [{"id": "file-1", "name": "a.txt"}]})]),
        chatgpt(
            2,
            "y",
            [
                node("q", "user", {"content_type": "multimodal_text", "parts": ["a", {"content_type": "image_asset_pointer"}]}, "root"),
                node("c", "assistant", CANVAS, "q", recipient="canmore.create_textdoc"),
                node("t", "tool", "ok", "c", name="canmore", metadata={"canvas": {"textdoc_id": "d"}, "citations": [{"metadata": {}}]}),
                node("h", "assistant", {"content_type": "thoughts", "thoughts": [{"content": "x"}]}, "t"),
            ],
        ),
    ],
}


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    """Every place inside a value, by the keys that lead to it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield (key,)
        yield from ((key, *rest) for rest in places(inner))


PLACES = {kind: list(places(rich)) for kind, rich in RICH.items()}


class _Anywhere:
    def project(self, identity: str, name: str) -> str:
        return "Projects/x"

    def link(self, key: str, path: str) -> str:
        return path


def changed(kind: str, changes: list[tuple[int, Any]]) -> list[Any]:
    """The rich example with other values in some places."""
    made: Any = copy.deepcopy(RICH[kind])
    for number, value in changes:
        holder, place = made, PLACES[kind][number % len(PLACES[kind])]
        for key in place[:-1]:
            inside = holder[key] if _has(holder, key) else None
            holder = inside if isinstance(inside, dict | list) else {}
        if isinstance(holder, dict) or _has(holder, place[-1]):
            holder[place[-1]] = value
    return list(made)


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else isinstance(key, int) and key < len(holder)


def encoded(kind: str, made: list[Any]) -> bytes:
    return json.dumps(made).encode() if kind == "chatgpt" else b"".join(json.dumps(record).encode() + b"\n" for record in made)


@pytest.mark.parametrize("kind", sorted(SOURCES))
@settings(max_examples=40)
@given(changes=st.lists(st.tuples(st.integers(0, 9999), ANYTHING), min_size=1, max_size=4))
def test_any_value_in_any_place_stops_nothing(kind: str, changes: list[tuple[int, Any]]) -> None:
    data = encoded(kind, changed(kind, changes))
    name = "conversations.json" if kind == "chatgpt" else "projects/x/rollout-1.jsonl"
    renderer = Renderer(Options(Style(thinking=True, tools="full", redact=True)), _Anywhere(), Contents())
    found = list(
        SOURCES[kind]().read([InputFile(name, len(data), lambda: io.BytesIO(data))], ImportRequest((), thinking=True, tools="full"))
    )
    touched = {PLACES[kind][number % len(PLACES[kind])][0] for number, _ in changes}
    assert not [entry for entry in found if isinstance(entry, Problem)]
    assert len(found) >= (len(RICH[kind]) - len(touched) if kind == "chatgpt" else 1)
    for entry in found:
        for draft in renderer.drafts(entry) if isinstance(entry, Conversation) else ():
            draft.text().encode("utf-8")
            assert draft.path.endswith(".md") and ".." not in draft.path.split("/")
        assert isinstance(entry, Conversation | Skipped)


class Endless:
    """A stream of pieces that are made while it is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size and (piece := next(self._pieces, b"")):
            self._rest += piece
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def close(self) -> None:
        self._rest = b""


def test_a_line_repeated_hundreds_of_times_costs_one(tmp_path: Path) -> None:
    line = json.dumps(answer(2, use("a", given={"command": "x " * 150_000}))).encode("utf-8") + b"\n"
    pieces = (json.dumps(user(1, "go")).encode("utf-8") + b"\n", *[line] * 300, json.dumps(answer(3, "end")).encode("utf-8") + b"\n")
    member = InputFile("projects/x/s.jsonl", 0, lambda: cast(BinaryIO, Endless(iter(pieces))))
    tracemalloc.start()
    (talk,) = SOURCES["claude-code"]().read([member], ImportRequest(()))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(talk, Conversation) and talk.messages[0].dropped.count("repeated line") == 299
    assert most < 12_000_000 < 300 * len(line)


def test_a_line_without_an_end_is_passed_over() -> None:
    piece = b"x" * (1 << 20)
    pieces = (piece for _ in range((LONGEST_LINE >> 20) + 2))
    stream = Endless(iter((*pieces, b'\n{"type": "user"}\n')))
    assert [record.fault for record in records(cast(BinaryIO, stream))] == [TOO_LONG, ""]


MEMORY = """
import sys
from pathlib import Path
import psutil
from tests.support.sessions import taken

vault, small, large = map(Path, sys.argv[1:])
process = psutil.Process()
taken("claude-code", vault, small)
before = process.memory_info().rss
seen = []
report = taken("claude-code", vault, large, progress=lambda done, total: seen.append(process.memory_info().rss))
print((max(seen) - before) >> 20, report.new)
"""

ZONES = """
import sys
from pathlib import Path
from tests.support.sessions import taken

for kind in ("claude-code", "codex", "chatgpt"):
    taken(kind, Path(sys.argv[1]), Path(sys.argv[2]) / kind)
"""


def test_a_long_session_takes_the_memory_of_its_prose(tmp_path: Path) -> None:
    large = write_long_session(tmp_path / "large.jsonl", 20)
    session(tmp_path / "one", user(1, "go"))
    command = [sys.executable, "-c", MEMORY, str(tmp_path / "vault"), str(tmp_path / "one"), str(large)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=240)
    grown, new = map(int, done.stdout.split())
    assert new and grown < 12


def test_dates_do_not_depend_on_the_zone(tmp_path: Path) -> None:
    session(tmp_path / "claude-code", *RICH["claude-code"])
    rollout(tmp_path / "codex", *RICH["codex"])
    write_json(tmp_path / "chatgpt/conversations.json", RICH["chatgpt"])
    trees = []
    for place, zone in enumerate(("Asia/Tokyo", "America/New_York")):
        vault = tmp_path / f"vault{place}"
        subprocess.run([sys.executable, "-c", ZONES, str(vault), str(tmp_path)], check=True, timeout=60, env={**os.environ, "TZ": zone})
        trees.append({path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*.md")})
    assert trees[0] == trees[1] and len(trees[0]) >= 4


@pytest.mark.data
@pytest.mark.skipif("HOLOVAULT_DATA" not in os.environ, reason="HOLOVAULT_DATA names a folder with exports and sessions")
@pytest.mark.parametrize("kind", sorted(SOURCES))
def test_real_files_lose_no_word_and_change_nothing_the_second_time(tmp_path: Path, kind: str) -> None:
    pattern = {"claude-code": "*claude*/**/*.jsonl", "codex": "**/codex*.jsonl", "chatgpt": "chatgpt/*.json"}[kind]
    files = sorted(path for path in Path(os.environ["HOLOVAULT_DATA"]).rglob(pattern) if path.name != "history.jsonl")
    if not files:
        pytest.skip("no exports of this kind there")
    vault = tmp_path / "vault"
    report = taken(kind, vault, *files, tools="full", thinking=True)
    assert report.new and not report.problems
    again = taken(kind, vault, *files, tools="full", thinking=True)
    assert (again.new, again.updated, again.appended, again.conflicted) == (0, 0, 0, 0)
    notes = [path.read_text("utf-8") for path in vault.rglob("*.md")]
    assert not any("base64," in note or "\x00" in note for note in notes)
