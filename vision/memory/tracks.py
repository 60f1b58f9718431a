"""Tracks things from picture to picture: at unchanged places the earlier things still stand.

A reader that looks at a place again may see something else in it, because a shadow has moved or a neighbor has gone. So
the first reading holds while the picture of its place is unchanged, and each level keeps a key by which the referee
recognizes it. A thing that is no longer visible has gone if its place shows the bare table; otherwise it is covered,
and its state is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Uncovered
from companion.core.pieces import Piece
from vision.image.likeness import Glance, Mask
from vision.image.pose import Pose
from vision.memory.cover import is_changed_around
from vision.memory.earlier_pictures import KEPT, EarlierPictures
from vision.memory.tracked_thing import TrackedThing, changed_in_view, has_gone_behind, room_for, shown_where

T = TypeVar("T", bound=TrackedThing)

NEAR_MM = 9.0
"""The largest distance in millimeters between two readings of one thing; different things are at least 11 mm apart."""
PLAINLY = 0.75
"""A thing that a smaller share of the looks at one table showed was only glimpsed: in one or two of three. Chosen."""
HALF = 0.5
"""The probability from which a thing at another thing's place has replaced it."""


class Track(Struct, Generic[T], frozen=True):
    """A stack or a lying piece that is tracked."""

    keys: tuple[str, ...]
    """One key for each level, from the lowest up."""
    found: T
    was: tuple[Piece | None, ...] = ()
    """The things there before the picture of the place changed; empty if there were none, or without a change."""
    named: str = ""
    """The name of the whole; if empty, `place` joins the keys."""
    glimpsed: frozenset[str] = frozenset()
    """The keys that too few of the looks at one table showed (`PLAINLY`), while the place is unchanged."""

    @property
    def place(self) -> str:
        """The name of the whole, by which it is recognized; further looks may see more or fewer levels in it."""
        return self.named or ",".join(self.keys)

    @property
    def pieces(self) -> tuple[Piece | None, ...]:
        """The best readings from the lowest level up."""
        return tuple(level.piece for level in self.found.levels)


class CameToLight(NamedTuple, Generic[T]):
    """A thing that is visible for the first time at a place which the previous picture could not show."""

    track: Track[T]
    how: Uncovered


class Followed(NamedTuple, Generic[T]):
    """The things of a picture, including those from earlier pictures."""

    tracks: tuple[Track[T], ...]
    covered: tuple[Track[T], ...]
    """The earlier things that are hidden now."""
    uncovered: tuple[CameToLight[T], ...]
    """The things that became visible at places that were hidden before; they may have stood there all along."""


class _Standing(Struct, Generic[T]):
    """A thing as the looks at one picture's table read it."""

    track: Track[T]
    """The reading of the first look that found it."""
    is_fresh: bool
    """True if the thing or one of its levels came with this picture, so that further looks read it anew."""
    known: int
    """The number of its lowest levels that stood there before: they stay, even if further looks miss them."""
    keys: tuple[str, ...]
    """The keys of as many levels as any look has seen."""
    looks: tuple[T, ...]


