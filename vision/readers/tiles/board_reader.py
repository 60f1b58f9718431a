"""Reads a whole board from one picture: its place and the contents of its cells."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Tile
from vision.image.light import LINEAR, Light
from vision.image.pose import Floats, Pose
from vision.readers.tiles.board_finder import board_lines
from vision.readers.tiles.cells import WAY_INKS, CellReading, Scores, flatness, glare_around, score, weigh
from vision.readers.tiles.glyphs import Digits, read_digits
from vision.readers.tiles.inks import INKS, LETTERS, InkPalette, log_prior
from vision.readers.tiles.lattice import BONUS, CELLS, FLOOR_MM, TILE_TOP_MM, Placement, turned_cell
from vision.readers.tiles.patches import Patches, cell_spots, cut
from vision.readers.tiles.sectors import Sectors, look

# A picture's own inks and light, learned from what it shows beyond doubt.
#
# Printed colors, lamps and cameras differ from table to table by more than neighboring inks differ from each other.
# Cells that are certain under usual inks correct these; a correction with little evidence is shrunk toward them.

_SURE = 6.0
"""The log odds of tile against bare board, in either direction, from which a cell is used for learning."""
_CLEAR = 2.0
"""The least log odds of the best tile and rotation against the next."""
_SIGMAS = (0.15, 0.35)
"""The bounds of the assumed variation of shade over a board."""


def usual_palette(board: Floats) -> InkPalette:
    """Returns the usual inks, with this board's reflectance (3,)."""
    return InkPalette(_rows(INKS), _three(np.maximum(board, 1e-3)))


def adapt(palette: InkPalette, seen: Sectors, floor: Sectors, away: Floats, scores: Scores) -> InkPalette:
    """Returns the palette corrected by the certain cells of this picture.

    It has one gain per channel for all inks, and a shift of its own for each ink that was seen often; a plane of shade
    over the board with its deviation; and the bare board from cells that are certainly empty.
    """
    odds = scores.ways.max(1) - scores.empty
    ranked = np.sort(scores.ways, axis=1)
    sure = (odds > _SURE) & (ranked[:, -1] - ranked[:, -2] > _CLEAR)
    bare = odds < -_SURE
    residuals: list[Floats] = []
    if sure.sum() >= 2:
        palette, rest = _inks(palette, seen, away, sure, scores.ways.argmax(1))
        residuals.append(rest)
    if bare.sum() >= 2:
        color = np.median(floor.color[bare], axis=1)
        plane = palette.shade[0] + away[bare] @ np.array(palette.shade[1:])
        board = np.median(color / np.exp(plane)[:, None], axis=0)
        palette = replace(palette, board=_three(board))
        levels = np.log(np.maximum(color, 1e-3) / np.maximum(board, 1e-3)).mean(1)
        residuals.append(levels - plane)
    rests = np.concatenate(residuals) if residuals else np.zeros(0)
    if len(rests) >= 6:
        spread = 1.5 * float(np.median(np.abs(rests - np.median(rests)))) * 1.3
        palette = replace(palette, shade_sigma=float(np.clip(spread, *_SIGMAS)))
    return palette


def _inks(
    palette: InkPalette, seen: Sectors, away: Floats, sure: NDArray[np.bool_], best: NDArray[np.int64]
) -> tuple[InkPalette, Floats]:
    """Returns inks and plane of shade from certain tiles, and the deviation of each sector's shade from the plane."""
    inks = np.array(palette.inks)
    letters = WAY_INKS[best[sure]].ravel()
    color = np.maximum(seen.color[sure].reshape(-1, 3), 1e-3)
    unsaturated = color < 0.9 * np.repeat(seen.ceiling[sure], 3, axis=0)
    plain = inks[letters]
    # Bright channels show shade and gains; dark ones are mostly haze.
    bright = (plain > 0.35 * plain.max(1, keepdims=True)) & unsaturated
    ratio = np.log(color / plain)
    level = np.array([np.median(r[b]) if b.any() else 0.0 for r, b in zip(ratio, bright, strict=True)])
    places = np.repeat(away[sure], 3, axis=0)
    design = np.column_stack([np.ones(len(places)), places])
    plane = np.linalg.solve(design.T @ design + np.diag([0.05, 1.0, 1.0]), design.T @ level)
    gains = np.zeros(3)
    for channel in range(3):
        use = bright[:, channel]
        if use.sum() >= 3:
            gains[channel] = np.median((ratio[:, channel] - level)[use]) * use.sum() / (use.sum() + 6)
    inks = inks * np.exp(gains)
    for letter in range(len(LETTERS)):
        mine = letters == letter
        if mine.sum() >= 3:
            shown = np.median(color[mine] / np.exp(np.minimum(level[mine], 3.0))[:, None], axis=0)
            share = mine.sum() / (mine.sum() + 8)
            inks[letter] = np.exp((1 - share) * np.log(inks[letter]) + share * np.log(np.maximum(shown, 1e-3)))
    shade = _three(plane)
    return replace(palette, inks=_rows(inks), shade=shade, shade_sigma=0.3), level - design @ plane


def _three(values: Floats) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in values)
    return a, b, c


def _rows(inks: Floats) -> tuple[tuple[float, float, float], ...]:
    return tuple(_three(row) for row in inks)


