"""An exact shape fits where its outline holds the plastic, and its levels show their colors."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS
from tests.vision.readers.pyramids.ideal import answers, camera, lying, standing
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.weighing import Surroundings

TREE = standing(250, 180, "red large", "blue medium", yaw=33.0)


def around(thing: Thing, *others: Thing, tilt_deg: float = 40.0) -> Surroundings:
    eye = camera(tilt_deg)
    told, sheet = answers([thing, *others], eye)
    return Surroundings(told, sheet, eye, np.array([thing.place.x_mm, thing.place.y_mm]))


@pytest.mark.parametrize("yaw", [4.0, 33.0, 70.0])
@pytest.mark.parametrize("tilt_deg", [5.0, 40.0])
def test_a_turned_stack_is_found_turned(yaw: float, tilt_deg: float) -> None:
    thing = standing(250, 180, "red large", "red medium", yaw=yaw)
    cells = around(thing, tilt_deg=tilt_deg)
    found = cells.best(cells.turns(thing.place.moved(0, 0, -yaw))).place.turn_deg
    assert abs((found - yaw + 45) % 90 - 45) <= 9


def test_the_heading_of_a_lying_piece_is_mended() -> None:
    thing = lying(250, 180, 30.0, "green large")
    cells = around(thing)
    found = cells.best(cells.turns(thing.place.moved(0, 0, 20.0))).place.turn_deg
    assert abs(found - 30.0) <= 9


def test_the_true_stack_explains_more_than_another() -> None:
    cells = around(TREE)
    place = TREE.place
    right = cells.best([place]).score
    for sizes in (("large",), ("medium", "small"), ("large", "medium", "medium", "small")):
        assert cells.best([StackHypothesis(place.x_mm, place.y_mm, place.turn_deg, sizes)]).score < right


def test_a_neighbor_counts_neither_for_nor_against() -> None:
    neighbor = standing(292, 180, "green large")
    assert around(TREE, neighbor).best([TREE.place]).score == pytest.approx(
        around(TREE).best([TREE.place]).score, rel=0.1
    )


def test_what_is_outside_of_all_cells_holds_nothing() -> None:
    assert around(TREE).best([TREE.place.moved(400, 300)]).score == 0


def test_each_level_shows_its_color() -> None:
    color_logs = around(TREE).color_logs(TREE.place)
    assert [PYRAMID_COLORS[k] for k in color_logs.argmax(axis=1)] == ["red", "blue"]


def test_a_piece_that_lies_is_found_from_its_middle() -> None:
    thing = lying(250, 180, 30.0, "green large")
    middle = np.array([250 + 9 * np.cos(np.radians(30.0)), 180 - 9 * np.sin(np.radians(30.0))])
    eye = camera(30.0)
    told, sheet = answers([thing], eye)
    found = Surroundings(told, sheet, eye, middle).lying(middle, ("large", "medium", "small")).place
    assert found.sizes == ("large",)
    assert np.hypot(found.x_mm - 250, found.y_mm - 180) < 8
