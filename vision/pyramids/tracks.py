"""Pyramids followed from picture to picture: what stood there before still stands where nothing has changed.

A reader that looks at a place anew may see something else in it, because a shadow has moved or a neighbor has gone. So
what was read first holds for as long as the picture of its place stays what it was, and each level keeps a key by which
those who remember the table know it again. What is not seen any more has gone if the bare table shows in its place; if
something else does, it is covered, and nobody can say.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import Piece
from vision.likeness import FLOOR, SHRINK, Glance, Mask, changed_share
from vision.pyramids.scene import Found

Floats = NDArray[Any]

KEPT = 0.6
"""A place of which less has changed shows what it showed. Of 3,888 places in recordings (plain, fading, coarse, moved)
that nobody touched 97.4 % change by less, of 416 at which something came 96.6 % by more (docs/matching.md)."""
NEAR_MM = 9.0
"""Two readings of one thing differ by at most so much; no two things stand closer than 11 mm."""
GAP_PX, RING_PX = 3, 8
"""The ring of table around a place begins and ends so far from it, in pixels of a small picture."""
REPLACED_MM = 14.0
"""Where another thing stands so near to where one stood, that one has gone."""
SURE = 0.97
"""What was read less surely may have been a cloth over something, and no piece."""
AROUND = 0.3
"""A side of a place has changed too if so much of it has."""
ENOUGH = 0.3
"""Of a place behind other things so much must be in view to say what shows there."""
ALIKE = 0.1
"""Log ratio within which a place looks like the table around it."""
PATTERNED = 0.08
"""A table whose light varies by this standard deviation of its logarithm has a pattern or a grain."""
PLAIN = 0.15
"""What varies by less than this share of the pattern around it is no part of that table."""


class Track(Struct, frozen=True):
    """One stack or lying piece that is followed."""

    keys: tuple[str, ...]
    """One for each level, from the lowest up."""
    found: Found
    was: tuple[Piece | None, ...] = ()
    """What stood there before the picture of its place changed; empty: nothing, or nothing has changed."""

    @property
    def pieces(self) -> tuple[Piece | None, ...]:
        """Best readings from the lowest level up."""
        return tuple(level.piece for level in self.found.levels)


class Followed(NamedTuple):
    """What a picture shows, beside what earlier pictures showed."""

    tracks: tuple[Track, ...]
    covered: tuple[Track, ...]
    """What stood there before and cannot be seen now."""
    uncovered: tuple[Track, ...]
    """What came to light where something foreign was before: it may have stood there all along."""


class Tracks:
    """What is followed on one table."""

    def __init__(self) -> None:
        self._tracks: tuple[Track, ...] = ()
        self._covered: tuple[Track, ...] = ()
        self._count = count(1)
        self._before: Glance | None = None
        self._fresh: frozenset[str] = frozenset()

    def follow(self, found: Sequence[Found], same: Mask | None, glance: Glance) -> Followed:
        """Take the reading of one picture in.

        :param same: where the picture is as it was in the one before; None: nothing is known of that.
        :param glance: the picture.
        """
        rest = list(found)
        pose = glance.pose
        known = {key for track in self._tracks for key in track.keys}
        tracks, lost, still = [], [], []
        for track in self._tracks:
            before = track.found.seen_by(pose)
            twin = _twin(before, rest)
            if twin is not None:
                rest.remove(twin)
            now = self._now(Track(track.keys, before, track.was), twin, same)
            if now is None:
                lost.append(track)
            else:
                tracks.append(now)
        for track in self._covered:
            twin = _twin(track.found, rest)
            if twin is None:
                still.append(track)
            else:
                rest.remove(twin)
                tracks.append(self._taken(track, twin))
        come = [one for one in rest if same is None or changed_share(same, one.outline_px) >= KEPT]
        new = [Track(self._new(len(one.levels)), one) for one in come]
        uncovered = [one for one in new if self._was_hidden(one.found, same, glance)]
        self._fresh = frozenset(key for one in tracks for key in one.keys) - known | {
            k for one in new for k in one.keys
        }
        tracks += new
        standing = [track.found for track in tracks]
        covered = [one for one in lost if self._is_hidden(one.found, same, glance, standing)]
        self._tracks = tuple(tracks)
        self._covered = (*covered, *[one for one in still if _is_foreign(one.found, glance, glance, standing)])
        self._before = glance
        return Followed(self._tracks, self._covered, tuple(uncovered))

    def again(self, found: Sequence[Found]) -> tuple[Track, ...]:
        """What the last picture shows if what came in it is read as a further look reads it.

        What the further look does not find is left out. Nothing of it is kept: who asked weighs both readings.
        """
        tracks, rest = [], list(found)
        for track in self._tracks:
            twin = _twin(track.found, rest)
            if twin is not None:
                rest.remove(twin)
            if not self._fresh.intersection(track.keys):
                tracks.append(track)
            elif twin is not None and len(twin.levels) == len(track.keys):
                tracks.append(Track(track.keys, twin, track.was))
        return tuple(tracks)

    def _is_hidden(self, found: Found, same: Mask | None, now: Glance, standing: Sequence[Found]) -> bool:
        """Whether something foreign is now where a thing was in the last picture."""
        if self._before is None or same is None or not _is_changed_around(found.seen_by(now.pose), same):
            return False
        return _is_foreign(found, now, self._before, standing)

    def _was_hidden(self, found: Found, same: Mask | None, now: Glance) -> bool:
        """Whether something foreign was in the last picture where a thing is now."""
        if self._before is None or same is None or not _is_changed_around(found, same):
            return False
        known = [track.found for track in self._tracks if track.found.confidence > SURE]
        return _is_foreign(found, self._before, now, known)

    def _now(self, track: Track, twin: Found | None, same: Mask | None) -> Track | None:
        """What stands there now; None if nothing does."""
        if same is None:
            return None if twin is None else self._taken(track, twin)
        share = changed_share(same, track.found.outline_px)
        if twin is None:
            return track if share < KEPT else None
        reading = Track(track.keys, twin)
        if reading.pieces == track.pieces:
            surer = twin if twin.confidence > track.found.confidence else track.found
            return Track(track.keys, surer, track.was)
        if share < KEPT and not _is_built(track.found, twin, same):
            return track
        return self._taken(track, twin)

    def _taken(self, track: Track, twin: Found) -> Track:
        """A new reading of a place; the lowest levels keep their keys as far as they read as before."""
        keys = []
        for key, old, new in zip(track.keys, track.found.levels, twin.levels, strict=False):
            if old.piece != new.piece or track.found.place.lies != twin.place.lies:
                break
            keys.append(key)
        return Track((*keys, *self._new(len(twin.levels) - len(keys))), twin, track.pieces)

    def _new(self, number: int) -> tuple[str, ...]:
        return tuple(f"p{next(self._count)}" for _ in range(number))


def _twin(track: Found, found: Sequence[Found]) -> Found | None:
    """The new reading of the same place."""
    near = [(np.hypot(one.place.x_mm - track.place.x_mm, one.place.y_mm - track.place.y_mm), one) for one in found]
    distance, nearest = min(near, key=lambda pair: float(pair[0]), default=(np.inf, None))
    return nearest if distance < NEAR_MM else None


def _is_built(before: Found, now: Found, same: Mask) -> bool:
    """Whether just that part of a stack has changed by which the two readings differ: pieces came on it or left it."""
    if before.place.lies or now.place.lies:
        return False
    old, new = before.place.sizes, now.place.sizes
    alike = 0
    while alike < min(len(old), len(new)) and old[alike] == new[alike]:
        alike += 1
    taller = now if len(new) > len(old) else before
    if alike < min(len(old), len(new)) or len(new) == len(old):
        return False
    return changed_share(same, taller.outline_px[alike:]) >= KEPT


def _is_changed_around(found: Found, same: Mask) -> bool:
    """Whether the picture has changed around a thing on three sides at least: a cloth is larger than what it covers.

    A thing that comes or goes changes its own place, and one side more by its shadow.
    """
    place = _drawn(found.outline_px, same.shape)
    ring = _dilated(place, GAP_PX + 2) - _dilated(place, GAP_PX)
    ys, xs = np.nonzero(ring)
    middle = found.outline_px.reshape(-1, 2).mean(axis=0) / SHRINK
    sides = 2 * (ys > middle[1]) + (xs > middle[0])
    changed = [float(1 - same[ys[sides == k], xs[sides == k]].mean()) for k in range(4) if (sides == k).any()]
    return sum(share >= AROUND for share in changed) >= 3


def _is_foreign(found: Found, there: Glance, bare: Glance, standing: Sequence[Found]) -> bool:
    """Whether a picture shows something foreign where a thing stands in another one: neither table nor other things.

    :param there: the picture in question; `bare`: the one in which the table around the thing is bare.
    :param standing: what else stands there in the picture in question.
    """
    near = (np.hypot(one.place.x_mm - found.place.x_mm, one.place.y_mm - found.place.y_mm) for one in standing)
    if any(distance < REPLACED_MM for distance in near):
        return False
    shape = there.small.shape[:2]
    place = _drawn(found.seen_by(there.pose).outline_px, shape)
    whole = int(place.sum())
    ring = _dilated(place, RING_PX) - _dilated(place, GAP_PX)
    for one in standing:
        other = _dilated(_drawn(one.seen_by(there.pose).outline_px, shape), 1)
        place[other > 0] = 0
        ring[other > 0] = 0
    if not whole or int(ring.sum()) < whole // 4:
        return False
    if int(place.sum()) < ENOUGH * whole:
        return True
    here = np.log(there.small[place > 0].astype(np.float32) + FLOOR)
    around = np.log(bare.small[ring > 0].astype(np.float32) + FLOOR)
    low, high = np.percentile(around, 5, axis=0) - ALIKE, np.percentile(around, 95, axis=0) + ALIKE
    middle = np.median(here, axis=0)
    if (middle < low).any() or (middle > high).any():
        return True
    pattern = float(around.std(axis=0).mean())
    return pattern > PATTERNED and float(here.std(axis=0).mean()) < PLAIN * pattern


def _dilated(mask: Mask, by_px: int) -> Mask:
    return np.asarray(cv2.dilate(mask, np.ones((2 * by_px + 1, 2 * by_px + 1), np.uint8)), np.uint8)


def _drawn(outlines_px: Floats, shape: tuple[int, int]) -> Mask:
    """(h, w) 1 inside of the hull of each level."""
    mask = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        hull = cv2.convexHull(((outline + 0.5) / SHRINK - 0.5).astype(np.float32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    return mask
