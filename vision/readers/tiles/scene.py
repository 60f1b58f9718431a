"""Reads all Spectrangle tiles in a picture: the board's cells and the loose tiles together.

There is one set: a tile in a hand cannot also be on the board, so both are assigned together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Tile, identify
from vision.image.pose import Floats
from vision.readers.tiles.board_finder import CLOSE_MM, BoardFit, find_board, fit_board
from vision.readers.tiles.board_reader import (
    BoardReading,
    burnt_cells,
    foreign_cells,
    look_at_board,
    score_board,
    turned_reading,
)
from vision.readers.tiles.cells import WAY_INKS, WAYS, Scores, flatness, read_places, score, weigh
from vision.readers.tiles.glyphs import Digits, match_signs, read_digits, whiteness
from vision.readers.tiles.inks import InkPalette, log_prior
from vision.readers.tiles.lattice import BONUS, CELLS, TILE_TOP_MM, Placement
from vision.readers.tiles.patches import PX_PER_MM, Patches, Spot, cut
from vision.readers.tiles.sectors import look
from vision.readers.tiles.silhouettes import Silhouette, find_silhouettes
from vision.registration.registered_image import RegisteredImage

# The apex of the board: the printed bonus numbers stand upright with it up.
#
# A third of a turn maps the bonus cells onto themselves, so only they distinguish the corners; once all nine are
# covered, only memory does.

_FACTORS = (2, 3, 4)
_HEIGHTS_MM = (5.5, 7.0, 8.5)
_RADIUS_MM = 7.5
_SLACK_PX = 4
_TURNS_DEG = tuple(range(0, 360, 60))
_SHARP = 12.0
"""The log odds per unit of correlation; nine printed numbers are conclusive, one is weak evidence."""


def apex_odds(floors: Patches, bare: Sequence[int]) -> Floats:
    """Returns (3,): log odds that the apex is 0, 1 or 2 thirds of a turn counter-clockwise of the placement's.

    Args:
        floors: Patches of all 36 cells at the floor's height.
        bare: Cells without a tile; others are no evidence.
    """
    cells = [k for k in bare if k in BONUS]
    odds = np.zeros(3)
    if not cells:
        return odds
    field = whiteness(floors, round(_RADIUS_MM * PX_PER_MM) + _SLACK_PX)[cells]
    texts = [str(f) for f in _FACTORS] + [f"x{f}" for f in _FACTORS]
    found = match_signs(field, texts, _HEIGHTS_MM, _TURNS_DEG, _RADIUS_MM, _SLACK_PX, 2)
    for row, cell in zip(found, cells, strict=True):
        sign = BONUS[cell] - _FACTORS[0]
        for thirds in range(3):
            # A downward cell's patch is cut upside down.
            turn = (120 * thirds + (0 if CELLS[cell].upward else 180)) % 360 // 60
            odds[thirds] += _SHARP * max(row[sign, turn], row[sign + len(_FACTORS), turn])
    return odds


_MIDDLE_SHOWN = 0.7
"""The least visible share of a tile whose digit is visible."""
_WHOLE = 0.9
"""A tile with a smaller visible share lacks a color or its number, and may be misread with high confidence."""
_PATCH = -3.0
"""The log prior of a loose triangle of cloth, paper or darkness in one color, against a tile of one color."""
_TRIANGLE, _TRIANGLE_LIMIT = 40.0, 3.0
"""The log odds for a tile from a silhouette's fit to a triangle: per unit of agreement, and their bound."""
_USUAL_MATCH = 0.92
"""The agreement with a triangle at which tiles and patches are equally likely: tiles of the open pictures mostly have
at least 0.97, squares of a checked cloth 0.76 to 0.9.
"""
_NO_TILE = 0.2
"""A tile with less probability than this is left out."""
_ONE_INK = np.flatnonzero((WAY_INKS[:, :1] == WAY_INKS).all(axis=1))
"""The ways of the six tiles of one color."""

_STEADY = 0.88
"""The share of their former strength that the lines of a board keep while the table is unchanged and uncovered."""
_LOST = 0.6
"""The share below which the board is no longer at its place."""


class LooseTile(Struct, frozen=True):
    """A tile beside the board."""

    spot: Spot
    """The middle of the tile on the table and the direction to one of its corners."""
    shown: float
    """The visible share of the tile."""
    alone: Detection
    """The candidates as in `TILES`, from this tile alone; None stands for something that is not a tile."""
    joint: Detection
    """The candidates with the whole set as prior."""

    @property
    def is_cut_off(self) -> bool:
        """True if so much of the tile is outside of the picture that it cannot be identified."""
        return self.shown < _WHOLE


class TileScene(Struct, frozen=True):
    """The reading of a picture of Spectrangle."""

    board: BoardReading
    fit: BoardFit
    loose: tuple[LooseTile, ...]
    apex_odds: tuple[float, float, float]
    """Log odds that the apex is where the placement has it, or one or two thirds of a turn counter-clockwise; all zero
    if it was known before.
    """

    def turned(self, thirds: int) -> TileScene:
        """Returns the scene with the apex `thirds` of a turn further counter-clockwise."""
        if thirds % 3 == 0:
            return self
        board = turned_reading(self.board, thirds)
        a, b, c = self.apex_odds[thirds % 3 :] + self.apex_odds[: thirds % 3]
        return replace(self, board=board, fit=replace(self.fit, placement=board.placement), apex_odds=(a, b, c))


