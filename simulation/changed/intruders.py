"""Lays things that do not belong to the game over pictures of a real table: arms, cups, sleeves, phones and lamps.

Each intruder depends on the passed share of the evening, so that it appears during the game, and on the time, so that a
resting arm stirs like a living one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.picture import Picture

Floats = NDArray[Any]

SKIN, WOOL = (118.0, 148.0, 200.0), (98.0, 62.0, 54.0)
"""The colors B, G, R of a bare arm and of a sleeve."""
STIR_MM = 4.0
"""The scale in millimeters by which a resting arm moves to and fro."""
COMES = 0.15
"""The share of the evening after which an intruder appears."""


class MatInPicture(NamedTuple):
    """The approximate place of the mat in a picture, without lens distortion."""

    to_px: Floats
    """The homography (3, 3) from table millimeters to pixels."""
    width_mm: float
    height_mm: float
    size_px: tuple[int, int]

    @staticmethod
    def of(corners_px: Any, width_mm: float, height_mm: float, size_px: tuple[int, int]) -> MatInPicture:
        """Returns the mat whose markers have their centers at these four pixels."""
        flat = np.array([(0, 0), (width_mm, 0), (width_mm, height_mm), (0, height_mm)], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, np.array(corners_px, np.float32))
        return MatInPicture(matrix, width_mm, height_mm, size_px)

    def px(self, *points_mm: tuple[float, float]) -> Floats:
        """Returns the pixels (N, 2) of places in table millimeters."""
        points = np.array(points_mm, np.float32).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(points, self.to_px).reshape(-1, 2))

    def px_per_mm(self, at_mm: tuple[float, float]) -> float:
        """Returns the number of pixels per millimeter near a place."""
        here, beside = self.px(at_mm, (at_mm[0] + 10, at_mm[1]))
        return float(np.linalg.norm(beside - here)) / 10


Intruder = Callable[[Picture, MatInPicture, float, float], Picture]
"""Returns a changed picture, from a picture, the place of its mat, the passed share of the evening (0 to 1), and the
time in seconds.
"""


def reaching(
    picture: Picture, tip_px: Floats, root_px: Floats, wide_px: float, color: tuple[float, float, float] = SKIN
) -> Picture:
    """Returns the picture with a forearm and fist that reach in from outside, and with their shadow.

    Args:
        tip_px: (2,): the end of the fist.
        root_px: (2,): the origin of the arm.
        wide_px: The unit of widths and lengths of the arm.
    """
    height, width = picture.shape[:2]
    along = (tip_px - root_px) / max(1.0, float(np.linalg.norm(tip_px - root_px)))
    across = np.array([-along[1], along[0]])
    profile = ((None, 0.6), (2.6, 0.5), (1.5, 0.42), (0.9, 0.62), (0.2, 0.5), (0.0, 0.25))
    """The distance of the outline from the middle line, in widths, by the number of widths before the tip."""
    middles = [root_px if back is None else tip_px - along * back * wide_px for back, _ in profile]
    sides = [half * wide_px * across for _, half in profile]
    outline = [middle + side for middle, side in zip(middles, sides, strict=True)]
    outline += [middle - side for middle, side in reversed(list(zip(middles, sides, strict=True)))]
    margin = round(0.6 * wide_px)
    low = np.clip(np.min(outline, axis=0).astype(int) - margin, 0, (width, height))
    high = np.clip(np.max(outline, axis=0).astype(int) + margin, 0, (width, height))
    if (high - low).min() < 2:
        return picture
    box = np.s_[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillPoly(mask, [np.round(np.array(outline) - low).astype(np.int32)], 1.0)
    drop = round(0.2 * wide_px)
    shift = np.array([[1, 0, drop], [0, 1, drop]], np.float64)
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, shift, mask.shape[::-1]), (0, 0), 0.15 * wide_px)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None]
    rows, columns = np.indices(mask.shape, np.float32)
    bulge = ((columns + low[0] - tip_px[0]) * across[0] + (rows + low[1] - tip_px[1]) * across[1]) / wide_px
    shade = (0.95 - 0.5 * bulge**2)[..., None].clip(0.4, 1.0)
    changed = picture.copy()
    changed[box] = _rounded(picture[box] * (1 - 0.3 * shadow) * (1 - soft) + np.float32(color) * shade * soft)
    return changed


def arm_at_the_edge(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture with a stirring forearm on the rim of the mat and on a corner of a zone."""
    if share < COMES:
        return picture
    tip = (90.0 + _stir(t_s, 1.0), 0.78 * ground.height_mm + _stir(t_s, 1.7))
    at, (beside,) = ground.px(tip)[0], ground.px((tip[0] - 300, tip[1] + 60))
    away = at + (beside - at) * 4
    return reaching(picture, at, away, 62 * ground.px_per_mm(tip))


