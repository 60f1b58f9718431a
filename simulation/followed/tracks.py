"""Follows things from picture to picture by their places and by changes, as `vision.memory.tracks` does.

The rules are those of the real eyes, with a map of labels in place of a picture. Things in unchanged places keep their
keys, and new things get new ones. Things that cannot be seen because something is over or before them are hidden, and
things that come to light there are uncovered. The constants repeat those of `vision.memory.tracks`,
`vision.memory.tracked_thing` and `vision.memory.cover`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from math import hypot
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection, Spot, Uncovered
from companion.core.pieces import SHAPES
from simulation.drawn.standing import Upright
from simulation.followed.view import GAP_PX, Floats, Labels, Mask, View
from vision.image.likeness import dilated
from vision.memory.tracked_thing import TOUCH_MM, overlap_mm

KEPT = 0.6
"""A place keeps its content if a smaller share of it than this has changed."""
NEAR_MM = 9.0
"""Two readings are of one thing if they are closer than this."""
SURE = 0.97
"""A reading that is present with a lower probability than this may have been something foreign."""
THERE = 0.998
"""The probability that something stands where any piece is read: a reader doubts which piece it is, hardly that there
is one.
"""
HALF = 0.5
"""A thing is taken to be replaced by others if the probability that there is room for it beside them is below this."""
EARLIER = 12
"""The number of earlier, different pictures that are remembered beside the first one."""
ENOUGH = 0.3
"""The least share of a place that must be in view to decide what shows there."""
FAR_MM = 80.0
"""Two things farther apart than this never touch."""
AROUND = 0.3
"""A side around a place has changed if at least this share of it has."""
_TURNS = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])


class Found(Struct, frozen=True):
    """The reading of one stack or lying thing in one look."""

    spot: Spot
    stand: Any
    """The place and shape of the thing: a `simulation.followed.view.Standing`."""
    levels: tuple[Detection, ...]
    """The readings of the levels, bottom to top."""

    rivals: tuple[Candidate, ...] = ()
    """Alternative stacks with more or fewer pieces."""
    presence: float = THERE
    """The probability that any piece of the game stands at this place."""

    @property
    def confidence(self) -> float:
        """The least confidence of its levels."""
        return min(level.confidence for level in self.levels)

    @property
    def pieces(self) -> tuple[Any, ...]:
        """The best readings of the levels, bottom to top."""
        return tuple(level.piece for level in self.levels)


class Track(Struct, frozen=True):
    """A thing that is followed."""

    keys: tuple[str, ...]
    """The keys of the levels, bottom to top."""
    found: Found


class FollowedThings(NamedTuple):
    """The followed things after a picture."""

    tracks: tuple[Track, ...]
    covered: tuple[Track, ...]
    """The things that stood there before and cannot be seen now."""
    uncovered: Mapping[str, Uncovered]
    """The key of each level that came to light, with the way in which it was hidden."""


class Tracks:
    """The followed things on one table."""

    def __init__(self, view: View, kind: str) -> None:
        """Prepares an empty table; keys begin with `kind`."""
        self._view = view
        self._kind = kind
        self._count = count(1)
        self._tracks: tuple[Track, ...] = ()
        self._covered: tuple[Track, ...] = ()
        self._fresh: frozenset[str] = frozenset()
        self._before: Labels | None = None
        """The map of the last picture."""
        self._earlier: list[tuple[Labels, tuple[Found, ...]]] = []
        """The remembered pictures, each with the things found there, the first picture first."""

    @property
    def fresh(self) -> frozenset[str]:
        """The keys that are new in the last picture."""
        return self._fresh

    def follow(self, found: Sequence[Found], labels: Labels) -> FollowedThings:
        """Updates the tracks with the reading of one picture, and returns them."""
        before = self._before
        same = None if before is None else np.asarray(before == labels, np.uint8)
        rest = list(found)
        known = {key for track in self._tracks for key in track.keys}
        tracks: list[Track] = []
        lost: list[Track] = []
        still: list[Track] = []
        for track in self._tracks:
            twin = _twin(track.found, rest)
            if twin is not None:
                rest.remove(twin)
            now = self._now(track, twin, same)
            (lost if now is None else tracks).append(track if now is None else now)
        for track in self._covered:
            twin = _twin(track.found, rest)
            if twin is None:
                still.append(track)
            else:
                rest.remove(twin)
                tracks.append(self._taken(track, twin))
        new = [Track(self._new(len(one.levels)), one) for one in rest]
        uncovered: dict[str, Uncovered] = {}
        for track in new:
            why = self._was_hidden(track.found, before, same)
            if why is not None:
                uncovered |= dict.fromkeys(track.keys, why)
        tracks += new
        self._fresh = frozenset(key for track in tracks for key in track.keys) - known
        standing = [track.found for track in tracks]
        covered = [track for track in lost if self._is_hidden(track.found, labels, standing)]
        kept = [track for track in still if self._is_still_covered(track.found, labels, same, standing)]
        self._tracks, self._covered = tuple(tracks), (*covered, *kept)
        self._before = labels
        if same is not None and same.all() and len(self._earlier) > 1:
            self._earlier.pop()
        self._earlier = [*self._earlier[:1], *[*self._earlier[1:], (labels, tuple(standing))][-EARLIER:]]
        return FollowedThings(self._tracks, self._covered, uncovered)

    def _now(self, track: Track, twin: Found | None, same: Mask | None) -> Track | None:
        """Returns the track with its present reading; None if its place is empty now."""
        if same is None:
            return None if twin is None else self._taken(track, twin)
        share = self._changed(track.found.stand, same)
        if twin is None:
            return track if share < KEPT else None
        if twin.pieces == track.found.pieces:
            surer = twin if twin.confidence > track.found.confidence or share >= KEPT else track.found
            return Track(track.keys, replace(surer, spot=twin.spot, stand=twin.stand))
        if share < KEPT and not self._is_built(track.found, twin, same):
            return track
        return self._taken(track, twin)

    def _taken(self, track: Track, twin: Found) -> Track:
        """Returns the track of a new reading of a place; the lowest levels keep their keys as far as their pieces are
        unchanged.
        """
        keys = []
        for key, old, new in zip(track.keys, track.found.levels, twin.levels, strict=False):
            if old.piece != new.piece:
                break
            keys.append(key)
        return Track((*keys, *self._new(len(twin.levels) - len(keys))), twin)

    def _is_built(self, before: Found, now: Found, same: Mask) -> bool:
        """True if the two readings differ in height only, and the picture has changed in the levels that were added or
        removed.

        The color of a base may be read differently once something stands on it.
        """
        old, new = ([getattr(piece, "size", piece) for piece in one.pieces] for one in (before, now))
        alike = 0
        while alike < min(len(old), len(new)) and old[alike] == new[alike]:
            alike += 1
        if alike < min(len(old), len(new)) or len(old) == len(new):
            return False
        taller = now if len(new) > len(old) else before
        return self._changed(taller.stand, same, min(alike, len(taller.stand.pieces) - 1)) >= KEPT

    def _changed(self, stand: Any, same: Mask, since_level: int = 0) -> float:
        """Returns the share of the visible part of a thing in which the picture has changed."""
        mask = self._view.mask(stand, since_level)
        seen = mask if self._before is None else mask & self._view.visible(stand, self._before)
        mask = seen if seen.any() else mask
        whole = int(mask.sum())
        return 1.0 if not whole else 1 - int((mask & same).sum()) / whole

    def _was_hidden(self, found: Found, before: Labels | None, same: Mask | None) -> Uncovered | None:
        """Returns how the place of a new thing was hidden in the picture before; None if it was in view, or had no room
        there.
        """
        if before is None or same is None:
            return None
        known = [track.found for track in self._tracks]
        room = _room(found, [*known, *(track.found for track in self._covered)])
        if room <= 1 - SURE:
            return None
        around = self._is_changed_around(found.stand, same)
        shown = self._shown(found, before, [one for one in known if not around or one.presence > SURE])
        if shown not in ("behind", "foreign"):
            return None
        free = sum(
            _room(found, standing) == 1 and self._shown(found, labels, standing) == "free"
            for labels, standing in self._earlier
        )
        return Uncovered("piece" if shown == "behind" else "foreign", free, room)

    def _is_hidden(self, found: Found, now: Labels, standing: Sequence[Found]) -> bool:
        """True if something is in front of the earlier place of a thing.

        The real eyes err if the cover is foreign: if little has changed around the place, or no table is in view beside
        it, they report that the thing has gone. These eyes never do.
        """
        if _room(found, standing) < HALF:
            return False
        place = self._view.mask(found.stand)
        return int((place & (now == 0)).sum()) < ENOUGH * int(place.sum())

    def _is_still_covered(self, found: Found, now: Labels, same: Mask | None, standing: Sequence[Found]) -> bool:
        if same is not None and self._changed(found.stand, same) < KEPT:
            return True
        return self._is_hidden(found, now, standing)

    def _shown(
        self, found: Found, there: Labels, standing: Sequence[Found]
    ) -> Literal["free", "foreign", "behind", "unclear"]:
        """Returns what a map shows at the place of a thing, as `vision.memory.cover.shown_at` does for a picture."""
        mask = self._view.mask(found.stand)
        far = self._view.distance_mm(found.stand)
        near, back = np.zeros_like(mask), np.zeros_like(mask)
        for one in standing:
            (back if self._view.distance_mm(one.stand) > far else near)[self._view.outline(one.stand) > 0] = 1
        whole = int(mask.sum())
        ring = self._view.ring(found.stand) & (1 - (near | back))
        if not whole or int(ring.sum()) < whole // 4:
            return "unclear"
        through = int((mask & back & (1 - near)).sum())
        if whole - through < ENOUGH * whole:
            return "free"
        place = mask & (1 - (near | back))
        left = int(place.sum())
        if left < ENOUGH * (whole - through):
            return "behind"
        return "foreign" if int((place & (there != 0)).sum()) > left / 2 else "free"

    def _is_changed_around(self, stand: Any, same: Mask) -> bool:
        """True if the picture has changed on at least three sides of a thing."""
        place = self._view.mask(stand)
        ring = dilated(place, GAP_PX + 2) - dilated(place, GAP_PX)
        ys, xs = np.nonzero(ring)
        inside_y, inside_x = np.nonzero(place)
        if not len(ys) or not len(inside_y):
            return False
        sides = 2 * (ys > inside_y.mean()) + (xs > inside_x.mean())
        changed = [float(1 - same[ys[sides == k], xs[sides == k]].mean()) for k in range(4) if (sides == k).any()]
        return sum(share >= AROUND for share in changed) >= 3

    def _new(self, number: int) -> tuple[str, ...]:
        return tuple(f"{self._kind}{next(self._count)}" for _ in range(number))


def _twin(before: Found, found: Sequence[Found]) -> Found | None:
    """Returns the new reading of the same place; None if there is none."""
    x, y = before.stand.place_mm
    nearest = min(found, key=lambda one: hypot(one.stand.place_mm[0] - x, one.stand.place_mm[1] - y), default=None)
    if nearest is None:
        return None
    place = nearest.stand.place_mm
    return nearest if hypot(place[0] - x, place[1] - y) < NEAR_MM else None


def _room(found: Found, standing: Sequence[Found]) -> float:
    """Returns the probability that there is room for a thing beside others, given the probabilities that those are
    present.
    """
    room = 1.0
    x, y = found.stand.place_mm
    mine = footprint_mm(found.stand)
    for one in standing:
        a, b = one.stand.place_mm
        if hypot(a - x, b - y) < FAR_MM and overlap_mm(mine, footprint_mm(one.stand)) > TOUCH_MM:
            room *= 1 - one.presence
    return room


def footprint_mm(stand: Any) -> Floats:
    """Returns (N, 2): corners of the area that a thing surely covers on the table; for upright pyramids the circle
    within the base.
    """
    points = stand.solids()[0]
    if isinstance(stand, Upright):
        return np.asarray(_CIRCLE * SHAPES[stand.pieces[0].size].base_mm / 2 + stand.place_mm)
    hull = cv2.convexHull(points[:, :2].astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)
