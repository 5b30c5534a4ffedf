"""One vault's service before any system's own form: what is run, for which vault, with which limits.

Owns the marker by which a file that we wrote is known again. Must not read or write files.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from holovault.config import Config, Home, vault_key

ROOM_MB = 800
"""Memory beside the model: the daemon itself, the child that cuts notes, and pages of the index."""

AGAIN = 75
"""Exit status of a daemon of a service that left for a newer version to take its place: EX_TEMPFAIL of sysexits.h."""

MARKER = "Written by `holovault service install` for the vault "
_MARKED = re.compile(re.escape(MARKER) + r'("(?:[^"\\]|\\.)*")')
_HEAD = 4096
# What JSON leaves as it is and a comment or an encoder does not: lone surrogates, controls, line separators, XML's "--".
_UNSAFE = re.compile("[\ud800-\udfff\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|-(?=-)")


@dataclass(frozen=True, slots=True)
class ServiceSpec:
    """Every path is absolute. `home_given` tells whether the service has to be told its home folder; `code` is where the program lies.

    `memory_mb` caps the daemon with its children.
    """

    key: str
    vault: Path
    python: Path
    home: Path
    home_given: bool
    code: Path
    memory_mb: int

    @property
    def name(self) -> str:
        """The service's name, one per vault."""
        return f"holovault-{self.key}"

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command line. `-P`: what lies in the folder it is started from must not be imported."""
        vault = str(self.vault)
        return (str(self.python), "-P", "-m", "holovault.cli", "serve", "--vault", vault, "--keep", "--replace")

    @property
    def log(self) -> Path:
        """Where the daemon writes its log."""
        return self.home / "logs" / f"daemon-{self.key}.jsonl"

    @property
    def output(self) -> Path:
        """Where launchd puts what the daemon prints."""
        return output_of(self.home, self.key)

    @property
    def marker(self) -> str:
        """The words that say whose a file is, on one line, safe in a comment of a unit and of XML."""
        quoted = json.dumps(str(self.vault), ensure_ascii=False)
        return MARKER + _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def output_of(home: Path, key: str) -> Path:
    """The file in the home folder for what a launchd agent prints; systemd has its journal for that."""
    return home / "logs" / f"service-{key}.log"


def make_spec(root: Path, home: Home, default_home: Path, config: Config, python: str) -> ServiceSpec:
    """The service of the vault at `root`, run by the interpreter `python` (kept as a link: it may be a virtual environment's)."""
    interpreter = Path(os.path.abspath(python))
    embedding = config.embedding
    models = embedding.memory_mb * (2 if embedding.refine else 1)
    return ServiceSpec(
        key=vault_key(root),
        vault=root,
        python=interpreter,
        home=home.root,
        home_given=home.root != default_home,
        code=Path(__file__),
        memory_mb=config.daemon.memory_mb or models + ROOM_MB,
    )


def marked_vault(data: bytes) -> str | None:
    """The vault for which we wrote a file with this content, or None where somebody else did."""
    found = _MARKED.search(data[:_HEAD].decode("utf-8", "replace"))
    if found is None:
        return None
    try:
        vault = json.loads(found[1])
    except ValueError:
        return None
    return str(vault)
