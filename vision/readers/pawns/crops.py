"""Cuts out each space as if a camera looked straight at a pawn that stands there.

A pawn is round, so only the height of the eye changes its look. Every space is cut out along the axis of such a pawn at
a fixed scale: crops then differ by light, color and contents, but not by the camera's place. Beside the picture's light
each crop holds that of the bare board at the same pixels.
"""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.light import LINEAR
from vision.image.pose import Pose
from vision.readers.pawns.backdrop import HAZE
from vision.readers.pawns.wheel import PAWN_HEIGHT_MM, THICK_MM, Wheel
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[np.float32]

SIDE_PX = 24
"""The side of a crop in pixels."""
MM_PER_PX = 1.35


class BareBoard(Protocol):
    """The look of the board without pawns."""

    @property
    def wheel(self) -> Wheel: ...
    def at(self, board_mm: NDArray[np.float64]) -> Floats: ...


class Crops(Struct, frozen=True):
    """Crops of some places of the board."""

    light: Floats
    """(N, side, side, 3): log light relative to white as B, G, R; up in a crop is up a pawn."""
    change: Floats
    """(N, side, side, 3): log light relative to the bare board."""
    shown: NDArray[np.bool_]
    """(N, side, side): True for pixels that the picture shows."""
    steepness: Floats
    """(N,): the sine of the eye's elevation over the board as seen from each place."""


def cut(table: RegisteredImage, backdrop: BareBoard, places_mm: NDArray[np.float64], side_px: int = SIDE_PX) -> Crops:
    """Returns crops around pawns that would stand at table places (N, 2).

    Args:
        side_px: The side of the crops; training cuts larger ones and shifts inside them.
    """
    pose = table.pose
    points, steepness = _nodes(pose, places_mm, side_px)
    count = len(places_mm)
    spread = _spread(side_px)
    nodes = pose.project(points.reshape(-1, 3)).reshape((*points.shape[:3], 2))
    pixels = _between(nodes, spread).astype(np.float32).reshape(count * side_px, side_px, 2)
    picture, pixels = _averaged(table.picture, pixels)
    levels = cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = picture.shape[:2]
    x, y = pixels[..., 0], pixels[..., 1]
    shown = ((x > 0) & (y > 0) & (x < width - 1) & (y < height - 1)).reshape(count, side_px, side_px)
    white = table.light.white(places_mm).astype(np.float32)[:, None, None]
    levels = levels.reshape(count, side_px, side_px, 3)
    light = np.log(LINEAR[levels] / white + np.float32(HAZE))
    ground = _between(_on_board(pose, points), spread)
    bare = backdrop.at(backdrop.wheel.to_board(ground.reshape(-1, 2)).reshape(*ground.shape))
    return Crops(light, (light - bare) * shown[..., None], shown, steepness.astype(np.float32))


def _nodes(pose: Pose, places_mm: NDArray[np.float64], side_px: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns table points (N, 3, 3, 3) spread over the crops, on planes that face the eye, and sines of its
    elevation.
    """
    middle = np.column_stack([places_mm, np.full(len(places_mm), THICK_MM + PAWN_HEIGHT_MM / 2)])
    to_eye = pose.eye_mm() - middle
    to_eye /= np.linalg.norm(to_eye, axis=1, keepdims=True)
    flat = np.hypot(to_eye[:, 0], to_eye[:, 1])
    ahead = np.where(flat[:, None] > 1e-3, -to_eye[:, :2] / np.maximum(flat, 1e-9)[:, None], (0.0, -1.0))
    right = np.column_stack([-ahead[:, 1], ahead[:, 0], np.zeros(len(ahead))])
    up = np.column_stack([ahead * to_eye[:, 2:], flat])
    axis = np.array([-0.5, 0.0, 0.5]) * (side_px - 1) * MM_PER_PX
    points = (
        middle[:, None, None]
        + axis[None, None, :, None] * right[:, None, None]
        - axis[None, :, None, None] * up[:, None, None]
    )
    return points, to_eye[:, 2]


def _spread(side_px: int) -> NDArray[np.float64]:
    """Returns (side, 3): the weights of three nodes in each pixel. In such a small crop a parabola models the lens."""
    at = np.linspace(-1, 1, side_px)
    return np.column_stack([at * (at - 1) / 2, 1 - at * at, at * (at + 1) / 2])


def _between(nodes: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns (N, side, side, K): values of all pixels from those of the nodes (N, 3, 3, K)."""
    return np.asarray(np.einsum("ri,cj,nijk->nrck", spread, spread, nodes, optimize=True))


def _on_board(pose: Pose, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns (..., 2): the points where rays from the eye through points (..., 3) meet the board."""
    eye = pose.eye_mm()
    share = (eye[2] - THICK_MM) / np.maximum(eye[2] - points[..., 2], 1.0)
    return np.asarray(eye[:2] + share[..., None] * (points[..., :2] - eye[:2]))


def _averaged(picture: NDArray[np.uint8], pixels: Floats) -> tuple[NDArray[np.uint8], Floats]:
    """Returns picture and pixels at a scale where a crop's pixel is at most one and a half of the picture's."""
    step = float(np.median(np.hypot(*np.moveaxis(np.diff(pixels, axis=1), -1, 0))))
    if step <= 1.5:
        return picture, pixels
    factor = 1.2 / step
    size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return small, ((pixels + 0.5) * np.float32(factor) - np.float32(0.5)).astype(np.float32)
