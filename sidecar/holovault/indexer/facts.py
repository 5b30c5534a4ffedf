"""Facts and votes of a note while it is being cut.

Owns which notes hold them, and what a chunk that is a fact says: the fact as people read it, so that neither its fields nor its id
are searched or shown as text, and another trust alone embeds nothing anew. Must not touch files or the store.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from holovault.chunking import estimate_tokens
from holovault.config import Config, MemoryConfig, Rules
from holovault.facts import parse_facts, parse_feedback
from holovault.indexer.hashing import text_hash
from holovault.lexemes import Analyzer
from holovault.markdown import Document
from holovault.model import Chunk, FactLine, Filler, VoteLine

TEXT_WORDS = 30
"""Words up to which a fact's words are part of its structure; more would drown everything else (design: capacity)."""


class FactNotes:
    """Reads facts and votes where the path rules allow it; `pattern` is `[memory] facts`."""

    def __init__(self, pattern: str) -> None:
        self._rules = Rules(Config(memory=MemoryConfig(facts=pattern)))

    def is_feedback(self, path: str) -> bool:
        return self._rules.is_feedback(path)

    def facts(self, document: Document, path: str) -> tuple[FactLine, ...]:
        """The facts of a note, none where its list items are no facts."""
        return parse_facts(document, PurePosixPath(path).stem) if self._rules.is_facts(path, document.front.source) else ()

    def votes(self, document: Document, path: str) -> tuple[VoteLine, ...]:
        """The votes of a note, none where it is no feedback note."""
        return parse_feedback(document) if self._rules.is_feedback(path) else ()


def as_facts(chunks: Sequence[Chunk], facts: Sequence[FactLine]) -> tuple[tuple[Chunk, ...], Mapping[int, FactLine]]:
    """Chunks of a note cut with its facts apart, and the facts by the ordinal of their chunk.

    Of a fact that is longer than a chunk may be, the first chunk is the fact, and its chunks keep the text as it stands there.
    """
    owners = dict(_owners(chunks, facts))
    many = {ordinal for ordinal, fact in owners.items() if ordinal + 1 < len(chunks) and chunks[ordinal + 1].start_line <= fact.end_line}
    told = tuple(_told(one, owners[one.ordinal]) if one.ordinal in owners and one.ordinal not in many else one for one in chunks)
    return told, owners


def text_fillers(fact: FactLine, analyzer: Analyzer) -> tuple[Filler, ...]:
    """The stems of a short fact, each once; a fact of more than 30 words has none."""
    stems = [term.term for term in analyzer.analyze(fact.text) if not analyzer.is_stop(term.term)]
    return tuple(Filler("text", stem) for stem in dict.fromkeys(stems)) if len(fact.text.split()) <= TEXT_WORDS else ()


def _owners(chunks: Sequence[Chunk], facts: Sequence[FactLine]) -> Iterator[tuple[int, FactLine]]:
    left = iter(chunks)
    for fact in facts:
        found = next((one for one in left if one.text and one.start_line <= fact.start_line <= one.end_line), None)
        if found is not None:
            yield found.ordinal, fact


def _told(chunk: Chunk, fact: FactLine) -> Chunk:
    return replace(chunk, text=fact.text, hash=text_hash(fact.text), tokens=estimate_tokens(fact.text))
