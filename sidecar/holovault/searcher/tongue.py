"""Whether a vault has notes in the language that a query is asked in.

Owns the guess: function words of a language stand in a real share of its passages and in hardly any of another's. Words that such a
vault does not know say that the topic is absent; in a vault of another language they say nothing. Must not search.
"""

from holovault.lexemes import Analyzer
from holovault.store import Store

SHARE = 0.05
"""Share of the passages that must have a function word for its language to be one of the vault's."""

CYRILLIC = ("и", "в", "на", "не", "с")
LATIN = ("the", "of", "and", "der", "und", "de", "la")
"""Function words to ask for: the former always, its languages share them; the latter only where the query has none of its own."""


def spoken_here(text: str, analyzer: Analyzer, store: Store) -> bool:
    """True where the vault has the query's language, and where that cannot be told."""
    typed = [text[term.start : term.end] for term in analyzer.analyze(text)]
    words = {word for word in typed if analyzer.is_stop_word(word)} | _shared_by_script("".join(typed))
    if not words and any("a" <= letter <= "\u024f" for letter in "".join(typed).casefold()):
        words = set(LATIN)
    if not words:
        return True
    frequency = store.lexical.document_frequency(tuple({analyzer.index_text(word) for word in words}))
    return max(frequency.values(), default=0) >= SHARE * store.lexical.total()


def _shared_by_script(letters: str) -> set[str]:
    return set(CYRILLIC) if any("\u0400" <= letter <= "\u052f" for letter in letters) else set()