def place_board(table: RegisteredImage, start: Placement | None = None) -> BoardFit:
    """Returns the board on the table; `start`, if given, is right to a centimeter and is only refined.

    Raises:
        NoBoard: No board is on the table.
    """
    coarse = find_board(table.picture, table.pose, table.mat).placement if start is None else start
    return fit_board(table.picture, table.pose, coarse)


def follow_board(table: RegisteredImage, known: BoardFit) -> BoardFit | None:
    """Returns a board that was there a moment ago; None if it is no longer at its place."""
    near = fit_board(table.picture, table.pose, known.placement, CLOSE_MM)
    if near.score >= _STEADY * known.score:
        return near
    # Nudged by a sleeve, or a hand over it: look a little wider before it counts as gone.
    wide = fit_board(table.picture, table.pose, known.placement)
    best = max(near, wide, key=lambda fit: fit.score)
    return best if best.score >= _LOST * known.score else None


def read_scene(
    table: RegisteredImage, fit: BoardFit | None = None, apex_known: bool = False, loose: bool = True
) -> TileScene:
    """Reads board and loose tiles.

    Args:
        fit: The place of the board; None: search everywhere.
        apex_known: `fit` has the right apex; otherwise the printed numbers give it.
        loose: True to search for tiles beside the board, too.

    Raises:
        NoBoard: No board is on the table.
    """
    if fit is None:
        fit = place_board(table)
    seen = look_at_board(table.picture, table.pose, table.light, fit.placement)
    scores, palette = score_board(seen)
    silhouettes = find_silhouettes(table, fit.placement) if loose else ()
    beside = _score_loose(table, silhouettes, palette)
    whole = Scores(np.concatenate([scores.ways, beside.ways]), np.concatenate([scores.empty, beside.empty]))
    places = read_places(whole, len(scores.empty))
    foreign, burnt = foreign_cells(seen, scores), burnt_cells(seen)
    cells = tuple(
        place._replace(foreign=bool(odd), burnt=bool(lost))
        for place, odd, lost in zip(places, foreign, burnt, strict=False)
    )
    board = BoardReading(fit.placement, cells, palette)
    tiles = tuple(
        LooseTile(s.spot, s.shown, _named(place.alone), _named(place.joint))
        for s, place in zip(silhouettes, places[len(scores.empty) :], strict=True)
        if _tile_share(place.joint) >= _NO_TILE
    )
    if apex_known:
        return TileScene(board, fit, tiles, (0.0, 0.0, 0.0))
    bare = [k for k, cell in enumerate(board.cells) if cell.joint.piece is None]
    a, b, c = (float(v) for v in apex_odds(seen.floor_patches, bare))
    return TileScene(board, fit, tiles, (a, b, c)).turned(int(np.argmax((a, b, c))))


def _score_loose(table: RegisteredImage, silhouettes: tuple[Silhouette, ...], palette: InkPalette) -> Scores:
    """Returns the likelihoods of every tile and of no tile for each silhouette; the light beside the board is less
    certain.
    """
    if not silhouettes:
        return Scores(np.zeros((0, len(WAYS))), np.zeros(0))
    patches = cut(table.picture, table.pose, table.light, [s.spot for s in silhouettes], TILE_TOP_MM)
    seen, digits = look(patches), read_digits(patches)
    shown = np.array([s.shown for s in silhouettes])
    told = Digits(np.where((shown < _MIDDLE_SHOWN)[:, None], 0.0, digits.values), digits.match)
    wide = replace(palette, shade=(palette.shade[0], 0.0, 0.0), shade_sigma=0.6)
    nowhere = np.zeros((len(silhouettes), 2))
    tiles = score(weigh(seen, wide), log_prior(nowhere, wide), told, np.zeros(len(silhouettes)))
    # A square of a checked cloth or the dark beyond a table has one color, and would otherwise be taken for the tile
    # of that color, which is then missing on the board.
    plain = tiles.ways[:, _ONE_INK].max(axis=1)
    middle = np.where(shown < _MIDDLE_SHOWN, 0.0, flatness(seen, seen, digits, np.zeros(len(silhouettes), np.bool_)))
    match = np.array([s.match for s in silhouettes])
    shape = shown * np.clip(_TRIANGLE * (match - _USUAL_MATCH), -_TRIANGLE_LIMIT, _TRIANGLE_LIMIT)
    return Scores(tiles.ways, plain + middle - shape + _PATCH)


def _tile_share(sighting: Detection) -> float:
    """Returns the probability that a sighting is any tile."""
    return sum(candidate.probability for candidate in sighting.candidates if candidate.piece is not None)


def _named(sighting: Detection) -> Detection:
    """Returns the candidates by tile, whatever their rotation."""
    shares: dict[Tile | None, float] = {}
    for candidate in sighting.candidates:
        tile = identify(candidate.piece.edges) if isinstance(candidate.piece, Tile) else None
        shares[tile] = shares.get(tile, 0.0) + candidate.probability
    ranked = sorted(shares.items(), key=lambda share: -share[1])
    return Detection(tuple(Candidate(tile, probability) for tile, probability in ranked))
