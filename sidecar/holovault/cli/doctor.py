"""The command `holovault doctor`: everything a vault's search depends on, line by line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json, NoDaemon, Vault
from holovault.cli.render import INDENT, Line, Span, clean

if TYPE_CHECKING:
    from holovault.doctor import Report

PROBLEM = 1
_STYLES = {"ok": "good", "warning": "match", "problem": "bad"}

Fix = Annotated[bool, typer.Option("--fix", help="Put right what can be derived from your notes, and close what others can open.")]


def doctor(vault: Vault = None, json: Json = False, fix: Fix = False, no_daemon: NoDaemon = False) -> None:
    """Check all that search depends on, the way to the model included, and say what to do. Exit status 1 where something is a problem."""
    from holovault.cli.reach import vault_root
    from holovault.config import Home
    from holovault.doctor import Doctor

    root = vault_root(vault, Path.cwd())
    found = Doctor(Home.from_environment(), root).report(fix=fix, daemon=not no_daemon)
    printer.show_json(found) if json else printer.show(lines(found))
    if found.state == "problem":
        raise typer.Exit(PROBLEM)


def lines(found: "Report") -> list[Line]:
    """One line for each check and one for its next step; the sum of them last."""
    shown: list[Line] = []
    for check in found.checks:
        shown.append((Span(f"{check.state:<8}", _STYLES[check.state]), Span(f" {check.name}: ", "dim"), Span(clean(check.text))))
        shown += [(Span(f"{INDENT}→ {clean(check.next)}", "path"),)] if check.next else []
    counts = {state: sum(check.state == state for check in found.checks) for state in _STYLES}
    return [*shown, (Span(", ".join(f"{count} {state}" for state, count in counts.items()), "dim"),)]
