"""What a single value of knowledge.toml may be: type, range, and what it must never be.

Owns the checkers. Each takes what TOML gave and returns the value to keep, or raises `Refused` with the
rest of a sentence ("must be …"). Must not know keys, tables or files; never repeats a text that could be
a secret.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pathspec import GitIgnoreSpec

_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff
fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks
ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps
pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz
ve vi vo wa wo xh yi yo za zh zu
"""

LANGUAGES = frozenset(_CODES.split())
"""The two-letter codes of ISO 639-1."""

_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]{1,63}")
_MODEL = re.compile(r"[A-Za-z0-9][\w.@+-]*(/[A-Za-z0-9][\w.@+-]*){0,3}(:[\w.-]+)?", re.ASCII)
_HOST = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*\.?", re.ASCII)
_DRIVE = re.compile(r"[A-Za-z]:")


class Refused(Exception):
    """The value cannot be kept; the text completes the sentence "`key` …". `entry` is the index in a list."""

    def __init__(self, words: str, entry: int | None = None) -> None:
        super().__init__(words)
        self.entry = entry


class Check(Protocol):
    """A checker, with `words` for the manual ("a whole number from 0 to 10")."""

    @property
    def words(self) -> str: ...

    def __call__(self, value: object) -> Any: ...


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    words: str = "true or false"

    def __call__(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        return value


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, or one of `also`."""

    low: int
    high: int
    also: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        return " or ".join((*map(str, self.also), f"a whole number from {self.low} to {self.high}"))

    def __call__(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        if value not in self.also and not self.low <= value <= self.high:
            raise Refused(f"must be {self.words}, not {value}")
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from `low` to `high`."""

    low: float
    high: float

    @property
    def words(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"

    def __call__(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        if not self.low <= value <= self.high:
            raise Refused(f"must be {self.words}, not {value}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Range:
    """Two numbers `[low, high]` inside given bounds, with low ≤ high."""

    low: float
    high: float

    @property
    def words(self) -> str:
        return f"two numbers [low, high] from {self.low:g} to {self.high:g}"

    def __call__(self, value: object) -> tuple[float, float]:
        if not isinstance(value, list) or len(value) != 2:
            raise Refused(f"must be {self.words}, not {kind(value)}")
        number = Number(self.low, self.high)
        low, high = number(value[0]), number(value[1])
        if low > high:
            raise Refused(f"must be {self.words}, and {low:g} is above {high:g}")
        return low, high


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    choices: tuple[str, ...]

    @property
    def words(self) -> str:
        return "one of " + ", ".join(f'"{choice}"' for choice in self.choices)

    def __call__(self, value: object) -> str:
        if not isinstance(value, str):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        if value not in self.choices:
            raise Refused(f'must be {self.words}, not "{shown(value)}"')
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text with a form of its own; `test` returns it in the form to keep or raises `Refused`."""

    words: str
    test: Callable[[str], str]

    def __call__(self, value: object) -> str:
        if not isinstance(value, str):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        if not value.strip() or any(ord(c) < 32 for c in value):
            raise Refused(f"must be {self.words}, not an empty text or one with line breaks")
        return self.test(value)


@dataclass(frozen=True, slots=True)
class Line:
    """A text of at most `longest` characters, kept as it is; it may be empty and end in a space."""

    longest: int

    @property
    def words(self) -> str:
        return f"one line of at most {self.longest} characters, or none"

    def __call__(self, value: object) -> str:
        if not isinstance(value, str):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        if len(value) > self.longest or any(ord(c) < 32 for c in value):
            raise Refused(f"must be {self.words}")
        return value


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts, each with the same form, none twice."""

    item: Text

    @property
    def words(self) -> str:
        return f"a list, each entry {self.item.words}"

    def __call__(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise Refused(f"must be {self.words}, not {kind(value)}")
        kept = [self._entry(index, entry) for index, entry in enumerate(value)]
        return tuple(dict.fromkeys(kept))

    def _entry(self, index: int, entry: object) -> str:
        try:
            return self.item(entry)
        except Refused as refused:
            raise Refused(f"has an entry (number {index + 1}) that {refused}", index) from None


def kind(value: object) -> str:
    """The TOML name of a value's type, for "not a text"."""
    names: Mapping[type, str] = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "a date or time")


def shown(value: str) -> str:
    """A value cut to a length that fits into a message."""
    return value if len(value) <= 60 else value[:57] + "…"


def _pattern(value: str) -> str:
    value = unicodedata.normalize("NFC", value)  # as paths are compared
    _stays_inside(value.removeprefix("!"))
    try:
        spec = GitIgnoreSpec.from_lines([value])
    except ValueError as error:
        raise Refused(f'is no gitignore pattern: "{shown(value)}"') from error
    if not any(pattern.include is not None for pattern in spec.patterns):
        raise Refused(f'would match nothing: "{shown(value)}" is a comment or empty in gitignore syntax')
    return value


def _rule(value: str) -> str:
    if value.startswith("!"):
        raise Refused(f'cannot begin with "!": the first rule that matches wins, so put an exception above it ("{shown(value)}")')
    return _pattern(value)


def _stays_inside(value: str) -> None:
    parts = value.split("/")
    if ".." in parts or _DRIVE.match(value) or value.startswith(("~", "//")):
        raise Refused(f'must stay inside the vault: "{shown(value)}" leads out of it')
    if "\\" in value:
        raise Refused(f'must use "/" between folders, not a backslash: "{shown(value)}"')


def _note(value: str) -> str:
    value = unicodedata.normalize("NFC", value)
    _stays_inside(value)
    if value.startswith("/") or not value.lower().endswith(".md"):
        raise Refused(f'must be a note of this vault, such as "Memory/profile.md", not "{shown(value)}"')
    return value


def _env_name(value: str) -> str:
    # A pasted key has lower-case letters or dashes; it is not repeated in the message.
    if not _ENV_NAME.fullmatch(value):
        raise Refused("must be the name of an environment variable such as OPENAI_API_KEY, not the key itself")
    return value


def _model(value: str) -> str:
    if not _MODEL.fullmatch(value):
        raise Refused(f'must be the name of a model such as "owner/name", never a path: "{shown(value)}"')
    return value


def _url(value: str) -> str:
    try:
        parts = urlsplit(value)
        host, port, user = parts.hostname, parts.port, parts.username
    except ValueError:
        raise Refused("is no address such as https://host/v1") from None
    if user or parts.query or parts.fragment:
        raise Refused("must have no user, password, query or fragment in it; keys come from the variable that `api_key_env` names")
    if parts.scheme not in {"http", "https"} or not host or port == 0:
        raise Refused(f'must be an address such as https://host/v1, not "{shown(value)}"')
    if parts.scheme == "http" and not _loopback(host):
        raise Refused(f'must begin with https:// unless it is this machine: note text would travel in the clear to "{shown(host)}"')
    return value.rstrip("/")


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host(value: str) -> str:
    try:
        return str(ip_address(value.strip("[]")))
    except ValueError:
        if not _HOST.fullmatch(value):
            raise Refused(f'must be a host name or an IP address without scheme, port or "*", not "{shown(value)}"') from None
        return value.lower().rstrip(".")


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (OSError, ValueError, KeyError):  # KeyError: ZoneInfoNotFoundError
        raise Refused(f'is not known here: "{shown(value)}"; write a name such as Europe/Berlin (Windows needs tzdata)') from None
    return value


def _language(value: str) -> str:
    if value not in LANGUAGES:
        raise Refused(f'must be a two-letter language code such as "en", not "{shown(value)}"')
    return value


def _name(value: str) -> str:
    return value.strip()


PATTERN = Text("a gitignore pattern inside the vault", _pattern)
RULE_PATTERN = Text("a gitignore pattern inside the vault", _rule)
NOTE = Text("the path of a note", _note)
ENV_NAME = Text("the name of an environment variable", _env_name)
MODEL = Text("the name of a model", _model)
URL = Text("an address such as https://host/v1", _url)
HOST = Text("a host name or an IP address", _host)
ZONE = Text("a time zone such as Europe/Berlin", _zone)
LANGUAGE = Text("a two-letter language code", _language)
NAME = Text("a name", _name)
PREFIX = Line(500)
