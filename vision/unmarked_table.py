"""Locates a live table without markers by its board or by the dice on it.

The table is turned so that the board is where the plan has it; then the plan's other zones are where they are on the
printed mat. If a picture does not show where the table is, the search waits for a changed picture.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.core.foundation.errors import SeeError
from companion.core.plan import DiceTray, PawnBoard, Plan, TileBoard
from vision.image.picture import Picture
from vision.image.pose import Floats
from vision.readers.dice.unmarked import best_view, seen_table
from vision.readers.pawns.unmarked import read_unmarked_pawns
from vision.readers.pawns.wheel import Wheel
from vision.readers.pawns.wheel_fit import WheelFit, fit_wheel
from vision.readers.tiles.board_finder import CLOSE_MM, BoardFit, fit_board
from vision.readers.tiles.lattice import Placement
from vision.readers.tiles.recognition import TileReading
from vision.readers.tiles.scene import TileScene
from vision.readers.tiles.unmarked import read_unmarked_tiles
from vision.registration.markers import ENOUGH_MARKERS, markers_seen_once
from vision.registration.registered_image import RegisteredImage, find_table, working

_THUMB_PX = 64
_OTHER = 3.0
"""The largest mean difference in gray levels between pictures of the same still table."""
_STEADY, _COVERED = 0.88, 0.6
"""The shares of their former strength that a board's lines keep if the camera has not moved, and if things cover
them.
"""
_UNDECIDED = 0.5
"""Log odds of an apex up to which its numbers do not justify turning a board."""


class UnmarkedTable:
    """The place of a table without markers, tracked from picture to picture."""

    def __init__(self) -> None:
        self._table: RegisteredImage | None = None
        self._fit: BoardFit | WheelFit | None = None
        self._vain: NDArray[np.int16] | None = None
        """A thumb of the last picture that did not show where the table is."""

    def forget(self) -> None:
        """Locates the table anew in the next picture."""
        self._table = self._fit = self._vain = None

    def find(self, picture: Picture, plan: Plan) -> RegisteredImage | None:
        """Returns the table in a picture without markers; None if the picture shows nothing of the plan that locates
        it.
        """
        small, factor = working(picture)
        known = self._table
        same = known if known is not None and known.picture.shape == small.shape else None
        before = None if same is None else structs.replace(same, picture=small, factor=factor)
        if before is not None and self._strength(before) >= _STEADY:
            return before
        thumb = _thumb(small)
        if self._vain is not None and float(np.abs(thumb - self._vain).mean()) < _OTHER:
            return None
        fit = self._fit
        self._table = self._placed(picture, plan)
        if self._table is None and before is not None:
            self._fit = fit
            self._table = before if self._strength(before) >= _COVERED else None
        self._vain = thumb if self._table is None else None
        return self._table

    def _strength(self, table: RegisteredImage) -> float:
        """Returns the strength of the board's lines at their old place, as a share of their former strength."""
        fit = self._fit
        if isinstance(fit, BoardFit):
            return fit_board(table.picture, table.pose, fit.placement, CLOSE_MM).score / fit.score
        if isinstance(fit, WheelFit):
            return fit_wheel(table.picture, table.pose, fit.wheel, near=True).score / fit.score
        return 1.0

    def _placed(self, picture: Picture, plan: Plan) -> RegisteredImage | None:
        for zone in plan.zones:
            try:
                if isinstance(zone, TileBoard):
                    return self._by_tiles(picture, plan, zone)
                if isinstance(zone, PawnBoard):
                    return self._by_wheel(picture, plan, zone)
            except SeeError:
                return None
        if any(isinstance(zone, DiceTray) for zone in plan.zones):
            small, factor = working(picture)
            view = best_view(small)
            self._fit = None
            return None if view is None else seen_table(small, factor, view)
        return None

    def _by_tiles(self, picture: Picture, plan: Plan, zone: TileBoard) -> RegisteredImage:
        reading = read_unmarked_tiles(picture)
        fit, table = _upright(reading).fit, reading.table
        if zone.corners_mm is None:
            self._fit = fit
            return structs.replace(table, mat=plan.mat)
        planned = Placement.of(zone.corners_mm)
        self._fit = structs.replace(fit, placement=planned)
        return _carried(table, plan, planned.to_board, fit.placement.to_table)

    def _by_wheel(self, picture: Picture, plan: Plan, zone: PawnBoard) -> RegisteredImage:
        reading = read_unmarked_pawns(picture)
        fit, table = reading.reading.fit, reading.table
        if zone.center_mm is None or zone.red_heading_deg is None:
            self._fit = fit
            return structs.replace(table, mat=plan.mat)
        planned = Wheel(*zone.center_mm, fit.wheel.radius_mm, zone.red_heading_deg)
        self._fit = structs.replace(fit, wheel=planned)
        return _carried(table, plan, planned.to_board, fit.wheel.to_table)


def table_of_plan(picture: Picture, plan: Plan) -> RegisteredImage:
    """Returns the table in a single picture, located by its markers or, without markers, by the plan's board.

    Raises:
        NoTable: Neither shows where it lies.
    """
    found = UnmarkedTable().find(picture, plan) if plan.corners_px is None and is_unmarked(picture) else None
    return found or find_table(picture, plan.mat, plan.corners_px)


def is_unmarked(picture: Picture) -> bool:
    """True if a picture shows too few markers to locate a table."""
    return len(markers_seen_once(working(picture)[0])) < ENOUGH_MARKERS


def _upright(reading: TileReading) -> TileScene:
    """Returns the board with the apex that its numbers indicate or, if they are hidden, the farthest corner."""
    ways = [reading.scene.turned(thirds) for thirds in range(3)]
    best = max(way.apex_odds[0] for way in ways)
    open_ways = [way for way in ways if way.apex_odds[0] > best - _UNDECIDED]
    eye = reading.table.pose.eye_mm()[None, :2]
    return min(open_ways, key=lambda way: float(way.fit.placement.to_board(eye)[0, 1]))


def _carried(
    table: RegisteredImage, plan: Plan, to_board: Callable[[Floats], Floats], to_table: Callable[[Floats], Floats]
) -> RegisteredImage:
    """Returns the table in the plan's millimeters.

    Args:
        to_board: Places (N, 2) of the plan to the board's own.
        to_table: The board's own places (N, 2) to those in which the table was found.
    """
    corner, right, down = to_table(to_board(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])))
    turn = np.eye(3)
    turn[:2, 0], turn[:2, 1] = right - corner, down - corner
    light = table.light
    middle = turn[:2, :2].T @ (np.array(light.middle_mm) - corner)
    slope_x, slope_y = (float(v) for v in turn[:2, :2].T @ np.array([light.slope_x, light.slope_y]))
    lit = structs.replace(light, middle_mm=(float(middle[0]), float(middle[1])), slope_x=slope_x, slope_y=slope_y)
    pose = table.pose.in_frame(turn, np.array([*corner, 0.0]))
    return structs.replace(table, mat=plan.mat, pose=pose, light=lit)


def _thumb(small: Picture) -> NDArray[np.int16]:
    return np.asarray(cv2.resize(small, (_THUMB_PX, _THUMB_PX), interpolation=cv2.INTER_AREA), dtype=np.int16)
