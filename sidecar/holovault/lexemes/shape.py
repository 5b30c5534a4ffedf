"""Shape: every code point's role in a word, as a string of the same length.

    A  upper-case letter    a  any other letter    0  decimal digit    n  letter of a script written without spaces
    e  pictograph           r  regional indicator  -_+./#@:&'  joiners, as they are        (space)  separates

Owns where runs end and where scripts change. Must not know stems, stop words or languages.
"""

import re
import unicodedata
from collections.abc import Iterator

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff"
    "\u3100-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
"""Body of a character class: Han, kana, Hangul, Bopomofo, Thai, Lao, Khmer, Myanmar."""

_SEPARATORS = (
    r"\s\x00-\x1f!\"$%()*,;<=>?\[\\\]^`{|}~\x7f-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7"
    "\u200b\u2012-\u2017\u201a\u201c-\u2029\u202f-\u205f\u2190-\u21ff\u2500-\u25ff\u3000-\u3004\u3008-\u3020\u3030"
    "\ud800-\udfff\ue000-\uf8ff\ufeff\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
)
RUNS = re.compile(f"[^{_SEPARATORS}{UNSPACED}]+|[{UNSPACED}]+")
"""Runs of code points that may belong to one word or identifier; what it cuts is independent of what stands around."""

_UNSPACED = re.compile(f"[{UNSPACED}]")
_PICTOGRAPH = re.compile("[\u203c\u2049\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001faff]")
_ROLES = dict.fromkeys(range(128), " ") | {ord(joiner): joiner for joiner in "-_+./#@:&'"}
_ROLES |= dict.fromkeys(range(65, 91), "A") | dict.fromkeys(range(97, 123), "a") | dict.fromkeys(range(48, 58), "0")
_CONTRACTION = re.compile(r"(?<=[a-z\xc0-\u024f])'(?=(?:s|t|d|m|re|ve|ll)(?!\w))|(?<=[\u0400-\u04ff])'(?=[\u0400-\u04ff])", re.IGNORECASE)
_ONE_SCRIPT = re.compile(r"[\x00-\x7f\xc0-\u024f]*|[\x00-@\[-`{-\x7f\u0400-\u04ff]*")
_LETTER = re.compile("[Aa]")


def shape_of(text: str) -> str:
    """The shape of normalised text; marks take the role of what they stand on, and so does the apostrophe of `don't` and `п'ять`."""
    shape = text.translate(_ROLES)
    if not text.isascii() and (len(shape) != len(text) or max(text) >= _LIMIT):
        shape = _shape_of_any(text)
    if "'" in shape:
        for match in _CONTRACTION.finditer(text):
            shape = f"{shape[: match.start()]}{shape[match.start() - 1]}{shape[match.end() :]}"
    return shape


def one_script(text: str, shape: str) -> Iterator[tuple[int, int]]:
    """Stretches `[start, end)` whose letters are all of one script; digits and joiners stay with what precedes them."""
    start = 0
    if not _ONE_SCRIPT.fullmatch(text):
        current = ""
        for match in _LETTER.finditer(shape):
            script = script_of(text[match.start()])
            if script and current and script != current:
                yield start, match.start()
                start = match.start()
            current = script or current
    yield start, len(text)


def script_of(char: str) -> str:
    """The script's name as the Unicode names say it (`LATIN`, `CYRILLIC`); empty for marks, modifiers and unnamed code points."""
    if char.isascii():
        return "LATIN" if char.isalpha() else ""
    if unicodedata.category(char) not in {"Lu", "Ll", "Lt", "Lo"}:
        return ""
    return unicodedata.name(char, "").partition(" ")[0]


def _shape_of_any(text: str) -> str:
    roles: list[str] = []
    for char in text:
        role = _ROLES.get(ord(char)) or _role(char)
        roles.append(role or (roles[-1] if roles and roles[-1] in "Aa0n" else " "))
    return "".join(roles)


def _role(char: str) -> str:
    """The role of one code point beyond ASCII; empty for a mark."""
    category = unicodedata.category(char)
    match category:
        case "Mn" | "Mc" | "Me":
            return ""
        case "Nd":
            return "0"
        case "Lu" | "Lt":
            return "A"
        case "Ll" | "Lm" | "Lo" | "Nl" | "No" | "Cn":
            return "n" if _UNSPACED.match(char) else "a"
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return "r"
    return "e" if category[0] == "S" and _PICTOGRAPH.match(char) else " "


_LIMIT = "\u0530"
_ROLES |= {code: _role(chr(code)) for code in range(128, ord(_LIMIT))}
