"""A whole board from one picture: where it lies and what is in its cells."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.light import LINEAR, Light
from vision.pose import Floats, Pose
from vision.tiles.board_finder import board_lines
from vision.tiles.cells import CellReading, Scores, adapt, empty_scores, tile_scores, usual_palette
from vision.tiles.inks import Palette
from vision.tiles.lattice import CELLS, FLOOR_MM, TILE_TOP_MM, Placement
from vision.tiles.sectors import board_samples, look

_ROUNDS = 3
"""Times that the palette is corrected by what it made plain."""
_AWAY = np.array([cell.middle for cell in CELLS]) / 150
"""(36, 2): cells' middles in half widths of the board."""


class BoardReading(Struct, frozen=True):
    """A board read."""

    placement: Placement
    cells: tuple[CellReading, ...]
    """36 cells as the placement numbers them."""
    palette: Palette


def score_board(picture: NDArray[np.uint8], pose: Pose, light: Light, placement: Placement) -> tuple[Scores, Palette]:
    """Likelihoods of every tile in every cell, and the palette that this picture turned out to have.

    The palette starts from usual inks each time: one carried from picture to picture would drift with every misreading.
    """
    spots = board_samples(placement)
    tops = look(picture, pose, light, spots, TILE_TOP_MM)
    floors = look(picture, pose, light, spots, FLOOR_MM)
    palette = usual_palette(rim_color(picture, pose, light, placement))
    scores = Scores(tile_scores(tops, _AWAY, palette), empty_scores(floors, _AWAY, palette))
    for _ in range(_ROUNDS - 1):
        palette = adapt(palette, tops, floors, _AWAY, scores)
        scores = Scores(tile_scores(tops, _AWAY, palette), empty_scores(floors, _AWAY, palette))
    return scores, palette


@lru_cache(maxsize=1)
def _rim_samples() -> Floats:
    """(N, 2): board places on the tray's rim, clear of its corners and edges."""
    spots = []
    for line in board_lines():
        if line.kind != "rim":
            continue
        start, end = np.array(line.start), np.array(line.end)
        along = (end - start) / np.hypot(*(end - start))
        inward = np.array([-along[1], along[0]])
        spots += [start + (end - start) * t + inward * o for t in np.linspace(0.08, 0.92, 40) for o in (3.5, 5.0, 6.5)]
    return np.array(spots)


def rim_color(picture: NDArray[np.uint8], pose: Pose, light: Light, placement: Placement) -> Floats:
    """(3,): reflectance of the tray's rim in B, G, R; board and tray are of one plastic."""
    spots = placement.to_table(_rim_samples())
    pixels = pose.project(np.column_stack([spots, np.full(len(spots), TILE_TOP_MM)])).astype(np.float32)[None]
    levels = cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(LINEAR[levels[0]] / light.white(spots), axis=0))
