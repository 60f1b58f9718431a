"""A picture's own inks and light, learned from what it shows beyond doubt.

Printed colors, lamps and cameras differ from table to table by more than neighboring inks differ from each other. What
is sure under usual inks corrects them, each correction shrunk toward the usual by how little it rests on.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.image.pose import Floats
from vision.readers.tiles.cells import WAY_INKS, Scores
from vision.readers.tiles.inks import INKS, LETTERS, InkPalette
from vision.readers.tiles.sectors import Sectors

_SURE = 6.0
"""Log odds of tile against bare board, or the other way round, from which on a cell teaches."""
_CLEAR = 2.0
"""Log odds of the best turn and tile against the next."""
_SIGMAS = (0.15, 0.35)
"""Bounds of how much shade is taken to vary over a board."""


def usual_palette(board: Floats) -> InkPalette:
    """Inks as they usually are, with this board's reflectance (3,)."""
    return InkPalette(_rows(INKS), _three(np.maximum(board, 1e-3)))


def adapt(palette: InkPalette, seen: Sectors, floor: Sectors, away: Floats, scores: Scores) -> InkPalette:
    """The palette corrected by what this picture is sure of.

    One gain a channel for all inks, and a shift of its own for each ink that was seen often; a plane of shade over
    the board and how closely cells keep to it; the bare board from cells that are surely empty.
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
    """Inks and plane of shade from sure tiles, and how far each sector's shade is off the plane."""
    inks = np.array(palette.inks)
    letters = WAY_INKS[best[sure]].ravel()
    color = np.maximum(seen.color[sure].reshape(-1, 3), 1e-3)
    unsaturated = color < 0.9 * np.repeat(seen.ceiling[sure], 3, axis=0)
    plain = inks[letters]
    # Bright channels tell shade and gains; dark ones are mostly haze.
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
