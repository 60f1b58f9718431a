"""Reads the dice of a plan's trays, and remembers how they lay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Detection, Layout, Spot, Uncovered
from companion.core.pieces import Die
from companion.core.plan import DiceTray
from companion.core.protocols.eyes import OverlayMark
from vision.calibration.taught import TaughtDice
from vision.image.likeness import Glance, Mask
from vision.memory.tracked_thing import SURE, Lie, Lying, lying
from vision.memory.tracks import Followed, Track, Tracks
from vision.readers.dice.reader import SeenDie, read_dice
from vision.readers.dice.recognition import die_mark
from vision.readers.dice.teaching import taught_by_roll
from vision.registration.registered_image import RegisteredImage

# The dice of a tray that were rolled again: a comparison of two readings, and a memory that compares each reading.
#
# Hands leave kept dice as they lie, or push them a little; rolled dice come to lie elsewhere, or at least turned. So a
# die of the same kind with the same face, near its place and about as it was turned, was not rolled. Where place and
# turn are exactly as before and only the face differs, the die was misread or turned by hand: it counts as kept with
# its new face.

PUSHED_MM = 8.0
"""A die with its face of before that lies within this distance was not rolled; one that was comes to lie so near, with
that face and that turn, once in some thousand rolls."""
PUSHED_DEG = 20.0
SAME_MM = 2.5
"""Two readings of an untouched die agree within this distance."""
SAME_DEG = 6.0


class Rolls(Struct, frozen=True):
    """The changes of the dice between two readings; numbers are indices of the readings' dice."""

    kept: tuple[tuple[int, int], ...]
    """Dice that lie as they lay: number before and number now. The face differs where one reading is wrong, or where
    somebody turned the die."""
    rolled: tuple[int, ...]
    """The dice of the second reading that moved, turned or came."""
    lifted: tuple[int, ...]
    """The dice of the first reading that no longer lie as before."""


def rolls(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> Rolls:
    """Compares two readings of one tray, given its flat dice only, since a cocked die is yet to be rolled.

    >>> rolls((), ())
    Rolls(kept=(), rolled=(), lifted=())
    """
    gaps = sorted(
        (one.die.face != other.die.face, _gap_mm(one, other), i, j)
        for i, one in enumerate(before)
        for j, other in enumerate(now)
        if _same(one, other)
    )
    kept: dict[int, int] = {}
    for _, _, i, j in gaps:
        if i not in kept and j not in kept.values():
            kept[i] = j
    return Rolls(
        tuple(sorted(kept.items())),
        tuple(j for j in range(len(now)) if j not in kept.values()),
        tuple(i for i in range(len(before)) if i not in kept),
    )


class TrayMemory:
    """The dice of one tray at the last agreement of game and table."""

    def __init__(self) -> None:
        self._agreed: tuple[SeenDie, ...] | None = None
        self._seen: tuple[SeenDie, ...] | None = None

    def moved(self, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...] | None:
        """Returns the flat dice of a new reading that were rolled since then; None if `confirm_position` was never
        called.
        """
        self._seen = tuple(dice)
        if self._agreed is None:
            return None
        return tuple(dice[j] for j in rolls(self._agreed, dice).rolled)

    @property
    def seen(self) -> tuple[SeenDie, ...]:
        """The flat dice of the last reading."""
        return self._seen or ()

    def confirm_position(self) -> None:
        """Notes that game and table agree on the last reading, so that later changes are new."""
        if self._seen is not None:
            self._agreed = self._seen


def _gap_mm(one: SeenDie, other: SeenDie) -> float:
    return float(np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm))


def _same(one: SeenDie, other: SeenDie) -> bool:
    """Returns true if both may be one die that was not rolled."""
    if one.die.kind != other.die.kind:
        return False
    period = one.candidate.solid.turn_deg
    turn = abs((one.place.yaw_deg - other.place.yaw_deg + period / 2) % period - period / 2)
    if one.die.face == other.die.face:
        return _gap_mm(one, other) <= PUSHED_MM and turn <= PUSHED_DEG
    return _gap_mm(one, other) <= SAME_MM and turn <= SAME_DEG


