"""Long-lived tokens of clients elsewhere, as lines of `credentials` beside the API keys.

A line is `token NAME = SECRET WHEN VAULT`: the blank after `token` makes it no API key, whatever the names are. A token opens the one vault
that its line names. Owns that format, and how lines come and go with every other byte as it was. Pure. A secret never appears in a message.
"""

import codecs
import os
import re
import sys
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime

MOST = 32
"""How many tokens count: a client that greets the daemon is answered with a proof for each."""

SHORTEST = 32
_ABOUT = re.compile(r"\s*token\s+(?!=)")
_LINE = re.compile(r"\s*token\s+([\w.-]{1,40})\s*=\s*(.*?)\s*")
_NAME = re.compile(r"[\w.-]{1,40}")
# RFC 6750: what a Bearer header carries.
_SECRET = re.compile(rf"[A-Za-z0-9._~+/=-]{{{SHORTEST},256}}")
_ANEW = "Make it anew with: holovault token add NAME"


@dataclass(frozen=True, slots=True)
class Token:
    """What one client elsewhere has: `vault` is the real path of the folder it opens, `made` is RFC 3339."""

    name: str
    vault: str
    made: str
    secret: str = field(repr=False)

    def opens(self, vault: str) -> bool:
        """Whether it is for the vault with this real path."""
        return _plain(self.vault) == _plain(vault)


@dataclass(frozen=True, slots=True)
class TokenLines:
    """The tokens that count, and a sentence for each line that wants to be one and does not."""

    tokens: tuple[Token, ...] = ()
    problems: tuple[str, ...] = ()


def parse(data: bytes) -> TokenLines:
    """The tokens in the bytes of the file."""
    tokens: dict[str, Token] = {}
    problems = []
    for number, line in enumerate(_texts(data), 1):
        if not _ABOUT.match(line):
            continue
        found = _token(line)
        if isinstance(found, Token):
            found = _too_many(found, tokens) or found
        if isinstance(found, Token):
            tokens[found.name] = found
        else:
            problems.append(f"Line {number}: {found}")
    return TokenLines(tuple(tokens.values()), tuple(problems))


def is_name(text: str) -> bool:
    """Whether a token can be called that."""
    return _NAME.fullmatch(text) is not None


def is_place(path: str) -> bool:
    """Whether a line can hold this path of a vault."""
    return path == path.strip() and len(path.splitlines()) == 1


def names(data: bytes) -> Iterator[str | None]:
    """The name that each line gives to a token, one that does not count as well; None for all other lines."""
    for line in _texts(data):
        match = _LINE.fullmatch(line)
        yield normal(match[1]) if match else None


def with_token(data: bytes, token: Token) -> bytes:
    """The file with one more line, ended as its others are."""
    end = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data or data.endswith((b"\n", b"\r")) else end
    line = f"token {token.name} = {token.secret} {token.made} {token.vault}"
    return data + gap + line.encode("utf-8", "surrogateescape") + end


def without_token(data: bytes, name: str) -> bytes:
    """The file without the lines of one token."""
    return b"".join(line for line, one in zip(data.splitlines(keepends=True), names(data), strict=True) if one != name)


def normal(name: str) -> str:
    """One spelling for a name, however its accents were typed."""
    return unicodedata.normalize("NFC", name)


def _token(line: str) -> Token | str:
    """The token in a line, or what is wrong with it."""
    match = _LINE.fullmatch(line)
    secret, when, vault = [*(match[2].split(None, 2) if match else ()), "", "", ""][:3]
    if match is None or not (_is_time(when) and vault):
        return f"a token is written as token NAME = SECRET WHEN VAULT. {_ANEW}"
    if not _SECRET.fullmatch(secret):
        return f"the token {match[1]} is shorter than {SHORTEST} characters, or has some that no request carries. {_ANEW}"
    return Token(normal(match[1]), vault, when, secret)


def _too_many(token: Token, before: Collection[str]) -> str | None:
    if token.name in before:
        return f"another line is the token {token.name} already, so this one does not count. Take one of them out."
    return f"{MOST} tokens count at most, so {token.name} does not. Remove others." if len(before) >= MOST else None


def _texts(data: bytes) -> Iterator[str]:
    # A vault's path need not be Unicode.
    return (line.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape") for line in data.splitlines())


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _plain(path: str) -> str:
    one = os.path.normcase(path)
    return unicodedata.normalize("NFC", one) if sys.platform == "darwin" else one
