"""One measured figure, and how contestants are timed against each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

from msgspec import Struct

Workload = Callable[[int], int]
"""Does a round of work, given the round's number, and says how much it did."""


class Figure(Struct, frozen=True):
    """One measured figure, and the least or the most that the design asks for."""

    text: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def holds(self) -> bool:
        """True if the value reaches what is asked for."""
        enough = self.at_least is None or self.value >= self.at_least
        return enough and (self.at_most is None or self.value <= self.at_most)

    def __str__(self) -> str:
        asked = ""
        for limit, bound in (("at least", self.at_least), ("at most", self.at_most)):
            if bound is not None:
                asked = f"   ({limit} {bound:,.4g}: {'yes' if self.holds else 'NO'})"
        return f"{self.text:<58}{self.value:>12,.4g} {self.unit}{asked}"


def rates(contestants: Mapping[str, Workload], rounds: int) -> dict[str, list[float]]:
    """Work per processor second of each contestant, one number a round; they take turns."""
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds):
        for name, workload in contestants.items():
            began = time.process_time()
            done = workload(number)
            found[name].append(done / (time.process_time() - began))
    return found


def median_ratio(one: list[float], other: list[float]) -> float:
    """Returns the median of the ratios round by round, which cancels what slowed both."""
    return median(mine / theirs for mine, theirs in zip(one, other, strict=True))
