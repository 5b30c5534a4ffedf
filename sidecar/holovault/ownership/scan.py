"""Finding the owner of a vault among the run files, by what the folder is rather than how it was spelt.

Owns the match: same device and inode, or the same real path. Must not trust a run file whose lock is free.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from holovault.config import Home
from holovault.ownership import runfile
from holovault.ownership.lease import is_held
from holovault.ownership.runfile import RunFile


def find(home: Home, root: Path) -> RunFile | None:
    """The live owner of the vault at `root`, or None. A file left behind by a dead owner is ignored."""
    return next((run for run in _known(home) if _same_vault(run, root) and is_held(home, run.key)), None)


def live(home: Home) -> Iterator[RunFile]:
    """Every owner of this user whose lock is held at this moment, in the order of their keys."""
    return (run for run in _known(home) if is_held(home, run.key))


def _known(home: Home) -> Iterator[RunFile]:
    for path in sorted(home.run_file("any").parent.glob("*.json")):
        run = runfile.load(path)
        if run is not None and run.key == path.stem:
            yield run


def _same_vault(run: RunFile, root: Path) -> bool:
    real = os.path.realpath(root)
    if os.path.normcase(real) == os.path.normcase(run.vault):
        return True
    try:
        facts = os.stat(real)
    except OSError:
        return False
    # Some network drives report inode 0 for everything.
    return facts.st_ino != 0 and (facts.st_dev, facts.st_ino) == (run.device, run.inode)
