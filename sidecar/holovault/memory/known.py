"""What is known of facts at this moment, as values of the wire.

Owns the way from rows of the store to `Fact`, counts and pages. Which facts meet a filter, and how votes are counted, the store
knows. Must not write.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from holovault.facts import derived_id
from holovault.memory.places import item_hash
from holovault.memory.surroundings import Surroundings
from holovault.model import Counted, Fact, FactActivity, FactDay, FactList, FactQuery, FactVote
from holovault.store import FactFilter, FactRow


@dataclass(frozen=True, slots=True)
class _Counts:
    """What the facts of one generation of the index have."""

    generation: int
    categories: tuple[Counted, ...]
    tags: tuple[Counted, ...]


class Known:
    """Reads facts and votes."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._facts = around.store.facts
        self._counts = _Counts(-1, (), ())

    def paths(self) -> list[str]:
        """The notes of the index that facts and votes may be in."""
        rules = self._around.parts.rules
        return [path for path in self._around.store.notes.known() if rules.is_facts(path) or rules.is_feedback(path)]

    def all(self) -> list[Fact]:
        """Every fact, by path and line."""
        return [as_fact(row) for row in self._facts.all()]

    def named(self, name: str) -> list[Fact]:
        """The facts with this id: none, one, or several where it was copied."""
        return [as_fact(row) for row in self._facts.by_id(name)]

    def ids(self) -> frozenset[str]:
        """Every id that a new fact must not have: those that are written, and those that votes speak of."""
        return self._facts.ids()

    def votes(self, fact: Fact) -> tuple[FactVote, ...]:
        """The votes that count, oldest first; also those for the id that it had by its text."""
        found = self._facts.votes(fact.id, derived_id(fact.text))
        return tuple(FactVote("helpful" if vote.helpful else "unhelpful", vote.at, vote.path) for vote in found)

    def voted(self) -> list[Fact]:
        """Facts for which there are votes."""
        return [as_fact(row) for row in self._facts.all() if row.helpful or row.unhelpful]

    def meeting(self, query: FactQuery) -> FactList:
        """The facts that meet `query`, a page of them, and all categories and tags with their counts."""
        wanted = FactFilter(query.category, _name(query.tag), query.entity, query.path, query.min_trust, text=query.query)
        (total, rows), counts = self._facts.page(wanted, query.offset, query.limit), self._counted()
        return FactList(total, tuple(map(as_fact, rows)), counts.categories, counts.tags)

    def _counted(self) -> "_Counts":
        """Categories and tags; counted anew only where the index has changed, because a page asks at every key."""
        generation, counts = self._around.store.generation, self._counts
        if counts.generation != generation:
            lines = [row.line for row in self._facts.all()]
            tags = (tag for line in lines for tag in line.tags)
            self._counts = counts = _Counts(generation, _counted(line.category for line in lines), _counted(tags))
        return counts

    def activity(self) -> FactActivity:
        """Facts and votes by day."""
        made = Counter(row.line.created[:10] for row in self._facts.all() if row.line.created)
        votes = Counter(vote.at[:10] for vote in self._facts.votes() if vote.at)
        return FactActivity(tuple(FactDay(day, made[day], votes[day]) for day in sorted({*made, *votes})))


def as_fact(row: FactRow) -> Fact:
    """A row as it goes over the wire."""
    line = row.line
    return Fact(
        id=row.id,
        text=line.text,
        category=line.category,
        tags=line.tags,
        entities=line.entities,
        trust=row.trust,
        own_trust=row.own_trust,
        helpful=row.helpful,
        unhelpful=row.unhelpful,
        created=line.created,
        path=row.path,
        start_line=line.start_line,
        end_line=line.end_line,
        hash=row.hash,
        item=item_hash(line.text),
        written=row.written,
        duplicate_of=row.duplicate_of,
        problems=line.problems,
    )


def _counted(names: Iterable[str]) -> tuple[Counted, ...]:
    return tuple(Counted(name, count) for name, count in sorted(Counter(names).items(), key=lambda each: (-each[1], each[0])))


def _name(tag: str | None) -> str | None:
    return None if tag is None else tag.strip().removeprefix("#").strip("/")
