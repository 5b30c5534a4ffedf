"""`holovault model prune`: give back the bytes of vectors that no model in use has made. Parse, ask the facade, print."""

from pathlib import Path

from holovault.cli import printer
from holovault.cli.options import Json, Vault

_MB = 1_000_000


def prune(vault: Vault = None, json: Json = False) -> None:
    """Remove from the vault's index the vectors of models that it does not use any more; going back to one embeds all notes anew."""
    from holovault.cli.reach import reached, vault_root
    from holovault.cli.render import clean
    from holovault.config import Home

    with reached(Home.from_environment(), vault_root(vault, Path.cwd()), "holovault model prune") as way:
        gone = way.facade.prune()
    if json:
        printer.show_json(gone)
    elif gone.models:
        names = ", ".join(clean(name) for name in gone.models)
        printer.say(f"Removed {gone.vectors:,} vectors of {names}: the index is {gone.bytes / _MB:.1f} MB smaller.")
    else:
        printer.say("Nothing to remove: every vector belongs to a model in use.")
