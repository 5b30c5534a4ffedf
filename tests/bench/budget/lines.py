"""One line of the table, and what every measurement is given. Must not measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, slots=True)
class Bench:
    """`work` keeps generated vaults and their indexes between runs; `quick` makes everything about ten times smaller."""

    work: Path
    quick: bool

    def scaled(self, count: int) -> int:
        return max(1, count // 10) if self.quick else count


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured, what it may be, what it was, and how to read it."""

    what: str
    budget: str
    measured: str
    remark: str = ""


def milliseconds(seconds: Sequence[float]) -> str:
    """Median and 99th percentile."""
    values = np.array(seconds) * 1_000
    return f"p50 {np.quantile(values, 0.5):.1f} ms, p99 {np.quantile(values, 0.99):.1f} ms (n {len(values)})"
