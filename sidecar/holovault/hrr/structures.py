"""A chunk's structure as one vector, and mixtures of such vectors to ask with.

Owns which of a chunk's fillers go in, in which order of importance and how many; and how things are put in and taken out afterwards.
Must not know where fillers come from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holovault.hrr.algebra import bundle
from holovault.hrr.atoms import Atoms, Phases, key
from holovault.hrr.statistics import effective, member_mean
from holovault.lexemes import normal_name
from holovault.model import Filler

CAPACITY = 36
"""Fillers of one vector at most. Of a flat bundle of 37, 95 % are told from chance among 100,000 rows: (π/2)·D/(z(.05/rows) + 1.645)²."""

_ORDER = ("entity", "prop", "tag", "title", "head", "in", "src", "text")
_SCALE = 10_000


@dataclass(frozen=True, slots=True)
class Structure:
    """`phases` (DIMENSION,) of `count` fillers whose squared weights add up to `w2`; of none at all it is like nothing."""

    phases: Phases
    count: int
    w2: int


def compose(fillers: Sequence[Filler], atoms: Atoms, capacity: int = CAPACITY) -> Structure:
    """The bundle of every filler's name bound to its role.

    A filler said twice counts once, with its largest weight. What is too much is left out by role (entity, property, tag, title, head,
    folder, source, text), then by place. Weights are those given, never idf: a vector must not change with the rest of the vault.
    """
    kept = _kept(fillers, capacity)
    weights = list(kept.values())
    phases = bundle([key(atoms, role, name) for role, name in kept], weights)
    return Structure(phases, len(weights), sum(weight**2 for weight in weights))


def mixture(keys: Mapping[tuple[str, str], float], atoms: Atoms) -> Phases:
    """One vector to ask with for several (role, name) at once, each by its weight (any number; negative: rather without it).

    It asks for *any* of them: a row with one of two keys is as near as chance makes it to a row with both. For *all*, ask each alone
    and take the least presence.
    """
    largest = max((abs(weight) for weight in keys.values()), default=1.0) or 1.0
    return bundle([key(atoms, role, name) for role, name in keys], [round(_SCALE * weight / largest) for weight in keys.values()])


def substituted(base: Structure, plus: Sequence[Phases], minus: Sequence[Phases]) -> Structure:
    """The same structure with some keys put in and others taken out, each as if it were a member of weight 1.

    Assumes that what is taken out is in it; taking out a stranger leaves it the opposite of one. A bundle keeps angles only, so that
    up to half of what is added to it is lost along its length; the share is measured, for 2 to 36 members what is put in comes to
    .9 to 1.1 of a member and what is taken out to within .1 of nothing. Where the fillers are at hand, composing them anew is exact.
    """
    mean = float(member_mean(effective(base.w2)))
    share = round(_SCALE * mean * max(1.0, 2 - 1.6 * mean))
    weights = [_SCALE, *[share] * len(plus), *[-share] * len(minus)]
    count = max(1, base.count + len(plus) - len(minus))
    return Structure(bundle([base.phases, *plus, *minus], weights), count, max(1, base.w2 + len(plus) - len(minus)))


def _kept(fillers: Sequence[Filler], capacity: int) -> dict[tuple[str, str], int]:
    weights: dict[tuple[str, str], int] = {}
    for filler in fillers:
        place = (filler.role, normal_name(filler.name))
        weights[place] = max(filler.weight, weights.get(place, 0))
    ordered = sorted(weights.items(), key=lambda item: _rank(item[0][0]))
    return dict(ordered[:capacity])


def _rank(role: str) -> int:
    kind = role.partition(":")[0]
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)
