"""Each printed part, seen by a drawn camera under a lamp, is read by the reader of its kind."""

from __future__ import annotations

import pytest

from simulation.printed.readings import READINGS

SEEDS = {
    "tiles": (0, 1),
    "cards": (0, 2),
    "laid-cards": (0, 1),
    "dice": (0, 1),
    "pawns": (1, 2),
    "pyramids": (0, 2),
    "escape": (0, 1),
    "regenbogen": (0, 1),
    "board-pyramids": (0, 1),
    "paper-stacks": (500, 505),
    "mats": (0, 1),
}
"""Tables by kind."""
PART = {
    "tiles": 1.0,
    "cards": 0.98,
    "laid-cards": 0.98,
    "dice": 1.0,
    "pawns": 0.9,
    "pyramids": 0.9,
    "escape": 0.9,
    "regenbogen": 0.95,
    "board-pyramids": 0.9,
    "paper-stacks": 0.9,
    "mats": 1.0,
}
"""The share of printed parts that must be read right; `python -m bench.printed` prints it for more tables."""


@pytest.mark.parametrize("kind", READINGS)
def test_printed_parts_are_read(kind: str) -> None:
    compared = [READINGS[kind](seed) for seed in SEEDS[kind]]
    wrong = [sentence for one in compared for sentence in one.wrong]
    right = 1 - len(wrong) / sum(one.laid for one in compared)
    assert right >= PART[kind], wrong