MOVED = ".moved"
"""The suffix of the heap "dice.moved", which repeats the dice of "dice" that were rolled since the last agreement."""
COCKED = ".cocked"
"""The suffix of the heap "dice.cocked" with the leaning dice: no face of them is up, so they must be rolled again."""
_REACH_MM = 6.0
"""The distance in millimeters outside of the outline up to which a die's middle still belongs to the tray."""

Heaps = dict[Spot, tuple[Detection, ...]]


class TraySeen(NamedTuple):
    """The reading of a tray."""

    heaps: Heaps
    """The flat dice in "dice", the leaning ones in "dice.cocked", and, after `confirm_position`, "dice.moved"."""
    marks: tuple[OverlayMark, ...]
    """The outlines in the original picture's pixels."""
    hidden: frozenset[str]
    """The places at which something covers a die."""
    uncovered: Mapping[str, Uncovered]
    """The places that became visible, and how."""


class DiceTrayEyes:
    """Reads the trays of one table."""

    def __init__(self, taught: TaughtDice | None = None) -> None:
        """`taught` is the earlier knowledge of the dice."""
        self.taught = TaughtDice() if taught is None else taught
        """The knowledge of the dice; it grows with each confirmed roll."""
        self._learned_from: dict[DiceTray, tuple[SeenDie, ...]] = {}
        self._memories: dict[DiceTray, TrayMemory] = {}
        self._tracks: dict[DiceTray, Tracks[Lying[SeenDie]]] = {}
        self._last: dict[DiceTray, Followed[Lying[SeenDie]]] = {}

    def read(self, table: RegisteredImage, zone: DiceTray, same: Mask | None, glance: Glance) -> TraySeen:
        """Reads a tray.

        Args:
            same: The part of the picture that is as in the previous one; None: unknown.
        """
        tracks = self._tracks.setdefault(zone, Tracks(f"d{len(self._tracks)}.", SURE))
        self._last[zone] = tracks.follow(_dice(table, zone, self.taught), same, glance)
        return self._told(table, zone, self._last[zone])

    def read_again(self, table: RegisteredImage, zone: DiceTray, same: Mask | None, glance: Glance) -> TraySeen:
        """Returns a further look at the last picture; the first one where a tray was not read before."""
        if zone not in self._last:
            return self.read(table, zone, same, glance)
        tracks = self._tracks[zone].again(_dice(table, zone, self.taught), same)
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

    def confirm_position(self, position: Layout) -> None:
        """Notes that the last reading shows `position`: from now on "dice.moved" holds the rolled dice.

        A roll whose dice were all read teaches their looks, once.
        """
        for zone, memory in self._memories.items():
            dice, before = memory.seen, self._learned_from.get(zone, ())
            faces = [one.piece.face for one in position.heaps.get(zone.spot, ()) if isinstance(one.piece, Die)]
            fresh = [dice[j] for j in rolls(before, dice).rolled]
            if fresh and len(dice) == len(faces):
                self.taught = taught_by_roll(self.taught, dice, faces)
                self._learned_from[zone] = dice
            memory.confirm_position()


def _dice(table: RegisteredImage, zone: DiceTray, taught: TaughtDice) -> list[Lying[SeenDie]]:
    """Returns the dice of a tray."""
    dice = (die for die in read_dice(table, zone.outline_mm, taught=taught) if _inside(die, zone))
    return [
        lying(die, die.sighting, Lie(die.place.x_mm, die.place.y_mm), die.candidate.corners_mm(), table.pose)
        for die in dice
    ]


def _sightings(tracks: Sequence[Track[Lying[SeenDie]]]) -> tuple[Detection, ...]:
    return tuple(replace(track.found.sighting, place=track.keys[0], glimpsed=bool(track.glimpsed)) for track in tracks)


def _out_of_sight(followed: Followed[Lying[SeenDie]]) -> tuple[frozenset[str], Mapping[str, Uncovered]]:
    """Returns places that are hidden, and those that came to light."""
    hidden = frozenset(track.keys[0] for track in followed.covered)
    return hidden, {one.track.keys[0]: one.how for one in followed.uncovered}


def _inside(die: SeenDie, zone: DiceTray) -> bool:
    if zone.outline_mm is None:
        return True
    outline = np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, (die.place.x_mm, die.place.y_mm), True) > -_REACH_MM
