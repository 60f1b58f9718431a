"""The table under what reaches in over it, as it was seen last.

A resting arm hides a part of the table and no more. Readers get a picture in which that part shows what was there
before, in the light of now, so that everything else is read as always, and are told which part it is.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.change import Map, fit_exposure, predicted, thumbnail
from vision.image.picture import Picture

SOFT_PX = 3.0
"""Thumb pixels over which what was seen before passes into what is seen now."""


class UncoveredTable:
    """The last picture of one camera without the things that reached in."""

    def __init__(self) -> None:
        self._kept: Picture | None = None

    def take(self, picture: Picture, covered: Map | None, *, moved: bool) -> Picture:
        """A steady picture (H, W, 3), completed by what was seen before where it is covered.

        :param covered: (h, w) of its thumb, 1 where something reaches in. :param moved: the camera was.
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