class Tracks(Generic[T]):
    """The tracked things of one table."""

    def __init__(self, kind: str, sure: float) -> None:
        """Args:
        kind: The prefix of the keys, so that things of two kinds never share one.
        sure: A reading with a higher confidence is new even at an unchanged place, because it was overlooked
            before.
        """
        self._kind = kind
        self._sure = sure
        self._tracks: tuple[Track[T], ...] = ()
        self._covered: tuple[Track[T], ...] = ()
        self._count = count(1)
        self._earlier: EarlierPictures[T] = EarlierPictures()
        self._standing: list[_Standing[T]] = []
        self._looks = 0
        """The number of looks at the last picture's table."""

    def follow(self, found: Sequence[T], same: Mask | None, glance: Glance) -> Followed[T]:
        """Takes the reading of one picture.

        Args:
            same: The part of the picture that is as in the previous one; None: unknown.
            glance: The picture.
        """
        rest = [one for one in found if not self._is_bare(one, same, glance, found)]
        pose = glance.pose
        before = [track.found.seen_by(pose) for track in self._tracks]
        known = {key for track in self._tracks for key in track.keys}
        tracks, lost, still = [], [], []
        for track, stood in zip(self._tracks, before, strict=True):
            twin = _twin(stood, rest)
            if twin is not None:
                rest.remove(twin)
            now = self._now(replace(track, found=stood), twin, same, pose, before)
            if now is None:
                lost.append(track)
            else:
                tracks.append(now)
                known -= track.glimpsed - now.glimpsed
        for track in self._covered:
            twin = _twin(track.found, rest)
            if twin is None:
                still.append(track)
            else:
                rest.remove(twin)
                tracks.append(self._taken(track, twin))
        seen = [*(track.found for track in tracks), *rest]
        new = [Track(self._new(len(one.levels)), one) for one in rest if self._has_come(one, same, pose, seen)]
        tracks += new
        self._looks = 1
        self._standing = [
            _Standing(one, not known.issuperset(one.keys), len(known & set(one.keys)), one.keys, (one.found,))
            for one in tracks
        ]
        standing = [track.found for track in tracks]
        hidden = [track.found for track in self._covered]
        uncovered = [
            CameToLight(one, how)
            for one in new
            if (how := self._earlier.hiding(one.found, same, glance, hidden, standing))
        ]
        covered = [one for one in lost if self._is_hidden(one.found, same, glance, before, standing)]
        self._tracks = tuple(tracks)
        self._covered = (
            *covered,
            *[one for one in still if _is_still_covered(one.found, same, glance, before, standing)],
        )
        self._earlier.keep(glance, standing, same)
        return Followed(self._tracks, self._covered, tuple(uncovered))

    def again(self, found: Sequence[T], same: Mask | None) -> tuple[Track[T], ...]:
        """Takes a further look at the last picture's table: new things are read again.

        Levels keep the keys of earlier looks. Things that only later looks find count, too. From here on the things are
        the combination of all looks. A thing that fewer than half of them found is none, and one that not all found
        gets no surer while its place is unchanged.

        Args:
            same: The part of the picture that is as before the last one.
        """
        now = self._earlier.last
        if now is None:
            return ()
        self._looks += 1
        rest, seen = list(found), []
        for one in self._standing:
            twin = _twin(one.track.found, rest)
            if twin is not None:
                rest.remove(twin)
            if not one.is_fresh:
                seen.append(one.track)
            elif twin is not None:
                one.keys += self._new(len(twin.levels) - len(one.keys))
                one.looks += (twin,)
                seen.append(self._named(one, twin))
        for late in rest:
            if not self._is_bare(late, same, now, found) and self._has_come(late, same, now.pose, found):
                track = Track(self._new(len(late.levels)), late)
                self._standing.append(_Standing(track, True, 0, track.keys, (late,)))
                seen.append(track)
        self._tracks = tuple(
            self._together(one) if one.is_fresh else one.track
            for one in self._standing
            if one.known or 2 * len(one.looks) >= self._looks
        )
        self._earlier.correct([track.found for track in self._tracks])
        return tuple(seen)

    def _together(self, one: _Standing[T]) -> Track[T]:
        """Returns the combination of a thing's readings in the looks; all looks count if it may be absent."""
        found = one.track.found.folded(one.looks, len(one.looks) if one.known else self._looks)
        shown = {key: sum(len(look.levels) > at for look in one.looks) for at, key in enumerate(one.keys)}
        missed = {key for key in one.keys[one.known : len(found.levels)] if shown[key] < PLAINLY * self._looks}
        return replace(self._named(one, found), glimpsed=one.track.glimpsed | missed)

    def _named(self, one: _Standing[T], found: T) -> Track[T]:
        """Returns a reading of a thing that earlier looks read."""
        return Track(one.keys[: len(found.levels)], found, one.track.was, one.track.place)

    def _has_come(self, found: T, same: Mask | None, pose: Pose, standing: Sequence[T]) -> bool:
        """True if the picture has changed where a thing is seen, or if the thing was plainly overlooked before."""
        if same is None or found.confidence > self._sure:
            return True
        return changed_in_view(found, same, pose, standing) >= KEPT

    def _is_bare(self, found: T, same: Mask | None, now: Glance, standing: Sequence[T]) -> bool:
        """Returns true if the picture has changed back to the free table where a thing is seen."""
        if same is None or changed_in_view(found, same, now.pose, standing) < KEPT:
            return False
        return self._earlier.show_bare(found, now, standing)

    def _is_hidden(self, found: T, same: Mask | None, now: Glance, before: Sequence[T], standing: Sequence[T]) -> bool:
        """True if something is now in front of the place of a thing from the last picture, or over it.

        Args:
            before: The things on the table in the last picture.
            standing: The things there now.
        """
        bare = self._earlier.last
        if bare is None or same is None or room_for(found, standing) < HALF:
            return False
        if has_gone_behind(found, now, before, standing):
            return True
        around = is_changed_around(found.seen_by(now.pose).outline_px, same)
        return around and shown_where(found, now, bare, standing) in ("foreign", "behind")

    def _now(
        self, track: Track[T], twin: T | None, same: Mask | None, pose: Pose, before: Sequence[T]
    ) -> Track[T] | None:
        """Returns the thing that stands there now; None if the place is empty.

        Args:
            before: What stood on the table in the last picture, as `pose` sees it.
        """
        if same is None:
            return None if twin is None else self._taken(track, twin)
        share = changed_in_view(track.found, same, pose, before)
        if twin is None:
            return track if share < KEPT else None
        reading = Track(track.keys, twin)
        if reading.pieces == track.pieces:
            if track.glimpsed and share < KEPT:
                return track
            surer = twin if twin.confidence > track.found.confidence else track.found
            return Track(track.keys, surer, track.was, track.named)
        if share >= KEPT:
            return self._taken(track, twin)
        if not _is_built(track.found, twin, same, pose, before):
            return track
        built = self._taken(track, twin)
        return replace(built, glimpsed=track.glimpsed & set(built.keys))

    def _taken(self, track: Track[T], twin: T) -> Track[T]:
        """Returns the track with a new reading of its place; the lowest levels keep their keys as long as their
        readings agree.
        """
        keys = []
        for key, old, new in zip(track.keys, track.found.levels, twin.levels, strict=False):
            if old.piece != new.piece or track.found.place.lies != twin.place.lies:
                break
            keys.append(key)
        fresh = self._new(len(twin.levels) - len(keys))
        return Track((*keys, *fresh), twin, track.pieces)

    def _new(self, number: int) -> tuple[str, ...]:
        return tuple(f"{self._kind}{next(self._count)}" for _ in range(number))


