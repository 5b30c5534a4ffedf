"""What the service for facts gets from the engine: the parts in force, one way to write, the passes that index.

Must not know what a fact is.
"""

from collections.abc import Callable
from secrets import randbelow

from holovault.config import device_name
from holovault.engine.parts import Surroundings
from holovault.engine.passes import Passes
from holovault.errors import DiskError
from holovault.memory import Facts
from holovault.memory import Surroundings as Desk
from holovault.memory.surroundings import Write


def facts_service(around: Surroundings, passes: Passes, write: Write, freshen: Callable[[], None], rescan: Callable[[], object]) -> Facts:
    """The service over these passes; `write` writes a note and indexes it, `rescan` is one pass over the whole vault."""

    def device() -> str:
        if around.home is None:
            raise DiskError("This engine has no home folder, so this device has no name for its feedback.")
        return device_name(around.home)

    return Facts(
        Desk(
            store=around.store,
            current=lambda: passes.parts,
            write=write,
            look=passes.some,
            rescan=rescan,
            freshen=freshen,
            now=around.now,
            below=randbelow,
            device=device,
        )
    )
