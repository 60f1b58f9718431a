"""Predicts the bare board under this picture's light, without pawns and shadows.

A path is one ink from rim to star, and light changes slowly over a table. So each path's ink is the median over its
whole length, one smooth field gives the light, and each part of the board corrects both by its own look, if that is
close enough: a veil of glare is, a pawn is not.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.light import LINEAR
from vision.image.pose import coarse, inside, rectified, rectifying_map
from vision.readers.pawns.wheel import HUB_SHARE, PATHS, SECTOR_DEG, THICK_MM, Wheel
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[np.float32]

VIEW_PX = 384
"""The side in pixels of the view from above in which inks are measured."""
REACH_SHARE = 1.14
"""Half the view's side over the wheel's radius: some of the card around the wheel is visible, too."""
ANGLES = 12
"""The number of samples across a path."""
AWAY = 60
"""The number of samples from the middle to the view's edge."""
HAZE = 0.02
"""The number added before the logarithm, so that noise in the dark stays small. White is 1."""
_FAR = (0.5, 0.35, 0.25)
"""The difference of logarithms from which a sample is not bare board, round by round."""
_TRUST = 0.08
"""The weight of the smooth prediction against a whole neighborhood of samples."""


class Backdrop(Struct, frozen=True):
    """The bare board: logarithms of light relative to white, over paths, angles and distances."""

    wheel: Wheel
    bare: Floats
    """(PATHS * ANGLES, AWAY, 3) as B, G, R; rows begin at the edge of the red path next to purple-red."""

    def at(self, board_mm: NDArray[np.float64]) -> Floats:
        """Returns (N, 3): the bare board's log light at board places (N, 2)."""
        shape = board_mm.shape[:-1]
        spots = board_mm.reshape(-1, 2).astype(np.float32)
        turn = np.degrees(np.arctan2(spots[:, 1], spots[:, 0])) + SECTOR_DEG / 2
        rows = np.floor(turn * (ANGLES / SECTOR_DEG)).astype(np.int64) % (PATHS * ANGLES)
        away = np.hypot(spots[:, 0], spots[:, 1]) * (AWAY / (REACH_SHARE * self.wheel.radius_mm))
        columns = np.minimum(away.astype(np.int64), AWAY - 1)
        return np.asarray(self.bare[rows, columns].reshape(*shape, 3))


def log_light(levels: NDArray[np.uint8], white: Floats) -> Floats:
    """Returns the log light relative to white (..., 3) of levels (..., 3)."""
    return np.asarray(np.log(LINEAR[levels] / white + np.float32(HAZE)), dtype=np.float32)


class SampledBoard(Struct, frozen=True):
    """A board in a picture, sampled over paths, angles and distances."""

    seen: Floats
    """(PATHS * ANGLES, AWAY, 3): log light relative to white as B, G, R."""
    valid: NDArray[np.bool_]
    """(PATHS * ANGLES, AWAY): True where the picture shows the place."""
    board_mm: NDArray[np.float64]
    """(PATHS * ANGLES, AWAY, 2): the board places of the samples."""


def find_backdrop(table: RegisteredImage, wheel: Wheel) -> Backdrop:
    """Measures inks and light of the bare board."""
    return smooth(wheel, sampled(table, wheel))


def sampled(table: RegisteredImage, wheel: Wheel) -> SampledBoard:
    """Returns the samples of a board with everything that stands on it."""
    half = REACH_SHARE * wheel.radius_mm
    mm_per_px = 2 * half / VIEW_PX
    small, camera = coarse(table.picture, table.pose, mm_per_px)
    mapping = rectifying_map(camera, (VIEW_PX, VIEW_PX), THICK_MM, lambda p: wheel.to_table(p * mm_per_px - half))
    view = rectified(small, mapping)
    shown = inside(mapping, camera.size_px, 1)
    pixels, places = _polar()
    board_mm = places.astype(np.float64) * half
    table_mm = wheel.to_table(board_mm.reshape(-1, 2))
    white = table.light.white(table_mm).astype(np.float32).reshape(*places.shape[:2], 3)
    at = np.rint(pixels).astype(np.int64)
    seen = log_light(view[at[..., 1], at[..., 0]], white)
    return SampledBoard(seen, shown[at[..., 1], at[..., 0]], board_mm)


