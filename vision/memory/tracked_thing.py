"""The things on a table that `vision.memory.tracks` follows, for all kinds of pieces.

Bodies take up room and hide the things behind them. That limits their possible places and visible parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Piece
from vision.image.likeness import Glance, Mask, changed_within
from vision.image.pose import Pose
from vision.memory.cover import ALIKE, Shown, in_view, is_behind, shown_at

Floats = NDArray[Any]
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
