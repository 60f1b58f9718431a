"""A zone is blind if a small could stand in it and not be seen."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.plan import PyramidZone
from vision.readers.pyramids.blind_zones import blind_zones, obscured_zones
from vision.readers.pyramids.hypothesis import standing

ZONE = PyramidZone("seat0.supply", ((0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)), "supply")
ABOVE, ASIDE = np.array([100.0, 100.0, 700.0]), np.array([100.0, 700.0, 600.0])


@pytest.mark.parametrize(
    ("eye_mm", "size", "blind"), [(ABOVE, "large", False), (ASIDE, "large", True), (ASIDE, "small", False)]
)
def test_a_small_hides_behind_a_large_that_is_seen_from_aside(eye_mm: np.ndarray, size: str, blind: bool) -> None:
    found = blind_zones(eye_mm, [standing(100.0, 120.0, 10.0, size)], [ZONE])
    assert (found == {ZONE.spot}) == blind


def test_what_is_hidden_outside_of_a_zone_makes_no_zone_blind() -> None:
    assert not blind_zones(ASIDE, [standing(100.0, -60.0, 0.0, "large")], [ZONE])


def test_a_place_that_another_piece_takes_up_hides_nothing() -> None:
    alone = standing(100.0, 120.0, 0.0, "large")
    row = [standing(100.0, y, 0.0, "small") for y in (100.0, 85.0, 70.0)]
    assert blind_zones(ASIDE, [alone], [ZONE])
    assert not blind_zones(ASIDE, [alone, *row], [ZONE])


def straight_down(points_mm: np.ndarray) -> np.ndarray:
    """A camera so far above that heights do not matter; one pixel is a millimeter."""
    return np.asarray(points_mm)[:, :2]


@pytest.mark.parametrize(("side_mm", "obscured"), [(30, True), (8, False)])
def test_a_zone_is_obscured_by_what_is_large_enough_to_hide_a_small(side_mm: int, obscured: bool) -> None:
    foreign = np.zeros((100, 100), np.uint8)
    foreign[20 : 20 + side_mm // 2, 20 : 20 + side_mm // 2] = 1
    assert (obscured_zones(foreign, straight_down, 2.0, [ZONE]) == {ZONE.spot}) == obscured


def test_what_is_foreign_beside_a_zone_does_not_obscure_it() -> None:
    foreign = np.zeros((200, 200), np.uint8)
    foreign[110:150, 110:150] = 1
    assert not obscured_zones(foreign, straight_down, 2.0, [ZONE])
