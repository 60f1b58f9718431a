"""Photographs of which nothing is known: markers of any mat, or none at all."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.foundation.errors import SeeError
from companion.core.plan import Mat
from simulation.printed.laid import LaidPart
from simulation.printed.readings import WHEEL_MAT as WHEEL
from simulation.printed.readings import pawns_read, tiles_read
from simulation.printed.tables import Sight, printed
from vision.photograph import read_photograph
from vision.readers.pawns.unmarked import read_unmarked_pawns
from vision.readers.tiles.unmarked import read_unmarked_tiles
from vision.registration.unmarked import triangles


def names(cells: list[dict[str, str] | None]) -> list[str]:
    return ["" if one is None else f"{one['left']}{one['right']}{one['flat']}" for one in cells]


@pytest.mark.parametrize("seed", [0, 3])
def test_a_board_without_markers_is_read_as_with_them(seed: int) -> None:
    picture = tiles_read(seed).picture
    with_markers = names(read_photograph(picture, "spectrangle", (Mat(440.0, 400.0, 40.0),)).reading["cells"])
    without = names(read_unmarked_tiles(picture).truth()["cells"])
    assert without == with_markers


def test_a_mat_of_unknown_size_is_measured_by_its_markers() -> None:
    picture = tiles_read(1).picture
    known = names(read_photograph(picture, "spectrangle", (Mat(440.0, 400.0, 40.0),)).reading["cells"])
    other = names(read_photograph(picture, "spectrangle", (Mat(700.0, 450.0, 40.0),)).reading["cells"])
    assert other == known


def test_a_table_without_a_board_is_said_to_have_none() -> None:
    empty = Sight(5, Mat(440.0, 400.0, 40.0)).picture()
    with pytest.raises(SeeError, match="board"):
        read_photograph(empty, "spectrangle", ())


def test_where_scale_is_needed_it_is_asked_for() -> None:
    sight = Sight(5, Mat(600.0, 400.0, 40.0))
    _, ink = printed("deck").ink("R7")
    sight.lay(LaidPart(ink, 300.0, 200.0))
    with pytest.raises(SeeError, match="tap the four corners"):
        read_photograph(sight.picture(), "pyramids", (Mat(600.0, 400.0, 40.0),))


def test_no_triangle_is_found_in_nothing() -> None:
    assert triangles(np.full((480, 640, 3), 90, np.uint8)) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_a_wheel_without_markers_shows_its_pawns(seed: int) -> None:
    picture = pawns_read(seed).picture
    with_markers = {tuple(one.values())[:3] for one in read_photograph(picture, "spectrum", (WHEEL,)).reading["pawns"]}
    without = {tuple(one.values())[:3] for one in read_unmarked_pawns(picture).truth()["pawns"]}
    assert len(with_markers & without) >= 0.8 * len(with_markers)
