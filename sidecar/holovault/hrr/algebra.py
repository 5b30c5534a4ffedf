"""Bind, unbind, bundle, compare: the four operations on phases.

Owns their arithmetic, which is exact: the same vectors in any order on any machine give the same bytes. Must not know names.
"""

import math
from collections.abc import Sequence

import numpy as np

from holovault.hrr.atoms import DIMENSION, Atoms, Phases
from holovault.hrr.statistics import Floats

_LEVELS = 256
_UNIT = 127
_COSINES = np.array([math.cos(2 * math.pi * step / _LEVELS) for step in range(_LEVELS)])
# Rounding to whole numbers makes sums independent of their order and leaves angles away from the edges between two steps.
_REAL = np.rint(_UNIT * _COSINES).astype(np.int64)
_IMAGINARY = np.rint(_UNIT * np.roll(_COSINES, _LEVELS // 4)).astype(np.int64)
_TIE = Atoms(1).atom("tie", "")


def bind(a: Phases, b: Phases) -> Phases:
    """`a` in the part `b`: phases add. Unlike both; similarity is kept under a common binding. Arrays broadcast."""
    bound: Phases = a + b
    return bound


def unbind(bound: Phases, part: Phases) -> Phases:
    """Takes a binding apart, exactly. Of a bundle it gives what was bound to `part` plus noise: clean that up, never compare the rest.

    What was *bundled beside* a binding stays bound to its own part: unbinding does not reveal it (Plate 1995, §III).
    """
    left: Phases = bound - part
    return left


def bundle(vectors: Sequence[Phases] | Phases, weights: Sequence[int] | None = None) -> Phases:
    """Phases (DIMENSION,) similar to every one of `vectors` (n, DIMENSION), the more the larger its whole-number weight (1 unless given).

    A negative weight makes it unlike. Assumes |weights| below 2⁴⁰ in sum. Only the angle of the sum is kept: one of n equal
    members has the similarity `member_mean(n)`. Where nothing is left of a sum its phase is that of a fixed atom.
    """
    real, imaginary = np.zeros(DIMENSION, dtype=np.int64), np.zeros(DIMENSION, dtype=np.int64)
    for vector, weight in zip(vectors, [1] * len(vectors) if weights is None else weights, strict=True):
        real += weight * _REAL[vector]
        imaginary += weight * _IMAGINARY[vector]
    steps = np.rint(np.arctan2(imaginary, real) * (_LEVELS / (2 * math.pi))).astype(np.int64) % _LEVELS
    return np.where((real == 0) & (imaginary == 0), _TIE, steps).astype(np.uint8)


def similarity(a: Phases, b: Phases) -> float:
    """Mean cosine of the difference, −1…1: 1 for equal vectors, 0 ± `SIGMA` for unrelated ones."""
    return float(similarities(a[np.newaxis], b)[0])


def similarities(matrix: Phases, other: Phases) -> Floats:
    """The same for every row (n,) of `matrix` (n, DIMENSION). 2.5 ms per thousand rows; see `scan` for many."""
    found: Floats = _COSINES[matrix - other].mean(axis=1)
    return found
