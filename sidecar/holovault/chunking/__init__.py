"""A note's text cut twice: chunks that people read, windows that a model reads.

Owns sizes, places of cuts and the one token estimator. Pure: documents in, values out; must not know
words, vectors or files.
"""

from holovault.chunking.chunks import VERSION, chunk, source_spans
from holovault.chunking.packing import LIMIT, MINIMUM, TARGET
from holovault.chunking.tokens import estimate_tokens
from holovault.chunking.windows import window_string, windows

__all__ = ["LIMIT", "MINIMUM", "TARGET", "VERSION", "chunk", "estimate_tokens", "source_spans", "window_string", "windows"]
