"""Writing votes into the lines of their facts.

Owns the order that loses and doubles nothing: a line's new trust and the marker of what it contains are one write of one note.
A crash between two notes leaves some facts folded and the others not; all have the same trust as before. Must not touch
feedback notes: their lines stay, as the history.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

from holovault.errors import StaleError, UserError
from holovault.facts import COUNTED, counted, counted_text, edit_field, number, trust_after
from holovault.memory.known import Known
from holovault.memory.places import Placed, placed
from holovault.memory.surroundings import Surroundings
from holovault.model import DEFAULT_TRUST, FoldedFact, FoldReport


class Folder:
    """Folds votes once."""

    def __init__(self, around: Surroundings, known: Known) -> None:
        self._around = around
        self._known = known

    def fold(self) -> FoldReport:
        """See `Facts.fold`."""
        wanted: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
        copies, left = Counter(fact.id for fact in self._known.voted()), list[str]()
        for fact in self._known.voted():
            if copies[fact.id] == 1:
                wanted[fact.path][fact.id] = (fact.helpful, fact.unhelpful)
            else:
                left.append(f"{fact.path}:{fact.start_line} has the id ^{fact.id}, as others have. Leave it to one of them.")
        done: list[FoldedFact] = []
        for path, votes in sorted(wanted.items()):
            try:
                done += self._note(path, votes)
            except UserError as fault:
                left.append(str(fault))
        return FoldReport(tuple(done), tuple(dict.fromkeys(each.path for each in done)), tuple(left))

    def _note(self, path: str, votes: Mapping[str, tuple[int, int]]) -> list[FoldedFact]:
        """One note in one write, tried again once from fresh bytes."""
        try:
            return self._write(path, votes)
        except StaleError:
            return self._write(path, votes)

    def _write(self, path: str, votes: Mapping[str, tuple[int, int]]) -> list[FoldedFact]:
        note = self._around.parts.vault.read(path)
        data, done = note.data, list[FoldedFact]()
        for place in placed(note):
            cast = votes.get(place.name)
            folded = None if cast is None else _folded(place, *cast)
            if cast is not None and folded is not None:
                data = edit_field(data, place.line.start_line, "trust", number(folded.trust))
                data = edit_field(data, place.line.start_line, COUNTED, _marker(place, cast))
                done.append(folded)
        if done:
            self._around.write(path, data, note.state.hash, False)
        return done


def _folded(place: Placed, helpful: int, unhelpful: int) -> FoldedFact | None:
    """What folding all votes so far makes of a line; None where it has them already."""
    done = counted(place.line)
    waiting = (max(0, helpful - done[0]), max(0, unhelpful - done[1]))
    if not any(waiting):
        return None
    own = DEFAULT_TRUST if place.line.trust is None else place.line.trust
    return FoldedFact(place.name, place.path, own, trust_after(own, *waiting), *waiting)


def _marker(place: Placed, cast: tuple[int, int]) -> str:
    """The votes that the line has now. Where feedback notes are lost, those of them that it had stay: they may come back."""
    done = counted(place.line)
    return counted_text(max(cast[0], done[0]), max(cast[1], done[1]))
