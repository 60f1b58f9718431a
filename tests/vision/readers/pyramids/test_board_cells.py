"""A board of cells: which cell a place belongs to, and what a drawn picture shows on each of them."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.pieces import Pyramid
from companion.core.plan import Point, PyramidBoard
from companion.games.regenbogen.manifest import MAT, plan
from simulation.drawn.scene import random_scene
from simulation.drawn.standing import Upright
from vision.readers.pyramids.blind_zones import CellGrid
from vision.table_reader import TableReader

(BOARD,) = plan(2).zones
assert isinstance(BOARD, PyramidBoard)
SIDE_MM = 56.0
PIECES = {"b1": "red large", "d4": "blue medium", "f7": "yellow small", "c8": "green large", "a5": "purple medium"}


def middle(spot: str) -> Point:
    """Where a cell's middle lies on the table."""
    assert isinstance(BOARD, PyramidBoard)
    row = next(i for i, spots in enumerate(BOARD.rows) if spot in spots)
    x0, y0 = BOARD.outline_mm[0]
    return x0 + (BOARD.rows[row].index(spot) + 0.5) * SIDE_MM, y0 + (row + 0.5) * SIDE_MM


@pytest.mark.parametrize("spot", ["b8", "a7", "f2", "d4", "e1"])
def test_a_piece_anywhere_on_a_cell_is_on_it(spot: str) -> None:
    assert isinstance(BOARD, PyramidBoard)
    grid = CellGrid(BOARD)
    x, y = middle(spot)
    assert {grid.spot_at(x + dx, y + dy) for dx in (-25, 0, 25) for dy in (-25, 0, 25)} == {spot}


def test_places_off_the_board_are_on_no_cell() -> None:
    assert isinstance(BOARD, PyramidBoard)
    grid = CellGrid(BOARD)
    x, y = middle("b8")
    assert grid.spot_at(x - SIDE_MM, y) is None, "the corner a8 is no cell (RGB-6)"
    assert grid.spot_at(5, 5) is None
    x, y = middle("a7")
    assert grid.spot_at(x - 32, y) == "a7", "a little over the edge"
    assert grid.spot_at(x - 45, y) is None


def test_a_board_that_lies_askew() -> None:
    corners: tuple[Point, Point, Point, Point] = ((100, 50), (300, 90), (260, 290), (60, 250))
    grid = CellGrid(PyramidBoard(corners, (("a2", "b2"), ("a1", "b1"))))
    assert [grid.spot_at(*at) for at in ((145, 115), (245, 140), (120, 210), (215, 230))] == ["a2", "b2", "a1", "b1"]


def test_a_picture_fills_the_cells_with_what_stands_on_them() -> None:
    scene = random_scene(Random(1), MAT, tilt_deg=8, things=0)
    stands = [
        Upright((Pyramid(*piece.split()),), middle(spot)[0] + 9, middle(spot)[1] - 8, 20)
        for spot, piece in PIECES.items()
    ]
    anything = replace(plan(2), zones=(replace(BOARD, stacks=UNSET),))
    reading = TableReader(anything).read(scene.picture(stands))
    cells = reading.layout.cells
    assert len(cells) == 44 and not reading.layout.heaps
    assert {spot: one.piece for spot, one in cells.items() if one.piece is not None} == {
        spot: Pyramid(*piece.split()) for spot, piece in PIECES.items()
    }
    assert all(one.confidence < 1 for one in cells.values()), "an overlooked piece leaves room for doubt"
    assert {mark.spot for mark in reading.marks} == set(PIECES)
