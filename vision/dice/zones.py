"""The dice of a plan's trays, with a memory of how they lay."""

from __future__ import annotations

import cv2
import numpy as np

from companion.eyes import Mark
from companion.layout import Sighting, Spot
from companion.plan import DiceTray
from vision.dice.reader import SeenDie, read_dice
from vision.dice.recognition import die_mark
from vision.dice.rolls import TrayMemory
from vision.table import Table

MOVED = ".moved"
"""The heap "dice.moved" repeats those dice of "dice" that were rolled since game and table last agreed."""
COCKED = ".cocked"
"""The heap "dice.cocked" holds the dice that lean: no face of them is up, they are to be rolled again."""
_REACH_MM = 6.0
"""A die whose middle is so far outside of the outline still lies in the tray: people do not aim at lines."""

Heaps = dict[Spot, tuple[Sighting, ...]]


class DiceTrayEyes:
    """Reads the trays of one table."""

    def __init__(self) -> None:
        self._memories: dict[DiceTray, TrayMemory] = {}

    def read(self, table: Table, zone: DiceTray) -> tuple[Heaps, tuple[Mark, ...]]:
        """The heaps of a tray, and marks in the original picture's pixels.

        "dice" holds the flat dice and "dice.cocked" those that lean; "dice.moved" is absent until `settle` was called.
        """
        dice = tuple(die for die in read_dice(table, zone.outline_mm) if _inside(die, zone))
        flat = tuple(die for die in dice if not die.cocked)
        heaps = {
            zone.spot: _sightings(flat),
            zone.spot + COCKED: _sightings(tuple(die for die in dice if die.cocked)),
        }
        moved = self._memories.setdefault(zone, TrayMemory()).moved(flat)
        if moved is not None:
            heaps[zone.spot + MOVED] = _sightings(moved)
        return heaps, tuple(die_mark(table, die, zone.spot) for die in dice)

    def settle(self) -> None:
        """Game and table agree on the last reading: from here on "dice.moved" tells what was rolled."""
        for memory in self._memories.values():
            memory.settle()


def _sightings(dice: tuple[SeenDie, ...]) -> tuple[Sighting, ...]:
    return tuple(die.sighting for die in dice)


def _inside(die: SeenDie, zone: DiceTray) -> bool:
    if zone.outline_mm is None:
        return True
    outline = np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, (die.place.x_mm, die.place.y_mm), True) > -_REACH_MM
