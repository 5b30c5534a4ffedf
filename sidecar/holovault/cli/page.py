"""The command that opens the web page in a browser."""

import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json, Vault


@dataclass(frozen=True, slots=True)
class Opened:
    """What `open --json` prints: an address that is good for one visit, and for how many seconds."""

    url: str
    seconds: float


def open_page(
    vault: Vault = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser, or only say the address.")] = True,
    json: Json = False,
) -> None:
    """Open the vault's web page: facts, entities and the state of the index. Starts the daemon if it does not run."""
    from holovault.cli.reach import vault_root
    from holovault.client import Client
    from holovault.config import Home

    home, root = Home.from_environment(), vault_root(vault, Path.cwd())
    home.check_outside(root)
    with Client.connect_or_none(home, root) or Client.start_daemon(home, root) as client:
        address = client.open_page()
        found = Opened(client.address + address.path, address.seconds)
    shown = browser and not json and webbrowser.open(found.url)
    if json:
        printer.show_json(found)
    elif shown:
        printer.say(f"The page of {root} opens in your browser.")
    else:
        printer.say(f"Open this within {found.seconds:.0f} seconds, once: {found.url}")
