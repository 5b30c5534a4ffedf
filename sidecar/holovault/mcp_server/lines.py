"""Lines as the vault counts them: they end at \\n, \\r\\n and \\r only. Pure."""

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def split_lines(text: str) -> list[str]:
    """The lines of `text` with their ends."""
    return _LINE.findall(text)


def numbered(text: str, first: int) -> str:
    """Each line behind its number and a tab, without its end; `first` is the number of the first one."""
    bare = (line.rstrip("\r\n") for line in split_lines(text))
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(bare, first))
