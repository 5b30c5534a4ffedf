"""A vault of everything that makes indexers hang, grow or stop.

Owns making it on disk. What a system cannot make (FIFOs on Windows, names that are no text on macOS)
is left out, and `Hazards` says so.
"""

import base64
import os
import random
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

LINE_BYTES = 5_000_000
ROWS = 20_000
ROW_OF_THE_NEEDLE = 17_123
EMOJI_BYTES = 1_500_000
NAMES = {
    "hash": "C# and #tags.md",
    "pipe": "this | that.md",
    "percent": "50% off %20 sale.md",
    "emoji": "🦊 fox 👩‍👩‍👧.md",
    "brackets": "[[link]] ^block.md",
    "quotes": 'it\'s "quoted".md',
    "dots": "v1..2...md",
    "space": " leading and trailing .md",
    "decomposed": unicodedata.normalize("NFD", "Ёжик й.md"),
    "long": "n" * 252 + ".md",
    "long cyrillic": "ж" * 126 + ".md",
}
FORBIDDEN_ON_WINDOWS = ("pipe", "quotes", "space")


@dataclass(frozen=True, slots=True)
class Hazards:
    """The vault, the secret outside of it, and which odd files this system could make."""

    vault: VaultFolder
    outside: Path
    names: dict[str, str]
    made: frozenset[str]


def make_hazards(place: Path) -> Hazards:
    """Everything at once in one vault: one bad file must not cost another one."""
    outside = place / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("The quartermaster hid the emeralds.\n", encoding="utf-8")
    names = {key: name for key, name in NAMES.items() if sys.platform != "win32" or key not in FORBIDDEN_ON_WINDOWS}
    notes: dict[str, str | bytes] = {
        "Plain.md": "# Plain\n\nAn ordinary note on marmalade.\n",
        **{
            f"Names/{name}": f"# Title\n\nThis one has a name with {key} and the word name{key.replace(' ', '')}word.\n"
            for key, name in names.items()
        },
        **_large(),
        **_encodings(),
        "x.md/Inner.md": "The folder is called x.md and this note speaks of tamarind.\n",
    }
    vault = make_vault(place / "vault", notes, NO_MODEL)
    return Hazards(vault, outside, names, frozenset(_specials(vault, outside)))


def _large() -> dict[str, str | bytes]:
    rng = random.Random(5)
    words = ["lorem", "ipsum", "dolor", "amet", "magna", "aliqua", "tempor", "labore"]
    sentence = " ".join(rng.choice(words) for _ in range(14)) + ". "
    line = (sentence * (LINE_BYTES // len(sentence) + 1))[:LINE_BYTES]
    rows = "".join(
        f"| {number} | {rng.choice(words)} {rng.choice(words)} | {'persimmon' if number == ROW_OF_THE_NEEDLE else number * 7} |\n"
        for number in range(1, ROWS + 1)
    )
    image = f"![a](data:image/png;base64,{base64.b64encode(rng.randbytes(700_000)).decode('ascii')})"
    return {
        "Large/One line.md": f"# One line\n\n{line} kumquat\n\nAfter it comes a lychee.\n",
        "Large/No spaces.md": "# No spaces\n\n" + "x1y2" * (LINE_BYTES // 4) + "\n\nAfter it comes a rambutan.\n",
        "Large/Table.md": "# Table\n\n| no | words | number |\n|---|---|---|\n" + rows + "\nAfter it comes a quince.\n",
        "Large/Images.md": f"# Images\n\n{image}\n\nBetween them a mangosteen.\n\n{image}\n",
        "Large/Families.md": "# Families\n\n" + "👩‍👩‍👧" * (EMOJI_BYTES // 18) + "\n\nAfter them comes a papaya.\n",
        "Large/Nested.md": "# Nested\n\n"
        + "".join("  " * (depth % 60) + f"- item {depth}\n" for depth in range(4_000))
        + "\nAfter it a guava.\n",
        "Large/Quotes.md": "# Quotes\n\n" + ">" * 5_000 + " deep\n\nAfter it a jackfruit.\n",
    }


def _encodings() -> dict[str, str | bytes]:
    return {
        "Bytes/Latin.md": "# Caf\xe9\n\nThe durian is ripe.\n".encode("latin-1"),
        "Bytes/Zero.md": b"# Zero\n\nbefore\x00after, and a salak too\n",
        "Bytes/Utf16.md": "# Широкая\n\nВнутри лежит фейхоа.\n".encode("utf-16"),
        "Bytes/Mark.md": b"\xef\xbb\xbf# Mark\r\n\r\nA loquat with carriage returns.\r\n",
        "Bytes/Random.md": random.Random(7).randbytes(40_000),
        "Bytes/Empty.md": b"",
        "Bytes/Blank.md": b"\n\n   \n\t\n",
        "Bytes/Front only.md": "---\ntitle: Only a soursop\ntags: [fruit]\n---\n",
        "Bytes/Comments only.md": "%% a hidden cherimoya %%\n\n<!-- and a hidden sapodilla -->\n",
        "Bytes/Broken front.md": "---\nfamily: [[Smith]]  [[Jones]]\n\tbad: tab\n---\n# Broken front\n\nThe body has a medlar.\n",
    }


def _specials(vault: VaultFolder, outside: Path) -> list[str]:
    made: list[str] = []
    if sys.platform == "win32":
        return made
    os.mkfifo(vault.at("Fifo.md"))
    vault.at("Dangling.md").symlink_to(vault.root / "nowhere.md")
    vault.at("Itself.md").symlink_to(vault.at("Itself.md"))
    vault.at("loop").symlink_to(vault.root, target_is_directory=True)
    vault.at("out").symlink_to(outside, target_is_directory=True)
    vault.at("Out.md").symlink_to(outside / "secret.md")
    vault.write("Closed.md", "Nobody may read about the tangelo.\n").chmod(0)
    vault.write("closed folder/In it.md", "Nobody may read about the ugli fruit.\n")
    vault.at("closed folder").chmod(0)
    made += ["fifo", "links", "closed"]
    try:
        with open(os.fsencode(vault.root) + b"/not text \xff.md", "wb") as file:
            file.write(b"A name that is no text.\n")
        made.append("no text")
    except OSError:
        pass  # this file system takes only text for names
    return made
