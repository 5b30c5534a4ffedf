"""A fact as one line of Markdown.

Owns the order of its parts (text, tags, fields, id) and what has to be escaped, so that the line is read back as what was meant:
a text that looks like a field, a heading or a comment stays a text. Must not place the line in a note.
"""

import re
from collections.abc import Sequence

from holovault.errors import UsageError
from holovault.facts.reading import parse_facts
from holovault.markdown import parse
from holovault.model import FactLine

_FIELD = re.compile(r"(?<!\\)([\[(])(?=[^\[\]():\n\\]{1,60}::)")
_ID = re.compile(r"(?<!\S)\^(?=[A-Za-z0-9-]+$)")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s)")
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_STRUCTURE = re.compile(r"[-*+#>\[`~|<=_]")


def render_fact(
    text: str,
    *,
    tags: Sequence[str] = (),
    trust: float | None = None,
    created: str | None = None,
    fields: Sequence[tuple[str, str]] = (),
    id: str | None = None,
    marker: str = "- ",
) -> str:
    """The fact as one line without line end; white space in `text` becomes single spaces, tags it has already are not repeated.

    What would be read as anything else than text is escaped. Raises UsageError where there is nothing to say, or no line says it.
    """
    plain = " ".join(text.split())
    if not plain:
        raise UsageError("The fact has no text. Say it in one plain sentence.")
    wanted = [(key, value) for key, value in (("trust", _number(trust)), ("created", created), *fields) if value is not None]
    tail = [*(f"[{key}:: {value}]" for key, value in wanted), *((f"^{id}",) if id else ())]
    for written in (_escaped(plain),) if _HEADING.match(plain) else (plain, _escaped(plain)):
        marks = [f"#{tag}" for tag in tags if tag.casefold() not in {each.casefold() for each in _tags(written)}]
        said = " ".join((written, *marks))
        line = " ".join((said, *tail))
        if _is_read_back(line, said, trust, created, tuple(fields), id):
            return marker + line
    raise UsageError(f"A fact cannot be written as one list item: {_excerpt(plain)}. Say it in one plain sentence.")


def _number(trust: float | None) -> str | None:
    return None if trust is None else f"{trust:.3f}".rstrip("0").rstrip(".")


def number(trust: float) -> str:
    """Trust as it is written into a line: at most three digits after the point, `.65` as `0.65`, one as `1`."""
    return _number(trust) or "0"


def _is_read_back(
    line: str, said: str, trust: float | None, created: str | None, fields: tuple[tuple[str, str], ...], name: str | None
) -> bool:
    facts = parse_facts(parse("- " + line), "")
    if len(facts) != 1 or facts[0].problems:
        return False
    fact = facts[0]
    meant = (said, trust if trust is None else float(number(trust)), created, fields, name.lower() if name else None)
    return (fact.text, fact.trust, fact.created, fact.fields, fact.id) == meant


def _tags(text: str) -> tuple[str, ...]:
    facts: tuple[FactLine, ...] = parse_facts(parse("- " + text), "")
    return facts[0].tags if facts else ()


def _escaped(text: str) -> str:
    text = _FIELD.sub(r"\\\1", text).replace("%%", "%\\%").replace("<!--", "<\\!--")
    text = _NUMBERED.sub(r"\1\\\2", text, count=1) if _NUMBERED.match(text) else _ID.sub(r"\\^", text)
    return "\\" + text if _STRUCTURE.match(text) else text


def _excerpt(text: str) -> str:
    return f"“{text}”" if len(text) <= 80 else f"“{text[:79]}…”"
