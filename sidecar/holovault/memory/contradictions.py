"""Which facts contradict each other: the same in every word, about the same, and different in exactly one value.

Owns that rule, which prefers to miss a pair over naming a wrong one; its precision is measured in the tests. Pure: values in,
pairs out. Must not decide which of two is right.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from holovault.lexemes import Analyzer
from holovault.memory.statements import DateValue, Statement, Value, read_statement
from holovault.memory.wordlists import ADDITIVE, EVENTS, JOINERS
from holovault.model import Contradiction, Fact, ValueKind

MOST_PAIRS = 10_000
"""More than this nobody looks through."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The one value in which two statements differ, as each has it; `shared` is what they have in common."""

    kind: ValueKind
    first: str
    second: str
    shared: tuple[str, ...]


class Comparer:
    """Finds contradictions; `analyzer` is the vault's."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    def pairs(self, facts: Sequence[Fact]) -> list[Contradiction]:
        """All pairs in the order of `facts`, `MOST_PAIRS` at most.

        Only facts that agree in everything but one kind of value are compared, so that a long series of measurements costs little.
        """
        statements = [read_statement(fact.text, self._analyzer) for fact in facts]
        groups: dict[object, list[int]] = defaultdict(list)
        for number, statement in enumerate(statements):
            for key in _keys(statement):
                groups[key].append(number)
        found: dict[tuple[int, int], Contradiction] = {}
        for group in groups.values():
            for one, other in combinations(group, 2):
                difference = self.difference(statements[one], statements[other])
                if difference is not None:
                    found[one, other] = _pair(facts[one], facts[other], difference)
                if len(found) >= MOST_PAIRS:
                    return [found[place] for place in sorted(found)]
        return [found[place] for place in sorted(found)]

    def difference(self, one: Statement, other: Statement) -> Difference | None:
        """The value that keeps two statements from both being so; None where both can be."""
        if one.scoped or other.scoped or one.subject != other.subject or one.words != other.words:
            return None
        if not _says_enough(one) or not _says_enough(other):
            return None
        names = _unmatched(one.names, other.names)
        numbers = _unmatched(one.numbers, other.numbers)
        dates = _unmatched_dates(one.dates, other.dates)
        shared = _shared(one, other)
        if not (any(names) or any(numbers) or any(dates)):
            return Difference("negation", *_yes_no(one, other), shared) if one.negative != other.negative else None
        if one.negative or other.negative:
            return None
        if _single(names) and not any(numbers) and not any(dates):
            return _of_names(one, other, names, shared)
        if not EVENTS.isdisjoint(one.said | other.said) or any(names):
            return None
        if _single(numbers) and not any(dates):
            return Difference("number", numbers[0][0].shown, numbers[1][0].shown, shared)
        if len(dates[0]) == len(dates[1]) == 1 and not any(numbers):
            return Difference("date", dates[0][0].shown, dates[1][0].shown, shared)
        return None


def _keys(statement: Statement) -> Iterator[object]:
    """Groups in which a statement may contradict another one: all but names, all but numbers, all but dates."""
    if statement.scoped or not _says_enough(statement):
        return
    names, numbers = (frozenset(value.key for value in values) for values in (statement.names, statement.numbers))
    dates = frozenset(value.day for value in statement.dates)
    for kind, rest in (("names", (numbers, dates)), ("numbers", (names, dates)), ("dates", (names, numbers))):
        yield kind, statement.subject, statement.words, rest


def _pair(one: Fact, other: Fact, found: Difference) -> Contradiction:
    return Contradiction(found.kind, one, other, found.first, found.second, found.shared)


def _says_enough(statement: Statement) -> bool:
    """Whether it says something of somebody; without a name, two words at least must tell what it is about."""
    if statement.subject is None:
        return len(statement.words) >= 2
    return bool(statement.words) or statement.copula


def _of_names(one: Statement, other: Statement, names: tuple[list[Value], list[Value]], shared: tuple[str, ...]) -> Difference | None:
    first, second = names[0][0], names[1][0]
    several = not ADDITIVE.isdisjoint(one.said | other.said)
    if several or one.placed or other.placed or first.before in JOINERS.with_ or second.before in JOINERS.with_:
        return None
    return Difference("name", first.shown, second.shown, shared)


def _shared(one: Statement, other: Statement) -> tuple[str, ...]:
    keys = {value.key for value in other.names}
    return tuple(dict.fromkeys(value.shown for value in one.names if value.key in keys))


def _unmatched(one: Sequence[Value], other: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    ones, others = {value.key for value in one}, {value.key for value in other}
    return [value for value in one if value.key not in others], [value for value in other if value.key not in ones]


def _unmatched_dates(one: Sequence[DateValue], other: Sequence[DateValue]) -> tuple[list[DateValue], list[DateValue]]:
    return (
        [value for value in one if not any(value.day.agrees(each.day) for each in other)],
        [value for value in other if not any(value.day.agrees(each.day) for each in one)],
    )


def _single(found: tuple[Sequence[Value], Sequence[Value]]) -> bool:
    return len(found[0]) == len(found[1]) == 1


def _yes_no(one: Statement, other: Statement) -> tuple[str, str]:
    return ("not", "yes") if one.negative else ("yes", "not")
