"""Small exports of Claude.ai made for a test, in every packaging, and large ones for measuring memory.

Owns the shapes as the real exports have them. Ids count up, so that the same calls make the same bytes.
"""

import json
import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from holovault.config import load_config
from holovault.model import ImportReport, ImportRequest
from holovault.vault import Vault
from holovault_importers.claude import ClaudeSource
from holovault_importers.importer import Importer

Json = dict[str, Any]
ROOT = "00000000-0000-4000-8000-000000000000"
ACCOUNT = "a626c046-9e65-5cdc-b383-a01c5d9747ca"


def uid(number: int) -> str:
    """The uuid of that number."""
    return f"{number:08x}-1111-4222-8333-{number:012x}"


def at(minute: int, day: int = 1) -> str:
    """A time of March 2026, as exports write it."""
    return f"2026-03-{day:02d}T{9 + minute // 60:02d}:{minute % 60:02d}:00.123456Z"


def text(words: str) -> Json:
    """A text block."""
    return {"type": "text", "text": words, "citations": [], "start_timestamp": None, "stop_timestamp": None, "flags": None}


def turn(number: int, sender: str, words: str | list[Json], minute: int = 0, parent: str | None = None, **more: Any) -> Json:
    """A message; `words` may be its blocks."""
    blocks = [text(words)] if isinstance(words, str) else words
    flat = words if isinstance(words, str) else ""
    made: Json = {
        "uuid": uid(number),
        "text": flat,
        "content": blocks,
        "sender": sender,
        "created_at": at(minute),
        "updated_at": at(minute),
    }
    made |= {"attachments": [], "files": []}
    return made | ({"parent_message_uuid": parent} if parent is not None else {}) | more


def talk(number: int, *words: str) -> list[Json]:
    """Turns of a person and the assistant in exchange, linked to each other."""
    made: list[Json] = []
    for position, said in enumerate(words):
        parent = made[-1]["uuid"] if made else ROOT
        made.append(turn(number * 1000 + position, "assistant" if position % 2 else "human", said, position, parent))
    return made


def chat(number: int, name: Any, messages: Sequence[Any], updated: str | None = None, **more: Any) -> Json:
    """A conversation."""
    made: Json = {"uuid": uid(number), "name": name, "summary": "", "created_at": at(0), "updated_at": updated or at(59)}
    return made | {"account": {"uuid": ACCOUNT}, "chat_messages": list(messages)} | more


def tool(name: str, given: Any, result: Any = "OK", **more: Any) -> list[Json]:
    """A tool's call and its result, paired by their order as in most exports."""
    content = result if isinstance(result, list) else [{"type": "text", "text": result}]
    return [
        {"type": "tool_use", "id": None, "name": name, "input": given},
        {"type": "tool_result", "tool_use_id": None, "name": name, "content": content, "is_error": False} | more,
    ]


def project(number: int, name: str, instructions: str = "", docs: Sequence[Json] = ()) -> Json:
    """A project."""
    made: Json = {"uuid": uid(number), "name": name, "description": "", "is_private": True, "prompt_template": instructions}
    return made | {"created_at": "2026-02-01T10:00:00.000000+00:00", "updated_at": "2026-03-01T10:00:00.000000+00:00", "docs": list(docs)}


def write_json(path: Path, value: Any, *, escaped: bool = True) -> Path:
    """A file of JSON, made with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=escaped), encoding="utf-8", errors="surrogatepass")
    return path


def zipped(path: Path, members: dict[str, Any]) -> Path:
    """A zip with these files: bytes as they are, everything else as JSON."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def imported(vault: Path, *exports: Path, stopped: Callable[[], bool] = lambda: False, **options: Any) -> ImportReport:
    """Import into a vault as the command does; checks that the report adds up."""
    vault.mkdir(exist_ok=True)
    file = vault / "knowledge.toml"
    config = load_config(file.read_text(encoding="utf-8") if file.exists() else None, str(file))
    request = ImportRequest(tuple(map(str, exports)), **options)
    report = Importer(ClaudeSource()).run(Vault(vault, config.vault), config, request, lambda done, total: None, stopped)
    assert report.adds_up
    return report


def tree(vault: Path) -> dict[str, str]:
    """Every note with its text."""
    return {path.relative_to(vault).as_posix(): path.read_bytes().decode("utf-8") for path in sorted(vault.rglob("*.md"))}


def only_note(vault: Path, folder: str = "Chats") -> str:
    """The text of the one note below a folder."""
    (found,) = (vault / folder).rglob("*.md")
    return found.read_bytes().decode("utf-8")


def write_large(path: Path, megabytes: int, *, escaped: bool = True) -> Path:
    """A conversations.json of about that size: many chats of many lengths, two in five in Russian."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        size = 0
        for number, made in enumerate(_chats()):
            if size >= megabytes * 1_000_000:
                break
            piece = (",\n" if number else "") + json.dumps(made, ensure_ascii=escaped)
            size += len(piece) if escaped else len(piece.encode("utf-8"))
            file.write(piece)
        file.write("]")
    return path


def _chats() -> Iterator[Json]:
    chance = random.Random(7)
    english = [f"word{n} meaning" for n in range(400)]
    russian = [f"слово{n} значение" for n in range(400)]
    number = 0
    while True:
        number += 1
        words = russian if number % 5 < 2 else english
        said = [" ".join(chance.choices(words, k=chance.randrange(5, 400))) for _ in range(chance.randrange(2, 60))]
        said[-1] += "\n\n## Result\n\n- `one`\n- two\n\n```py\nprint(1)\n```\n"
        yield chat(number, f"Chat {number} {words[number % 400]}", talk(number, *said))
