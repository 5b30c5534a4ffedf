"""Reading a systemd unit as systemd.syntax(7) and systemd.service(5) say, written apart from the code that writes one."""

import os
import re
from dataclasses import dataclass

_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})|\\(.)")
_WORD = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))')


@dataclass(frozen=True, slots=True)
class Unit:
    """Settings in the order they stand, as (section, key, value)."""

    lines: tuple[tuple[str, str, str], ...]

    def get(self, key: str) -> str:
        """The one value of a key."""
        (value,) = self.all(key)
        return value

    def all(self, key: str) -> list[str]:
        return [value for _, name, value in self.lines if name == key]

    @property
    def command(self) -> list[str]:
        """What ExecStart runs."""
        program, *arguments = [_specifiers(word) for word in words(self.get("ExecStart"))]
        assert program.startswith("/") and not set(program) & set("\"'\\$\t\n"), f"no path of a program for systemd: {program}"
        assert not any(re.search(r"(?<!\$)(\$\$)*\$(?!\$)", word) for word in arguments), "a variable that nobody meant"
        command = [program, *(word.replace("$$", "$") for word in arguments)]
        return command[1:] if program == "/usr/bin/env" else command

    @property
    def environment(self) -> dict[str, str]:
        """What Environment sets."""
        found = (_specifiers(word).partition("=") for value in self.all("Environment") for word in words(value))
        return {name: value for name, _, value in found}


def read_unit(text: str) -> Unit:
    """Parses a whole unit file; a line that is neither section, comment nor setting is an AssertionError."""
    section, lines = "", []
    for line in text.split("\n"):
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            section = line.strip("[]")
            continue
        key, equals, value = line.partition("=")
        assert section and equals and re.fullmatch(r"[A-Za-z]+", key), line
        assert not line.endswith("\\"), line
        lines.append((section, key, value.strip()))
    return Unit(tuple(lines))


def words(value: str) -> list[str]:
    """Splits a value into words, quotes and escapes undone."""
    found, at = [], 0
    while at < len(value.rstrip()):
        match = _WORD.match(value, at)
        assert match is not None, value[at:]
        quoted, bare = match.groups()
        found.append(_unescaped(bare if quoted is None else quoted))
        at = match.end()
    return found


def _unescaped(text: str) -> str:
    raw = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]) if found[1] else found[2], text.encode("utf-8"))
    return os.fsdecode(raw)


def _specifiers(text: str) -> str:
    assert not re.search(r"(?<!%)(%%)*%(?!%)", text), f"a specifier that nobody meant: {text}"
    return text.replace("%%", "%")
