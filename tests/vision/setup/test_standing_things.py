"""What stands on a table is the same thing in two pictures if it has the same name and place."""

from __future__ import annotations

import numpy as np
import pytest

from vision.setup.standing_things import StandingThing

SQUARE = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])


@pytest.mark.parametrize(
    ("name", "away_px", "like"),
    [
        ("clear medium", 0.0, True),
        ("clear medium", 11.0, True),
        ("clear medium", 13.0, False),
        ("clear large", 0.0, False),
    ],
)
def test_name_and_place_tell_the_same_thing(name: str, away_px: float, like: bool) -> None:
    one = StandingThing("clear medium", SQUARE)
    assert one.is_like(StandingThing(name, SQUARE + np.array((away_px, 0.0))), 12.0) is like
