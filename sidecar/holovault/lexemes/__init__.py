"""Words: the one rule that indexing, queries and excerpts share.

Owns how text becomes terms: folding, script and identifier splitting, stems, bigrams and stop words.
Must not read a clock, a disk or an environment, and must not know FTS5, notes or queries.
"""

from holovault.lexemes.analyzer import Analyzer, Term
from holovault.lexemes.folding import fold
from holovault.lexemes.names import normal_name

__all__ = ["Analyzer", "Term", "fold", "normal_name"]
