"""A heading as the plain text people would say.

Owns the removal of inline marks. Must not know lines or blocks.
"""

import re

HEADING_LENGTH = 300
"""Characters of a heading that become part of an address; the line itself stays whole in its chunk."""

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->")
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+$")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_TAG = re.compile(r"</?(?:a|b|br|center|del|em|font|i|img|kbd|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_MARK = re.compile(
    r"\\([!-/:-@\[-`{-~])"
    r"|\*+(?=\S)|(?<=\S)\*+|~~|==|(?<![^\W_])_+(?=\S)|(?<=\S)_+(?![^\W_])"
)


def plain_heading(raw: str) -> str:
    """A heading without comment, block id, emphasis, code and link marks; at most `HEADING_LENGTH` characters.

    What stands in a code span stays as it is. Anything that is not understood stays too.
    """
    text = " ".join(raw.split())[: 4 * HEADING_LENGTH]
    text = _BLOCK_ID.sub("", _COMMENT.sub("", text).rstrip())
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        parts += (_unmark(text[at : code.start()]), code[2])
        at = code.end()
    parts.append(_unmark(text[at:]))
    plain = " ".join("".join(parts).split())
    return plain if len(plain) <= HEADING_LENGTH else plain[: HEADING_LENGTH - 1] + "…"


def _unmark(text: str) -> str:
    text = _WIKILINK.sub(lambda match: match[2] or match[1], text)
    text = _TAG.sub("", _LINK.sub(r"\1", text))
    return _MARK.sub(lambda match: match[1] or "", text)
