"""Things followed from picture to picture by where they stand and what has changed, as `vision.memory.tracks` follows them.

The rules are those of the real eyes, with a map of what is seen in place of a picture: what stands where nothing has
changed keeps its keys, what comes has new ones, what cannot be seen because something is over or before it is hidden,
and what comes to light where that was is uncovered. The constants repeat those of `vision.memory.tracks` and `vision.memory.cover`.
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
"""A place of which less has changed shows what it showed."""
NEAR_MM = 9.0
"""Two readings no farther apart than this are of one thing."""
SURE = 0.97
"""What is less surely there may have been something foreign."""
THERE = 0.998
"""How surely something stands where anything of the game is read: a reader doubts what it is, hardly that it is."""
HALF = 0.5
"""What more likely than not stands where another thing stood has taken its place."""
EARLIER = 12
"""So many earlier pictures that differ are remembered, beside the first one."""
ENOUGH = 0.3
"""Of a place behind other things so much must be in view to say what shows there."""
FAR_MM = 80.0
"""Two things farther apart than this never touch."""
AROUND = 0.3
"""A side of a place has changed too if so much of it has."""
_TURNS = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])


class Found(Struct, frozen=True):
    """One stack or lying thing as a look reads it."""

    spot: Spot
    stand: Any
    """Where it stands and what hides it: a `simulation.followed.view.Standing`."""
    levels: tuple[Detection, ...]
    """What each level reads as, from the lowest up."""

    rivals: tuple[Candidate, ...] = ()
    """Other stacks that it may be, of more or fewer pieces."""
    presence: float = THERE
    """Probability that anything of the game stands there."""

    @property
    def confidence(self) -> float:
        """How surely all of it is read."""
        return min(level.confidence for level in self.levels)

    @property
    def pieces(self) -> tuple[Any, ...]:
        """Best readings from the lowest level up."""
        return tuple(level.piece for level in self.levels)


class Track(Struct, frozen=True):
    """One thing that is followed."""

    keys: tuple[str, ...]
    """One for each level, from the lowest up."""
    found: Found


class FollowedThings(NamedTuple):
    """What a picture shows, beside what earlier pictures showed."""

    tracks: tuple[Track, ...]
    covered: tuple[Track, ...]
    """What stood there before and cannot be seen now."""
    uncovered: Mapping[str, Uncovered]
    """By the key of each level, what came to light."""


class Tracks:
    """What is followed on one table."""

    def __init__(self, view: View, kind: str) -> None:
        """`kind` begins the keys."""
        self._view = view
        self._kind = kind
        self._count = count(1)
        self._tracks: tuple[Track, ...] = ()
        self._covered: tuple[Track, ...] = ()
        self._fresh: frozenset[str] = frozenset()
        self._before: Labels | None = None
        """The map of the last picture."""
        self._earlier: list[tuple[Labels, tuple[Found, ...]]] = []
        """The pictures that are remembered, each with what stood there, the first one first."""

    @property
    def fresh(self) -> frozenset[str]:
        """Keys that the last picture brought."""
        return self._fresh

    def follow(self, found: Sequence[Found], labels: Labels) -> FollowedThings:
        """Take the reading of one picture in."""
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
        """Returns the thing that stands there now; None if the place is empty."""
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
        """Returns a new reading of a place; the lowest levels keep their keys as far as they read as before."""
        keys = []
        for key, old, new in zip(track.keys, track.found.levels, twin.levels, strict=False):
            if old.piece != new.piece:
                break
            keys.append(key)
        return Track((*keys, *self._new(len(twin.levels) - len(keys))), twin)

    def _is_built(self, before: Found, now: Found, same: Mask) -> bool:
        """True if just the part of a stack has changed by which the two readings differ in their sizes.

        A base may well read otherwise once something stands on it.
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
        """Returns the share of what was seen of a thing in which the picture has changed."""
        mask = self._view.mask(stand, since_level)
        seen = mask if self._before is None else mask & self._view.visible(stand, self._before)
        mask = seen if seen.any() else mask
        whole = int(mask.sum())
        return 1.0 if not whole else 1 - int((mask & same).sum()) / whole

    def _was_hidden(self, found: Found, before: Labels | None, same: Mask | None) -> Uncovered | None:
        """Returns how the place of a new thing was hidden in the picture before; None if it was in view, or had no
        room.
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
        """True if something is in front of where a thing was.

        The real eyes err where that is something foreign: if little has changed around the place, or no table is in
        view beside it, they say that the thing has gone. These eyes never do.
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
        """What a map shows at the place of a thing, as `vision.memory.cover.shown_at` says it of a picture."""
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
        """True if the picture has changed on three sides of a thing at least."""
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
    """Returns the new reading of the same place."""
    x, y = before.stand.place_mm
    nearest = min(found, key=lambda one: hypot(one.stand.place_mm[0] - x, one.stand.place_mm[1] - y), default=None)
    if nearest is None:
        return None
    place = nearest.stand.place_mm
    return nearest if hypot(place[0] - x, place[1] - y) < NEAR_MM else None


def _room(found: Found, standing: Sequence[Found]) -> float:
    """Probability that there is room for a thing beside others, as sure as those are there."""
    room = 1.0
    x, y = found.stand.place_mm
    mine = footprint_mm(found.stand)
    for one in standing:
        a, b = one.stand.place_mm
        if hypot(a - x, b - y) < FAR_MM and overlap_mm(mine, footprint_mm(one.stand)) > TOUCH_MM:
            room *= 1 - one.presence
    return room


def footprint_mm(stand: Any) -> Floats:
    """(N, 2) corners of the table that a thing takes up for sure: the circle within an upright pyramid's base."""
    points = stand.solids()[0]
    if isinstance(stand, Upright):
        return np.asarray(_CIRCLE * SHAPES[stand.pieces[0].size].base_mm / 2 + stand.place_mm)
    hull = cv2.convexHull(points[:, :2].astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)
