"""All Spectrangle tiles that a picture shows: the board's cells and the loose tiles, read together.

The set is one: a tile that lies in a hand cannot also lie on the board, so both are assigned in one go.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.layout import Candidate, Sighting
from companion.pieces import Tile, identify
from vision.table import Table
from vision.tiles.apex import apex_odds
from vision.tiles.board_finder import find_board
from vision.tiles.board_fit import CLOSE_MM, Fit, fit_board
from vision.tiles.board_reader import BoardReading, look_at_board, score_board, turned_reading
from vision.tiles.cells import WAYS, Scores, read_places, score, weigh
from vision.tiles.glyphs import Digits, read_digits
from vision.tiles.inks import Palette, log_prior
from vision.tiles.lattice import TILE_TOP_MM, Placement
from vision.tiles.patches import Spot, cut
from vision.tiles.sectors import look
from vision.tiles.silhouettes import Silhouette, find_silhouettes

_MIDDLE_SHOWN = 0.7
"""A tile with less of it in the picture does not show its digit."""

_STEADY = 0.88
"""Share of their former strength that the lines of a board have while nothing moved and nothing covers it."""
_LOST = 0.6
"""Share below which the board is no longer where it was."""


class LooseTile(Struct, frozen=True):
    """A tile beside the board."""

    spot: Spot
    """Its middle on the table and the direction to one of its corners."""
    shown: float
    """Share of it that the picture shows."""
    alone: Sighting
    """Candidates as `TILES` has them, from this tile alone; None stands for something that is no tile."""
    joint: Sighting
    """The same with the whole set as prior."""


class TileScene(Struct, frozen=True):
    """A picture of Spectrangle read."""

    board: BoardReading
    fit: Fit
    loose: tuple[LooseTile, ...]
    apex_odds: tuple[float, float, float]
    """Log odds that the apex is where the placement has it, or one or two thirds of a turn counter-clockwise;
    all zero where it was known beforehand."""

    def turned(self, thirds: int) -> TileScene:
        """The same with the apex `thirds` of a turn further counter-clockwise."""
        if thirds % 3 == 0:
            return self
        board = turned_reading(self.board, thirds)
        a, b, c = self.apex_odds[thirds % 3 :] + self.apex_odds[: thirds % 3]
        return replace(self, board=board, fit=replace(self.fit, placement=board.placement), apex_odds=(a, b, c))


def place_board(table: Table, start: Placement | None = None) -> Fit:
    """Find the board on the table, or pull `start` (right to a centimetre) onto it.

    :raises NoBoard: no board is on the table.
    """
    coarse = find_board(table.picture, table.pose, table.mat).placement if start is None else start
    return fit_board(table.picture, table.pose, coarse)


def follow_board(table: Table, known: Fit) -> Fit | None:
    """A board that was there a moment ago; None if it is gone from its place."""
    near = fit_board(table.picture, table.pose, known.placement, CLOSE_MM)
    if near.score >= _STEADY * known.score:
        return near
    # Nudged by a sleeve, or a hand over it: look a little wider before it counts as gone.
    wide = fit_board(table.picture, table.pose, known.placement)
    best = max(near, wide, key=lambda fit: fit.score)
    return best if best.score >= _LOST * known.score else None


def read_scene(table: Table, fit: Fit | None = None, apex_known: bool = False, loose: bool = True) -> TileScene:
    """Read board and loose tiles.

    :param fit: where the board lies; None: look for it everywhere.
    :param apex_known: `fit` has the apex right; otherwise the printed numbers tell it.
    :param loose: whether to look for tiles beside the board, too.
    :raises NoBoard: no board is on the table.
    """
    if fit is None:
        fit = place_board(table)
    seen = look_at_board(table.picture, table.pose, table.light, fit.placement)
    scores, palette = score_board(seen)
    silhouettes = find_silhouettes(table, fit.placement) if loose else ()
    beside = _score_loose(table, silhouettes, palette)
    whole = Scores(np.concatenate([scores.ways, beside.ways]), np.concatenate([scores.empty, beside.empty]))
    places = read_places(whole, len(scores.empty))
    board = BoardReading(fit.placement, places[: len(scores.empty)], palette)
    tiles = tuple(
        LooseTile(s.spot, s.shown, _named(place.alone), _named(place.joint))
        for s, place in zip(silhouettes, places[len(scores.empty) :], strict=True)
    )
    if apex_known:
        return TileScene(board, fit, tiles, (0.0, 0.0, 0.0))
    bare = [k for k, cell in enumerate(board.cells) if cell.joint.piece is None]
    a, b, c = (float(v) for v in apex_odds(seen.floor_patches, bare))
    return TileScene(board, fit, tiles, (a, b, c)).turned(int(np.argmax((a, b, c))))


def _score_loose(table: Table, silhouettes: tuple[Silhouette, ...], palette: Palette) -> Scores:
    """Likelihoods of every tile for each silhouette; the light beside the board is known less well."""
    if not silhouettes:
        return Scores(np.zeros((0, len(WAYS))), np.zeros(0))
    patches = cut(table.picture, table.pose, table.light, [s.spot for s in silhouettes], TILE_TOP_MM)
    digits = read_digits(patches)
    hidden = np.array([s.shown for s in silhouettes]) < _MIDDLE_SHOWN
    digits = Digits(np.where(hidden[:, None], 0.0, digits.values), digits.match)
    wide = replace(palette, shade=(palette.shade[0], 0.0, 0.0), shade_sigma=0.6)
    nowhere = np.zeros((len(silhouettes), 2))
    return score(weigh(look(patches), wide), log_prior(nowhere, wide), digits, np.zeros(len(silhouettes)))


def _named(sighting: Sighting) -> Sighting:
    """Candidates by tile, whatever way it lies."""
    shares: dict[Tile | None, float] = {}
    for candidate in sighting.candidates:
        tile = identify(candidate.piece.edges) if isinstance(candidate.piece, Tile) else None
        shares[tile] = shares.get(tile, 0.0) + candidate.probability
    ranked = sorted(shares.items(), key=lambda share: -share[1])
    return Sighting(tuple(Candidate(tile, probability) for tile, probability in ranked))
