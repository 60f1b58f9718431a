"""The things that `vision.memory.tracks` follows, for all kinds of pieces, and what is visible at their places.

Bodies take up room and hide the things behind them. That limits their possible places and visible parts. A cloth, a
sleeve or a mug is larger than the pieces under it, so the picture changes on all sides of them, and the place looks
different from the table around it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Piece
from vision.image.likeness import FLOOR, SHRINK, Glance, Mask, changed_within, dilated, drawn
from vision.image.pose import Pose

Floats = NDArray[Any]
Shown = Literal["free", "foreign", "behind", "unclear"]
""""free": the table or farther things are visible, so no piece stood there; "foreign": neither table nor known things;
"behind": a known thing is in front of the place; "unclear": too little of the table around it is in view.
"""

GAP_PX, RING_PX = 3, 8
"""The inner and outer distance of the ring of table around a place, in pixels of a small picture."""
AROUND = 0.3
"""The changed share from which a side of a place has changed."""
ENOUGH = 0.3
"""The least visible share of a place behind other things for an answer."""
ALIKE = 0.1
"""The log ratio within which a place looks like the table around it."""
RIM = 0.15
"""If less than this share of a thing is visible, a neighbor's shadow may reach it: then the whole thing counts.
Chosen.
"""
PATTERNED = 0.08
"""A table whose logarithm of light has at least this standard deviation has a pattern or a grain."""
PLAIN = 0.15
"""A place whose variation is below this share of the pattern around it is not part of that table."""


def is_changed_around(outline_px: Floats, same: Mask) -> bool:
    """Returns true if the picture has changed around a thing on three sides at least: a cloth is larger than the pieces
    under it.

    A thing that comes or goes changes its own place, and one side more by its shadow.

    Args:
        outline_px: (levels, N, 2), pixels of the picture.
        same: (h, w) 1 where nothing has changed.
    """
    place = drawn(outline_px, same.shape)
    ring = dilated(place, GAP_PX + 2) - dilated(place, GAP_PX)
    ys, xs = np.nonzero(ring)
    middle = outline_px.reshape(-1, 2).mean(axis=0) / SHRINK
    sides = 2 * (ys > middle[1]) + (xs > middle[0])
    changed = [float(1 - same[ys[sides == k], xs[sides == k]].mean()) for k in range(4) if (sides == k).any()]
    return sum(share >= AROUND for share in changed) >= 3


def shown_at(
    outline_px: Floats,
    there: Glance,
    bare: Glance,
    nearer: Sequence[Floats],
    farther: Sequence[Floats],
    by: float = ALIKE,
) -> Shown:
    """Returns the content of a picture at the place where a thing stands in another one.

    Args:
        outline_px: (levels, N, 2) of the thing as the picture in question sees it.
        there: The picture in question; `bare`: the one in which the table around the thing is bare.
        nearer: Outlines of known things of the picture in question that stand nearer to the camera than the thing;
            `farther`: of those that stand farther away, which the thing would hide.
        by: Log ratio by which the place must differ from the table around it to look foreign.
    """
    shape = there.small.shape[:2]
    place = drawn(outline_px, shape)
    whole = int(place.sum())
    ring = dilated(place, RING_PX) - dilated(place, GAP_PX)
    front, back = (_union(outlines, shape) for outlines in (nearer, farther))
    ring[(front | back) > 0] = 0
    if not whole or int(ring.sum()) < whole // 4:
        return "unclear"
    through = int((place & back & (1 - front)).sum())
    if whole - through < ENOUGH * whole:
        return "free"
    place[(front | back) > 0] = 0
    if int(place.sum()) < ENOUGH * (whole - through):
        return "behind"
    here = np.log(there.small[place > 0].astype(np.float32) + FLOOR)
    around = np.log(bare.small[ring > 0].astype(np.float32) + FLOOR)
    low, high = np.percentile(around, 5, axis=0) - by, np.percentile(around, 95, axis=0) + by
    middle = np.median(here, axis=0)
    if (middle < low).any() or (middle > high).any():
        return "foreign"
    pattern = float(around.std(axis=0).mean())
    smooth = by == ALIKE and pattern > PATTERNED and float(here.std(axis=0).mean()) < PLAIN * pattern
    return "foreign" if smooth else "free"


def in_view(outline_px: Floats, nearer: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 at the part of a thing (levels, N, 2) that nearer things leave visible; all of it if that
    is a rim.

    Args:
        outline_px: Pixels of the picture, as are those of `nearer`.
        shape: That of the small picture.
    """
    place = drawn(outline_px, shape)
    seen = np.asarray(place & (1 - _in_front(outline_px, nearer, shape)), np.uint8)
    return place if int(seen.sum()) < RIM * int(place.sum()) else seen


