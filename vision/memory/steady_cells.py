"""Tracks the cells of boards from picture to picture: a cell keeps its content while its picture is unchanged.

Cells do not move, so each is identified by its name. A cell under something foreign is left out: it may still hold its
piece, and only the game's memory can tell. So is a cell in which a lamp is mirrored: an overexposed tile looks like an
overexposed bare cell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from companion.core.layout import Detection, Spot
from companion.core.plan import Point
from vision.image.likeness import Mask, changed_share
from vision.memory.cover import is_changed_around
from vision.memory.tracked_thing import mean_of

Floats = NDArray[Any]

STILL = 0.6
"""A cell with a smaller changed share is unchanged. In recorded games (tiles plain, fading, coarse, knocked; pawns
drawn) 95 % or more of 4,538 untouched cells change by less; all of 106 that were touched change by 0.94 or more.
"""
MOVED_MM = 8.0
"""A cell that moved with its board by more than this distance in millimeters is another place."""


class SteadyCell(NamedTuple):
    """The reading of a cell."""

    sighting: Detection
    middle_mm: Point
    """The middle on the table, in millimeters."""
    outline_px: Floats
    """(N, 2) pixels of the picture, around the part that neither neighbors nor their shadows change."""
    whole_px: Floats
    """(N, 2) pixels of the picture, around everything that may stand or lie in the cell."""
    foreign: bool
    """True if the cell looks neither like a piece nor bare."""
    burnt: bool = False
    """True if a mirrored lamp hides the piece."""


class CellsSeen(NamedTuple):
    """The contents of a picture's cells, including those from earlier pictures."""

    cells: dict[Spot, Detection]
    """The contents of all cells that are not hidden."""
    unchanged: frozenset[Spot]
    """The cells that look as they did at their last reading."""
    hidden: frozenset[Spot]
    """The cells under something foreign or under a mirrored lamp."""
    middles_mm: Mapping[Spot, Point]
    """The place of each cell in millimeters."""


class SteadyCells:
    """The cells of one table."""

    def __init__(self) -> None:
        self._last = CellsSeen({}, frozenset(), frozenset(), {})
        self._before = self._last
        self._looks: list[CellsSeen] = []
        """The readings of all looks at the last picture's table."""

    def follow(self, seen: Mapping[Spot, SteadyCell], same: Mask | None) -> CellsSeen:
        """Takes the reading of one picture.

        Args:
            same: The part of the picture that is as in the previous one; None: unknown.
        """
        self._before, self._last = self._last, _beside(self._last, seen, same)
        self._looks = [self._last]
        return self._last

    def again(self, seen: Mapping[Spot, SteadyCell], same: Mask | None) -> CellsSeen:
        """Returns the result of a further look at the last picture, compared with the one before it.

        From then on a cell is the combination of all looks.
        """
        look = _beside(self._before, seen, same)
        self._looks.append(look)
        self._last = self._last._replace(cells={spot: self._together(spot) for spot in self._last.cells})
        return look

    def _together(self, spot: Spot) -> Detection:
        """Returns the mean of the readings of a cell over all looks that had it in view."""
        read = [look.cells[spot] for look in self._looks if spot in look.cells]
        return mean_of(read, len(read))


def _beside(known: CellsSeen, seen: Mapping[Spot, SteadyCell], same: Mask | None) -> CellsSeen:
    cells: dict[Spot, Detection] = {}
    unchanged, hidden = set(), set()
    for spot, cell in seen.items():
        stays = math.dist(cell.middle_mm, known.middles_mm.get(spot, (math.inf, 0.0))) < MOVED_MM
        still = stays and same is not None and changed_share(same, cell.outline_px[None]) < STILL
        if still and spot in known.hidden:
            hidden.add(spot)
        elif still and spot in known.cells:
            unchanged.add(spot)
            cells[spot] = _surer(known.cells[spot], cell.sighting)
        elif cell.burnt or (cell.foreign and stays and _is_covered(cell.whole_px[None], same)):
            hidden.add(spot)
        else:
            cells[spot] = cell.sighting
    middles = {spot: cell.middle_mm for spot, cell in seen.items()}
    return CellsSeen(cells, frozenset(unchanged), frozenset(hidden), middles)


def _is_covered(outline_px: Floats, same: Mask | None) -> bool:
    return same is not None and is_changed_around(outline_px, same)


def _surer(before: Detection, now: Detection) -> Detection:
    """Returns the reading of a look with the higher confidence: noise and neighbors make one reading doubtful, not both
    wrong.
    """
    return now if now.confidence > before.confidence else before
