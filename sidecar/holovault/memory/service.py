"""`Facts`: the one service for facts. See the package.

Owns the order of things: find the fact, read its note afresh, check, change the bytes, write against their hash, index, answer
from the index. Must not know how a line looks or where the rows are.
"""

import threading
from collections.abc import Callable, Iterator, Sequence

from holovault.errors import AmbiguousError, NotFoundError, StaleError, UsageError
from holovault.facts import add_id, edit_text, new_id, remove_fact
from holovault.lexemes import Analyzer
from holovault.memory.contradictions import Comparer
from holovault.memory.feedback import Ballot
from holovault.memory.folding import Folder
from holovault.memory.known import Known
from holovault.memory.places import Placed, changed, check, placed, shown
from holovault.memory.remembering import Rememberer
from holovault.memory.surroundings import Surroundings
from holovault.memory.wording import kept_tags, lines
from holovault.model import (
    Contradiction,
    Contradictions,
    Corrected,
    CorrectRequest,
    Fact,
    FactActivity,
    FactHistory,
    FactList,
    FactQuery,
    FeedbackRequest,
    FeedbackResult,
    FoldReport,
    ForgetRequest,
    Forgotten,
    Remembered,
    RememberRequest,
    WriteResult,
)

MOST = 500
"""Facts in one answer."""