def is_behind(outline_px: Floats, before: Sequence[Floats], nearer: Sequence[Floats], shape: tuple[int, ...]) -> bool:
    """Returns true if nearer things hide the visible part of a thing (levels, N, 2) in an earlier picture.

    Args:
        before: Outlines of nearer things in that picture, as this one sees it; `nearer`: of nearer things now.
    """
    seen = in_view(outline_px, before, shape)
    left = seen & (1 - _in_front(outline_px, nearer, shape))
    return int(left.sum()) < ENOUGH * int(seen.sum())


def _in_front(outline_px: Floats, nearer: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 at the nearer things that overlap an outline."""
    low, high = _box(outline_px)
    return _union([one for one in nearer if (_box(one)[0] <= high).all() and (_box(one)[1] >= low).all()], shape)


def _box(outline_px: Floats) -> tuple[Floats, Floats]:
    """Returns the upper left and the lower right corner of an outline, with a margin of one pixel of a small
    picture.
    """
    flat = outline_px.reshape(-1, 2)
    return flat.min(axis=0) - SHRINK, flat.max(axis=0) + SHRINK


def _union(outlines_px: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 at any of several things, with a margin of one pixel."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        mask |= dilated(drawn(outline, shape), 1)
    return mask


R = TypeVar("R")
SURE = 0.9
"""A reading with a higher confidence is accepted, even if an earlier picture of the same table overlooked it."""


class Lie(NamedTuple):
    """The place of a lying thing; no piece is ever built on it."""

    x_mm: float
    y_mm: float
    lies: bool = True
    sizes: tuple[object, ...] = ()


class Lying(Struct, Generic[R], frozen=True):
    """A thing of a single level."""

    read: R
    """The data of the thing's reader."""
    sighting: Detection
    place: Lie
    corners_mm: Floats
    """(N, 3) table millimeters, around the whole thing."""
    outline_px: Floats
    """(1, N, 2) pixels of the picture."""

    @property
    def levels(self) -> tuple[Detection, ...]:
        """The only reading."""
        return (self.sighting,)

    @property
    def confidence(self) -> float:
        """The probability of the best reading; 0 for a thing that does not belong there."""
        return self.sighting.confidence if self.sighting.piece is not None else 0.0

    @property
    def presence(self) -> float:
        """The confidence: a thing that is not read as a piece of the game takes up no room."""
        return self.confidence

    @property
    def footprint_mm(self) -> Floats:
        """(N, 2): the corners, in table millimeters, of the part of the table that it lies on."""
        hull = cv2.convexHull(self.corners_mm[:, :2].astype(np.float32))
        return np.asarray(hull.reshape(-1, 2), np.float64)

    def seen_by(self, pose: Pose) -> Lying[R]:
        """Returns the same thing as another pose sees it."""
        return Lying(self.read, self.sighting, self.place, self.corners_mm, pose.project(self.corners_mm)[None])

    def folded(self, looks: Sequence[Lying[R]], of: int) -> Lying[R]:
        """See `vision.memory.tracked_thing.TrackedThing`."""
        together = mean_of([one.sighting for one in looks], of)
        best = max(looks, key=lambda one: (one.sighting.piece == together.piece, one.sighting.confidence))
        return replace(best, sighting=together)


def mean_of(sightings: Sequence[Detection], of: int) -> Detection:
    """Returns the combination of several detections of one thing: the mean of their probabilities over `of` looks."""
    shares: defaultdict[Piece | None, float] = defaultdict(float)
    for sighting in sightings:
        for one in sighting.candidates:
            shares[one.piece] += one.probability / of
    ranked = sorted(shares.items(), key=lambda one: -one[1])
    return Detection(tuple(Candidate(piece, share) for piece, share in ranked), sightings[0].place)


def lying(read: R, sighting: Detection, place: Lie, corners_mm: Floats, pose: Pose) -> Lying[R]:
    """Returns a thing with its outline as a pose sees it."""
    return Lying(read, sighting, place, corners_mm, pose.project(corners_mm)[None])


Self = TypeVar("Self", bound="TrackedThing")
T = TypeVar("T", bound="TrackedThing")

AT_CORNER = np.zeros(2)
"""The origin of the picture in pixels."""
TOUCH_MM = 3.0
"""If the footprints of two things overlap by more than this in millimeters, they cannot have stood there together:
places are wrong by about a millimeter each, and bases are beveled.
"""


class TrackedPlace(Protocol):
    """The place of a thing."""

    @property
    def x_mm(self) -> float:
        """The x coordinate of its middle on the table in millimeters."""

    @property
    def y_mm(self) -> float:
        """The y coordinate of its middle on the table in millimeters."""

    @property
    def lies(self) -> bool:
        """True if it lies flat, so that no piece can stand on it."""

    @property
    def sizes(self) -> Sequence[object]:
        """The sizes that distinguish its levels, from the lowest up."""


class TrackedThing(Protocol):
    """A thing that readers find: a stack of pieces, or a single one that lies."""

    @property
    def place(self) -> TrackedPlace:
        """The place of the thing."""

    @property
    def levels(self) -> tuple[Detection, ...]:
        """The pieces, from the lowest level up."""

    @property
    def confidence(self) -> float:
        """The probability that the thing stands there exactly as read."""

    @property
    def presence(self) -> float:
        """The probability that this or another tracked thing stands there."""

    @property
    def outline_px(self) -> Floats:
        """(levels, N, 2) pixels of the picture."""

    @property
    def footprint_mm(self) -> Floats:
        """(N, 2): the corners, in order, of a convex part of the table that it certainly takes up, in millimeters."""

    def seen_by(self: Self, pose: Pose) -> Self:
        """Returns the same thing as another pose sees it."""

    def folded(self: Self, looks: Sequence[Self], of: int) -> Self:
        """Returns the combination of several looks at the thing: the likeliest of their readings.

        Probabilities are the means over all looks, so that a reading which some of them missed is less likely.

        Args:
            looks: The readings of the looks that found it, at least one.
            of: The number of all looks, including those that did not find it.
        """


def shown_where(
    found: TrackedThing, there: Glance, bare: Glance, standing: Sequence[TrackedThing], by: float = ALIKE
) -> Shown:
    """Returns what a picture shows at the place of a thing from another one; see `shown_at`.

    Args:
        standing: What else stands there in the picture in question.
    """
    eye = there.pose.eye_mm()[:2]
    nearer: list[Floats] = []
    farther: list[Floats] = []
    for one in standing:
        (nearer if _is_nearer(one, found, eye) else farther).append(one.seen_by(there.pose).outline_px)
    return shown_at(found.seen_by(there.pose).outline_px, there, bare, nearer, farther, by)


def changed_in_view(
    found: TrackedThing,
    same: Mask,
    pose: Pose,
    standing: Sequence[TrackedThing],
    since_level: int = 0,
    corner_px: Floats = AT_CORNER,
) -> float:
    """Returns the changed share, 0 to 1, of the visible part of a thing from one of its levels upward.

    A half-hidden thing changes only its visible half when it comes or goes.

    Args:
        found: The thing as `pose` sees it, as are the others, `standing`.
        same: The unchanged part of the picture; its origin is `corner_px`, in pixels of the picture.
    """
    nearer = [outline - corner_px for outline in _nearer_px(found, pose, standing)]
    place = in_view(found.outline_px[since_level:] - corner_px, nearer, same.shape)
    return changed_within(same, place)


def has_gone_behind(found: T, now: Glance, before: Sequence[T], standing: Sequence[T]) -> bool:
    """True if nearer things now hide a thing that was visible in an earlier picture, provided that it still stands
    there.

    Args:
        before: The things in that picture.
        standing: The things now.
    """
    there, pose = found.seen_by(now.pose), now.pose
    stood = _nearer_px(there, pose, [one.seen_by(pose) for one in before])
    return is_behind(there.outline_px, stood, _nearer_px(there, pose, standing), now.small.shape)


def _nearer_px(found: TrackedThing, pose: Pose, standing: Sequence[TrackedThing]) -> list[Floats]:
    """Returns the outlines of things that may hide a part of another one, all as `pose` sees them."""
    eye = pose.eye_mm()[:2]
    return [one.outline_px for one in standing if _is_nearer(one, found, eye)]


def _is_nearer(one: TrackedThing, other: TrackedThing, eye_mm: Floats) -> bool:
    """True if a thing is nearer than another one to the point right below the camera: nearer things hide farther
    ones.
    """
    return _distance_mm(one, eye_mm) < _distance_mm(other, eye_mm)


def _distance_mm(found: TrackedThing, point_mm: Floats) -> float:
    return float(np.hypot(found.place.x_mm - point_mm[0], found.place.y_mm - point_mm[1]))


def room_for(found: TrackedThing, standing: Sequence[TrackedThing]) -> float:
    """Returns the probability that there is room for a thing beside others, given their confidences."""
    room = 1.0
    for one in standing:
        if overlap_mm(found.footprint_mm, one.footprint_mm) > TOUCH_MM:
            room *= 1 - one.presence
    return room


def overlap_mm(one_mm: Floats, other_mm: Floats) -> float:
    """Returns the distance in millimeters by which one of two convex outlines (N, 2) must be pushed until they only
    touch, and 0 if they are apart.

    It uses separating axes: two convex outlines are apart if the direction of one of their sides separates them.
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
