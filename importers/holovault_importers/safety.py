"""Text that every program downstream can hold: valid Unicode, no control characters, one kind of line end.

Owns character-level cleaning and single-line forms. Pure. Must not know Markdown (`prose` does).
"""

import re
import unicodedata

_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f\\x80-\\x84\\x86-\\x9f\\u202d\\u202e\\ufeff\\ufffe\\uffff]")
_BREAK = re.compile("\\r\\n|[\\r\\x0b\\x0c\\x85\\u2028\\u2029]")
_UNSEEN = re.compile("[\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069]")
_SURROGATES = re.compile("[\\ud800-\\udfff]")
BLOB = 1000
_BLOB = re.compile(r"(?:data:[\w/+.-]{1,60};base64,)?[A-Za-z0-9+/_-]{1000,}={0,2}")
"""A run of letters and digits that no language has: an image or another file, encoded."""


def clean(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones replaced, without control characters, with `\\n` line ends."""
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _CONTROL.sub("", _BREAK.sub("\n", text))


def trimmed(text: str) -> str:
    """Clean text without encoded data, and without white space at the ends of lines and of the whole."""
    if len(text) > BLOB:
        text = _BLOB.sub(lambda found: f"({len(found[0]):,} characters of data)", text)
    return "\n".join(line.rstrip(" \t") for line in clean(text).split("\n")).strip("\n")


def one_line(text: str) -> str:
    """Clean text on one line in NFC, without marks that nobody sees or that reorder what stands beside them."""
    return unicodedata.normalize("NFC", " ".join(_UNSEEN.sub("", clean(text)).split()))


def cut(text: str, longest: int) -> str:
    """At most `longest` characters, never between a letter and its marks; a cut is shown by an ellipsis."""
    if len(text) <= longest:
        return text
    end = longest - 1
    while end > 0 and (unicodedata.combining(text[end]) or text[end] in "\u200d\ufe0f" or text[end - 1] == "\u200d"):
        end -= 1
    return text[:end].rstrip() + "…"
