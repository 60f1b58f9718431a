"""Measures how long one table of poker odds takes."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench.figure import Figure
from companion.games.poker.odds import signatures


def figures() -> Iterator[Figure]:
    """Seconds of the exact counts of all hands."""
    yield Figure("Poker, all 481,008,528 hands by category", _seconds_of_odds(), "s", at_most=10.0)


def _seconds_of_odds() -> float:
    began = time.process_time()
    signatures()
    return time.process_time() - began
