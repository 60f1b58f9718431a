"""Things that stand or lie on a table, as `vision.tracks` follows them, whatever kind of pieces they are.

Bodies take up room and hide what is behind them. That says what can have stood where, and what a picture can show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.layout import Sighting
from vision.cover import ALIKE, Shown, shown_at
from vision.likeness import Glance
from vision.pose import Pose

Floats = NDArray[Any]
Self = TypeVar("Self", bound="TrackedThing")

TOUCH_MM = 3.0
"""Two things whose footprints would overlap by more cannot have stood there together: places are wrong by about a
millimeter each, and bases are beveled."""


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

    def seen_by(self: Self, pose: Pose) -> Self:
        """The same thing as another pose sees it."""

    def folded(self: Self, looks: Sequence[Self], of: int) -> Self:
        """The thing as several looks show it together: the likeliest of what they took it for.

        Probabilities are the means over all looks, so that what some did not find is less likely.

        :param looks: how it was read, at least once; `of`: the number of looks, those that did not find it included.
        """


def shown_where(
    found: TrackedThing, there: Glance, bare: Glance, standing: Sequence[TrackedThing], by: float = ALIKE
) -> Shown:
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


def room_for(found: TrackedThing, standing: Sequence[TrackedThing]) -> float:
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
