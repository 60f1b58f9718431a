"""Things followed from picture to picture: what stood there before still stands where nothing has changed.

A reader that looks at a place anew may see something else in it, because a shadow has moved or a neighbor has gone. So
what was read first holds for as long as the picture of its place stays what it was, and each level keeps a key by which
those who remember the table know it again. What is not seen any more has gone if the bare table shows in its place; if
something else does, it is covered, and nobody can say.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.layout import Sighting
from companion.pieces import Piece
from vision.cover import ALIKE, is_changed_around, is_foreign
from vision.likeness import Glance, Mask, changed_share
from vision.pose import Pose

Floats = NDArray[Any]

KEPT = 0.6
"""A place of which less has changed shows what it showed. Of 3,888 places in recordings (plain, fading, coarse, moved)
that nobody touched 97.4 % change by less, of 416 at which something came 96.6 % by more (docs/matching.md)."""
NEAR_MM = 9.0
"""Two readings of one thing differ by at most so much; no two things stand closer than 11 mm."""
REPLACED_MM = 14.0
"""Where another thing stands so near to where one stood, that one has gone."""
STRANGE = 0.25
"""Log ratio to the table around by which a place was covered, where nothing changed beside it: 0.37 under a cloth, at
most 0.07 where a piece came, in the first turns of one recording of Spectra."""
SURE = 0.97
"""What was read less surely may have been a cloth over something, and no piece."""


class TrackedPlace(Protocol):
    """Where a thing stands."""

    @property
    def x_mm(self) -> float:
        """Its middle on the table."""

    @property
    def y_mm(self) -> float:
        """Its middle on the table."""

    @property
    def lies(self) -> bool:
        """Whether it lies flat, so that nothing is built on it."""

    @property
    def sizes(self) -> Sequence[object]:
        """What tells its levels apart, from the lowest up."""


class TrackedThing(Protocol):
    """What readers find: a stack of pieces, or a single one that lies."""

    @property
    def place(self) -> TrackedPlace:
        """Where it stands."""

    @property
    def levels(self) -> tuple[Sighting, ...]:
        """What it is, from the lowest level up."""

    @property
    def confidence(self) -> float:
        """Probability that it stands there in just this way."""

    @property
    def outline_px(self) -> Floats:
        """(levels, N, 2) pixels of the picture."""

    def seen_by(self: T, pose: Pose) -> T:
        """The same thing as another pose sees it."""


T = TypeVar("T", bound=TrackedThing)


class Track(Struct, Generic[T], frozen=True):
    """One stack or lying piece that is followed."""

    keys: tuple[str, ...]
    """One for each level, from the lowest up."""
    found: T
    was: tuple[Piece | None, ...] = ()
    """What stood there before the picture of its place changed; empty: nothing, or nothing has changed."""

    @property
    def pieces(self) -> tuple[Piece | None, ...]:
        """Best readings from the lowest level up."""
        return tuple(level.piece for level in self.found.levels)


class Followed(NamedTuple, Generic[T]):
    """What a picture shows, beside what earlier pictures showed."""

    tracks: tuple[Track[T], ...]
    covered: tuple[Track[T], ...]
    """What stood there before and cannot be seen now."""
    uncovered: tuple[Track[T], ...]
    """What came to light where something foreign was before: it may have stood there all along."""


class Tracks(Generic[T]):
    """What is followed on one table."""

    def __init__(self, kind: str, sure: float) -> None:
        """`kind` begins the keys, so that things of two kinds never share one.

        :param sure: what is read more surely is new even where the picture has not changed: it was overlooked before.
        """
        self._kind = kind
        self._sure = sure
        self._tracks: tuple[Track[T], ...] = ()
        self._covered: tuple[Track[T], ...] = ()
        self._count = count(1)
        self._before: Glance | None = None
        self._fresh: frozenset[str] = frozenset()

    def follow(self, found: Sequence[T], same: Mask | None, glance: Glance) -> Followed[T]:
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
        come = [
            one
            for one in rest
            if same is None or one.confidence > self._sure or changed_share(same, one.outline_px) >= KEPT
        ]
        new = [Track(self._new(len(one.levels)), one) for one in come]
        uncovered = [one for one in new if self._was_hidden(one.found, same, glance)]
        self._fresh = frozenset(key for one in tracks for key in one.keys) - known | {
            k for one in new for k in one.keys
        }
        tracks += new
        standing = [track.found for track in tracks]
        covered = [one for one in lost if self._is_hidden(one.found, same, glance, standing)]
        self._tracks = tuple(tracks)
        self._covered = (*covered, *[one for one in still if _is_still_covered(one.found, same, glance, standing)])
        self._before = glance
        return Followed(self._tracks, self._covered, tuple(uncovered))

    def again(self, found: Sequence[T]) -> tuple[Track[T], ...]:
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

    def _is_hidden(self, found: T, same: Mask | None, now: Glance, standing: Sequence[T]) -> bool:
        """Whether something foreign is now where a thing was in the last picture."""
        if self._before is None or same is None or not is_changed_around(found.seen_by(now.pose).outline_px, same):
            return False
        return _is_foreign(found, now, self._before, standing)

    def _was_hidden(self, found: T, same: Mask | None, now: Glance) -> bool:
        """Whether something foreign was in the last picture where a thing is now."""
        if self._before is None or same is None:
            return False
        if is_changed_around(found.outline_px, same):
            known = [track.found for track in self._tracks if track.found.confidence > SURE]
            return _is_foreign(found, self._before, now, known)
        # A cloth no larger than what it covers: then its place must have looked very unlike the table.
        return _is_foreign(found, self._before, now, [track.found for track in self._tracks], STRANGE)

    def _now(self, track: Track[T], twin: T | None, same: Mask | None) -> Track[T] | None:
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

    def _taken(self, track: Track[T], twin: T) -> Track[T]:
        """A new reading of a place; the lowest levels keep their keys as far as they read as before."""
        keys = []
        for key, old, new in zip(track.keys, track.found.levels, twin.levels, strict=False):
            if old.piece != new.piece or track.found.place.lies != twin.place.lies:
                break
            keys.append(key)
        return Track((*keys, *self._new(len(twin.levels) - len(keys))), twin, track.pieces)

    def _new(self, number: int) -> tuple[str, ...]:
        return tuple(f"{self._kind}{next(self._count)}" for _ in range(number))


def _is_still_covered(found: T, same: Mask | None, now: Glance, standing: Sequence[T]) -> bool:
    """Whether what covered a thing in the last picture still does: nothing has changed there, or nothing bare shows."""
    if same is not None and changed_share(same, found.seen_by(now.pose).outline_px) < KEPT:
        return True
    return _is_foreign(found, now, now, standing)


def _is_foreign(found: T, there: Glance, bare: Glance, standing: Sequence[T], by: float = ALIKE) -> bool:
    """Whether a picture shows something foreign where a thing stands in another one, and no other thing took its place.

    :param there: the picture in question; `bare`: the one in which the table around the thing is bare.
    :param standing: what else stands there in the picture in question. :param by: see `vision.cover.is_foreign`.
    """
    near = (np.hypot(one.place.x_mm - found.place.x_mm, one.place.y_mm - found.place.y_mm) for one in standing)
    if any(distance < REPLACED_MM for distance in near):
        return False
    outlines = [one.seen_by(there.pose).outline_px for one in standing]
    return is_foreign(found.seen_by(there.pose).outline_px, there, bare, outlines, by)


def _twin(track: T, found: Sequence[T]) -> T | None:
    """The new reading of the same place."""
    near = [(np.hypot(one.place.x_mm - track.place.x_mm, one.place.y_mm - track.place.y_mm), one) for one in found]
    distance, nearest = min(near, key=lambda pair: float(pair[0]), default=(np.inf, None))
    return nearest if distance < NEAR_MM else None


def _is_built(before: T, now: T, same: Mask) -> bool:
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
