"""What the models' shelf and its helper process say to each other.

Owns the messages. Must stay light: both sides import it.
"""

from typing import Literal

import msgspec

from holovault.embed.registry import Record

Why = Literal["unreachable", "offline", "absent", "forbidden", "disk", "damaged", "useless", "missing"]


class Look(msgspec.Struct, frozen=True, tag="look"):
    """What does fastembed know of `name`? Answered with Seen."""

    name: str


class Plan(msgspec.Struct, frozen=True, tag="plan"):
    """Which of these files does the hub have of `repository`, and how large are they? Answered with Planned."""

    repository: str
    wanted: tuple[str, ...]


class File(msgspec.Struct, frozen=True):
    """One file on the hub: `digest` is SHA-256 in hexadecimal for large files and git's SHA-1 of the blob for small ones."""

    path: str
    size: int
    digest: str


class Fetch(msgspec.Struct, frozen=True, tag="fetch"):
    """Download one file into `folder`, going on where an earlier attempt stopped. Answered with Done."""

    repository: str
    revision: str
    file: File
    folder: str


class Measure(msgspec.Struct, frozen=True, tag="measure"):
    """Load the model of a record from `folder` and embed a few words. Answered with Measured."""

    record: Record
    folder: str


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """fastembed's own line about a model; `repository` is empty where the hub does not have it, `name` where fastembed does not know it."""

    name: str = ""
    dimension: int = 0
    trained: int = 0
    megabytes: int = 0
    licence: str = ""
    repository: str = ""
    file: str = ""
    more: tuple[str, ...] = ()


class Planned(msgspec.Struct, frozen=True, tag="planned"):
    """What there is to download, of one version."""

    revision: str
    files: tuple[File, ...]


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The file is there, and it is the right one."""


class Measured(msgspec.Struct, frozen=True, tag="measured"):
    """What a model turned out to be: its dimension, the tokens it is sent at most, and the memory of its process in MB."""

    dimension: int
    limit: int
    megabytes: int


class Sorry(msgspec.Struct, frozen=True, tag="sorry"):
    """Why not; `words` is what the library said, cut to one line."""

    why: Why
    words: str


Request = Look | Plan | Fetch | Measure
Reply = Seen | Planned | Done | Measured | Sorry
