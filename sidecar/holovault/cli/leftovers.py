"""`holovault prune`: remove the indexes of vaults that are gone. Parse, ask the engine's list, print."""

from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json

if TYPE_CHECKING:
    from holovault.engine.leftovers import Leftover

_MB = 1_000_000


def prune(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Also where the vault may lie on a drive that is not connected now.")] = False,
    json: Json = False,
) -> None:
    """Remove the indexes of vaults that are gone. Notes are never touched; an index can be built again from them."""
    from holovault.config import Home
    from holovault.engine.leftovers import PrunedIndexes, leftovers, remove

    home = Home.from_environment()
    found = leftovers(home)
    done = tuple(one if dry_run or (one.away and not yes) else remove(home, one) for one in found)
    if json:
        printer.show_json(PrunedIndexes(dry_run, done))
        return
    for one in done:
        printer.say(_line(one, dry_run=dry_run, yes=yes))
    if not done:
        printer.say("Nothing to remove: every index belongs to a vault that is there.")


def _line(one: "Leftover", *, dry_run: bool, yes: bool) -> str:
    from holovault.cli.render import clean

    what = f"the index of {clean(one.vault)} ({one.bytes / _MB:.1f} MB)"
    if one.removed:
        return f"Removed {what}."
    if one.away and not yes:
        return f"Kept {what}: the drive of that vault may not be connected now. If it is gone for good: holovault prune --yes"
    return f"Would remove {what}." if dry_run else f"Kept {what}: its vault is there again, or a process uses it."
