"""What every sentence that may reach an agent tells it to do. Reads the sources; starts nothing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from holovault import errors

THE_PERSONS = {"up", "stop", "doctor", "serve", "index", "model", "token", "mcp", "agents"}
"""Commands that an agent may be told of: what they do, no tool does."""
ELSEWHERE = ("cli/", "setup/", "doctor/", "web/page.py", "config/tokens.py", "engine/report.py", "ownership/pruning.py")
"""What no tool asks for."""


def test_no_sentence_for_agents_names_a_command_where_a_tool_does_the_same() -> None:
    house = Path(errors.__file__).parent
    named: dict[str, set[str]] = {}
    for file in house.rglob("*.py"):
        where = file.relative_to(house).as_posix()
        if not where.startswith(ELSEWHERE):
            for told in _sentences(ast.parse(file.read_text("utf-8"))):
                named.setdefault(where, set()).update(re.findall(r"(?:`|: |with )holovault ([a-z]+)", told))
    assert {where: found for where, commands in named.items() if (found := commands - THE_PERSONS)} == {}
    assert {command for commands in named.values() for command in commands} > {"doctor", "up"}


def _sentences(tree: ast.AST) -> Iterator[str]:
    """The texts of a module, without those that only describe it."""
    described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            yield node.value
