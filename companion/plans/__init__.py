"""The plan of every game's printed mat, by game name and number of seats."""

from __future__ import annotations

from collections.abc import Callable

from companion.plan import Plan
from companion.plans import spectrangle

PLANS: dict[str, Callable[[int], Plan]] = {"spectrangle": spectrangle.plan}
"""Game name to a function from the number of seats to the printed mat's plan."""