def smooth(wheel: Wheel, board: SampledBoard) -> Backdrop:
    """Returns the sampled board without the things on it: one value for each path, and light that changes slowly."""
    return Backdrop(wheel, _bare(board.seen, board.valid, _polar()[1]))


@lru_cache(maxsize=1)
def _polar() -> tuple[Floats, Floats]:
    """Returns view pixels and places in half sides (PATHS * ANGLES, AWAY, 2) of the samples."""
    angles = np.radians((np.arange(PATHS * ANGLES) + 0.5) * SECTOR_DEG / ANGLES - SECTOR_DEG / 2)
    away = (np.arange(AWAY) + 0.5) / AWAY
    places = np.stack([np.cos(angles)[:, None] * away, np.sin(angles)[:, None] * away], axis=-1)
    pixels = np.clip((places + 1) * VIEW_PX / 2, 0, VIEW_PX - 1)
    return pixels.astype(np.float32), places.astype(np.float32)


def _bare(seen: Floats, valid: NDArray[np.bool_], places: Floats) -> Floats:
    away = (np.arange(AWAY) + 0.5) / AWAY * REACH_SHARE
    out = np.empty_like(seen)
    board = (away > HUB_SHARE) & (away < 1)
    out[:, board] = _smoothed(seen[:, board], valid[:, board], places[:, board])
    # Hub and card are of any look: the hub is as it mostly is, the card beside each path as it is there.
    out[:, away <= HUB_SHARE] = np.median(seen[:, away <= HUB_SHARE].reshape(-1, 3), axis=0)
    beside = (away > 1.015) & (away < 1.08)
    card = np.median(seen[:, beside].reshape(PATHS * 3, -1, 3), axis=1)
    out[:, away >= 1] = np.repeat(card, ANGLES // 3, axis=0)[:, None]
    return out


def _smoothed(seen: Floats, valid: NDArray[np.bool_], places: Floats) -> Floats:
    """Returns ink, light and local corrections of the wheel itself; shapes (PATHS * ANGLES, R, ...)."""
    rows, columns = valid.shape
    paths = seen.reshape(PATHS, -1, 3)
    masked = np.where(valid.reshape(PATHS, -1, 1), paths, np.nan)
    overall = np.nanmedian(masked.reshape(-1, 3), axis=0) if valid.any() else np.zeros(3)
    with np.errstate(all="ignore"):
        inks = np.stack([np.nanmedian(p, axis=0) if np.isfinite(p).any() else overall for p in masked])
    expected = np.repeat(inks, ANGLES, axis=0)[:, None].astype(np.float32)
    left = (seen - expected).mean(2)
    x, y = places[..., 0], places[..., 1]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6).astype(np.float64)
    target = left.reshape(-1).astype(np.float64)
    weight = valid.reshape(-1).astype(np.float64)
    field = np.zeros(6)
    for _ in range(5):
        off = target - terms @ field
        robust = weight / (1 + (off / 0.15) ** 2) ** 2
        field = np.linalg.solve(terms.T @ (terms * robust[:, None]) + np.eye(6) * 1e-3, terms.T @ (target * robust))
    smooth = (terms @ field).reshape(rows, columns, 1).astype(np.float32)
    predicted = expected + smooth
    # Neighborhoods: a third of a path across, a ring along; each round keeps to samples near the one before.
    local: Floats = np.zeros_like(seen)
    for far in _FAR:
        off = seen - predicted - local
        near = (np.maximum(1 - (np.abs(off).max(2) / far) ** 2, 0) ** 2 * valid).astype(np.float32)
        known = np.dstack([near[..., None] * (off + local), near])
        for path in range(PATHS):
            part = slice(path * ANGLES, (path + 1) * ANGLES)
            known[part] = cv2.GaussianBlur(known[part], (0, 0), sigmaX=3.0, sigmaY=2.5, borderType=cv2.BORDER_REFLECT)
        local = np.asarray(known[..., :3] / (known[..., 3:] + _TRUST), dtype=np.float32)
    return np.asarray(predicted + local, dtype=np.float32)
