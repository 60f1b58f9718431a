"""Cells of boards followed from picture to picture: what a cell held it still holds where its picture is as it was.

Cells lie still, so each is known by its name. A cell over which something foreign has come is left out: what it held
it may still hold, and only who remembers the game can say. The same holds for one in which a lamp is mirrored: a burnt
tile looks like a burnt bare cell.
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
drawn) 95 % or more of 4,538 untouched cells change by less; all of 106 that were touched change by 0.94 or more."""
MOVED_MM = 8.0
"""A cell that moved by more, with its board, is another place."""


class SteadyCell(NamedTuple):
    """The reading of a cell."""

    sighting: Detection
    middle_mm: Point
    """On the table."""
    outline_px: Floats
    """(N, 2) pixels of the picture, around what of it neither neighbors nor their shadows change."""
    whole_px: Floats
    """(N, 2) pixels of the picture, around all that may stand or lie there."""
    foreign: bool
    """True if it looks neither like a piece nor bare."""
    burnt: bool = False
    """True if a mirrored lamp hides the piece."""


class CellsSeen(NamedTuple):
    """The contents of a picture's cells, with those of earlier pictures."""

    cells: dict[Spot, Detection]
    """Without those that are hidden."""
    unchanged: frozenset[Spot]
    """Cells that look as they did when they were read last."""
    hidden: frozenset[Spot]
    """Cells under something foreign or under a mirrored lamp."""
    middles_mm: Mapping[Spot, Point]
    """Where each of them was seen."""


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
        """Returns a further look at the last picture, from the one before it.

        From here on a cell is what all looks together show.
        """
        look = _beside(self._before, seen, same)
        self._looks.append(look)
        self._last = self._last._replace(cells={spot: self._together(spot) for spot in self._last.cells})
        return look

    def _together(self, spot: Spot) -> Detection:
        """Returns the mean of what the looks that had a cell in view read in it."""
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
    """Of two readings of one look the surer one: noise and neighbors make one of them doubtful, not both wrong."""
    return now if now.confidence > before.confidence else before
