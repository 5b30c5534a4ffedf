"""What is in a vector: cleaning up, the roles of a name, and "x is to A as what is to B".

Owns the decisions with their margins. Must not guess: where two answers are as near as chance, there is none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holovault.hrr.algebra import similarities, unbind
from holovault.hrr.atoms import Atoms, Phases
from holovault.hrr.statistics import SIGMA

ROLE = 4.0
"""Deviations above chance that a role needs to be believed."""

MARGIN = 3.0
"""Deviations that lie between an answer and the next one."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """An entry of a codebook: its exact similarity and that in deviations of chance."""

    name: str
    similarity: float
    z: float


@dataclass(frozen=True, slots=True)
class Answer:
    """`name` in `role`, or none where nothing stands out; `best` are the nearest entries either way."""

    role: str | None
    name: str | None
    best: tuple[Cleaned, ...] = ()


def clean(noisy: Phases, kind: str, names: Sequence[str], atoms: Atoms) -> tuple[Cleaned, ...]:
    """The entries of a codebook by likeness to a noisy vector, best first: an atom that was unbound from a bundle, brought back.

    Assumes that the codebook holds it; of m entries the best stranger reaches about √(2 ln m) deviations.
    """
    if not names:
        return ()
    found = similarities(np.stack([atoms.atom(kind, name) for name in names]), noisy)
    order = sorted(range(len(names)), key=lambda at: (-found[at], names[at]))
    return tuple(Cleaned(names[at], float(found[at]), float(found[at]) / SIGMA) for at in order)


def roles_in(vector: Phases, name: str, roles: Sequence[str], atoms: Atoms) -> tuple[Cleaned, ...]:
    """The roles in which a vector holds a name, best first: those at least `ROLE` deviations above chance."""
    return tuple(one for one in clean(unbind(vector, atoms.atom("name", name)), "role", roles, atoms) if one.z >= ROLE)


def analogy(a: Phases, x: str, b: Phases, names: Mapping[str, Sequence[str]], atoms: Atoms) -> Answer:
    """What is in `b` as the name `x` is in `a`; `names` are the roles to try, each with its codebook.

    The role is found first and cleaned up (without that, four of ten answers are wrong at ten fillers), then what `b` holds in it. A
    property says more than being an entity, so properties go first. Assumes one name per role in `b`: of several, none stands out.
    """
    tried = Answer(None, None)
    roles = sorted(roles_in(a, x, list(names), atoms), key=lambda one: not one.name.startswith("prop:"))
    for role in roles:
        answer = _filler(b, role.name, names[role.name], atoms)
        if answer.name is not None:
            return answer
        tried = tried if tried.best else answer
    return tried


def _filler(vector: Phases, role: str, names: Sequence[str], atoms: Atoms) -> Answer:
    best = clean(unbind(vector, atoms.atom("role", role)), "name", names, atoms)[:10]
    lead = best[0].z - (best[1].z if len(best) > 1 else 0.0) if best else 0.0
    return Answer(role, best[0].name if best and best[0].z >= ROLE and lead >= MARGIN else None, best)
