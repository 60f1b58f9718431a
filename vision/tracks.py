"""Things followed from picture to picture: what stood there before still stands where nothing has changed.

A reader that looks at a place anew may see something else in it, because a shadow has moved or a neighbor has gone. So
what was read first holds for as long as the picture of its place stays what it was, and each level keeps a key by which
those who remember the table know it again. What is not seen any more has gone if the bare table shows in its place; if
something else does, it is covered, and nobody can say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import count
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.layout import Sighting, Uncovered
from companion.pieces import Piece
from vision.cover import ALIKE, Shown, is_changed_around, shown_at
from vision.likeness import Glance, Mask, changed_share, unchanged_near
from vision.pose import Pose

Floats = NDArray[Any]

KEPT = 0.6
"""A place of which less has changed shows what it showed. Of 3,888 places in recordings (plain, fading, coarse, moved)
that nobody touched 97.4 % change by less, of 416 at which something came 96.6 % by more (docs/matching.md)."""
NEAR_MM = 9.0
"""Two readings of one thing differ by at most so much; no two things stand closer than 11 mm."""
TOUCH_MM = 3.0
"""Two things whose footprints would overlap by more cannot have stood there together: places are wrong by about a
millimeter each, and bases are beveled."""
STRANGE = 0.25
"""Log ratio to the table around by which a place was covered, where nothing changed beside it: 0.37 under a cloth, at
most 0.07 where a piece came, in the first turns of one recording of Spectra."""
SURE = 0.97
"""What was read less surely may have been a cloth over something, and no piece."""
HALF = 0.5
"""What more likely than not stands where another thing stood has taken its place."""
BARE = 0.4
"""Where less has changed since an earlier picture in which nothing stood there, nothing stands there now: the table's
pattern was read. Of 32 things that came to a checked cloth all had changed by 0.5 or more, 31 of them by 0.85 or more;
of 30 that were invented there 13 by less than this."""
EARLIER = 12
"""So many earlier pictures that differ are remembered, beside the first one, to see whether a place was ever free."""


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
    def presence(self) -> float:
        """Probability that it or something else that is followed stands there."""

    @property
    def outline_px(self) -> Floats:
        """(levels, N, 2) pixels of the picture."""

    @property
    def footprint_mm(self) -> Floats:
        """(N, 2) corners, in turn, of a convex part of the table that it takes up for sure."""

    def seen_by(self: T, pose: Pose) -> T:
        """The same thing as another pose sees it."""

    def folded(self: T, looks: Sequence[T], of: int) -> T:
        """The thing as several looks show it together: the likeliest of what they took it for.

        Probabilities are the means over all looks, so that what some did not find is less likely.

        :param looks: how it was read, at least once; `of`: the number of looks, those that did not find it included.
        """


T = TypeVar("T", bound=TrackedThing)


class Track(Struct, Generic[T], frozen=True):
    """One stack or lying piece that is followed."""

    keys: tuple[str, ...]
    """One for each level, from the lowest up."""
    found: T
    was: tuple[Piece | None, ...] = ()
    """What stood there before the picture of its place changed; empty: nothing, or nothing has changed."""
    named: str = ""
    """See `place`; empty: by its keys."""

    @property
    def place(self) -> str:
        """By what the whole of it is known again; further looks may see more or fewer levels in it."""
        return self.named or ",".join(self.keys)

    @property
    def pieces(self) -> tuple[Piece | None, ...]:
        """Best readings from the lowest level up."""
        return tuple(level.piece for level in self.found.levels)


class CameToLight(NamedTuple, Generic[T]):
    """A thing that is seen for the first time where the picture before could not show it."""

    track: Track[T]
    how: Uncovered


class Followed(NamedTuple, Generic[T]):
    """What a picture shows, beside what earlier pictures showed."""

    tracks: tuple[Track[T], ...]
    covered: tuple[Track[T], ...]
    """What stood there before and cannot be seen now."""
    uncovered: tuple[CameToLight[T], ...]
    """What came to light where the place was out of sight before: it may have stood there all along."""


class _Standing(Struct, Generic[T]):
    """One thing as the looks at one picture's table read it."""

    track: Track[T]
    """As the first look that found it read it."""
    is_fresh: bool
    """True if it or a level of it came with this picture, so that further looks read it anew."""
    was_known: bool
    """True if a level of it stood there before: then it is there, whatever further looks miss."""
    keys: tuple[str, ...]
    """For as many levels as any look has seen."""
    looks: tuple[T, ...]


