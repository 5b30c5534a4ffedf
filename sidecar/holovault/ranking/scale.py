"""The absolute scale of cosines: what a number of this model over this vault means.

Owns no measuring, only the arithmetic. Must not know models by name.
"""

from dataclasses import dataclass

BELOW = 0.5


@dataclass(frozen=True, slots=True)
class Scale:
    """`floor`: the cosine that a question about something else reaches on this vault; `ceiling`: that of the same thing said otherwise.

    The value 0 lies half a range below the floor, where unrelated passages lie, so the floor itself is 1/3: an order needs the
    differences between weak passages too, and who is below the floor is decided by `found`, not here.
    """

    floor: float
    ceiling: float

    def __post_init__(self) -> None:
        if not self.floor < self.ceiling:
            raise ValueError(f"a scale needs floor < ceiling, not {self.floor} and {self.ceiling}")

    @property
    def range(self) -> float:
        """From the floor to the ceiling."""
        return self.ceiling - self.floor

    @property
    def zero(self) -> float:
        """The cosine whose value is 0."""
        return self.floor - BELOW * self.range

    def value(self, cosine: float) -> float:
        """0…1, rising with the cosine."""
        return min(1.0, max(0.0, (cosine - self.zero) / (self.ceiling - self.zero)))


DEFAULT_SCALE = Scale(0.255, 0.76)
"""Until the vault is measured: the bundled model's middle over the eleven sets of tests/bench/retrieval."""
