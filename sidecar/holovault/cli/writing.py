"""The commands that change notes: write, edit, append. Parse, ask the facade, print."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from holovault.cli import printer
from holovault.cli.options import Json, NoDaemon, Vault, text
from holovault.errors import DiskError, TooLargeError, UsageError

if TYPE_CHECKING:
    from holovault.model import NoteChange, TextEdit, WriteResult

MOST_BYTES = 64 << 20
STDIN = "-"

Note = Annotated[str, typer.Argument(metavar="PATH", help="The note's path in the vault, as search prints it.")]
Hash = Annotated[
    str | None, typer.Option("--expected-hash", help="The hash that reading gave; another version is refused.", show_default=False)
]


def write(
    path: Note,
    file: Annotated[Path | None, typer.Option("--file", help="The text's file; standard input unless told.", show_default=False)] = None,
    expected_hash: Hash = None,
    create: Annotated[bool, typer.Option("--create", help="Make a new note; one that exists is refused.")] = False,
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Create a note (--create), or replace the one whose hash was read (--expected-hash); its bytes are those given."""
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    if create == (expected_hash is not None):
        raise UsageError("Say either --create for a new note, or --expected-hash HASH of the version that this replaces.")
    root, content = vault_root(vault, Path.cwd()), _given(file)
    with reached(Home.from_environment(), root, "holovault write", no_daemon=no_daemon) as way:
        written = way.facade.write(text(path), content, expected_hash, create)
    _show(written, "Created" if written.created else "Replaced", json)


def edit(
    path: Note,
    old: Annotated[list[str] | None, typer.Option("--old", help="A text of the note; with --new, in pairs.", show_default=False)] = None,
    new: Annotated[list[str] | None, typer.Option("--new", help="What it becomes.", show_default=False)] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="How often each old text stands in the note.")] = 1,
    edits: Annotated[
        str | None, typer.Option("--edits", help='A JSON file of [{"old", "new", "count"}], - for standard input.', show_default=False)
    ] = None,
    expected_hash: Hash = None,
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Replace exact texts inside a note, all of them or none; everything else keeps its bytes."""
    from holovault.model import NoteChange

    pairs = _pairs(old or [], new or [], count)
    if bool(pairs) == (edits is not None):
        raise UsageError("Give texts as --old TEXT --new TEXT, or all of them as --edits FILE.")
    listed = _listed(edits) if edits is not None else pairs
    _change(path, NoteChange(edits=listed), expected_hash, vault, json, no_daemon, "edit")


def append(
    path: Note,
    words: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="The text; standard input unless told.", show_default=False)] = None,
    heading: Annotated[
        list[str] | None, typer.Option("--heading", help="The heading that it belongs to; repeat it for those above.", show_default=False)
    ] = None,
    create_heading: Annotated[bool, typer.Option("--create-heading", help="Make the heading where it is missing.")] = False,
    expected_hash: Hash = None,
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Add lines at the end of a note, or at the end of what stands under a heading."""
    from holovault.model import Append, NoteChange

    added = _decoded(_given(None), "standard input") if words in (None, STDIN) else text(words or "")
    wanted = Append(added, tuple(text(name) for name in heading or ()), create_heading)
    _change(path, NoteChange(append=wanted), expected_hash, vault, json, no_daemon, "append")


def _change(
    path: str, change: "NoteChange", expected_hash: str | None, vault: Path | None, json: bool, no_daemon: bool, command: str
) -> None:
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, f"holovault {command}", no_daemon=no_daemon) as way:
        changed = way.facade.change(text(path), change, expected_hash)
    _show(changed, "Changed", json)


def _pairs(old: list[str], new: list[str], count: int) -> "tuple[TextEdit, ...]":
    from holovault.model import TextEdit

    if len(old) != len(new):
        raise UsageError("Every --old needs its --new; an empty one takes the old text away.")
    return tuple(TextEdit(text(one), text(other), count) for one, other in zip(old, new, strict=True))


def _listed(source: str) -> "tuple[TextEdit, ...]":
    import msgspec

    from holovault.model import TextEdit

    try:
        return msgspec.json.decode(_given(None if source == STDIN else Path(source)), type=tuple[TextEdit, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f'The edits are no JSON list of {{"old", "new", "count"}}: {error}.') from error


def _given(file: Path | None) -> bytes:
    """All bytes of a file, or of standard input."""
    try:
        if file is None:
            return _bounded(sys.stdin.buffer)
        with file.open("rb") as opened:
            return _bounded(opened)
    except OSError as error:
        raise DiskError(f"{file or 'Standard input'} cannot be read: {error.strerror or error}. Nothing was written.") from error


def _bounded(stream: BinaryIO) -> bytes:
    found = stream.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise TooLargeError(f"More than {MOST_BYTES >> 20} MiB were given. Nothing was written; split the note.")
    return found


def _decoded(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"The text of {source} is not UTF-8: {error}. Nothing was written.") from error


def _show(result: "WriteResult", verb: str, json: bool) -> None:
    from holovault.cli.render import clean

    if json:
        printer.show_json(result)
        return
    lines = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in result.lines[:10])
    where = f":{lines}" if lines else ""
    printer.say(f"{verb} {clean(result.path)}{where} ({result.bytes:,} bytes)")
    printer.say(f"Hash {result.hash}")
