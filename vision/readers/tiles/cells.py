"""Determines the contents of the cells: from sector colors to candidates with probabilities.

Every place is compared with all 36 tiles in every rotation and with bare board. The picture then corrects its own inks
and light by its certain cells. The set (each tile exists once) decides cells that are undecided by themselves.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import TILES, Tile
from vision.image.pose import Floats
from vision.readers.tiles.glyphs import Digits
from vision.readers.tiles.inks import GLARES, LETTERS, SHADES, InkPalette, log_glare, log_likelihoods, shared_glare
from vision.readers.tiles.sectors import Sectors

# Each tile of the set exists once: joint readings of many places at once.
#
# Places and tiles form a bipartite graph. Marginals come from belief propagation on "at most one tile a place, at most
# one place a tile", which always settles for this model; the single best whole reading comes from the Hungarian method.

_ROUNDS = 60
_FAR = 60.0
"""The bound for log odds; larger ones have no effect."""


def marginals(log_odds: Floats) -> Floats:
    """Returns (places, tiles): the probability that a tile is at a place, if each tile exists once.

    Args:
        log_odds: (places, tiles): log likelihood of the tile at the place, minus that of no tile.
    """
    if log_odds.size == 0:
        return np.zeros_like(log_odds)
    weight = np.exp(np.clip(log_odds, -_FAR, _FAR))
    from_tile = np.ones_like(weight)
    for _ in range(_ROUNDS):
        offered = weight * from_tile
        to_tile = weight / (1 + offered.sum(1, keepdims=True) - offered)
        updated = 1 / (1 + to_tile.sum(0, keepdims=True) - to_tile)
        if np.abs(updated - from_tile).max() < 1e-9:
            from_tile = updated
            break
        from_tile = updated
    offered = weight * from_tile
    return np.asarray(offered / (1 + offered.sum(1, keepdims=True)))


def best_reading(log_odds: Floats) -> NDArray[np.int64]:
    """Returns (places,): the tile at each place, -1 for none, in the likeliest reading of all places together."""
    places, tiles = log_odds.shape
    # Each place gets a column of its own for "no tile" at log odds 0.
    cost = np.full((places, tiles + places), 1e6)
    cost[:, :tiles] = -np.clip(log_odds, -1e5, 1e5)
    cost[np.arange(places), tiles + np.arange(places)] = 0.0
    columns = _hungarian(cost)
    return np.where(columns < tiles, columns, -1)


def _hungarian(cost: Floats) -> NDArray[np.int64]:
    """Returns (rows,): the column of each row in the cheapest assignment; rows <= columns.

    It uses shortest augmenting paths with potentials (Jonker and Volgenant 1987).
    """
    rows, columns = cost.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns + 1)
    holder = np.full(columns + 1, -1)
    for row in range(rows):
        holder[columns] = row
        free = columns
        shortest = np.full(columns, np.inf)
        before = np.full(columns, columns)
        done = np.zeros(columns + 1, dtype=bool)
        while holder[free] != -1:
            done[free] = True
            current = holder[free]
            reach = cost[current] - row_price[current] - column_price[:columns]
            better = ~done[:columns] & (reach < shortest)
            shortest[better] = reach[better]
            before[better] = free
            open_columns = np.where(done[:columns], np.inf, shortest)
            nearest = int(open_columns.argmin())
            step = open_columns[nearest]
            row_price[holder[done]] += step
            column_price[done] -= step
            shortest[~done[:columns]] -= step
            free = nearest
        while free != columns:
            holder[free] = holder[before[free]]
            free = before[free]
    out = np.full(rows, -1)
    for column in range(columns):
        if holder[column] != -1:
            out[holder[column]] = column
    return out


NOTHING = -16.0
"""The log likelihood of a place that holds neither tile nor bare board, but a finger or a coin."""
TEMPER = 0.8
"""The factor by which log odds are shrunk: the three sectors of a tile share their shadow, so they count for less."""
_PLAIN_CONTRAST = 0.15
"""The contrast of a middle, in root space, at which tile and bare board are equally likely."""
_PLAIN_SIGN = 0.56
"""The correlation of the middle with the best digit at which tile and bare board are equally likely."""
_MIDDLE_LIMIT = 3.0
"""The bound for the log odds from contrast or digit."""
_NEAR = 0.37
"""The distance that glare reaches over a board, in half widths."""


class _Way(NamedTuple):
    """A tile in one rotation."""

    tile: int
    """The index of the tile in `TILES`."""
    inks: tuple[int, int, int]
    """The indices of the inks left, right, flat."""


def _ways() -> tuple[_Way, ...]:
    ways = []
    for index, tile in enumerate(TILES):
        inks = [LETTERS.index(letter) for letter in tile.edges]
        ways += [_Way(index, (a, b, c)) for a, b, c in sorted(set(permutations(inks)))]
    return tuple(ways)


WAYS = _ways()
_WAY_TILE = np.array([way.tile for way in WAYS])
WAY_INKS = np.array([way.inks for way in WAYS])
"""(ways, 3): the indices of the inks left, right, flat."""
_WAY_PRIOR = -np.log(len(TILES) * np.bincount(_WAY_TILE)[_WAY_TILE])
"""The log prior of each way: a tile that may lie in any of 36 cells and any rotation is seldom in exactly this one."""
_WAY_VALUE = np.array([TILES[way.tile].value for way in WAYS])


class Scores(NamedTuple):
    """The log likelihoods of N places."""

    ways: Floats
    """(N, ways): of every tile in every rotation."""
    empty: Floats
    """(N,): of no tile; -inf if the place is known to hold one."""


class CellReading(NamedTuple):
    """The reading of one place."""

    alone: Detection
    """The candidates from this place alone."""
    joint: Detection
    """The candidates with the set as prior: each tile exists once."""
    foreign: bool = False
    """True if it looks neither like a tile with its digit nor like bare board, but like a finger or a cloth."""
    burnt: bool = False
    """True if a mirrored lamp hides the piece."""


def way_piece(way: int) -> Tile:
    """Returns the tile as it lies."""
    left, right, flat = (LETTERS[i] for i in WAYS[way].inks)
    return Tile(left, right, flat, TILES[WAYS[way].tile].value)


class CellEvidence(NamedTuple):
    """The evidence of N places under one palette, before any prior of light, as densities instead of logarithms."""

    sectors: Floats
    """(N, 3, inks, lights): the fit of each ink to each sector under each light (shade and glare)."""
    bare: Floats
    """(N, lights): the fit of bare board in all three sectors; zero where there is no board."""
    scale: Floats
    """(N, 2): the logarithms that were factored out of `sectors` (all three) and of `bare`."""


def weigh(seen: Sectors, palette: InkPalette, floor: Sectors | None = None) -> CellEvidence:
    """Compares the samples with inks and, if there is a floor, with bare board.

    A neighbor's side hides part of the floor, so each sector counts by the better of two heights.
    """
    count = len(seen.color)
    lights = SHADES.size * GLARES.size
    inks = np.array([*palette.inks, palette.board])
    fits = log_likelihoods(seen.color, seen.spread, seen.ceiling, inks)
    bare = fits[:, :, -1]
    if floor is not None:
        low = log_likelihoods(floor.color, floor.spread, floor.ceiling, inks[-1:])[:, :, 0]
        bare = np.maximum(bare, low)
    whole = shared_glare(np.concatenate([fits[:, :, :-1], bare[:, :, None]], axis=2)).astype(np.float64)
    whole = (whole * (seen.shown > 0.35)[:, :, None, None, None]).reshape(count, 3, len(LETTERS) + 1, lights)
    top = whole[:, :, :-1].max((2, 3)) if count else np.zeros((0, 3))
    sectors = np.exp(whole[:, :, :-1] - top[:, :, None, None])
    ground = whole[:, :, -1].sum(1)
    peak = ground.max(1) if count else np.zeros(0)
    density = np.exp(ground - peak[:, None]) if floor is not None else np.zeros((count, lights))
    return CellEvidence(sectors, density, np.column_stack([top.sum(1), peak]))


def score(evidence: CellEvidence, prior: Floats, digits: Digits, flat: Floats) -> Scores:
    """Returns the log likelihoods of every tile in every rotation and of bare board, summed over all lights.

    Args:
        prior: (N, shades, glares) logarithms.
        flat: (N,) log odds that the middle is bare.
    """
    count = len(evidence.bare)
    weight = np.exp(prior.reshape(count, -1))
    left, right, below = (evidence.sectors[:, k] for k in range(3))
    pairs = (left[:, :, None] * right[:, None]).reshape(count, len(LETTERS) ** 2, -1)
    triples = np.matmul(pairs, (below * weight[:, None]).transpose(0, 2, 1)).reshape(count, *(len(LETTERS),) * 3)
    ways = triples[:, WAY_INKS[:, 0], WAY_INKS[:, 1], WAY_INKS[:, 2]]
    ways = np.log(np.maximum(ways, 1e-290)) + evidence.scale[:, :1] + digits.values[:, _WAY_VALUE - 1]
    empty = np.log(np.maximum((evidence.bare * weight).sum(1), 1e-290)) + evidence.scale[:, 1] + flat
    return Scores(ways, np.where(evidence.bare.any(1), empty, -np.inf))


def flatness(seen: Sectors, floor: Sectors, digits: Digits, printed: NDArray[np.bool_]) -> Floats:
    """Returns (N,): log odds of bare board against a tile from the middle alone.

    Every tile has a digit there. Bare board has none, or a printed number where `printed` (N,) is True. A mirrored lamp
    that saturates the picture hides both.
    """
    middle = np.maximum(np.maximum(seen.contrast, floor.contrast), 1e-4)
    contrast = np.clip(2 * np.log(_PLAIN_CONTRAST / middle), -_MIDDLE_LIMIT, _MIDDLE_LIMIT)
    sign = np.clip(12 * (_PLAIN_SIGN - digits.match), -_MIDDLE_LIMIT, _MIDDLE_LIMIT)
    told = np.maximum(1 - 2 * seen.washed, 0)
    return np.where(printed, 0.0, (contrast + sign) * told)


def glare_around(evidence: CellEvidence, prior: Floats, scores: Scores, away: Floats) -> Floats:
    """Returns (N,): the usual log glare around each place, from its neighbors' best readings."""
    count = len(away)
    weight = np.exp(prior.reshape(count, -1))
    inks = WAY_INKS[scores.ways.argmax(1)]
    rows = np.arange(count)
    tile = np.prod([evidence.sectors[rows, k, inks[:, k]] for k in range(3)], axis=0)
    bare = (scores.empty > scores.ways.max(1))[:, None]
    light = np.where(bare, evidence.bare, tile) * weight
    levels = np.tile(log_glare(GLARES), SHADES.size)
    own = (light * levels).sum(1) / np.maximum(light.sum(1), 1e-290)
    gap = ((away[:, None] - away[None]) ** 2).sum(2)
    near = np.exp(-0.5 * gap / _NEAR**2) - np.eye(count)
    return np.asarray((near * own).sum(1) / near.sum(1))


