"""The dice of a plan's trays, with a memory of how they lay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from companion.core.layout import Detection, Spot, Uncovered
from companion.core.plan import DiceTray
from companion.core.protocols.eyes import OverlayMark
from vision.image.likeness import Glance, Mask
from vision.memory.lying import SURE, Lie, Lying, lying
from vision.memory.tracks import Followed, Track, Tracks
from vision.readers.dice.reader import SeenDie, read_dice
from vision.readers.dice.recognition import die_mark
from vision.readers.dice.rolls import TrayMemory
from vision.registration.registered_image import RegisteredImage

MOVED = ".moved"
"""The heap "dice.moved" repeats those dice of "dice" that were rolled since game and table last agreed."""
COCKED = ".cocked"
"""The heap "dice.cocked" holds the dice that lean: no face of them is up, they are to be rolled again."""
_REACH_MM = 6.0
"""A die whose middle is so far outside of the outline still lies in the tray: people do not aim at lines."""

Heaps = dict[Spot, tuple[Detection, ...]]


class TraySeen(NamedTuple):
    """The reading of a tray."""

    heaps: Heaps
    """Flat dice in "dice", those that lean in "dice.cocked"; "dice.moved" only after `confirm_position`."""
    marks: tuple[OverlayMark, ...]
    """In the original picture's pixels."""
    hidden: frozenset[str]
    """Places at which something lies over a die."""
    uncovered: Mapping[str, Uncovered]
    """Places that came to light, and how."""


class DiceTrayEyes:
    """Reads the trays of one table."""

    def __init__(self) -> None:
        self._memories: dict[DiceTray, TrayMemory] = {}
        self._tracks: dict[DiceTray, Tracks[Lying[SeenDie]]] = {}
        self._last: dict[DiceTray, Followed[Lying[SeenDie]]] = {}

    def read(self, table: RegisteredImage, zone: DiceTray, same: Mask | None, glance: Glance) -> TraySeen:
        """Reads a tray.

        Args:
            same: The part of the picture that is as in the previous one; None: unknown.
        """
        tracks = self._tracks.setdefault(zone, Tracks(f"d{len(self._tracks)}.", SURE))
        self._last[zone] = tracks.follow(_dice(table, zone), same, glance)
        return self._told(table, zone, self._last[zone])

    def read_again(self, table: RegisteredImage, zone: DiceTray, same: Mask | None, glance: Glance) -> TraySeen:
        """A further look at the last picture; the first one where a tray was not read before."""
        if zone not in self._last:
            return self.read(table, zone, same, glance)
        tracks = self._tracks[zone].again(_dice(table, zone), same)
        return self._told(table, zone, self._last[zone]._replace(tracks=tracks))

    def _told(self, table: RegisteredImage, zone: DiceTray, followed: Followed[Lying[SeenDie]]) -> TraySeen:
        flat = tuple(track for track in followed.tracks if not track.found.read.cocked)
        cocked = tuple(track for track in followed.tracks if track.found.read.cocked)
        heaps = {zone.spot: _sightings(flat), zone.spot + COCKED: _sightings(cocked)}
        moved = self._memories.setdefault(zone, TrayMemory()).moved([track.found.read for track in flat])
        if moved is not None:
            heaps[zone.spot + MOVED] = tuple(die.sighting for die in moved)
        marks = tuple(die_mark(table, track.found.read, zone.spot) for track in followed.tracks)
        return TraySeen(heaps, marks, *_out_of_sight(followed))

    def confirm_position(self) -> None:
        """Confirms the last reading: from here on "dice.moved" holds the rolled dice."""
        for memory in self._memories.values():
            memory.confirm_position()


def _dice(table: RegisteredImage, zone: DiceTray) -> list[Lying[SeenDie]]:
    """The dice of a tray."""
    dice = (die for die in read_dice(table, zone.outline_mm) if _inside(die, zone))
    return [
        lying(die, die.sighting, Lie(die.place.x_mm, die.place.y_mm), die.candidate.corners_mm(), table.pose)
        for die in dice
    ]


def _sightings(tracks: Sequence[Track[Lying[SeenDie]]]) -> tuple[Detection, ...]:
    return tuple(replace(track.found.sighting, place=track.keys[0], glimpsed=bool(track.glimpsed)) for track in tracks)


def _out_of_sight(followed: Followed[Lying[SeenDie]]) -> tuple[frozenset[str], Mapping[str, Uncovered]]:
    """Places that are hidden, and those that came to light."""
    hidden = frozenset(track.keys[0] for track in followed.covered)
    return hidden, {one.track.keys[0]: one.how for one in followed.uncovered}


def _inside(die: SeenDie, zone: DiceTray) -> bool:
    if zone.outline_mm is None:
        return True
    outline = np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, (die.place.x_mm, die.place.y_mm), True) > -_REACH_MM
