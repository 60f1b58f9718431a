"""Simulates the confidence and the mistakes of readings of single pieces other than pyramids: tiles, pawns, dice.

As with pyramids (`simulation.followed.reading`), untouched pieces are read the same way again, right or wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from random import Random
from typing import Any, NamedTuple

from companion.core.layout import Candidate, Detection, Spot
from companion.core.pieces import PRIMARIES, TILES, Die, Pawn, Piece, Tile, identify
from simulation.drawn.doubting import LISTED, MISTAKEN
from simulation.followed.reading import FLICKER, StandRead

Likeness = Callable[[Any, Random], Piece]
"""Returns a piece for which a given piece may be mistaken."""


class PieceFaults(NamedTuple):
    """The rates at which pieces are misread."""

    wrong: float
    """The probability, for each piece, that another piece of its kind is read."""
    missed: float
    """The probability, for each piece, that nothing is read."""
    invented: float
    """The probability, for each empty cell, that a piece is read."""

    def scaled(self, by: float) -> PieceFaults:
        """Returns the same mix of faults with all rates multiplied."""
        return PieceFaults(*(one * by for one in self))


class PieceDoubt(NamedTuple):
    """The distribution of the doubt in a piece that reads right: log-normal, with a share of heavy doubts.

    A doubt is the probability that the reader leaves to other pieces.
    """

    middle: float
    spread: float
    heavy: float
    """The share of pieces under glare or a shadow."""
    by: tuple[float, float]
    """The range of the doubt in those pieces."""
    bare: float
    """The median doubt in an empty cell."""


TILE_FAULTS = PieceFaults(wrong=0.0005, missed=0.0005, invented=0.0)
"""Measured: of 2,667 tiles on other cloths and under other lamps 0.9991 are read right (docs/accuracy.md)."""
PAWN_FAULTS = PieceFaults(wrong=0.006, missed=0.006, invented=0.0006)
"""Measured: of 509 pawns on tables excluded from training, three are read in another color and three are missed; of
3,163 empty spaces, two are read as holding a pawn (docs/accuracy.md).
"""
DIE_FAULTS = PieceFaults(wrong=0.003, missed=0.001, invented=0.0)
"""Measured on dice under increased contrast and coarse JPEG (docs/accuracy.md); in the original photographs none was
wrong.
"""
TILE_DOUBT = PieceDoubt(0.005, 1.0, 0.02, (0.05, 0.2), 1e-6)
"""Measured: of 91 tiles of two recorded games that the reader reads right, half are doubted by 0.005, one in ten by
0.015.
"""
PAWN_DOUBT = PieceDoubt(0.002, 1.6, 0.03, (0.05, 0.3), 0.001)
"""Measured: of the spaces of tables excluded from training, one in 70 is read with a confidence below 0.99, and a
quarter of those below 0.9.
"""
DIE_DOUBT = PieceDoubt(0.004, 1.4, 0.03, (0.05, 0.3), 1e-6)
"""Measured: 12 of 180 dice are read with a confidence below 0.8 (docs/accuracy.md), most of them cocked."""
MOST = 0.4
"""The largest doubt in a piece that reads right."""
_ORDER = {"red": "orange", "orange": "yellow", "yellow": "orange", "green": "blue", "blue": "purple", "purple": "blue"}
"""The color for which each color of a pawn or a die is mistaken."""


class PieceSharpness:
    """The reading of single pieces on one table. The same seed, piece and place give the same reading."""

    def __init__(self, seed: int, faults: PieceFaults, doubt: PieceDoubt, likeness: Likeness) -> None:
        self._seed = seed
        self._faults = faults
        self._doubt = doubt
        self._likeness = likeness

    def read(self, stand: Any, look: str) -> StandRead:
        """Returns the reading of a piece in a heap in one look."""
        fixed = Random(f"{self._seed} {stand}")
        if fixed.random() < self._faults.missed:
            return StandRead(())
        return StandRead((self._sighting(stand.seen[0], fixed, Random(f"{self._seed} {stand} {look}")),))

    def read_cell(self, spot: Spot, stand: Any | None, look: str) -> Detection:
        """Returns the reading of a cell in one look; `stand` is None if the cell is empty."""
        fixed, flicker = Random(f"{self._seed} {spot} {stand}"), Random(f"{self._seed} {spot} {stand} {look}")
        if stand is not None and fixed.random() >= self._faults.missed:
            return self._sighting(stand.seen[0], fixed, flicker)
        sure = 1 - min(MOST, self._doubt.bare * exp(fixed.gauss(0, self._doubt.spread)))
        if stand is not None:
            sure = fixed.uniform(*MISTAKEN)
            named = [Candidate(stand.seen[0], (1 - sure) * 0.6)] if fixed.random() < LISTED else []
            return Detection((Candidate(None, sure), *named))
        if fixed.random() < self._faults.invented:
            sure = fixed.uniform(*MISTAKEN)
            return Detection((Candidate(Pawn(fixed.choice(PRIMARIES)), sure), Candidate(None, (1 - sure) * 0.9)))
        return Detection((Candidate(None, sure),))

    def _sighting(self, piece: Piece, fixed: Random, flicker: Random) -> Detection:
        other, kind = self._likeness(piece, fixed), fixed.random()
        if kind < self._faults.wrong:
            sure = fixed.uniform(*MISTAKEN)
            named = [Candidate(piece, (1 - sure) * 0.6)] if fixed.random() < LISTED else []
            return Detection((Candidate(other, sure), *named))
        heavy = fixed.random() < self._doubt.heavy
        by = fixed.uniform(*self._doubt.by) if heavy else exp(fixed.gauss(log(self._doubt.middle), self._doubt.spread))
        doubt = min(MOST, by * exp(flicker.gauss(0, FLICKER)))
        return Detection((Candidate(piece, 1 - doubt), Candidate(other, doubt * fixed.uniform(0.1, 0.9))))


class PiecesSharpness(NamedTuple):
    """The reading of a table that has single pieces of one kind in heaps and of another kind in cells."""

    heaps: PieceSharpness
    cells: PieceSharpness

    def read(self, stand: Any, look: str) -> StandRead:
        """Returns the reading of a piece in a heap."""
        return self.heaps.read(stand, look)

    def read_cell(self, spot: Spot, stand: Any | None, look: str) -> Detection:
        """Returns the reading of a cell."""
        return self.cells.read_cell(spot, stand, look)


def like_tile(tile: Tile, rng: Random) -> Piece:
    """Returns a tile of the set that differs in one letter; the tile itself if none was found.

    If `tile` is turned, as tiles on the board may be, the result keeps its orientation.
    """
    edges = list(tile.edges)
    for _ in range(20):
        at, letter = rng.randrange(3), rng.choice("RGBYPW")
        other = identify("".join((*edges[:at], letter, *edges[at + 1 :])))
        if letter != edges[at] and other is not None:
            if tile in TILES:
                return other
            edges[at] = letter
            return Tile(edges[0], edges[1], edges[2], other.value)
    return tile


def like_pawn(pawn: Pawn, rng: Random) -> Piece:
    """Returns a pawn of a color that is easily mistaken for its own."""
    return Pawn(_ORDER[pawn.color])


def like_die(die: Die, rng: Random) -> Piece:
    """Returns the same die with a face whose color is easily mistaken for its own."""
    face = str(die.face)
    return Die(die.kind, _ORDER.get(face, face.split("-")[0]))