class Facts:
    """Facts of one vault. All methods may be called from any thread; changes are made one after the other."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._known = Known(around)
        self._turn = threading.Lock()
        self._compared: tuple[object, tuple[Contradiction, ...]] = (None, ())

    def list(self, query: FactQuery) -> FactList:
        """Facts that meet `query`, in the order of the notes, with all categories and tags and how many facts have them."""
        _check(query)
        self._around.freshen()
        return self._known.meeting(query)

    def history(self, name: str) -> FactHistory:
        """One fact with its votes. Raises NotFoundError."""
        self._around.freshen()
        found = self._known.named(self._id(name))
        if not found:
            raise _unknown(name)
        first, *others = found
        return FactHistory(first, self._known.votes(first), tuple(f"{each.path}:{each.start_line}" for each in others))

    def activity(self) -> FactActivity:
        """How many facts and votes each day brought."""
        self._around.freshen()
        return self._known.activity()

    def contradictions(self, limit: int) -> Contradictions:
        """Pairs of facts that cannot both be so, in the order of the notes; decided by nobody but a person."""
        self._around.freshen()
        now = (self._around.store.generation, self._around.parts.config.search.languages)
        seen, pairs = self._compared
        if seen != now:
            pairs = tuple(Comparer(Analyzer(now[1])).pairs(self._known.all()))
            self._compared = now, pairs  # a page asks again and again, and facts change seldom
        return Contradictions(len(pairs), pairs[:limit])

    def remember(self, request: RememberRequest) -> Remembered:
        """Write a fact, unless a fact with the same text is there: then that one. Raises UsageError, TooLargeError, PathForbiddenError."""
        with self._turn:
            self._look()
            return Rememberer(self._around, self._known, self._new_id).remember(request)

    def correct(self, request: CorrectRequest) -> Corrected:
        """Give a fact another text; it gets an id where it had none.

        Raises NotFoundError, AmbiguousError (a copied id), UsageError (a text that no fact can have) or StaleError with both versions.
        """
        text = lines(request.text)

        def edit(place: Placed, name: str) -> bytes:
            wanted = kept_tags(place.line.text, text) if request.keep_tags else text
            data = edit_text(place.note.data, place.line.start_line, wanted)
            return data if place.line.id else add_id(data, place.line.start_line, name)

        with self._turn:
            place, name, _ = self._change(request.id, request.expected, edit)
            return Corrected(self._now(name), place.line.text)

    def forget(self, request: ForgetRequest) -> Forgotten:
        """Remove a fact's lines from its note, and nothing else. Raises as `correct` does."""
        with self._turn:
            place, _, written = self._change(
                request.id, request.expected, lambda place, _: remove_fact(place.note.data, place.line.start_line)
            )
        line = place.line
        return Forgotten(place.name, line.text, place.path, line.start_line, line.end_line, written.hash)

    def feedback(self, request: FeedbackRequest) -> FeedbackResult:
        """Count a vote in this device's feedback note; the fact gets an id where it had none. Raises NotFoundError, AmbiguousError."""
        with self._turn:
            fact = self._one(request.id)
            name = fact.id
            if not fact.written:
                _, name, _ = self._change(request.id, (), lambda place, name: add_id(place.note.data, place.line.start_line, name))
            vote = Ballot(self._around).cast(name, request.vote)
            return FeedbackResult(self._now(name), fact.trust, vote)

    def fold(self) -> FoldReport:
        """Write the votes that wait into their facts' lines, each note in one write, with the marker that says so."""
        with self._turn:
            self._look()
            return Folder(self._around, self._known).fold()

    def _change(self, given: str, expected: Sequence[str], edit: Callable[[Placed, str], bytes]) -> tuple[Placed, str, WriteResult]:
        """One changed note: tried again once, from fresh bytes, where only something else in it changed meanwhile."""
        first: Placed | None = None
        name = ""
        while True:
            place = self._placed(given)
            if first is None:
                check(place, expected)
            elif place.line.text != first.line.text:
                raise changed(place, first.line.text)
            name = name or place.line.id or self._new_id()
            data = edit(place, name)
            try:
                written = self._around.write(place.path, data, place.note.state.hash, False)
            except StaleError:
                if first is not None:
                    raise changed(place, first.line.text) from None
                first = place
            else:
                return place, name, written

    def _placed(self, given: str) -> Placed:
        """The one fact of that id as its note has it on disk now."""
        for fact in self._looked_up(given):
            there = [place for place in self._in(fact.path) if place.name == fact.id]
            if len(there) == 1:
                return there[0]
        raise _unknown(given)

    def _one(self, given: str) -> Fact:
        return next(self._looked_up(given))

    def _looked_up(self, given: str) -> Iterator[Fact]:
        """The one fact of that id: as the index has it, as the facts' notes have it now, as the vault has it now."""
        name = self._id(given)
        for look in (None, self._look, self._around.rescan):
            if look is not None:
                look()
            found = self._known.named(name)
            if len(found) > 1 and look is None:
                continue  # one of them may have gone a moment ago
            if len(found) > 1:
                raise AmbiguousError(
                    f"{shown(name)} stands at several facts ({', '.join(f'{each.path}:{each.start_line}' for each in found)}). "
                    "Leave it to one of them, then ask again."
                )
            yield from found
        raise _unknown(given)

    def _in(self, path: str) -> Iterator[Placed]:
        try:
            yield from placed(self._around.parts.vault.read(path))
        except NotFoundError:
            return

    def _now(self, name: str) -> Fact:
        found = self._known.named(name)
        if not found:
            raise NotFoundError(f"The fact {shown(name)} was written, and is not there any more. Look at its note.")
        return found[0]

    def _look(self) -> None:
        """The index knows what the facts' notes say at this moment."""
        self._around.look(self._known.paths())

    def _new_id(self) -> str:
        return new_id(self._around.below, self._known.ids())

    def _id(self, given: str) -> str:
        name = given.strip().removeprefix("^").lower()
        if not name:
            raise UsageError("Name a fact by its id: every fact that is found or listed shows its own.")
        return name


def _check(query: FactQuery) -> None:
    """Raises UsageError for numbers that narrow nothing. Written so that NaN fails as well."""
    if not 1 <= query.limit <= MOST:
        raise UsageError(f"limit must be between 1 and {MOST}, not {query.limit}.")
    if not query.offset >= 0:
        raise UsageError(f"offset must be 0 or more, not {query.offset}.")
    if not 0 <= query.min_trust <= 1:
        raise UsageError(f"min_trust must be between 0 and 1, not {query.min_trust:g}.")


def _unknown(given: str) -> NotFoundError:
    return NotFoundError(f"There is no fact {given.strip()[:80]}. Search for some of its words: a fact that is found shows its id.")
