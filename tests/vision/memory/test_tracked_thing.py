"""Things that hide each other: what is half hidden comes and goes by the half that is in view."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.followed_blocks import Table, block, colors_of, colors_of_tracks, picture
from vision.memory.tracked_thing import overlap_mm


@pytest.fixture
def table() -> Table:
    return Table()


FRONT = block(200, "blue", y=200, sure=0.99, tall=60)
"""It hides what stands farther from the table's corner; see `Block.tall`."""


@pytest.mark.parametrize("x", [218, 224, 230])
def test_what_was_half_hidden_and_leaves_has_gone(table: Table, x: float) -> None:
    half = block(x, "green", y=262)
    table.see(picture(half, FRONT), FRONT, half)
    then = table.see(picture(FRONT), FRONT)
    assert colors_of(then) == [("blue",)]
    assert not then.covered


def test_what_was_half_hidden_and_gives_way_to_another_thing_is_read_anew(table: Table) -> None:
    table.see(picture(block(218, "green", y=262), FRONT), FRONT, block(218, "green", y=262))
    then = table.see(picture(block(218, "red", y=262), FRONT), FRONT, block(218, "red", y=262))
    assert colors_of(then) == [("blue",), ("red",)]


def test_what_stays_half_hidden_stays(table: Table) -> None:
    half = block(224, "green", y=262)
    table.see(picture(half, FRONT), FRONT, half)
    assert colors_of(table.see(picture(half, FRONT), FRONT)) == [("blue",), ("green",)]


@pytest.mark.parametrize("x", [218, 224, 230])
def test_what_is_set_down_half_hidden_is_there(table: Table, x: float) -> None:
    half = block(x, "green", y=262)
    table.see(picture(FRONT), FRONT)
    assert colors_of(table.see(picture(half, FRONT), FRONT, half)) == [("blue",), ("green",)]


def test_a_further_look_finds_what_was_set_down_half_hidden(table: Table) -> None:
    half = block(218, "green", y=262)
    table.see(picture(FRONT), FRONT)
    table.see(picture(half, FRONT), FRONT)
    assert colors_of_tracks(table.look_again(FRONT, half)) == [("blue",), ("green",)]


def test_a_ghost_behind_a_thing_that_came_is_none(table: Table) -> None:
    table.see(picture())
    assert colors_of(table.see(picture(FRONT), FRONT, block(212, "green", y=262))) == [("blue",)]


def test_what_is_put_on_a_half_hidden_piece_is_there(table: Table) -> None:
    half, tower = block(224, "green", y=262), block(224, "green", "red", y=262)
    table.see(picture(half, FRONT), FRONT, half)
    assert colors_of(table.see(picture(tower, FRONT), FRONT, tower)) == [("blue",), ("green", "red")]


def test_what_a_thing_that_came_stands_in_front_of_is_covered(table: Table) -> None:
    behind = block(200, "green", y=262)
    (old,) = table.see(picture(behind), behind).tracks
    hidden = table.see(picture(behind, FRONT), FRONT)
    assert [one.keys for one in hidden.covered] == [old.keys]
    (back,) = table.see(picture(behind), behind).tracks
    assert back.keys == old.keys


def test_what_was_covered_has_gone_when_its_place_is_bare(table: Table) -> None:
    behind = block(200, "green", y=262)
    table.see(picture(behind), behind)
    table.see(picture(FRONT), FRONT)
    then = table.see(picture())
    assert not then.tracks and not then.covered


def test_footprints_overlap_by_what_would_have_to_be_pushed() -> None:
    square = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])
    assert overlap_mm(square, square + np.array([12.0, 0.0])) == 0
    assert overlap_mm(square, square + np.array([7.0, 2.0])) == pytest.approx(3)
    turned = np.array([(5.0, -5.0), (10.0, 0.0), (5.0, 5.0), (0.0, 0.0)])
    assert overlap_mm(square, turned + np.array([8.0, 13.0])) == pytest.approx(0)
