"""The commands of `holovault token`: long-lived tokens for clients elsewhere. A secret is printed once, when it is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json, Vault, quoted, text
from holovault.cli.render import Line, Span, clean, table

if TYPE_CHECKING:
    from holovault.config import DaemonConfig, Token

_PORT = 8765
_HOST = "notes.example.org"

Name = Annotated[str, typer.Argument(help="What you call it, such as phone: up to 40 letters, digits, dots, dashes, underscores.")]


@dataclass(frozen=True, slots=True)
class TokenMade:
    """What `token add --json` prints. `url` is the address to enter elsewhere; `settings` are lines that knowledge.toml still needs."""

    name: str
    vault: str
    made: str
    token: str
    url: str
    settings: str


@dataclass(frozen=True, slots=True)
class TokenKnown:
    """A token without its secret."""

    name: str
    vault: str
    made: str


@dataclass(frozen=True, slots=True)
class TokensKnown:
    """What `token list --json` prints; `problems` are lines of the file that count for nothing."""

    tokens: tuple[TokenKnown, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenRemoved:
    """What `token remove --json` prints."""

    name: str
    removed: bool = True


def group() -> typer.Typer:
    """The application `holovault token` with its commands."""
    app = typer.Typer(name="token", no_args_is_help=True, help="Tokens for a phone or another computer, good until they are removed.")
    app.command("list")(listing)
    for command in (add, remove):
        app.command()(command)
    return app


def add(name: Name, vault: Vault = None, json: Json = False) -> None:
    """Make a token that opens this vault from another device, and say once what to enter there. A running daemon accepts it at once."""
    from datetime import UTC, datetime

    from holovault.cli.reach import vault_root
    from holovault.config import Home, add_token, load_config, read_config
    from holovault.ownership import find

    home, root = Home.from_environment(), vault_root(vault, Path.cwd())
    home.check_outside(root)
    config = load_config(*read_config(root)).daemon
    run = find(home, root)
    token = add_token(home, text(name), str(root) if run is None else run.vault, datetime.now(UTC))
    made = _made(token, config, config.port or (run.port if run else None) or _PORT)
    printer.show_json(made) if json else printer.show(_told(made, config, root))


def listing(json: Json = False) -> None:
    """List the tokens of this machine: their names, when they were made, and which vault each opens. Never the tokens themselves."""
    from holovault.config import Home, read_tokens

    home = Home.from_environment()
    found = read_tokens(home.credentials)
    known = tuple(TokenKnown(one.name, text(one.vault), one.made) for one in found.tokens)
    if json:
        printer.show_json(TokensKnown(known, found.problems))
        return
    if known:
        printer.show(table((one.name, f"{one.made}  {clean(one.vault)}") for one in known))
    else:
        printer.say("There is no token. Make one with: holovault token add NAME")
    printer.remark([(Span(f"{clean(str(home.credentials))}: "), Span(problem)) for problem in found.problems])


def remove(name: Name, json: Json = False) -> None:
    """Remove a token: whoever has it gets no answer from then on, also from a daemon that runs."""
    from holovault.config import Home, remove_token

    remove_token(Home.from_environment(), text(name))
    if json:
        printer.show_json(TokenRemoved(text(name)))
    else:
        printer.say(f"Removed the token {text(name)}. Who has it gets no answer any more.")


def _made(token: "Token", config: "DaemonConfig", port: int) -> TokenMade:
    settings = "" if config.port else f"[daemon]\nport = {port}\n"
    return TokenMade(token.name, text(token.vault), token.made, token.secret, _url(config.allowed_hosts, port), settings)


def _url(hosts: Sequence[str], port: int) -> str:
    """A name is a proxy's, which has a certificate; a number is a VPN's; without either there is a tunnel."""
    from holovault.config import is_loopback

    shown = [f"[{host}]" if ":" in host else host for host in hosts]
    away = [host for host in shown if not is_loopback(f"http://{host}")]
    if not away:
        return f"http://127.0.0.1:{port}"
    is_number = away[0].startswith("[") or away[0].replace(".", "").isdecimal()
    return f"http://{away[0]}:{port}" if is_number else f"https://{away[0]}"


def _told(made: TokenMade, config: "DaemonConfig", root: Path) -> list[Line]:
    return [
        (Span("ok  ", "good"), Span(f"The token {made.name} opens "), Span(clean(made.vault), "path"), Span(". It is shown this once:")),
        (),
        (Span(f"    {made.token}", "match"),),
        (),
        (Span("In Obsidian on the other device: Settings → Holovault → By an address."),),
        *table(_entries(made)),
        *_needed(made, config, root),
        (),
        (Span(f"A device elsewhere cannot start the daemon. Keep it running: holovault service install --vault {quoted(root)}"),),
        (Span(f"To lock the device out: holovault token remove {made.name}"),),
    ]


def _entries(made: TokenMade) -> list[tuple[str, str]]:
    tunnel = made.url.startswith("http://127.0.0.1:")
    way = "the near end of an SSH tunnel to this port of this machine" if tunnel else "the name in [daemon] allowed_hosts"
    return [("  Address", f"{made.url}  ({way})"), ("  Token", "the line above")]


def _needed(made: TokenMade, config: "DaemonConfig", root: Path) -> list[Line]:
    """What knowledge.toml lacks: a port that stays the same, the name under which a proxy asks."""
    wanted = made.settings.splitlines()[1:]
    if not config.allowed_hosts:
        wanted.append(f'allowed_hosts = ["{_HOST}"]   # only for a proxy or VPN: the name under which it asks')
    if not wanted:
        return []
    head = f"Under [daemon] in {clean(str(root / 'knowledge.toml'))}, then holovault stop and holovault up:"
    return [(), (Span(head),), *((Span(f"  {line}"),) for line in wanted)]