class _Earlier(NamedTuple, Generic[T]):
    """A picture as it is remembered."""

    glance: Glance
    standing: tuple[T, ...]


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
        self._first: _Earlier[T] | None = None
        self._earlier: deque[_Earlier[T]] = deque(maxlen=EARLIER)
        self._standing: list[_Standing[T]] = []
        self._looks = 0
        """How often the last picture's table was looked at."""

    def follow(self, found: Sequence[T], same: Mask | None, glance: Glance) -> Followed[T]:
        """Take the reading of one picture in.

        :param same: where the picture is as it was in the one before; None: nothing is known of that.
        :param glance: the picture.
        """
        rest = [one for one in found if not self._is_bare(one, same, glance)]
        pose = glance.pose
        known = {key for track in self._tracks for key in track.keys}
        tracks, lost, still = [], [], []
        for track in self._tracks:
            before = track.found.seen_by(pose)
            twin = _twin(before, rest)
            if twin is not None:
                rest.remove(twin)
            now = self._now(Track(track.keys, before, track.was, track.named), twin, same)
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
        uncovered = [CameToLight(one, how) for one in new if (how := self._was_hidden(one.found, same, glance))]
        tracks += new
        self._looks = 1
        self._standing = [
            _Standing(one, not known.issuperset(one.keys), not known.isdisjoint(one.keys), one.keys, (one.found,))
            for one in tracks
        ]
        standing = [track.found for track in tracks]
        covered = [one for one in lost if self._is_hidden(one.found, same, glance, standing)]
        self._tracks = tuple(tracks)
        self._covered = (*covered, *[one for one in still if _is_still_covered(one.found, same, glance, standing)])
        self._before = glance
        self._keep(_Earlier(glance, tuple(standing)), same)
        return Followed(self._tracks, self._covered, tuple(uncovered))

    def again(self, found: Sequence[T], same: Mask | None) -> tuple[Track[T], ...]:
        """What a further look at the last picture's table shows: what came with that picture is read anew.

        Levels keep the keys that earlier looks gave them. What only later looks find is told, too. From here on the
        things are what all looks together show, and what fewer than half of them found is none.

        :param same: where the picture is as it was before the last one.
        """
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
            if self._before is not None and self._is_bare(late, same, self._before):
                continue
            if same is None or late.confidence > self._sure or changed_share(same, late.outline_px) >= KEPT:
                track = Track(self._new(len(late.levels)), late)
                self._standing.append(_Standing(track, True, False, track.keys, (late,)))
                seen.append(track)
        self._tracks = tuple(
            self._named(one, self._folded(one)) if one.is_fresh else one.track
            for one in self._standing
            if one.was_known or 2 * len(one.looks) >= self._looks
        )
        return tuple(seen)

    def _folded(self, one: _Standing[T]) -> T:
        """What the looks show of a thing, all of them if it need not be there."""
        return one.track.found.folded(one.looks, len(one.looks) if one.was_known else self._looks)

    def _named(self, one: _Standing[T], found: T) -> Track[T]:
        """A reading of a thing that earlier looks read."""
        return Track(one.keys[: len(found.levels)], found, one.track.was, one.track.place)

    def _keep(self, picture: _Earlier[T], same: Mask | None) -> None:
        """Remember a picture; it takes the place of the one before if it shows the same."""
        if self._first is None:
            self._first = picture
        elif self._earlier and same is not None and same.all():
            self._earlier[-1] = picture
        else:
            self._earlier.append(picture)

    def _is_hidden(self, found: T, same: Mask | None, now: Glance, standing: Sequence[T]) -> bool:
        """Whether something foreign is now where a thing was in the last picture."""
        if self._before is None or same is None or not is_changed_around(found.seen_by(now.pose).outline_px, same):
            return False
        return _is_covered(found, now, self._before, standing)

    def _was_hidden(self, found: T, same: Mask | None, now: Glance) -> Uncovered | None:
        """How the place of a thing that is seen now was hidden in the last picture; None if it was not."""
        if self._before is None or same is None:
            return None
        known = [track.found for track in self._tracks]
        room = _room(found, [*known, *(track.found for track in self._covered)])
        if room <= 1 - SURE:
            return None
        if is_changed_around(found.outline_px, same):
            shown = _shown(found, self._before, now, [one for one in known if one.presence > SURE])
        else:
            # A cloth no larger than what it covers: then its place must have looked very unlike the table.
            shown = _shown(found, self._before, now, known, STRANGE)
        if shown == "behind":
            return Uncovered("piece", self._seen_free(found, now), room)
        return Uncovered("foreign", self._seen_free(found, now), room) if shown == "foreign" else None

    def _is_bare(self, found: T, same: Mask | None, now: Glance) -> bool:
        """Whether the picture has changed where a thing is seen, back to what it showed when nothing stood there."""
        if same is None or changed_share(same, found.outline_px) < KEPT:
            return False
        earlier = [picture for picture in self._remembered() if picture.glance is not now]
        free = [picture for picture in earlier if _room(found, picture.standing) == 1]
        seen = (unchanged_near(picture.glance, now, found.outline_px) for picture in free)
        return any(near.same is not None and changed_share(near.same, near.outlines_px) < BARE for near in seen)

    def _remembered(self) -> tuple[_Earlier[T], ...]:
        return (*([] if self._first is None else [self._first]), *self._earlier)

    def _seen_free(self, found: T, now: Glance) -> int:
        """The number of earlier pictures that show the bare place of a thing, without the thing."""
        return sum(_was_free(found, picture, now) for picture in self._remembered())

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
            return Track(track.keys, surer, track.was, track.named)
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
    return _is_covered(found, now, now, standing)


