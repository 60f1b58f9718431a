"""The printed mat has room for everything, and nothing lies on anything else."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.games import GAMES
from companion.plan import Plan, PyramidZone
from companion.plans.ice_stalks import MAT, plan
from companion.poster import poster

Box = tuple[float, float, float, float]


def boxes(found: Plan) -> list[Box]:
    zones = [zone for zone in found.zones if isinstance(zone, PyramidZone)]
    assert len(zones) == len(found.zones)
    sides = [tuple(zip(*zone.outline_mm, strict=True)) for zone in zones]
    return [(min(xs), min(ys), max(xs), max(ys)) for xs, ys in sides]


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("seats", (2, 3, 4))
def test_zones_stay_clear_of_markers_and_of_each_other(seats: int) -> None:
    patch = MAT.marker_mm / 2 + 8
    markers = [(x - patch, y - patch, x + patch, y + patch) for x, y in MAT.corners_mm()]
    assert all(apart(one, other) for one, other in combinations(boxes(plan(seats)) + markers, 2))


@pytest.mark.parametrize("seats", (2, 3, 4))
def test_the_game_predicts_the_heaps_of_the_plan_and_the_rocks_beside_it(seats: int) -> None:
    game = GAMES["ice-stalks"]
    heaps = game.start(seats, game.Options()).layout().heaps
    assert {zone.spot for zone in plan(seats).zones if isinstance(zone, PyramidZone)} | {"rocks"} == set(heaps)


def test_the_middle_has_room_for_every_stalk_that_can_stand_at_once() -> None:
    """Even if every one of the 35 placed pieces were a base (ICE-2)."""
    x0, y0, x1, y1 = boxes(plan(4))[0]
    assert int((x1 - x0) / 50) * int((y1 - y0) / 50) >= 35


def test_the_poster_names_the_zones() -> None:
    assert poster(plan(3), "Ice Stalks", "a3", lambda _: [[True] * 6] * 6).startswith(b"%PDF")
