"""Text as lines of its own: at the end of a note, or as the last lines that belong to a heading.

Owns where that is. The note ends in a line end afterwards where it did before, and not where it did not; an empty one gets one.
Must not write.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holovault.edits.coding import given
from holovault.edits.pieces import Piece
from holovault.errors import AmbiguousError, NotFoundError, UsageError
from holovault.markdown import Document, parse, split_lines
from holovault.markdown.headings import HEADING_LENGTH, plain_heading
from holovault.model import Append

DEEPEST = 6
_USUAL_LEVEL = 2
_SHOWN_HEADINGS = 12


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading of a note: the path that leads to it, its level, its last line and the last line of what belongs to it.

    `own_end` is the last line with text before its first sub-heading, `end` the last one of its whole section.
    """

    path: tuple[str, ...]
    level: int
    line: int
    own_end: int
    end: int
    underlined_next: bool


def appended(own: str, readable: str, wanted: Append, end_of_line: str, path: str) -> Piece:
    """The piece that appends `wanted`. `readable` is the note's text as people see it, with as many lines as `own`.

    Raises NotFoundError, AmbiguousError or UsageError.
    """
    text = given(wanted.text, f"{path}: the text to append").removesuffix("\n")
    if not text:
        raise UsageError(f"{path}: there is no text to append.")
    lines = split_lines(own)
    if not wanted.heading:
        return _after(lines, len(lines), text, end_of_line)
    if len(wanted.heading) > DEEPEST:
        raise UsageError(f"{path}: a path of headings has {DEEPEST} names at most. Nothing was changed; name a shorter path.")
    target = tuple(_checked(name, path) for name in wanted.heading)
    known = list(headings(parse(readable)))
    found = _named(known, target, path)
    if found is not None:
        blank_after = found.underlined_next and found.own_end < len(lines) and bool(lines[found.own_end].strip())
        return _after(lines, found.own_end, text + ("\n" if blank_after else ""), end_of_line)
    if not wanted.create_heading:
        listed = "\n".join(f"{heading.line}: {' > '.join(heading.path)}" for heading in known[:_SHOWN_HEADINGS])
        raise NotFoundError(
            f"{path} has no heading {' > '.join(target)}. Nothing was changed; name one that it has, or ask for the heading to be made.",
            quoted=listed or None,
        )
    return _with_headings(lines, known, target, text, end_of_line, path)


def headings(document: Document) -> Iterator[Heading]:
    """The headings of a note, in its order. Those inside of lists, quotes, code and comments are none."""
    blocks = [block for block in document.blocks if block.kind == "heading"]
    above: list[tuple[int, str]] = []
    for index, block in enumerate(blocks):
        while above and above[-1][0] >= block.level:
            above.pop()
        above.append((block.level, block.text))
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        after = next((other.start_line for other in blocks[index + 1 :] if other.level <= block.level), len(document.lines) + 1)
        yield Heading(
            path=tuple(text for _, text in above),
            level=block.level,
            line=block.start_line,
            own_end=_last_text(document.lines, block.end_line, following.start_line if following else len(document.lines) + 1),
            end=_last_text(document.lines, block.end_line, after),
            underlined_next=following is not None and following.end_line > following.start_line,
        )


def _last_text(lines: Sequence[str], first: int, before: int) -> int:
    """The last line from `first` on and before `before` that is not blank."""
    last = before - 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return last


def _named(known: Sequence[Heading], target: tuple[str, ...], path: str) -> Heading | None:
    """The heading whose whole path is `target`, else the one whose path ends so."""
    wanted = tuple(map(_comparable, target))
    paths = [(heading, tuple(map(_comparable, heading.path))) for heading in known]
    for found in (
        [heading for heading, names in paths if names == wanted],
        [heading for heading, names in paths if names[-len(wanted) :] == wanted],
    ):
        if len(found) > 1:
            lines = ", ".join(str(heading.line) for heading in found[:_SHOWN_HEADINGS])
            raise AmbiguousError(
                f"{path} has {len(found)} headings {' > '.join(target)}: lines {lines}. Nothing was changed; "
                "name the headings above it too."
            )
        if found:
            return found[0]
    return None


def _with_headings(lines: list[str], known: Sequence[Heading], target: tuple[str, ...], text: str, end_of_line: str, path: str) -> Piece:
    """The text under headings that are made: below the longest part of the path that exists, else beside the topmost ones."""
    parent, missing = _parent(known, target, path)
    level = parent.level + 1 if parent else min((heading.level for heading in known), default=_USUAL_LEVEL)
    if level + len(missing) - 1 > DEEPEST:
        raise UsageError(f"{path}: {' > '.join(target)} would be deeper than {DEEPEST} levels. Nothing was changed; name a shorter path.")
    made = "\n\n".join(f"{'#' * (level + depth)} {name}" for depth, name in enumerate(missing))
    at = parent.end if parent else len(lines)
    before = "\n" if at and lines[at - 1].strip() else ""
    after = "\n" if at < len(lines) and lines[at].strip() else ""
    piece = _after(lines, at, f"{before}{made}\n\n{text}{after}", end_of_line)
    own = "".join(lines)
    result = parse((own[: piece.start] + piece.text + own[piece.end :]).encode("utf-8", "replace").decode("utf-8"))
    if len(list(headings(result))) < len(known) + len(missing):
        raise UsageError(f"{path}: a heading there would be no heading, because code or a comment is not closed. Nothing was changed.")
    return piece


def _parent(known: Sequence[Heading], target: tuple[str, ...], path: str) -> tuple[Heading | None, tuple[str, ...]]:
    for size in range(len(target) - 1, 0, -1):
        found = _named(known, target[:size], path)
        if found is not None:
            return found, target[size:]
    tops = [heading for heading in known if heading.level == 1]
    # The one heading of level 1 at the top is the note's title: what is new belongs below it, not beside it.
    title = tops[0] if len(tops) == 1 and known[0] is tops[0] else None
    return title, target


def _after(lines: Sequence[str], line: int, text: str, end_of_line: str) -> Piece:
    """`text` as lines of its own after line number `line`."""
    at = sum(map(len, lines[:line]))
    new = text.replace("\n", end_of_line)
    if not line:
        return Piece(0, 0, new + end_of_line)
    open_end = not lines[line - 1].endswith(("\n", "\r"))
    return Piece(at, at, end_of_line + new if open_end else new + end_of_line)


def _checked(name: str, path: str) -> str:
    text = " ".join(given(name, f"{path}: a heading").split())
    if not text or "\n" in name.strip() or len(text) > HEADING_LENGTH:
        raise UsageError(f"{path}: a heading is one line of 1 to {HEADING_LENGTH} characters. Nothing was changed.")
    return text


def _comparable(name: str) -> str:
    return unicodedata.normalize("NFC", plain_heading(name))
