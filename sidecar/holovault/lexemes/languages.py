"""Languages: which Snowball stemmer serves which script.

Owns the table of language codes. Must not know words: stop words are in `stopwords`.
"""

from collections.abc import Callable

from py_rust_stemmers import SnowballStemmer  # type: ignore[attr-defined]

from holovault.errors import UsageError
from holovault.lexemes.shape import script_of

_SNOWBALL = {
    "LATIN": {
        "da": "danish",
        "de": "german",
        "en": "english",
        "es": "spanish",
        "fi": "finnish",
        "fr": "french",
        "hu": "hungarian",
        "it": "italian",
        "nb": "norwegian",
        "nl": "dutch",
        "nn": "norwegian",
        "no": "norwegian",
        "pt": "portuguese",
        "ro": "romanian",
        "sv": "swedish",
        "tr": "turkish",
    },
    "ARABIC": {"ar": "arabic"},
    "CYRILLIC": {"ru": "russian"},
    "GREEK": {"el": "greek"},
    "TAMIL": {"ta": "tamil"},
}
_UNSTEMMED = frozenset(
    {
        "be",
        "bg",
        "bn",
        "ca",
        "cs",
        "et",
        "fa",
        "gl",
        "he",
        "hi",
        "hr",
        "hy",
        "id",
        "ja",
        "ka",
        "kk",
        "ko",
        "lt",
        "lv",
        "mk",
        "ms",
        "pl",
        "sk",
        "sl",
        "sr",
        "th",
        "tl",
        "uk",
        "ur",
        "uz",
        "vi",
        "zh",
    }
)
_UNDOUBLING = "finnish"
"""Takes one of two equal consonants wherever the last syllable stands, even at the word's begin: `ppiaio` → `piaio`."""

KNOWN = frozenset(code for table in _SNOWBALL.values() for code in table) | _UNSTEMMED
"""ISO 639-1 codes that may be configured; some are accepted although no stemmer serves them."""


class Stemmer:
    """Stems a folded word by its script, with the first configured language of that script (Snowball, snowballstem.org)."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        """Raises UsageError for a code that is not known."""
        unknown = [code for code in languages if code not in KNOWN]
        if unknown:
            raise UsageError(f"No such language: {', '.join(unknown)}. Languages are two-letter codes: {', '.join(sorted(KNOWN))}.")
        self._by_script: dict[str, Callable[[str], str]] = {}
        self.steady = 3
        """How many letters a word and its stem begin with in common, where the stem has more than these (Latin, Cyrillic)."""
        for script, names in _SNOWBALL.items():
            first = next((names[code] for code in languages if code in names), None)
            if first == _UNDOUBLING:
                self.steady = 1
            if first:
                self._by_script[script] = SnowballStemmer(first).stem_word

    def stem(self, word: str) -> str:
        """The stem, or the word itself where no stemmer serves its script."""
        stem_word = self._by_script.get(script_of(word[0])) if word else None
        return stem_word(word) if stem_word else word
