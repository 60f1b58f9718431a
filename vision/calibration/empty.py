"""The empty table, with only its markers, as the camera sees it."""

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
    """A picture of the empty table, or the mean of several; an object equals only itself."""

    picture: Picture
    pose: Pose
    light: Light
    mat: Mat
    noise: float = 0.0
    """The difference between two pictures of a free place, in logarithms of light; 0 if only one was taken."""
    free: NDArray[np.uint8] | None = None
    """(H, W) 1 where the bare table was seen, 0 where something stood; None stands for 1 everywhere."""

    def reflectance(self, mapping: Map) -> tuple[Floats, Floats]:
        """Returns linear light (H, W, 3) float32 in B, G, R at the pixels of a map (H, W, 2), and a mask of the known
        places.
        """
        seen = cv2.remap(
            self.picture, mapping[..., 0], mapping[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(LINEAR[seen]), self.known(mapping).astype(np.float32)

    def known(self, mapping: Map) -> NDArray[np.bool_]:
        """Returns a mask (H, W): True where a map (H, W, 2) of pixels points to a place that was seen bare."""
        known = inside(mapping, (self.picture.shape[1], self.picture.shape[0]))
        if self.free is None:
            return known
        x, y = mapping[..., 0], mapping[..., 1]
        return known & (cv2.remap(self.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) > 0)

    def known_from(self, pose: Pose) -> NDArray[np.bool_]:
        """Returns a mask (H, W): True for pixels of a camera at another pose that show a place which was seen bare."""
        if self.same_view(pose):
            return np.ones(self.picture.shape[:2], np.bool_)
        return self.known(rectifying_map(self.pose, pose.size_px, 0.0, pose.unproject))

    def picture_from(self, pose: Pose) -> Picture:
        """Returns a picture (H, W, 3) BGR as a camera at another pose would take it; unseen places continue the
        border's colors.
        """
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
        """True if another picture was taken from the same place, so that pixels can be compared directly.

        False if a part of the table is unknown, because then each place must be looked up.
        """
        if self.free is not None or pose.size_px != self.pose.size_px:
            return False
        corners = np.column_stack([np.array(self.mat.corners_mm()), np.zeros(4)])
        return bool(np.abs(pose.project(corners) - self.pose.project(corners)).max() < limit_px)
