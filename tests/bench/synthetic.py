"""Synthetic vaults of any size from a seed: the same arguments make the same bytes.

Owns the text: Zipf-distributed English- and Russian-like words in notes with front matter, headings, paragraphs, lists, code,
tables, links and tags. Must not index anything. A vault is made once per folder: `make` returns at once where it is complete.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import numpy as np

SETTLED_NS = 1_720_000_000_000_000_000
VERSION = 3
"""Raised when the same plan gives other bytes, so that a kept vault is made anew."""
VOCABULARY = 40_000
ZIPF = 1.15
"""A thousand running words then have about 430 different ones, as Russian manuals do."""
_ONSETS = {
    "en": ["b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "pl", "ch", "sh"],
    "ru": [*"бвгджзклмнпрстхш", "ст", "пр"],
}
_NUCLEI = {"en": ["a", "e", "i", "o", "u", "ea", "ou", "ai"], "ru": [*"аеиоуяыю"]}
_ENDINGS = {"en": ["", "s", "ed", "ing", "er", "ly", "tion"], "ru": ["", "а", "ы", "ов", "ами", "ого", "ать", "ение"]}
_HEAD = {
    "en": "the of and to a in is that it for was on as with be at by not this are from or have an they which one",
    "ru": "и в не на я что он с как это а по но к у из за то же для от мы так бы о вы ещё",
}
"""The commonest words are real ones: they are what a search leaves out."""
_SHORT, _MIDDLE = 150, 12_000
"""Up to which try words have one and two syllables; later ones have three."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to make: `files` notes of about `file_bytes` bytes of UTF-8, every third one Russian-like."""

    files: int
    file_bytes: int
    seed: int = 1


def make(folder: Path, plan: Plan) -> Path:
    """The vault in `folder`, made now or before. Each plan has a folder of its own inside."""
    root = folder / f"vault-{VERSION}-{plan.files}-{plan.file_bytes}-{plan.seed}"
    done = root.with_suffix(".done")
    if done.exists():
        return root
    for path, text in notes(plan):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
        os.utime(place, ns=(SETTLED_NS, SETTLED_NS))
    done.write_bytes(msgspec.json.encode(asdict(plan)))
    return root


def notes(plan: Plan) -> Iterator[tuple[str, str]]:
    """Vault-relative paths and texts, one note at a time."""
    writers = {language: _Writer(language, plan.seed) for language in ("en", "en2", "ru")}
    order = list(writers.values())
    for number in range(plan.files):
        writer = order[number % 3]
        folder = f"Projects/area {number % 40:02}" if number % 4 else "Notes"
        yield f"{folder}/note {number:06}.md", writer.note(number, plan)


def vocabulary(language: str, seed: int, size: int = VOCABULARY) -> list[str]:
    """`size` different words, short ones first as in real text, so that the Zipf head has stop-word lengths."""
    dice = random.Random(f"{seed} {language}")
    onsets, nuclei, endings = _ONSETS[language], _NUCLEI[language], _ENDINGS[language]
    words = dict.fromkeys(_HEAD[language].split())
    tries = 0
    while len(words) < size:
        syllables = 1 if tries < _SHORT else 2 if tries < _MIDDLE else 3
        stem = "".join(dice.choice(onsets) + dice.choice(nuclei) for _ in range(syllables))
        words[stem + (dice.choice(endings) if syllables > 1 else "")] = None
        tries += 1
    return list(words)


class _Writer:
    """Writes notes in one language from one stream of words."""

    def __init__(self, language: str, seed: int) -> None:
        self.language = language[:2]
        self._rng = np.random.default_rng((seed, sum(map(ord, language))))
        self._dice = random.Random(f"{seed} {language}")
        self._words = np.array(vocabulary(self.language, seed), dtype=object)
        weights = 1.0 / np.arange(1, len(self._words) + 1) ** ZIPF
        self._cumulative = np.cumsum(weights / weights.sum())
        self._stock: list[str] = []
        self._next = 0

    def note(self, number: int, plan: Plan) -> str:
        parts = [self._front(number)]
        size = 0
        while size < plan.file_bytes:
            section = self._section(number, plan.files)
            size += len(section.encode("utf-8"))
            parts.append(section)
        return "".join(parts)

    def _take(self, count: int) -> list[str]:
        if self._next + count > len(self._stock):
            picks = np.searchsorted(self._cumulative, self._rng.random(200_000)).clip(max=len(self._words) - 1)
            self._stock = [str(word) for word in self._words[picks]]
            self._next = 0
        self._next += count
        return self._stock[self._next - count : self._next]

    def _front(self, number: int) -> str:
        if number % 3 == 2:
            return ""
        tags = ", ".join(self._take(2))
        return f"---\ntitle: {' '.join(self._take(3))}\ntags: [{tags}]\ncreated: 2024-0{1 + number % 9}-1{number % 10}\n---\n\n"

    def _sentence(self) -> str:
        words = self._take(self._dice.randrange(6, 19))
        return " ".join(words).capitalize() + "."

    def _paragraph(self) -> str:
        return " ".join(self._sentence() for _ in range(self._dice.randrange(2, 6)))

    def _section(self, number: int, files: int) -> str:
        level = "#" * self._dice.randrange(1, 4)
        blocks = [f"{level} {' '.join(self._take(3)).capitalize()}"]
        blocks.extend(self._paragraph() for _ in range(self._dice.randrange(7, 12)))
        extra = self._dice.randrange(6)
        if extra == 0:
            blocks.append("\n".join(f"- {self._sentence()}" for _ in range(5)))
        elif extra == 1:
            blocks.append("```python\n" + "\n".join(f"{word}_{number} = '{word}'" for word in self._take(4)) + "\n```")
        elif extra == 2:
            rows = [f"| {' | '.join(self._take(3))} |" for _ in range(6)]
            blocks.append("\n".join([rows[0], "|---|---|---|", *rows[1:]]))
        elif extra == 3:
            other = self._dice.randrange(files)
            blocks.append(f"See [[note {other:06}]] and #{self._take(1)[0]} for more.")
        return "\n\n".join(blocks) + "\n\n"
