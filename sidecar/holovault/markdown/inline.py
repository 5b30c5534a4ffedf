"""Links, tags and block ids in running text.

Owns their syntax (Obsidian's: wikilinks, embeds, nested tags, `^id`) and Markdown links to notes.
Must not decide what is running text; the spans to skip are handed in.
"""

import re
from collections.abc import Iterator

from holovault.model import Link

_WIKILINK = r"(?P<embed>!?)\[\[(?P<wiki>[^\[\]\n]{1,1000})\]\]"
_TARGET = r"<(?P<angle>[^<>\n]{0,1000})>|(?P<plain>[^\s()<>]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,1000}){0,3})"
_TITLE = r"(?:[ \t]+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?"
_LINK = r"(?P<image>!?)\[(?P<text>(?:[^\[\]\n\\]|\\.){0,1000})\]\([ \t]*(?:" + _TARGET + ")" + _TITLE + r"[ \t]*\)"
_TAG = (
    r"(?<![\w#/&=:?.\\-])#(?P<tag>"
    r"[^\s!-,.:-@\[-^`{-~\u00a0-\u00bf\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\uff01-\uff0f\uff1a-\uff20]+)"
)
_INLINE = re.compile(f"{_WIKILINK}|{_LINK}|{_TAG}")
_CANDIDATE = re.compile(r"[\[#]")
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}$")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_NO_TAG = re.compile(r"[\d/_-]+")


def find_inline(text: str) -> Iterator[re.Match[str]]:
    """Every possible link or tag of `text`, from left to right."""
    at = 0
    while candidate := _CANDIDATE.search(text, at):
        start = candidate.start()
        match = _INLINE.match(text, start - 1 if start > at and text[start - 1] == "!" else start)
        at = match.end() if match else candidate.end()
        if match:
            yield match


def find_block_ids(text: str) -> Iterator[re.Match[str]]:
    """Every possible block id: group 1, at the end of a line."""
    for match in _BLOCK_ID.finditer(text):
        if match.start() == 0 or text[match.start() - 1] in " \t\n":
            yield match


def link_of(match: re.Match[str], line: int) -> Link | None:
    """The link to a note that a match of `find_inline` is, if it is one; a link to the note itself has target ""."""
    if match["wiki"] is not None:
        return _wikilink(match["wiki"], bool(match["embed"]), line)
    if match["tag"] is not None:
        return None
    raw = match["plain"] if match["angle"] is None else match["angle"]
    if not raw or _SCHEME.match(raw):
        return None
    path, heading, block = _address(_unquote(raw))
    suffix = _SUFFIX.search(path)
    if suffix and suffix[0].lower() != ".md":
        return None
    return Link(path, heading, block, match["text"].strip() or None, bool(match["image"]), line)


def tag_of(match: re.Match[str], text: str) -> str | None:
    """The tag (without `#`) that a match is, if it is one: something else than digits, and no part of a web address."""
    tag: str | None = match["tag"]
    if tag is None or _NO_TAG.fullmatch(tag):
        return None
    start = match.start()
    if start and not text[start - 1].isspace() and "://" in text[max(0, start - 2000) : start].split()[-1]:
        return None
    return tag.strip("/")


def _wikilink(inner: str, embed: bool, line: int) -> Link | None:
    address, bar, alias = inner.partition("|")
    target, heading, block = _address(address.removesuffix("\\") if bar else address)
    if not (target or heading or block):
        return None
    return Link(target, heading, block, alias.strip() or None, embed, line)


def _address(address: str) -> tuple[str, str | None, str | None]:
    """Target, heading and block id of `Note#Heading#^id`."""
    target, _, rest = address.partition("#")
    heading, mark, block = rest.rpartition("^") if rest.startswith("^") or "#^" in rest else (rest, "", "")
    return target.strip(), heading.strip("# ") or None, block.strip() or None if mark else None


def _unquote(target: str) -> str:
    """Percent-decoded; as it stands where the bytes are no UTF-8."""
    if "%" not in target:
        return target
    raw = _PERCENT.sub(lambda match: bytes.fromhex(match[1].decode("ascii")), target.encode("utf-8", "surrogatepass"))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return target
