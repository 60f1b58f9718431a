"""All Spectrangle tiles that a picture shows: the board's cells and the loose tiles, read together.

The set is one: a tile that lies in a hand cannot also lie on the board, so both are assigned in one go.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.layout import Sighting
from companion.plan import Mat
from vision.light import Light
from vision.pose import Pose
from vision.tiles.board_finder import find_board
from vision.tiles.board_fit import Fit, fit_board
from vision.tiles.board_reader import BoardReading, look_at_board, score_board
from vision.tiles.cells import read_places
from vision.tiles.lattice import Placement


class LooseTile(Struct, frozen=True):
    """A tile beside the board."""

    x_mm: float
    y_mm: float
    heading_deg: float
    """From its middle to one corner; counter-clockwise seen from above."""
    alone: Sighting
    """Candidates as tiles of TRI-1, from this tile alone."""
    joint: Sighting
    """The same with the whole set as prior."""


class TileScene(Struct, frozen=True):
    """A picture of Spectrangle read."""

    board: BoardReading
    fit: Fit
    loose: tuple[LooseTile, ...]


def read_scene(
    picture: NDArray[np.uint8],
    pose: Pose,
    light: Light,
    mat: Mat,
    start: Placement | None = None,
) -> TileScene:
    """Read board and loose tiles.

    :param start: where the board was, give or take a centimetre; None: search the whole table.
    :raises NoBoard: no board is on the table.
    """
    coarse = find_board(picture, pose, mat).placement if start is None else start
    fit = fit_board(picture, pose, coarse)
    scores, palette = score_board(look_at_board(picture, pose, light, fit.placement))
    cells = read_places(scores)
    return TileScene(BoardReading(fit.placement, cells, palette), fit, ())
