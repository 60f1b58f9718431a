"""With perfect answers for the cells, every thing that can be seen is found as it stands."""

from __future__ import annotations

import pytest

from companion.pieces import PYRAMID_COLORS
from tests.vision.pyramids.cells.ideal import MAT, answers, camera, lying, standing
from vision.pyramids.cells.search import Patch, level_colors, search
from vision.pyramids.cells.training.drawn.arrangement import Thing
from vision.pyramids.cells.votes import peaks, votes_of

TREE = standing(150, 120, "red large", "red medium", "red small")
STALK = standing(300, 150, "blue large", "blue large", "green medium", "purple medium", "yellow small")
LONE = [standing(420, 100, "white small"), standing(455, 110, "black medium"), standing(300, 300, "clear large")]
LYING = [lying(150, 300, 200.0, "cyan large"), lying(480, 290, 75.0, "orange small")]


def found(things: list[Thing], tilt_deg: float) -> list[Thing]:
    """What the search makes of perfect answers."""
    eye = camera(tilt_deg)
    told, sheet = answers(things, eye)
    votes = votes_of(told, sheet, eye)
    read = []
    for peak in peaks(votes, MAT):
        patch = Patch(told, votes, peak, sheet, eye)
        place = search(patch)[0].place
        colors = tuple(PYRAMID_COLORS[c] for c in level_colors(patch, place).argmax(axis=1))
        read.append(Thing(place, colors))
    return read


CASES = [(thing, tilt_deg) for thing in (TREE, *LONE, *LYING) for tilt_deg in (3.0, 25.0, 48.0)]


@pytest.mark.parametrize(("thing", "tilt_deg"), [*CASES, (STALK, 25.0), (STALK, 48.0)])
def test_a_thing_alone_is_found(thing: Thing, tilt_deg: float) -> None:
    (read,) = found([thing], tilt_deg)
    assert (read.place.sizes, read.colors, read.place.lies) == (thing.place.sizes, thing.colors, thing.place.lies)
    assert abs(read.place.x_mm - thing.place.x_mm) < 4
    assert abs(read.place.y_mm - thing.place.y_mm) < 4


def test_an_empty_table_shows_nothing() -> None:
    assert found([], 30.0) == []


def test_many_things_do_not_disturb_each_other() -> None:
    things = [TREE, STALK, *LONE, *LYING]
    seen = {(t.place.sizes, t.colors) for t in found(things, 30.0)}
    assert seen == {(t.place.sizes, t.colors) for t in things}


def test_pieces_that_touch_are_two() -> None:
    pair = [standing(300, 200, "red large", yaw=0.0), standing(324, 200, "red medium", yaw=0.0)]
    seen = sorted((t.place.sizes, t.colors) for t in found(pair, 30.0))
    assert seen == [(("large",), ("red",)), (("medium",), ("red",))]


def test_another_size_scores_lower() -> None:
    eye = camera()
    told, sheet = answers([LONE[1]], eye)
    votes = votes_of(told, sheet, eye)
    (peak,) = peaks(votes, MAT)
    best, *others = search(Patch(told, votes, peak, sheet, eye))
    assert best.place.sizes == ("medium",)
    assert all(other.score < best.score for other in others)
