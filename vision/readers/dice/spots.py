"""Candidates for pips: small spots on the level of the top faces, and the faces to which they would belong.

The outermost pips of every face but the one lie at two ends of a diagonal, so each pair of spots at that distance gives
a face with its middle and its yaw; a lone spot may be a one. This finds white dice on white paper, whose outlines
hardly show.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.readers.dice.plane import Plane
from vision.readers.dice.solids import Floats

_WIDEST_MM = 5.0
"""Spots narrower than this are looked for; the distance of neighbors on a six leaves more than that free."""
_APART_MM = 2.2
"""Neighbors on a six are 3.6 mm apart, in a picture from the side a little less."""
_CONTRAST = 0.12
"""The contrast of a spot to its surroundings, as a share of them."""
_DIAGONAL_MM = (9.6, 12.6)
_BLUR_MM = 0.5
_SAME_MM = 1.5
_SAME_DEG = 12.0
_AT_MOST = 60


def spots(plane: Plane, light: bool) -> Floats:
    """(N, 2) table places on the plane's level of spots darker, or lighter, than their surroundings."""
    gray = plane.gray
    side = round(_WIDEST_MM * plane.scale) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    change = cv2.morphologyEx(gray, cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT, kernel)
    around = gray.astype(np.float32) + (0.0 if light else 1.0) * change
    share = cv2.GaussianBlur(change.astype(np.float32) / np.maximum(around, 25.0), (0, 0), _BLUR_MM * plane.scale)
    reach = round(_APART_MM * plane.scale) | 1
    peak = (share >= cv2.dilate(share, np.ones((reach, reach)))) & (share > _CONTRAST)
    rows, columns = np.nonzero(peak)
    clearest = np.argsort(-share[rows, columns])[:_AT_MOST]
    return plane.places(np.column_stack([columns, rows])[clearest].astype(np.float64))


def faces_of_spots(places: Floats) -> list[Floats]:
    """Faces (N, 3), x, y and yaw, from pairs of spots and from single spots, the latter without a yaw."""
    if not len(places):
        return []
    gap = places[None] - places[:, None]
    distance = np.hypot(gap[..., 0], gap[..., 1])
    one, other = np.nonzero(np.triu((distance > _DIAGONAL_MM[0]) & (distance < _DIAGONAL_MM[1])))
    middles = (places[one] + places[other]) / 2
    along = gap[one, other]
    yaw = (np.degrees(np.arctan2(-along[:, 1], along[:, 0])) - 45.0) % 90.0
    ones = np.column_stack([places, np.full(len(places), np.nan)])
    return [_different(np.column_stack([middles, yaw])), ones]


def _different(faces: Floats) -> Floats:
    """One of equal faces: both diagonals give it."""
    gap = faces[:, None] - faces[None]
    turn = np.abs((gap[..., 2] + 45.0) % 90.0 - 45.0)
    same = (np.hypot(gap[..., 0], gap[..., 1]) < _SAME_MM) & (turn < _SAME_DEG)
    left = np.ones(len(faces), bool)
    for k in range(len(faces)):
        if left[k]:
            left[k + 1 :] &= ~same[k, k + 1 :]
    return faces[left]
