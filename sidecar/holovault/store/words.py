"""Words as people wrote them, and the stems that they lead to.

Owns `words` and `file_words` (which note uses which words, as sorted 32-bit ids): enough to expand a
prefix, to suggest a spelling, and to forget a word with the last note that used it, without analysing
any text again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from holovault.store.database import Database, Row
from holovault.store.spelling import distance

_CACHED_WORDS = 32_768
_RANGE = 20_000
_SWEEP_SLICE = 2_000
_SLICE_OF_WORDS = "SELECT word, stem, id FROM words WHERE (word, stem) > (?, ?) ORDER BY word, stem LIMIT ?"
_LAST = "\U0010ffff"

Word = tuple[str, str]


class Words:
    """The vocabulary of the vault, by original word."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[Word, int] = {}
        self._counts: NDArray[np.int64] | None = None
        self._notes_counted = 0
        self._notes_learned = 0
        self._sweeping: set[int] | None = None
        database.on_rollback(self._forget_cache)

    def learn(self, notes: Sequence[tuple[int, Sequence[Word]]]) -> None:
        """Record the words of files; to be called inside the transaction that writes the files."""
        if len(self._known) > _CACHED_WORDS:
            # the words met first are the common ones
            self._known = dict(islice(self._known.items(), _CACHED_WORDS // 2))
        missing = set[Word]().union(*(pairs for _, pairs in notes)).difference(self._known)
        if missing:
            self._known.update(self._numbered(missing))
        number = self._known.__getitem__
        rows = []
        for file, pairs in notes:
            ids = np.fromiter(map(number, pairs), dtype="<u4", count=len(pairs))
            rows.append((file, ids.tobytes()))
            if self._sweeping is not None:
                self._sweeping.update(ids.tolist())
        with self._database.atomic() as connection:
            connection.executemany("INSERT OR REPLACE INTO file_words (file, words) VALUES (?, ?)", rows)
        self._notes_learned += len(rows)

    def _numbered(self, words: set[Word]) -> dict[Word, int]:
        """The ids of words; new ones get the next numbers."""
        wanted = msgspec.json.encode(list({word for word, _ in words})).decode()
        with self._database.atomic() as connection:
            rows = connection.execute("SELECT word, stem, id FROM words WHERE word IN (SELECT value FROM json_each(?))", (wanted,))
            found: dict[Word, int] = {(word, stem): number for word, stem, number in rows}
            new = sorted(words.difference(found))
            last = connection.execute("UPDATE meta SET value = value + ? WHERE key = 'words' RETURNING value", (len(new),)).fetchone()
            numbered = dict(zip(new, range(int(last[0]) - len(new) + 1, int(last[0]) + 1), strict=True))
            connection.executemany("INSERT INTO words (word, stem, id) VALUES (?, ?, ?)", ((*word, n) for word, n in numbered.items()))
        return found | numbered

    def forget(self, files: str) -> None:
        """Drop what is known of files (a JSON array of ids); the words themselves go with the next sweep."""
        with self._database.atomic() as connection:
            connection.execute("DELETE FROM file_words WHERE file IN (SELECT value FROM json_each(?))", (files,))

    def expand(self, prefix: str, limit: int) -> list[str]:
        """Stems of words that begin with `prefix` (casefolded here), those of most notes first."""
        prefix = prefix.casefold()
        if not prefix:
            return []
        counts = self._frequencies()
        uses: Counter[str] = Counter()
        for variant in dict.fromkeys((prefix, prefix.replace("ё", "е"))):
            for number, stem in self._database.rows(
                "SELECT id, stem FROM words WHERE word >= ? AND word < ? LIMIT ?", (variant, variant + _LAST, _RANGE)
            ):
                uses[stem] += int(counts[number]) if number < len(counts) else 1
        return [stem for stem, _ in sorted(uses.items(), key=lambda item: (-item[1], item[0]))[:limit]]

    def close_to(self, word: str) -> list[Word]:
        """Words one or two edits away with the same first letter, nearest first, then those of most notes; none if it exists."""
        word = word.casefold()
        if len(word) < 3 or self._database.row("SELECT 1 FROM words WHERE word = ? LIMIT 1", (word,)):
            return []
        counts = self._frequencies()
        reach = 1 if len(word) < 8 else 2
        candidates = []
        for number, other, stem in self._database.rows(
            "SELECT id, word, stem FROM words WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ? LIMIT ?",
            (word[0], word[0] + _LAST, len(word) - reach, len(word) + reach, 4 * _RANGE),
        ):
            edits = distance(word, other, reach)
            if edits <= reach:
                candidates.append((edits, -int(counts[number]) if number < len(counts) else -1, other, stem))
        return [(other, stem) for _, _, other, stem in sorted(candidates)]

    def _frequencies(self) -> NDArray[np.int64]:
        """Notes per word id. Counted again only when a tenth of the notes has changed: it orders, it does not decide."""
        counts = self._counts
        if counts is None or self._notes_learned > max(20, self._notes_counted // 10):
            self._notes_learned = 0
            self._notes_counted = 0
            counts = np.zeros(0, dtype=np.int64)
            for notes, ids in self._used_ids():
                self._notes_counted += notes
                found = np.bincount(ids, minlength=len(counts))
                found[: len(counts)] += counts
                counts = found
            self._counts = counts
        return counts

    def _used_ids(self) -> Iterator[tuple[int, NDArray[np.uint32]]]:
        last = -1
        while rows := self._database.rows("SELECT file, words FROM file_words WHERE file > ? ORDER BY file LIMIT 500", (last,)):
            last = rows[-1][0]
            yield len(rows), np.frombuffer(b"".join(blob for _, blob in rows), dtype="<u4")

    def sweep(self) -> int:
        """Delete the words that no note uses any more, in short transactions; returns how many."""
        with self._database.writing_stopped():
            self._sweeping = set()
        try:
            used = np.zeros(1, dtype=np.bool_)
            for _, ids in self._used_ids():
                if len(ids) and (top := int(ids.max())) >= len(used):
                    used = np.concatenate((used, np.zeros(top + 1 - len(used), dtype=np.bool_)))
                used[ids] = True
            removed, last = 0, ("", "")
            while rows := self._database.rows(_SLICE_OF_WORDS, (*last, _SWEEP_SLICE)):
                last = rows[-1][:2]
                removed += self._delete([row for row in rows if row[2] >= len(used) or not used[row[2]]])
            return removed
        finally:
            self._sweeping = None

    def _delete(self, unused: Sequence[Row]) -> int:
        if not unused:
            return 0
        with self._database.atomic() as connection:
            # a note written since the sweep began may use a word that looked unused
            gone = [row[:2] for row in unused if row[2] not in (self._sweeping or ())]
            connection.executemany("DELETE FROM words WHERE word = ? AND stem = ?", gone)
            self._forget_cache()
            return len(gone)

    def _forget_cache(self) -> None:
        self._known = {}
        self._counts = None