def _is_still_covered(found: T, same: Mask | None, now: Glance, before: Sequence[T], standing: Sequence[T]) -> bool:
    """True if a thing that was covered in the last picture still is: its place is unchanged, or not bare.

    Args:
        before: The things of the last picture.
        standing: The things now.
    """
    if same is not None and changed_in_view(found.seen_by(now.pose), same, now.pose, before) < KEPT:
        return True
    return room_for(found, standing) >= HALF and shown_where(found, now, now, standing) in ("foreign", "behind")


def _twin(track: T, found: Sequence[T]) -> T | None:
    """Returns the new reading of the same place; None without one."""
    near = [(np.hypot(one.place.x_mm - track.place.x_mm, one.place.y_mm - track.place.y_mm), one) for one in found]
    distance, nearest = min(near, key=lambda pair: float(pair[0]), default=(np.inf, None))
    return nearest if distance < NEAR_MM else None


def _is_built(before: T, now: T, same: Mask, pose: Pose, standing: Sequence[T]) -> bool:
    """True if exactly that part of a stack has changed by which two readings differ: pieces were added or removed."""
    if before.place.lies or now.place.lies:
        return False
    old, new = before.place.sizes, now.place.sizes
    alike = 0
    while alike < min(len(old), len(new)) and old[alike] == new[alike]:
        alike += 1
    taller = now if len(new) > len(old) else before
    if alike < min(len(old), len(new)) or len(new) == len(old):
        return False
    return changed_in_view(taller, same, pose, standing, alike) >= KEPT
