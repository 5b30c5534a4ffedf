"""Pictures as numbers: bars of activity, the curve of a fact's trust, the neighbourhood of an entity.

Pure: values of the model in, coordinates for SVG out. Templates draw them; nothing here knows HTML.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from holovault.model import FactDay, FactHistory

WIDTH, HEIGHT = 640, 120
FOOT = 18
"""Room below the bars for the names of months."""

MONTHS = 24


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its place in the picture, what it counts and the words for it."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Activity:
    """Bars by month, oldest first; `most` is what the tallest counts."""

    bars: tuple[Bar, ...]
    labels: tuple[Label, ...]
    most: int
    width: int = WIDTH
    height: int = HEIGHT + FOOT


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Trust 0…1 from bottom to top, in steps: it holds until the next vote. `path` is SVG path data."""

    path: str
    points: tuple[Point, ...]
    labels: tuple[Label, ...]
    width: int = WIDTH
    height: int = HEIGHT + FOOT


@dataclass(frozen=True, slots=True)
class Spot:
    """A neighbour in the picture: its middle, its radius, and where its name stands."""

    x: float
    y: float
    radius: float
    name: str
    anchor: str
    strength: float


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """An entity in the middle of those it is named together with; stronger ties are nearer and thicker."""

    name: str
    spots: tuple[Spot, ...]
    width: int = 800
    height: int = 400


def activity(days: Sequence[FactDay]) -> Activity:
    """Bars of the last two years in which something happened."""
    made, rated = Counter[str](), Counter[str]()
    for one in days:
        made[one.day[:7]] += one.made
        rated[one.day[:7]] += one.votes
    months = _months(min(made), max(made))[-MONTHS:] if made else ()
    most = max([1, *made.values(), *rated.values()])
    step = WIDTH / max(1, len(months))
    bars = []
    for place, month in enumerate(months):
        for offset, (kind, counts, word) in enumerate((("made", made, "remembered"), ("rated", rated, "votes"))):
            if count := counts[month]:
                height = max(2.0, HEIGHT * count / most)
                x = place * step + step * (0.12 + 0.4 * offset)
                bars.append(Bar(x, HEIGHT - height, min(step * 0.36, 24.0), height, kind, f"{month}: {count} {word}"))
    every = max(1, math.ceil(len(months) / 6))
    labels = tuple(Label(place * step, month) for place, month in enumerate(months) if place % every == 0)
    return Activity(tuple(bars), labels, most)


def trust_curve(history: FactHistory) -> Curve:
    """The steps that votes made, from the fact's first day on."""
    fact, votes = history.fact, [vote for vote in history.votes if _day(vote.at)]
    steps = [0.05 if vote.vote == "helpful" else -0.1 for vote in votes]
    trusts = [_clamped(fact.trust - sum(steps))]
    for step in steps:
        trusts.append(_clamped(trusts[-1] + step))
    stamps = [fact.created or (votes[0].at if votes else ""), *(vote.at for vote in votes)]
    days = [day.toordinal() if (day := _day(stamp)) else 0 for stamp in stamps]
    first, last = min(days, default=0), max(days, default=0)
    span = max(1, last - first)
    points = tuple(
        Point(8 + (WIDTH - 16) * (day - first) / span, HEIGHT * (1 - trust) + 4, f"{stamp[:10]}: {trust:.2f}")
        for day, trust, stamp in zip(days, trusts, stamps, strict=True)
    )
    path = f"M{points[0].x:.1f},{points[0].y:.1f}" + "".join(f"H{point.x:.1f}V{point.y:.1f}" for point in points[1:]) + f"H{WIDTH - 8}"
    labels = (Label(8, stamps[0][:10]), *((Label(WIDTH - 90, stamps[-1][:10]),) if len(stamps) > 1 else ()))
    return Curve(path, points, labels)


def neighbourhood(name: str, ties: Sequence[tuple[str, float]]) -> Neighbourhood:
    """`ties` are (name, strength above 0), strongest first; the strongest is nearest."""
    most = max((strength for _, strength in ties), default=1.0) or 1.0
    middle_x, middle_y = 400.0, 200.0
    spots = []
    for place, (other, strength) in enumerate(ties):
        share = strength / most
        angle = 2 * math.pi * place / max(1, len(ties)) - math.pi / 2
        reach = 0.55 + 0.45 * (1 - share)
        x, y = middle_x + math.cos(angle) * 200 * reach, middle_y + math.sin(angle) * 160 * reach
        anchor = "middle" if abs(x - middle_x) < 25 else "start" if x > middle_x else "end"
        spots.append(Spot(x, y, 4 + 5 * share, other, anchor, share))
    return Neighbourhood(name, tuple(spots))


def _clamped(trust: float) -> float:
    return min(1.0, max(0.0, trust))


def _day(stamp: str) -> date | None:
    try:
        return date.fromisoformat(stamp[:10])
    except ValueError:
        return None


def _months(first: str, last: str) -> tuple[str, ...]:
    try:
        start, end = date.fromisoformat(f"{first}-01"), date.fromisoformat(f"{last}-01")
    except ValueError:
        return ()
    count = (end.year - start.year) * 12 + end.month - start.month + 1
    months = (start.year * 12 + start.month - 1 + place for place in range(max(0, count)))
    return tuple(f"{month // 12:04d}-{month % 12 + 1:02d}" for month in months)