_ROUNDS = 3
"""The number of corrections of the palette."""
_FOREIGN = -2.5
"""A log likelihood below this means that the colors belong to something else; 99 of 100 bare cells have at least
-1.2.
"""
_WASHED, _BURNT_PART, _BURNT_MOST = 0.3, 0.2, 0.5
"""The overexposed shares of the middle and of sectors that count; one mostly overexposed sector is enough, or any
two.
"""
_BRIGHTER_THAN_PAPER = 1.15
"""Reflectance at which the picture saturates; where it is more, no ink is as bright."""
_AWAY = np.array([cell.middle for cell in CELLS]) / 150
"""(36, 2): cells' middles in half widths of the board."""
_DOWNWARD = np.array([not cell.upward for cell in CELLS])
_PRINTED = np.array([cell.number in BONUS for cell in CELLS])
"""(36,): bonus cells; a third of a turn maps them onto themselves."""


class BoardReading(Struct, frozen=True):
    """A board read."""

    placement: Placement
    cells: tuple[CellReading, ...]
    """The 36 cells in the numbering of the placement."""
    palette: InkPalette


class BoardLook(Struct, frozen=True):
    """The measurements of a board before any conclusion."""

    tops: Sectors
    """The sectors of all 36 cells at the tiles' height, left and right as in the cells."""
    floors: Sectors
    """The sectors of all 36 cells at the floor's height."""
    digits: Digits
    """The evidence about digits in the middles of all 36 cells."""
    floor_patches: Patches
    """The patches of all 36 cells at the floor's height, for the printed numbers."""
    rim: Floats
    """(3,): the reflectance of the tray's rim."""


def look_at_board(picture: NDArray[np.uint8], pose: Pose, light: Light, placement: Placement) -> BoardLook:
    """Measures every cell."""
    spots = cell_spots(placement)
    tops = cut(picture, pose, light, spots, TILE_TOP_MM)
    floors = cut(picture, pose, light, spots, FLOOR_MM)
    return BoardLook(
        look(tops).swapped(_DOWNWARD),
        look(floors).swapped(_DOWNWARD),
        read_digits(tops),
        floors,
        rim_color(picture, pose, light, placement),
    )


def score_board(seen: BoardLook) -> tuple[Scores, InkPalette]:
    """Returns the likelihoods of every tile in every cell, and the palette of this picture.

    The palette starts from usual inks each time, because a palette kept from picture to picture would drift with every
    misreading.
    """
    palette = usual_palette(seen.rim)
    flat = flatness(seen.tops, seen.floors, seen.digits, _PRINTED)
    around: Floats | None = None
    for round_number in range(_ROUNDS):
        evidence = weigh(seen.tops, palette, seen.floors)
        prior = log_prior(_AWAY, palette, around)
        scores = score(evidence, prior, seen.digits, flat)
        if round_number < _ROUNDS - 1:
            palette = adapt(palette, seen.tops, seen.floors, _AWAY, scores)
            around = glare_around(evidence, prior, scores, _AWAY)
    return scores, palette


def foreign_cells(seen: BoardLook, scores: Scores) -> NDArray[np.bool_]:
    """Returns (36,): True for cells whose colors fit neither bare board nor a tile; a tile has a digit."""
    flat = flatness(seen.tops, seen.floors, seen.digits, _PRINTED)
    middle = flatness(seen.tops, seen.floors, seen.digits, np.zeros(len(CELLS), np.bool_))
    tile = scores.ways.max(axis=1) - np.maximum(middle, 0)
    return np.asarray(np.maximum(tile, scores.empty - flat) < _FOREIGN)


def burnt_cells(seen: BoardLook) -> NDArray[np.bool_]:
    """Returns (36,): True for cells that a mirrored lamp hides too much; an overexposed tile looks like overexposed
    board.

    A white sector of an overexposed picture is as white as a reflection; the digit beside it is not, unless it is the
    printed number of a bonus cell.
    """
    tops = seen.tops
    middle = (tops.washed > _WASHED) & ~_PRINTED
    brighter = tops.ceiling.min(axis=1) > _BRIGHTER_THAN_PAPER
    parts = (tops.burnt > _BURNT_PART) & (brighter | middle)[:, None]
    most = (tops.burnt > _BURNT_MOST) & (brighter | middle)[:, None]
    return np.asarray((parts.sum(axis=1) + middle >= 2) | most.any(axis=1))


@lru_cache(maxsize=1)
def _rim_samples() -> Floats:
    """Returns (N, 2): board places on the tray's rim, away from its corners and edges."""
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
    """Returns (3,): the reflectance of the tray's rim as B, G, R; board and tray are of the same plastic."""
    spots = placement.to_table(_rim_samples())
    pixels = pose.project(np.column_stack([spots, np.full(len(spots), TILE_TOP_MM)])).astype(np.float32)[None]
    levels = cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(LINEAR[levels[0]] / light.white(spots), axis=0))


def turned_reading(reading: BoardReading, thirds: int) -> BoardReading:
    """Returns the same board with its apex `thirds` of a turn further counter-clockwise."""
    cells: list[CellReading] = [reading.cells[0]] * len(CELLS)
    for cell, read in zip(CELLS, reading.cells, strict=True):
        # Seen with the new apex up, everything is turned clockwise by as many thirds; downward cells count their edges
        # the other way round.
        way = thirds if cell.upward else -thirds
        cells[turned_cell(cell.number, thirds)] = CellReading(
            _turned(read.alone, way), _turned(read.joint, way), read.foreign, read.burnt
        )
    return BoardReading(reading.placement.turned(thirds), tuple(cells), reading.palette)


def _turned(sighting: Detection, thirds: int) -> Detection:
    """Returns a sighting of a cell with its candidates turned clockwise."""
    return Detection(
        tuple(
            Candidate(c.piece.turned(thirds) if isinstance(c.piece, Tile) else c.piece, c.probability)
            for c in sighting.candidates
        )
    )