def read_places(scores: Scores, cells: int) -> tuple[CellReading, ...]:
    """Returns the candidates for every place, alone and jointly.

    Args:
        cells: The first `cells` places are cells of a board, which fills evenly: a nearly full board makes a tile
            likelier
            in a doubtful cell, a nearly bare one less likely. The others are loose things.
    """
    nothing = np.logaddexp(TEMPER * scores.empty, TEMPER * NOTHING)
    bare = np.exp(TEMPER * scores.empty - nothing)
    odds = np.clip(TEMPER * scores.ways - nothing[:, None] + _WAY_PRIOR, -60, 60)
    count = len(odds)
    by_tile = np.full((count, len(TILES)), -np.inf)
    for way, tile in enumerate(_WAY_TILE):
        by_tile[:, tile] = np.logaddexp(by_tile[:, tile], odds[:, way])
    within = odds - by_tile[:, _WAY_TILE]
    alone = np.exp(by_tile) / (1 + np.exp(by_tile).sum(1, keepdims=True))
    joint_odds = by_tile.copy()
    if cells:
        filled = float(marginals(by_tile)[:cells].sum())
        joint_odds[:cells] += np.log((filled + 0.5) / (cells - min(filled, cells) + 0.5))
    joint = marginals(joint_odds)
    chosen = best_reading(joint_odds)
    readings = []
    for n in range(count):
        share = float(bare[n])
        lead = None if chosen[n] < 0 and share < 0.5 else int(chosen[n])
        readings.append(
            CellReading(_sighting(alone[n], within[n], share, None), _sighting(joint[n], within[n], share, lead))
        )
    return tuple(readings)


def _sighting(tiles: Floats, within: Floats, bare: float, first: int | None, keep: int = 6) -> Detection:
    """Returns candidates from tile probabilities and rotations within a tile.

    Args:
        bare: The share of bare board among non-tiles.
        first: The tile that leads whatever its rank, -1 for none; None leaves the ranks unchanged.
    """
    ways = tiles[_WAY_TILE] * np.exp(within)
    order = np.argsort(-ways)[:keep]
    found = [Candidate(way_piece(int(w)), float(ways[w])) for w in order if ways[w] > 1e-4]
    found.append(Candidate(None, float(max(1 - tiles.sum(), 0.0)) * bare))
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
            # The best joint reading has another tile here: it leads, no more likely than the one it displaces.
            top = found[0].probability
            found.insert(0, Candidate(lead, min(top, (top + found.pop(k).probability) / 2)))
            found[1] = Candidate(found[1].piece, min(found[1].probability, found[0].probability))
    return Detection(tuple(found[: keep + 1]))
