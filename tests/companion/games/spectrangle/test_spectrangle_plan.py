"""The printed mat has room for everything, and nothing lies on anything else."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.core.plan import TileHeap
from companion.games.spectrangle.manifest import MAT, board_corners_mm, plan

TRAY_MM = 15.0
"""Frame of a real board around its cells."""
TILE_MM = 50.0


def boxes(seats: int) -> list[tuple[float, float, float, float]]:
    found = []
    for zone in plan(seats).zones:
        if isinstance(zone, TileHeap):
            xs, ys = zip(*zone.outline_mm, strict=True)
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


@pytest.mark.parametrize("seats", (2, 3, 4))
def test_every_seat_has_a_strip_for_four_tiles(seats: int) -> None:
    strips = boxes(seats)
    assert len(strips) == seats
    for x0, y0, x1, y1 in strips:
        assert max(x1 - x0, y1 - y0) >= 4 * TILE_MM
        assert min(x1 - x0, y1 - y0) >= TILE_MM


def test_strips_stay_clear_of_markers_and_of_each_other() -> None:
    patch = MAT.marker_mm / 2 + 8
    markers = [(x - patch, y - patch, x + patch, y + patch) for x, y in MAT.corners_mm()]
    for one, other in combinations(boxes(4) + markers, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_the_trays_straight_sides_stay_clear_of_the_strips() -> None:
    apex, left, right = board_corners_mm()
    bottom, side_left, top, side_right = boxes(4)
    assert left[1] + TRAY_MM <= bottom[1]
    assert apex[1] - 1.7 * TRAY_MM >= top[3]
    assert left[0] - 1.7 * TRAY_MM >= side_left[2]
    assert right[0] + 1.7 * TRAY_MM <= side_right[0]
