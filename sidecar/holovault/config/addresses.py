"""Which services this person has agreed to send note text to, and which key each of them may have.

Owns `trusted.json` in the home. A vault's configuration comes with a clone or a sync, so an address in it is a wish until the person
confirms it, and so is the variable whose value is to be sent there; this machine itself needs no confirmation. Must not open a connection.
"""

import os
import stat
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from holovault.config.home import Home, write_private
from holovault.errors import DiskError, UsageError

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An address, in its one spelling, and the name of the variable whose value may go there; None where it gets no key."""

    address: str
    key_name: str | None = None


def trust(home: Home, base_url: str, key_name: str | None = None) -> None:
    """Confirms an address, with the key that it may have, for every vault of this home; twice is once.

    UsageError where it is no address, DiskError where it cannot be kept. Two processes that confirm at the same instant may lose one of
    the two: then it is asked for again.
    """
    wanted = Confirmed(normal_address(base_url), key_name)
    known = trusted(home)
    if wanted not in known:
        _keep(home, (*known, wanted))


def distrust(home: Home, base_url: str) -> None:
    """Takes all confirmations of an address back; UsageError and DiskError as for `trust`."""
    address = normal_address(base_url)
    known = trusted(home)
    kept = tuple(one for one in known if one.address != address)
    if kept != known:
        _keep(home, kept)


def trusted(home: Home) -> tuple[Confirmed, ...]:
    """What was confirmed, in that order. DiskError where the list cannot be believed."""
    path = home.trusted
    try:
        with path.open("rb") as file:
            _refuse_if_others_write(path, os.fstat(file.fileno()))
            found = msgspec.json.decode(file.read())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise DiskError(f"{path} cannot be read ({error}): delete it and confirm your addresses again") from error
    try:
        return tuple(msgspec.convert(found, type=_File).addresses)
    except msgspec.ValidationError as error:
        raise DiskError(f"{path} is no list of addresses: delete it and confirm your addresses again") from error


def is_trusted(home: Home | None, base_url: str, key_name: str | None = None) -> bool:
    """Whether text may go to this address, with the key of that name where there is one: it is this machine, or both were confirmed
    together. DiskError as for `trusted`."""
    if is_loopback(base_url):
        return True
    address = normal_address(base_url)
    return home is not None and any(one.address == address and key_name in {None, one.key_name} for one in trusted(home))


def is_loopback(base_url: str) -> bool:
    """Whether the address is this machine by its form alone: `localhost` or a loopback IP; no name is looked up."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def normal_address(base_url: str) -> str:
    """One spelling for one address: scheme and host in lower case, the port only where it is not the scheme's, no slash at the end."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in _PORTS or parts.username or parts.query or parts.fragment:
        raise UsageError("An address looks like https://host/v1, without a user, query or fragment. Say it again in that form.")
    shown = f"[{host}]" if ":" in host else host.rstrip(".")
    place = "" if port in {None, _PORTS[parts.scheme]} else f":{port}"
    return f"{parts.scheme}://{shown}{place}{parts.path.rstrip('/')}"


class _File(msgspec.Struct):
    addresses: list[Confirmed]


def _keep(home: Home, confirmed: tuple[Confirmed, ...]) -> None:
    write_private(home.trusted, msgspec.json.format(msgspec.json.encode(_File(list(confirmed)))) + b"\n")


def _refuse_if_others_write(path: Path, state: os.stat_result) -> None:
    if os.name == "posix" and stat.S_IMODE(state.st_mode) & 0o022:
        raise DiskError(f"{path} can be written by other users, so nothing in it counts: run chmod 600 {path} and look what it says")
