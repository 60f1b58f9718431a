"""The table with only its markers, seen from the camera's place."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture
from vision.image.pose import Map, Pose, inside, rectifying_map

Floats = NDArray[Any]


class EmptyTable(Struct, frozen=True, eq=False):
    """One picture of it, the mean of several where several were taken; each is equal to itself alone."""

    picture: Picture
    pose: Pose
    light: Light
    mat: Mat
    noise: float = 0.0
    """The difference between two pictures of a free place, in logarithms of light; 0 if only one was taken."""
    free: NDArray[np.uint8] | None = None
    """(H, W) 1 where the bare table was seen, 0 where something stood; None: everywhere."""

    def reflectance(self, mapping: Map) -> tuple[Floats, Floats]:
        """Linear light (H, W, 3) float32, B, G, R, where a map (H, W, 2) of its pixels points; where it is known."""
        seen = cv2.remap(
            self.picture, mapping[..., 0], mapping[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(LINEAR[seen]), self.known(mapping).astype(np.float32)

    def known(self, mapping: Map) -> NDArray[np.bool_]:
        """(H, W) whether the bare table was seen where a map (H, W, 2) of its pixels points."""
        known = inside(mapping, (self.picture.shape[1], self.picture.shape[0]))
        if self.free is None:
            return known
        x, y = mapping[..., 0], mapping[..., 1]
        return known & (cv2.remap(self.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) > 0)

    def known_from(self, pose: Pose) -> NDArray[np.bool_]:
        """(H, W) which pixels of a camera at another pose show a place that was seen bare."""
        if self.same_view(pose):
            return np.ones(self.picture.shape[:2], np.bool_)
        return self.known(rectifying_map(self.pose, pose.size_px, 0.0, pose.unproject))

    def picture_from(self, pose: Pose) -> Picture:
        """(H, W, 3) BGR, as a camera at another pose would see it; what it did not see is drawn out from its border."""
        if self.same_view(pose):
            return self.picture
        mapping = rectifying_map(self.pose, pose.size_px, 0.0, pose.unproject)
        return np.asarray(
            cv2.remap(
                self.picture, mapping[..., 0], mapping[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )

    def same_view(self, pose: Pose, limit_px: float = 0.05) -> bool:
        """Returns true if another picture was taken from the same place, so that pixels can be compared directly.

        Not where a part of the table is unknown: that is looked up place by place.
        """
        if self.free is not None or pose.size_px != self.pose.size_px:
            return False
        corners = np.column_stack([np.array(self.mat.corners_mm()), np.zeros(4)])
        return bool(np.abs(pose.project(corners) - self.pose.project(corners)).max() < limit_px)
