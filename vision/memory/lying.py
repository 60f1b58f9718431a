"""Single things that lie flat, a tile or a die, as `vision.memory.tracks` follows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Piece
from vision.image.pose import Pose

Floats = NDArray[Any]
R = TypeVar("R")

SURE = 0.9
"""A surer reading lies there, even if it was overlooked in an earlier picture of the same table."""


class Lie(NamedTuple):
    """The place of a lying thing, on which no piece is ever built."""

    x_mm: float
    y_mm: float
    lies: bool = True
    sizes: tuple[object, ...] = ()


class Lying(Struct, Generic[R], frozen=True):
    """One thing of one level."""

    read: R
    """The data of its reader."""
    sighting: Detection
    place: Lie
    corners_mm: Floats
    """(N, 3) table millimeters, around all of it."""
    outline_px: Floats
    """(1, N, 2) pixels of the picture."""

    @property
    def levels(self) -> tuple[Detection, ...]:
        """The one reading."""
        return (self.sighting,)

    @property
    def confidence(self) -> float:
        """Probability of the best reading; a thing that does not belong there counts as none."""
        return self.sighting.confidence if self.sighting.piece is not None else 0.0

    @property
    def presence(self) -> float:
        """A thing that is read as no piece of the game takes up no room."""
        return self.confidence

    @property
    def footprint_mm(self) -> Floats:
        """(N, 2) corners of the table that it lies on."""
        hull = cv2.convexHull(self.corners_mm[:, :2].astype(np.float32))
        return np.asarray(hull.reshape(-1, 2), np.float64)

    def seen_by(self, pose: Pose) -> Lying[R]:
        """The same thing as another pose sees it."""
        return Lying(self.read, self.sighting, self.place, self.corners_mm, pose.project(self.corners_mm)[None])

    def folded(self, looks: Sequence[Lying[R]], of: int) -> Lying[R]:
        """See `vision.memory.tracked_thing.TrackedThing`."""
        together = mean_of([one.sighting for one in looks], of)
        best = max(looks, key=lambda one: (one.sighting.piece == together.piece, one.sighting.confidence))
        return replace(best, sighting=together)


def mean_of(sightings: Sequence[Detection], of: int) -> Detection:
    """The combination of several detections of one thing: the mean of their probabilities over `of` looks."""
    shares: defaultdict[Piece | None, float] = defaultdict(float)
    for sighting in sightings:
        for one in sighting.candidates:
            shares[one.piece] += one.probability / of
    ranked = sorted(shares.items(), key=lambda one: -one[1])
    return Detection(tuple(Candidate(piece, share) for piece, share in ranked), sightings[0].place)


def lying(read: R, sighting: Detection, place: Lie, corners_mm: Floats, pose: Pose) -> Lying[R]:
    """A thing with its outline as a pose sees it."""
    return Lying(read, sighting, place, corners_mm, pose.project(corners_mm)[None])
