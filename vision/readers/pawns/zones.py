"""Reads the pawns of a plan's board picture by picture; each search begins at the wheel's last place."""

from __future__ import annotations

import numpy as np

from companion.core.layout import Spot
from companion.core.plan import PawnBoard
from companion.core.protocols.eyes import OverlayMark
from vision.memory.steady_cells import SteadyCell
from vision.readers.pawns.reader import follow_wheel, place_wheel, read_board
from vision.readers.pawns.recognition import board_marks, silhouette_mm
from vision.readers.pawns.wheel import RADIUS_MM, SPACES, Wheel
from vision.readers.pawns.wheel_fit import WheelFit
from vision.registration.registered_image import RegisteredImage


class PawnBoardEyes:
    """Reads the board of one table."""

    def __init__(self) -> None:
        self._fit: WheelFit | None = None
        self._zone: PawnBoard | None = None

    def read(self, table: RegisteredImage, zone: PawnBoard) -> tuple[dict[Spot, SteadyCell], tuple[OverlayMark, ...]]:
        """Returns the contents of each visible space, and marks in the original picture's pixels.

        Raises:
            NoBoard: No board is on the table.
        """
        if zone != self._zone:
            self._fit, self._zone = None, zone
        known = None if self._fit is None else follow_wheel(table, self._fit)
        self._fit = _placed(table, zone) if known is None else known
        reading = read_board(table, self._fit)
        places = reading.wheel.to_table(reading.wheel.middles())
        outlines = table.pose.project(np.concatenate([silhouette_mm(place) for place in places]))
        outlines = outlines.reshape(len(SPACES), -1, 2)
        middles = [(float(x), float(y)) for x, y in places]
        cells = {
            space.spot: SteadyCell(reading.joint[k], middles[k], outlines[k], outlines[k], reading.foreign[k])
            for k, space in enumerate(SPACES)
            if reading.shown[k]
        }
        return cells, board_marks(table, reading)


def _placed(table: RegisteredImage, zone: PawnBoard) -> WheelFit:
    """Returns the board at the plan's place or, if that looks bare, where it is found."""
    radius_mm = RADIUS_MM if zone.radius_mm is None else zone.radius_mm
    start = None
    if zone.center_mm is not None and zone.red_heading_deg is not None:
        start = Wheel(*zone.center_mm, radius_mm, zone.red_heading_deg)
    return place_wheel(table, start, radius_mm)
