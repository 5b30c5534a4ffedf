"""The commands of `holovault plugin`: the Obsidian plugin into a vault and out of it."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from holovault.cli import printer, render
from holovault.cli.options import Json, Vault
from holovault.cli.render import Line, Span

if TYPE_CHECKING:
    from holovault.setup.plugin import PluginReport


def group() -> typer.Typer:
    """The application `holovault plugin` with its commands."""
    app = typer.Typer(name="plugin", no_args_is_help=True, help="The Obsidian plugin: a search pane and related notes.")
    for command in (install, uninstall):
        app.command()(command)
    return app


def install(vault: Vault = None, json: Json = False) -> None:
    """Copy the Obsidian plugin into the vault, or bring it up to date. Downloads nothing and does not switch it on."""
    from holovault.cli.reach import vault_root
    from holovault.setup.plugin import Plugin, shipped

    done = Plugin(vault_root(vault, Path.cwd())).install(shipped())
    if json:
        printer.show_json(done)
    else:
        printer.show([_head(done), (Span(_next(done)),)])


def uninstall(vault: Vault = None, json: Json = False) -> None:
    """Remove what `install` copied; the plugin's settings stay."""
    from holovault.cli.reach import vault_root
    from holovault.setup.plugin import Plugin

    done = Plugin(vault_root(vault, Path.cwd())).uninstall()
    if json:
        printer.show_json(done)
        return
    printer.show([_head(done)])
    if done.kept:
        printer.say(f"Left in place: {render.clean(', '.join(done.kept))}.")


def _head(done: "PluginReport") -> Line:
    fate = "nothing of ours was there" if done.change == "none" else "is up to date" if done.change == "same" else done.change
    version = f" {done.version}" if done.version else ""
    return (Span("ok  ", "good"), Span(f"plugin{version}: "), Span(render.clean(done.folder), "path"), Span(f" {fate}"))


def _next(done: "PluginReport") -> str:
    if not done.enabled:
        return "Next: in Obsidian open Settings → Community plugins, allow them, reload the list, and switch Holovault on."
    if done.change == "same":
        return "It is switched on in Obsidian already."
    return "It is switched on already: restart Obsidian, or switch it off and on, to load this version."
