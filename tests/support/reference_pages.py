"""Pages of the manual that are made from the code: settings, commands, routes."""

from itertools import groupby
from typing import Any

import typer

from holovault.cli.entry import make
from holovault.config import reference
from holovault.web.routes import ROUTES


def settings_table() -> str:
    """Every key of knowledge.toml, a table for each of its tables."""
    lines: list[str] = []
    for table, settings in groupby(reference(), key=lambda setting: setting.table):
        lines += [f"### `{table}`", "", "| key | default | may be | what it does |", "|---|---|---|---|"]
        for setting in settings:
            default = f"`{setting.default}`" if setting.default else ""
            lines.append(f"| `{setting.key}` | {default} | {_cell(setting.allowed)} | {_cell(setting.doc)} |")
        lines.append("")
    return "\n".join(lines)


def commands_table() -> str:
    """Every command with its arguments and options."""
    group: Any = typer.main.get_command(make())
    lines: list[str] = []
    for name, command in sorted(_commands(group)):
        lines += [f"### `holovault {name}`", "", (command.help or "").strip(), "", "| option | what it does |", "|---|---|"]
        lines += [f"| {_option(parameter)} | {_cell(getattr(parameter, 'help', None) or '')} |" for parameter in command.params]
        lines.append("")
    return "\n".join(lines)


def routes_table() -> str:
    """Every route of the HTTP interface."""
    lines = ["| method | path | what it does |", "|---|---|---|"]
    lines += [f"| {route.method} | `{route.path}` | {_cell(route.text)} |" for route in ROUTES]
    return "\n".join(lines)


def _commands(group: Any, prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found += _commands(command, f"{prefix}{name} ")
        elif not command.hidden:
            found.append((prefix + name, command))
    return found


def _option(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.name.upper()}`"
    return ", ".join(f"`{spelling}`" for spelling in (*parameter.opts, *parameter.secondary_opts))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