def _is_covered(found: T, now: Glance, bare: Glance, standing: Sequence[T]) -> bool:
    """Whether a picture hides the place where a thing stood, and no other thing has taken it."""
    if _room(found, standing) < HALF:
        return False
    return _shown(found, now, bare, standing) in ("foreign", "behind")


def _was_free(found: T, picture: _Earlier[T], now: Glance) -> bool:
    """Whether an earlier picture shows the table where a thing stands now, and not the thing."""
    if _room(found, picture.standing) < 1:
        return False
    if _shown(found, picture.glance, picture.glance, picture.standing) != "free":
        return False
    near = unchanged_near(picture.glance, now, found.outline_px)
    if near.same is None or changed_share(near.same, near.outlines_px) < KEPT:
        return False
    return not is_changed_around(
        near.outlines_px, near.same
    )  # else a cloth may have lain there, which looks like itself


def _shown(found: T, there: Glance, bare: Glance, standing: Sequence[T], by: float = ALIKE) -> Shown:
    """What a picture shows where a thing stands in another one; see `vision.cover.shown_at`.

    :param standing: what else stands there in the picture in question.
    """
    eye = there.pose.eye_mm()[:2]
    nearer: list[Floats] = []
    farther: list[Floats] = []
    for one in standing:
        # A thing hides what is farther from the point of the table that lies right below the camera.
        is_farther = _distance_mm(one, eye) > _distance_mm(found, eye)
        (farther if is_farther else nearer).append(one.seen_by(there.pose).outline_px)
    return shown_at(found.seen_by(there.pose).outline_px, there, bare, nearer, farther, by)


def _distance_mm(found: TrackedThing, point_mm: Floats) -> float:
    return float(np.hypot(found.place.x_mm - point_mm[0], found.place.y_mm - point_mm[1]))


def _room(found: T, standing: Sequence[T]) -> float:
    """Probability that there is room for a thing beside others, as sure as those were read."""
    room = 1.0
    for one in standing:
        if overlap_mm(found.footprint_mm, one.footprint_mm) > TOUCH_MM:
            room *= 1 - one.presence
    return room


def overlap_mm(one_mm: Floats, other_mm: Floats) -> float:
    """How far one of two convex outlines (N, 2) must be pushed until they only touch; 0 if they are apart.

    By their separating axes: two convex outlines are apart if the direction of one of their sides shows them apart.
    """
    least = np.inf
    for outline in (one_mm, other_mm):
        sides = np.roll(outline, -1, axis=0) - outline
        normals = np.column_stack([-sides[:, 1], sides[:, 0]])
        normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-9)[:, None]
        ones, others = one_mm @ normals.T, other_mm @ normals.T
        depths = np.minimum(ones.max(axis=0) - others.min(axis=0), others.max(axis=0) - ones.min(axis=0))
        least = min(least, float(depths.min()))
    return max(0.0, least)


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
