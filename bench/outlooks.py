"""Measures how long an exact outlook of Roll & Color takes, for a sheet that it meets for the first time."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from statistics import median

from bench.figure import Figure
from companion.games.roll_and_color.expectation import outlook
from companion.games.roll_and_color.sheet import ROWS, entry
from companion.games.roll_and_color.state import RollState


def outlook_ms(number: int) -> float:
    """Processor milliseconds of the outlook after a first roll, a random half of the sheet being open."""
    rng = random.Random(number)
    rows = rng.sample(range(len(ROWS)), len(ROWS) // 2)
    dice = [2 * rng.randrange(6) for _ in range(4)] + [rng.randrange(12) for _ in range(5)]
    state = RollState((tuple(entry(row, 0) for row in rows),), 0, True, tuple(dice))
    began = time.process_time()
    outlook(state, "sheet")
    return 1000 * (time.process_time() - began)


def figures() -> Iterator[Figure]:
    """Milliseconds of outlooks."""
    yield Figure("Roll & Color, first outlook of a program", outlook_ms(0), "ms", at_most=1000)
    later = [outlook_ms(number) for number in range(1, 8)]
    yield Figure("Roll & Color, outlook of a new sheet after the first roll", median(later), "ms", at_most=1000)
