"""The board as geometry: placements, cells, thirds of a turn."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readers.tiles.lattice import BONUS, CELLS, CORNERS, SIDE_MM, Placement, turned_cell

PLACEMENT = Placement(210.0, 190.0, 37.0)


def test_a_placement_is_found_again_from_its_corners() -> None:
    found = Placement.of(PLACEMENT.corners_mm())
    assert (found.x_mm, found.y_mm, found.heading_deg) == pytest.approx((210.0, 190.0, 37.0))


def test_with_the_apex_up_left_is_left_and_right_is_right() -> None:
    apex, left, right = Placement(0.0, 0.0, 90.0).corners_mm()
    assert apex[1] < 0 < left[1]  # y points down the mat
    assert left[0] < apex[0] < right[0]
    assert np.hypot(right[0] - left[0], right[1] - left[1]) == pytest.approx(SIDE_MM)


def test_board_and_table_places_are_inverse() -> None:
    assert PLACEMENT.to_board(PLACEMENT.to_table(CORNERS)) == pytest.approx(CORNERS)


def test_a_third_of_a_turn_carries_the_apex_to_the_left_corner() -> None:
    assert PLACEMENT.turned(1).corners_mm()[0] == pytest.approx(PLACEMENT.corners_mm()[1])
    assert PLACEMENT.turned(2).corners_mm()[0] == pytest.approx(PLACEMENT.corners_mm()[2])


@pytest.mark.parametrize("thirds", [1, 2])
def test_turned_cells_are_the_same_places(thirds: int) -> None:
    turned = PLACEMENT.turned(thirds)
    for cell in CELLS:
        here = PLACEMENT.to_table(np.array([cell.middle]))[0]
        there = turned.to_table(np.array([CELLS[turned_cell(cell.number, thirds)].middle]))[0]
        assert here == pytest.approx(there)


def test_tri_04_36_cells_row_by_row_even_columns_point_up() -> None:
    assert [cell.number for cell in CELLS] == list(range(36))
    assert [sum(cell.row == row for cell in CELLS) for row in range(6)] == [1, 3, 5, 7, 9, 11]
    assert all(cell.upward == (cell.column % 2 == 0) for cell in CELLS)


def test_tri_05_a_third_of_a_turn_maps_bonus_cells_onto_equal_ones() -> None:
    for cell, factor in BONUS.items():
        assert BONUS[turned_cell(cell, 1)] == factor
