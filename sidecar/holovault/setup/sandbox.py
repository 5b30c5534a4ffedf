"""The walls of the systemd unit, as far as a vault anywhere a person keeps one stays reachable. Follows links, changes nothing.

What was left out, and why: UMask= (notes would become unreadable for those who share them), ProtectHome= and
ProtectSystem=strict (a vault lies anywhere), RestrictSUIDSGID= (a note with such a bit could not be replaced),
MemoryDenyWriteExecute= (foreign function calls), ProtectKernelTunables= (fails to start in some containers, and a person
may not write there anyway), PrivateDevices=, ProtectClock=, ProtectKernelModules= and CapabilityBoundingSet= (a user's
systemd may not drop capabilities and would not start the service).
"""

import os
from collections.abc import Iterable
from pathlib import Path

_READ_ONLY = ("/usr", "/boot", "/efi", "/etc")
_TEMPORARY = ("/tmp", "/var/tmp")


def sandbox(written: Iterable[Path], read: Iterable[Path]) -> tuple[str, ...]:
    """The lines of [Service] for a service that writes and reads at these places."""
    written, read = tuple(written), tuple(read)
    return (
        "NoNewPrivileges=yes",
        *(() if _any_inside(written, _READ_ONLY) else ("ProtectSystem=full",)),
        *(() if _any_inside((*written, *read), _TEMPORARY) else ("PrivateTmp=yes",)),
        "ProtectControlGroups=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "LockPersonality=yes",
        "SystemCallArchitectures=native",
    )


def _any_inside(places: Iterable[Path], folders: Iterable[str]) -> bool:
    spellings = [spelt for place in places for spelt in (os.path.abspath(place), os.path.realpath(place))]
    return any(spelt == folder or spelt.startswith(folder + "/") for spelt in spellings for folder in folders)
