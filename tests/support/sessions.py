"""Small sessions of Claude Code and Codex and chats of ChatGPT made for a test, and large files for measuring memory.

Owns the shapes as the real files have them. Ids count up, so that the same calls make the same bytes.
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holovault.config import load_config
from holovault.model import ImportReport, ImportRequest
from holovault.vault import Vault
from holovault_importers.chatgpt import ChatGptSource
from holovault_importers.claude_code import ClaudeCodeSource
from holovault_importers.codex import CodexSource
from holovault_importers.importer import Importer, Progress
from holovault_importers.values import Source
from tests.support.exports import uid

Json = dict[str, Any]
SOURCES: dict[str, type[Source]] = {"claude-code": ClaudeCodeSource, "chatgpt": ChatGptSource, "codex": CodexSource}
CWD = "/home/anna/work/my-app"
SESSION = uid(900)


def taken(kind: str, vault: Path, *exports: Path, progress: Progress = lambda done, total: None, **options: Any) -> ImportReport:
    """Import into a vault as the command does; checks that the report adds up."""
    vault.mkdir(exist_ok=True)
    config = load_config(None, "")
    request = ImportRequest(tuple(map(str, exports)), **options)
    report = Importer(SOURCES[kind]()).run(Vault(vault, config.vault), config, request, progress, lambda: False)
    assert report.adds_up
    return report


def counted(report: ImportReport) -> dict[str, int]:
    """What the notes were made of, by name."""
    return {tally.name: tally.count for tally in report.contents}


def skipped(report: ImportReport) -> dict[str, int]:
    """How many were skipped, by reason."""
    return {tally.name: tally.count for tally in report.skipped}


def lines(path: Path, *records: object) -> Path:
    """A file with one record on each line; bytes and texts stand as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for record in records:
            data = record if isinstance(record, bytes) else (record if isinstance(record, str) else json.dumps(record)).encode("utf-8")
            file.write(data + b"\n")
    return path


def clock(second: int) -> str:
    """A time of August 2026, as sessions write it."""
    return f"2026-08-09T{18 + second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.000Z"


def step(number: int, kind: str, content: object, parent: int | None = None, **more: Any) -> Json:
    """A record of Claude Code that points at the one before it (`parent`; else the number before, none for 1)."""
    before = parent if parent is not None else number - 1
    made: Json = {"parentUuid": uid(before) if before > 0 else None, "isSidechain": False, "userType": "external", "cwd": CWD}
    made |= {"sessionId": SESSION, "version": "2.1.226", "type": kind, "uuid": uid(number), "timestamp": clock(number)}
    message: Json = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"msg_{number}", "model": "claude-opus-5"}
    return made | {"message": message} | more


def user(number: int, content: object, parent: int | None = None, **more: Any) -> Json:
    """What a person typed."""
    return step(number, "user", content, parent, **more)


def answer(number: int, *blocks: object, parent: int | None = None, message: str = "", **more: Any) -> Json:
    """What the assistant said; words are text blocks."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    made = step(number, "assistant", content, parent, **more)
    made["message"] |= {"id": message} if message else {}
    return made


def use(identity: str, name: str = "Bash", given: object = None) -> Json:
    """A call of a tool."""
    return {"type": "tool_use", "id": identity, "name": name, "input": {"command": "ls"} if given is None else given}


def result(number: int, identity: str, content: object = "done", parent: int | None = None, **more: Any) -> Json:
    """The record that brings a tool's result, with the copy that real ones have."""
    block = {"type": "tool_result", "tool_use_id": identity, "content": content, "is_error": more.pop("is_error", False)}
    return step(number, "user", [block], parent, toolUseResult={"stdout": content}, **more)


def session(folder: Path, *records: object, name: str = SESSION, slug: str = "-home-anna-work-my-app") -> Path:
    """A session's file where Claude Code keeps it; gives the folder of all projects."""
    lines(folder / slug / f"{name}.jsonl", *records)
    return folder


def node(key: str, role: str, said: object, parent: str | None, minute: int = 0, **more: Any) -> Json:
    """A node of a ChatGPT conversation; `said` is its text or its whole content."""
    content = {"content_type": "text", "parts": [said]} if isinstance(said, str) else said
    message: Json = {"id": key, "author": {"role": role, "name": more.pop("name", None), "metadata": {}}, "content": content}
    message |= {"create_time": 1_772_355_600.5 + 60 * minute, "status": "finished_successfully", "recipient": "all", "metadata": {}}
    return {"id": key, "message": message | more, "parent": parent, "children": []}


def chatgpt(number: int, title: Any, nodes: Sequence[Json], current: str | None = None, **more: Any) -> Json:
    """A conversation of ChatGPT below the empty root that real ones have."""
    root: Json = {"id": "root", "message": None, "parent": None, "children": []}
    mapping = {"root": root} | {entry["id"]: entry for entry in nodes}
    for entry in nodes:
        if entry["parent"] in mapping:
            mapping[entry["parent"]]["children"].append(entry["id"])
    made: Json = {"title": title, "create_time": 1_772_355_600.0, "update_time": 1_772_359_200.25, "mapping": mapping}
    return (
        made | {"conversation_id": uid(number), "id": uid(number), "current_node": current or (nodes[-1]["id"] if nodes else None)} | more
    )


def item(second: int, kind: str, **payload: Any) -> Json:
    """A response item of Codex."""
    return {"timestamp": clock(second), "type": "response_item", "payload": {"type": kind} | payload}


def message(second: int, role: str, text: str) -> Json:
    """A message item."""
    part = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    return item(second, "message", role=role, content=[part])


def event(second: int, kind: str, **payload: Any) -> Json:
    """An event of Codex."""
    return {"timestamp": clock(second), "type": "event_msg", "payload": {"type": kind} | payload}


def meta(identity: str = SESSION, **more: Any) -> Json:
    """The first line of a rollout."""
    return {"timestamp": clock(0), "type": "session_meta", "payload": {"id": identity, "cwd": CWD, "source": "cli"} | more}


def rollout(folder: Path, *records: object, name: str = f"rollout-2026-08-09T18-00-00-{SESSION}") -> Path:
    """A rollout where Codex keeps it; gives the folder of all sessions."""
    lines(folder / "2026/08/09" / f"{name}.jsonl", *records)
    return folder


def write_long_session(path: Path, megabytes: int) -> Path:
    """A session of about that size as real ones are: a little prose, much output of tools, some of it twice."""
    chance = random.Random(7)
    words = [f"word{number}" for number in range(500)]
    path.parent.mkdir(parents=True, exist_ok=True)
    size, number = 0, 0
    with path.open("w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            said = " ".join(chance.choices(words, k=40))
            output = " ".join(chance.choices(words, k=4000))
            for record in (
                user(number + 1, said),
                answer(number + 2, said, use(f"t{number}", given={"command": output})),
                result(number + 3, f"t{number}", output),
                answer(number + 4, said),
            ):
                size += file.write(json.dumps(record) + "\n")
            number += 4
    return path
