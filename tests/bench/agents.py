"""What ten answers cost an agent: `python -m tests.bench.agents ARCHIVE …` prints tokens by way of finding, question by question.

Owns the questions and three ways to an answer. *search+read*: the tools of the MCP server; the excerpt that holds the answer is
read, else the hits in order. *whole notes*: the same order, but each note from its first line to its last. *grep*: files
ranked by how many different words of the question they hold, then their matching lines with two lines around, file by file.
All three stop where the answer stands, and give up after as many notes. Words only, so that indexing takes seconds. Asserts nothing.
"""

import argparse
import asyncio
import json
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.client.client import Client
from mcp.types import CallToolResult, TextContent
from rich import box
from rich.console import Console
from rich.table import Table

from holovault.client import stop_daemon
from holovault.config import Home
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.server import build
from holovault.mcp_server.tokens import tokens_of
from tests.bench.vaults import unpacked

NOTES = 10
"""Notes that are looked into at most."""

AROUND = 2
_STOP = re.compile("what|which|with|does|from|that|this|have|into|like|when|where|your|kind|made|как|долго|если")


@dataclass(frozen=True, slots=True)
class Question:
    """A question in an agent's words, and what its answer holds."""

    text: str
    answer: str


QUESTIONS = {
    "obsidian-help": (
        Question("How long are old versions of a note kept on the Sync Standard plan?", r"\b1 month"),
        Question("Which algorithm encrypts notes in Obsidian Sync?", r"AES-256"),
        Question("What is the largest file that the Plus plan can sync?", r"200 MB"),
        Question("Как долго хранятся снимки в плагине восстановления файлов?", r"в течение 7 дней"),
        Question("Where do deleted files go with Obsidian trash?", r"`\.trash`"),
    ),
    "obsidian-hub": (
        Question("Who made the Minimal theme?", r"kepano|Stephan Ango"),
        Question("What kind of technique is spaced repetition?", r"learning technique"),
        Question("Who is the creator of the LYT Kit?", r"Milo"),
        Question("Which plugin creates a hierarchical structure like Luhmann?", r"(?i)virt-?folder"),
        Question("Which plugin draws a mind map from a note?", r"(?i)mind-?map-nextgen|enhancing-mindmap|markmap"),
    ),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens read, calls made, and whether the answer was among them."""

    tokens: int
    calls: int
    found: bool

    @property
    def words(self) -> str:
        return f"{self.tokens:,} ({self.calls}{'' if self.found else ', not found'})"


@dataclass(frozen=True, slots=True)
class Row:
    """One question, three ways."""

    question: Question
    tools: Cost
    whole: Cost
    grep: Cost


async def asked(client: Client, vault: Path, question: Question) -> Row:
    """The question put in all three ways."""
    search = await client.call_tool("search", {"query": question.text})
    paths = list(dict.fromkeys(hit["path"] for hit in _hits(search)))
    return Row(question, await by_tools(client, search, question), by_whole_notes(vault, paths, question), by_grep(vault, question))


async def by_tools(client: Client, search: CallToolResult, question: Question) -> Cost:
    """Search, then lines: first those whose excerpt already shows the answer."""
    spent, calls = tokens_of(_words(search)), 1
    hits = sorted(_hits(search), key=lambda hit: not re.search(question.answer, str(hit["text"])))
    for hit in hits[:NOTES]:
        read = await client.call_tool("read", {name: hit[name] for name in ("path", "start_line", "end_line")})
        spent, calls = spent + tokens_of(_words(read)), calls + 1
        if re.search(question.answer, _words(read)):
            return Cost(spent, calls, True)
    return Cost(spent, calls, False)


def by_whole_notes(vault: Path, paths: list[str], question: Question) -> Cost:
    """The list of paths, then each note as it is."""
    spent, calls = tokens_of("\n".join(paths)), 1
    for path in paths[:NOTES]:
        text = (vault / path).read_text(encoding="utf-8", errors="replace")
        spent, calls = spent + tokens_of(text), calls + 1
        if re.search(question.answer, text):
            return Cost(spent, calls, True)
    return Cost(spent, calls, False)


def by_grep(vault: Path, question: Question) -> Cost:
    """The list of the best files, then what grep prints of each."""
    words = [word for word in re.findall(r"\w{4,}", question.text.casefold()) if not _STOP.fullmatch(word)]
    ranked = sorted(_counted(vault, words), key=lambda file: (-file[0], file[1]))[: 5 * NOTES]
    spent, calls = tokens_of("\n".join(path for _, path in ranked)), 1
    for _, path in ranked[:NOTES]:
        shown = _grepped(vault / path, path, words)
        spent, calls = spent + tokens_of(shown), calls + 1
        if re.search(question.answer, shown):
            return Cost(spent, calls, True)
    return Cost(spent, calls, False)


def _counted(vault: Path, words: list[str]) -> Iterable[tuple[int, str]]:
    for path in sorted(vault.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace").casefold()
        count = sum(word in text for word in words)
        if count:
            yield count, path.relative_to(vault).as_posix()


def _grepped(file: Path, path: str, words: list[str]) -> str:
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    hits = [number for number, line in enumerate(lines) if any(word in line.casefold() for word in words)]
    kept = sorted({near for hit in hits for near in range(max(0, hit - AROUND), min(len(lines), hit + AROUND + 1))})
    return "\n".join(f"{path}:{number + 1}:{lines[number]}" for number in kept)


def _hits(result: CallToolResult) -> list[dict[str, Any]]:
    content = result.structured_content or {}
    return list(content.get("results", []))


def _words(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


async def measured(vault: Path, home: Home, questions: tuple[Question, ...]) -> tuple[list[Row], int]:
    """A row for each question, and what the tools' descriptions and the instructions cost once per session."""
    daemon = Daemon(home, vault)
    async with Client(build(daemon, "Memory/profile.md")) as client:
        await client.call_tool("status", {"wait_s": 600})
        listed = await client.list_tools()
        schemas = [{"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema} for tool in listed.tools]
        fixed = tokens_of(json.dumps(schemas, ensure_ascii=False)) + tokens_of(client.instructions or "")
        rows = [await asked(client, vault, question) for question in questions]
        await daemon.close()
        return rows, fixed


def table(rows: list[Row]) -> Table:
    """Tokens, and in brackets the calls."""
    shown = Table("question", "search + read", "whole notes", "grep", box=box.MARKDOWN)
    for row in rows:
        shown.add_row(row.question.text, row.tools.words, row.whole.words, row.grep.words)
    totals = [sum(cost.tokens for cost in costs) for costs in zip(*((row.tools, row.whole, row.grep) for row in rows), strict=True)]
    shown.add_row("sum", *(f"{total:,}" for total in totals))
    return shown


def main() -> None:
    """Asks the questions of every vault that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vaults", nargs="+", type=Path, help="archives or folders of: " + ", ".join(QUESTIONS))
    rows: list[Row] = []
    fixed = 0
    for source in parser.parse_args().vaults:
        with tempfile.TemporaryDirectory(prefix="holovault-agents-") as place, unpacked(source) as vault:
            questions = next((asked for name, asked in QUESTIONS.items() if name in (vault.name, source.name.split(".")[0])), ())
            if not questions:
                parser.error(f"{source}: no questions about it; there are some about {', '.join(QUESTIONS)}")
            (vault / "knowledge.toml").write_text('[embedding]\nprovider = "none"\n', encoding="utf-8")
            found, fixed = asyncio.run(measured(vault, Home(Path(place)), questions))
            stop_daemon(Home(Path(place)), vault)
            rows += found
    console = Console(width=200)
    console.print(table(rows))
    console.print(f"Once per session: {fixed:,} tokens for the descriptions of the tools and the instructions.")


if __name__ == "__main__":
    main()