def cup_beside(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture with a cup beside the mat, cut by the picture's border."""
    if share < COMES:
        return picture
    width, height = ground.size_px
    middle = ground.px((ground.width_mm / 2, ground.height_mm / 2))[0]
    right = ground.px((ground.width_mm + 75, ground.height_mm / 2))[0]
    scale = ground.px_per_mm((ground.width_mm / 2, ground.height_mm / 2))
    at = np.array([min(max(right[0], middle[0]), width - 30 * scale), height - 30 * scale])
    return _round_thing(picture, at, 46 * scale, (190, 196, 204), (40, 62, 96))


def sleeve_on_a_marker(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture with a sleeve over half of a marker."""
    if share < COMES:
        return picture
    tip = (ground.width_mm - 8 + _stir(t_s, 1.0), ground.height_mm + 4 + _stir(t_s, 2.1))
    at, beside = ground.px(tip, (tip[0] + 40, tip[1] + 300))
    return reaching(picture, at, at + (beside - at) * 4, 70 * ground.px_per_mm(tip), WOOL)


def phone_beside(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture with a phone that is laid on the rim of the mat, taken up and laid down elsewhere."""
    if share < COMES or 0.5 < share < 0.6:
        return picture
    x, y = (-62.0, 0.2 * ground.height_mm) if share < 0.5 else (0.42 * ground.width_mm, ground.height_mm + 18)
    wide, high = (74.0, 150.0) if share < 0.5 else (150.0, 74.0)
    corners = ground.px((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1.0)
    return _laid(picture, mask, np.float32((34, 31, 30)), 8 * ground.px_per_mm((x, y)))


def lamp_switched(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture under a warm lamp beside the table that is switched on, and off again."""
    if not COMES < share < 0.75:
        return picture
    width, height = ground.size_px
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    near = np.exp(-(((columns - 0.05 * width) / (0.7 * width)) ** 2 + ((rows - 0.3 * height) / (0.9 * height)) ** 2))
    return _rounded(picture * (1 + near[..., None] * np.float32((0.12, 0.28, 0.42))))


def nudged(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture of a camera that is nudged in the middle of the evening."""
    if share < 0.5:
        return picture
    by = 5.0 * ground.size_px[0] / 1280
    matrix = np.array([[1, 0, by], [0, 1, -0.6 * by]], np.float64)
    return np.asarray(cv2.warpAffine(picture, matrix, ground.size_px, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def nothing(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
    """Returns the picture unchanged."""
    return picture


INTRUDERS: dict[str, Intruder] = {
    "control": nothing,
    "arm at the edge": arm_at_the_edge,
    "cup at the border": cup_beside,
    "sleeve on a marker": sleeve_on_a_marker,
    "phone": phone_beside,
    "lamp": lamp_switched,
    "nudge": nudged,
}


def _stir(t_s: float, phase: float) -> float:
    return STIR_MM * float(np.sin(0.9 * t_s + phase) + 0.5 * np.sin(2.3 * t_s + 2 * phase))


def _round_thing(
    picture: Picture, at: Floats, radius_px: float, rim: tuple[float, ...], inside: tuple[float, ...]
) -> Picture:
    mask, hole = (np.zeros(picture.shape[:2], np.float32) for _ in range(2))
    center = (round(float(at[0])), round(float(at[1])))
    cv2.circle(mask, center, round(radius_px), 1.0, -1, cv2.LINE_AA)
    cv2.circle(hole, center, round(0.84 * radius_px), 1.0, -1, cv2.LINE_AA)
    colors = np.float32(rim) * (1 - hole[..., None]) + np.float32(inside) * hole[..., None]
    return _laid(picture, mask, colors, 0.5 * radius_px)


def _laid(picture: Picture, mask: Floats, color: Floats, drop_px: float) -> Picture:
    """Returns the picture with a thing and its shadow.

    Args:
        mask: (H, W): 1 where the thing is.
        color: (3,) or (H, W, 3).
    """
    x, y, width, height = cv2.boundingRect((mask > 0).astype(np.uint8))
    margin = round(3 * drop_px) + 4
    box = np.s_[max(0, y - margin) : y + height + margin, max(0, x - margin) : x + width + margin]
    here, drop = mask[box], round(drop_px)
    shift = np.array([[1, 0, drop], [0, 1, drop]], np.float64)
    cast = cv2.warpAffine(here, shift, here.shape[::-1])
    shadow = cv2.GaussianBlur(cast, (0, 0), max(1.0, 0.5 * drop_px))[..., None]
    soft = cv2.GaussianBlur(here, (0, 0), 1.0)[..., None]
    changed = picture.copy()
    paint = color if color.ndim == 1 else color[box]
    changed[box] = _rounded(picture[box] * (1 - 0.35 * shadow) * (1 - soft) + paint * soft)
    return changed


def _rounded(light: Floats) -> Picture:
    return np.asarray(np.clip(light + 0.5, 0, 255), np.uint8)
