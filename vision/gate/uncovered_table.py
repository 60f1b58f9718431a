"""The table under things that reach in, as it was seen last.

A resting arm hides a part of the table and no more. Readers get a picture in which that part shows its earlier contents
in the present light, and a mask of it, so that all else is read as always.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.change import Map, fit_exposure, predicted, thumbnail
from vision.image.picture import Picture

SOFT_PX = 3.0
"""The width in thumb pixels of the transition between earlier and present contents."""


class UncoveredTable:
    """The last picture of one camera without the things that reached in."""

    def __init__(self) -> None:
        self._kept: Picture | None = None

    def take(self, picture: Picture, covered: Map | None, *, moved: bool) -> Picture:
        """A steady picture (H, W, 3), completed by its earlier contents where it is covered.

        Args:
            covered: (h, w) of its thumb, 1 where something reaches in.
            moved: True if the camera was moved.
        """
        kept = self._kept
        if moved or kept is None or covered is None or kept.shape != picture.shape:
            self._kept = picture
            return picture
        light = fit_exposure(thumbnail(kept), thumbnail(picture))
        size = picture.shape[1], picture.shape[0]
        soft: NDArray[Any] = cv2.GaussianBlur(covered.astype(np.float32), (0, 0), SOFT_PX / 2)
        share = cv2.resize(np.maximum(soft, covered), size, interpolation=cv2.INTER_LINEAR)[..., None]
        self._kept = np.asarray(picture * (1 - share) + predicted(kept, light) * share + 0.5).astype(np.uint8)
        return self._kept
