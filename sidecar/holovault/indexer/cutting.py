"""One note's bytes to everything the index needs of it.

Owns the order decode → parse → chunk → state → window → analyse, and the outcome of a note that cannot be
cut. Must not touch files, the store or a clock: it runs in the cutter child as well as in-process.
"""

import logging
from dataclasses import dataclass
from pathlib import PurePosixPath

from holovault.chunking import chunk, estimate_tokens, windows
from holovault.config import MemoryConfig
from holovault.entities import fillers_of
from holovault.indexer.facts import FactNotes, as_facts, text_fillers
from holovault.indexer.hashing import text_hash
from holovault.lexemes import Analyzer
from holovault.markdown import Document, decode, parse
from holovault.model import Chunk, CutChunk, CutNote, FactLine, Filler

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CutSettings:
    """What changes the outcome of a cut: languages of the analyzer, window size in tokens, `[memory] facts`."""

    languages: tuple[str, ...]
    window: int
    facts: str = MemoryConfig().facts


@dataclass(frozen=True, slots=True)
class CutInput:
    """A note to cut: its vault-relative path and raw bytes."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class CutOutcome:
    """Either the note or the sentence that says why it could not be cut."""

    note: CutNote | None
    error: str | None = None


class Knife:
    """Cuts notes with one analyzer, whose word cache grows warm."""

    def __init__(self, settings: CutSettings) -> None:
        self.settings = settings
        self._analyzer = Analyzer(settings.languages)
        self._facts = FactNotes(settings.facts)

    def outcome(self, item: CutInput) -> CutOutcome:
        """Cut one note; whatever its text makes of the parser is a listed failure, never the end of the batch."""
        try:
            return CutOutcome(self.cut(item))
        except Exception as fault:  # noqa: BLE001 - the edge between one note's text and the rest of the vault
            _log.exception("a note could not be cut")
            return CutOutcome(None, f"the note could not be parsed ({type(fault).__name__}: {fault})")

    def cut(self, item: CutInput) -> CutNote:
        document = parse(decode(item.data))
        stem = PurePosixPath(item.path).stem
        title = document.front.title or stem
        tags = tuple(dict.fromkeys((*document.front.tags, *document.tags)))
        facts = self._facts.facts(document, item.path)
        chunks, owners = as_facts(chunk(document, frozenset(fact.start_line for fact in facts)), facts)
        if self._facts.is_feedback(item.path):
            chunks = ()
        elif not any(piece.text for piece in chunks):
            chunks = (*chunks, _titled(document, title, len(chunks)))
        stated = fillers_of(document, chunks, item.path, title)
        names = " \n".join(dict.fromkeys((title, stem, *document.front.aliases)))
        analyse = self._analyzer.index_text
        return CutNote(
            title=title,
            title_terms=analyse(names),
            tags=tags,
            tag_terms=analyse(" \n".join(tags)),
            front=document.front,
            links=document.links,
            chunks=tuple(self._cut_chunk(piece, fillers, owners.get(piece.ordinal)) for piece, fillers in zip(chunks, stated, strict=True)),
            words=tuple(sorted(self._words(names, chunks))) if chunks else (),
            body_line=document.body_line,
            lines=len(document.lines),
            votes=self._facts.votes(document, item.path),
        )

    def _cut_chunk(self, piece: Chunk, fillers: tuple[Filler, ...], fact: FactLine | None) -> CutChunk:
        if not piece.text:
            return CutChunk(piece, "", "", ())
        return CutChunk(
            chunk=piece,
            headings=self._analyzer.index_text(" \n".join(piece.heading)),
            body=self._analyzer.index_text(piece.text),
            windows=windows(piece, self.settings.window),
            fillers=fillers if fact is None else (*fillers, *text_fillers(fact, self._analyzer)),
            fact=fact,
        )

    def _words(self, names: str, chunks: tuple[Chunk, ...]) -> set[tuple[str, str]]:
        return self._analyzer.words("\n".join((names, *(piece.text for piece in chunks))))


def _titled(document: Document, title: str, ordinal: int) -> Chunk:
    """A note without a word of its own is still found by its name."""
    return Chunk(ordinal, (), 1, max(1, len(document.lines)), title, estimate_tokens(title), (), text_hash(title))
