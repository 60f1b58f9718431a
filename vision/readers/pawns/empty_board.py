"""The bare board as it was shown once, under today's light and wherever it lies today.

A board's own print is known then: stars, lines, and every shade of ink. What changed since is the light, which is
fitted path by path and smoothly over the board, pawns and their shadows left out as they are for a board that was
never shown empty.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.calibration.empty import EmptyTable
from vision.readers.pawns.backdrop import Backdrop, log_light, sampled, smooth
from vision.readers.pawns.wheel import THICK_MM, Wheel
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]


class EmptyBoard(Struct, frozen=True):
    """The bare board: `Backdrop` with its own print."""

    empty: EmptyTable
    lay: Wheel
    """Where the board lay then."""
    light: Backdrop
    """The change of the logarithm of light since then."""

    @property
    def wheel(self) -> Wheel:
        """Where it lies now."""
        return self.light.wheel

    def at(self, board_mm: NDArray[np.float64]) -> NDArray[np.float32]:
        """(..., 3): the bare board's logarithm of light at board places (..., 2)."""
        return np.asarray(then_at(self.empty, self.lay, board_mm) + self.light.at(board_mm), np.float32)


def find_empty_board(table: RegisteredImage, wheel: Wheel, empty: EmptyTable, lay: Wheel) -> EmptyBoard:
    """A board that was shown empty, in a picture's light; it lies as `wheel` now and lay as `lay` then."""
    today = sampled(table, wheel)
    change = today.seen - then_at(empty, lay, today.board_mm)
    return EmptyBoard(empty, lay, smooth(wheel, replace(today, seen=change.astype(np.float32))))


def then_at(empty: EmptyTable, lay: Wheel, board_mm: NDArray[np.float64]) -> Floats:
    """(..., 3): logarithm of light at board places (..., 2) when the board was shown empty."""
    table_mm = lay.to_table(board_mm.reshape(-1, 2))
    pixels = empty.pose.project(np.column_stack([table_mm, np.full(len(table_mm), THICK_MM)])).astype(np.float32)
    parts = [
        cv2.remap(empty.picture, part[None, :, 0], part[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(pixels, len(pixels) // 30000 + 1)
    ]
    levels = np.concatenate([np.asarray(part, np.uint8).reshape(-1, 3) for part in parts])
    logs = log_light(levels, empty.light.white(table_mm).astype(np.float32))
    return logs.reshape(*board_mm.shape[:-1], 3)
