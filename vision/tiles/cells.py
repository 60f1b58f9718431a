"""What lies in the cells: from sector colors to candidates with probabilities.

Every place is tried against all 36 tiles in every turn and against bare board. The picture then corrects its own inks
and light from what it is sure of, and the set (each tile once) settles what one place alone leaves open.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.layout import Candidate, Sighting
from companion.pieces import TILES, Tile
from vision.pose import Floats
from vision.tiles.assignment import best_reading, marginals
from vision.tiles.inks import GLARES, INKS, LETTERS, SHADES, Palette, log_likelihoods, log_prior, shared_glare
from vision.tiles.sectors import Sectors

_FLAT = 0.15
"""Contrast of a middle, in root space, at which tile and bare board are as likely."""
_FLAT_GAIN = 3.0
_FLAT_LIMIT = 5.0
NOTHING = -16.0
"""Log likelihood of a place that holds something else than tile or bare board: a finger, a coin."""
TEMPER = 0.6
"""Log odds are shrunk by this: the three sectors of a tile share their shadow, so they are worth less than three."""


class _Way(NamedTuple):
    """One tile lying one way."""

    tile: int
    """Index in `TILES`."""
    inks: tuple[int, int, int]
    """Indices of the inks left, right, flat."""


def _ways() -> tuple[_Way, ...]:
    ways = []
    for index, tile in enumerate(TILES):
        inks = [LETTERS.index(letter) for letter in tile.edges]
        ways += [_Way(index, (a, b, c)) for a, b, c in sorted(set(permutations(inks)))]
    return tuple(ways)


WAYS = _ways()
_WAY_TILE = np.array([way.tile for way in WAYS])
_WAY_INKS = np.array([way.inks for way in WAYS])
_WAY_VALUE = np.array([TILES[way.tile].value for way in WAYS])


class Scores(NamedTuple):
    """Log likelihoods of N places."""

    ways: Floats
    """(N, ways): of every tile in every turn."""
    empty: Floats
    """(N,): of no tile; -inf where the place is known to hold one."""


class CellReading(NamedTuple):
    """One place read."""

    alone: Sighting
    """From this place alone."""
    joint: Sighting
    """With the set as prior: each tile once."""


def way_piece(way: int) -> Tile:
    """The tile as it lies."""
    left, right, flat = (LETTERS[i] for i in WAYS[way].inks)
    return Tile(left, right, flat, TILES[WAYS[way].tile].value)


def tile_scores(seen: Sectors, digits: Floats, away: Floats, palette: Palette) -> Floats:
    """(N, ways): log likelihood of every tile in every turn, shade and glare summed over.

    :param digits: (N, 6) from `glyphs.read_digits`. :param away: (N, 2) places on the board in half widths.
    """
    fits = log_likelihoods(seen.color, seen.spread, seen.ceiling, np.array(palette.inks))
    fits = shared_glare(fits) * (seen.shown > 0.35)[:, :, None, None, None]
    count = len(seen.color)
    flat = fits.reshape(count, 3, len(LETTERS), SHADES.size * GLARES.size)
    prior = log_prior(away, palette).reshape(count, 1, -1).astype(np.float32)
    total = flat[:, 0, _WAY_INKS[:, 0]] + flat[:, 1, _WAY_INKS[:, 1]] + flat[:, 2, _WAY_INKS[:, 2]] + prior
    return _log_sum(total) + digits[:, _WAY_VALUE - 1]


def empty_scores(seen: Sectors, floor: Sectors, away: Floats, palette: Palette, printed: NDArray[np.bool_]) -> Floats:
    """(N,): log likelihood of bare board.

    A neighbor's side hides part of the floor, so each sector counts by the better of two heights. Where nothing is
    `printed` (N,), a bare cell's middle is flat and a tile's is not.
    """
    board = np.array([palette.board])
    low = log_likelihoods(floor.color, floor.spread, floor.ceiling, board)[:, :, 0]
    high = log_likelihoods(seen.color, seen.spread, seen.ceiling, board)[:, :, 0]
    fits = shared_glare(np.maximum(low, high))
    count = len(seen.color)
    prior = log_prior(away, palette).reshape(count, -1)
    middle = np.maximum(seen.contrast, floor.contrast)
    flatness = -np.clip(_FLAT_GAIN * np.log(np.maximum(middle, 1e-4) / _FLAT), -_FLAT_LIMIT, _FLAT_LIMIT)
    washed = (seen.color.min(2) > 0.8 * seen.ceiling.min(1)[:, None]).mean(1)
    return _log_sum(fits.sum(1).reshape(count, -1) + prior) + np.where(printed, 0.0, flatness * (1 - washed))


def _log_sum(values: NDArray[np.floating]) -> Floats:
    top = values.max(-1, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(-1)) + top[..., 0], dtype=np.float64)


def read_places(scores: Scores, absent_odds: float = 0.0) -> tuple[CellReading, ...]:
    """Candidates for every place, alone and jointly.

    :param absent_odds: added to the log odds of every tile, the prior of lying at a given place at all.
    """
    odds = TEMPER * (scores.ways - scores.empty[:, None]) + absent_odds
    odds = np.clip(odds, -60, 60)
    count = len(odds)
    by_tile = np.full((count, len(TILES)), -np.inf)
    for way, tile in enumerate(_WAY_TILE):
        by_tile[:, tile] = np.logaddexp(by_tile[:, tile], odds[:, way])
    within = odds - by_tile[:, _WAY_TILE]
    alone = np.exp(by_tile) / (1 + np.exp(by_tile).sum(1, keepdims=True))
    joint = marginals(by_tile)
    chosen = best_reading(by_tile)
    return tuple(
        CellReading(
            _sighting(alone[n], within[n], None),
            _sighting(joint[n], within[n], int(chosen[n])),
        )
        for n in range(count)
    )


def _sighting(tiles: Floats, within: Floats, first: int | None, keep: int = 6) -> Sighting:
    """Candidates from tile probabilities and turns within a tile; `first` (-1: empty) leads whatever its rank."""
    ways = tiles[_WAY_TILE] * np.exp(within)
    order = np.argsort(-ways)[:keep]
    found = [Candidate(way_piece(int(w)), float(ways[w])) for w in order if ways[w] > 1e-4]
    found.append(Candidate(None, float(max(1 - tiles.sum(), 0.0))))
    found.sort(key=lambda c: -c.probability)
    if first is not None:
        lead = None
        if first >= 0:
            own = np.where(first == _WAY_TILE, within, -np.inf)
            lead = way_piece(int(own.argmax()))
        k = next((k for k, c in enumerate(found) if c.piece == lead), None)
        if k is None:
            found.insert(0, Candidate(lead, found[0].probability))
        elif k > 0:
            # The best whole reading wants another one here: it leads, no more likely than the one it displaces.
            top = found[0].probability
            found.insert(0, Candidate(lead, min(top, (top + found.pop(k).probability) / 2)))
            found[1] = Candidate(found[1].piece, min(found[1].probability, found[0].probability))
    return Sighting(tuple(found[: keep + 1]))


def adapt(palette: Palette, seen: Sectors, floor: Sectors, away: Floats, scores: Scores) -> Palette:
    """The palette corrected by what this picture is sure of.

    One gain a channel for all inks, and a shift of its own for each ink that was seen often; a plane of shade over
    the board; the bare board from cells that are surely empty.
    """
    odds = scores.ways.max(1) - scores.empty
    best = scores.ways.argmax(1)
    order = np.sort(scores.ways, axis=1)
    sure = (odds > 6) & (order[:, -1] - order[:, -2] > 2)
    inks = np.array(palette.inks)
    if sure.sum() >= 2:
        letters = _WAY_INKS[best[sure]].ravel()
        color = np.maximum(seen.color[sure].reshape(-1, 3), 1e-3)
        unsaturated = color < 0.9 * np.repeat(seen.ceiling[sure], 3, axis=0)
        plain = inks[letters]
        # Bright channels tell gains; dark ones are mostly haze.
        bright = (plain > 0.35 * plain.max(1, keepdims=True)) & unsaturated
        ratio = np.log(color / plain)
        level = np.array([np.median(ratio[k][bright[k]]) if bright[k].any() else 0.0 for k in range(len(ratio))])
        off = np.repeat(away[sure], 3, axis=0)
        design = np.column_stack([np.ones(len(off)), off])
        weight = np.diag([0.05, 1.0, 1.0])
        plane = np.linalg.solve(design.T @ design + weight, design.T @ level)
        gains = np.zeros(3)
        for channel in range(3):
            use = bright[:, channel]
            if use.sum() >= 3:
                gains[channel] = np.median((ratio[:, channel] - level)[use]) * use.sum() / (use.sum() + 6)
        inks = inks * np.exp(gains)
        for letter in range(len(LETTERS)):
            mine = letters == letter
            if mine.sum() >= 3:
                shade = np.exp(np.minimum(level[mine], 3.0))
                shown = np.median(color[mine] / shade[:, None], axis=0)
                share = mine.sum() / (mine.sum() + 8)
                inks[letter] = np.exp((1 - share) * np.log(inks[letter]) + share * np.log(np.maximum(shown, 1e-3)))
        palette = Palette(_rows(inks), palette.board, (float(plane[0]), float(plane[1]), float(plane[2])), 0.3)
    bare = odds < -6
    if bare.sum() >= 2:
        color = np.median(floor.color[bare], axis=1)
        b, g, r = (float(v) for v in np.median(color, axis=0) / np.exp(palette.shade[0]))
        palette = Palette(palette.inks, (b, g, r), palette.shade, palette.shade_sigma)
    return palette


def usual_palette(board: Floats) -> Palette:
    """Inks as they usually are, with this board's reflectance (3,)."""
    b, g, r = (float(max(v, 1e-3)) for v in board)
    return Palette(_rows(INKS), (b, g, r))


def _rows(inks: Floats) -> tuple[tuple[float, float, float], ...]:
    return tuple((float(b), float(g), float(r)) for b, g, r in inks)
