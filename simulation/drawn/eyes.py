"""Provides readers for drawn games: one that wraps the real reader and keeps its readings, and one that is never wrong."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.core.layout import Layout
from companion.core.plan import Plan, Point
from simulation.drawn.reel import Moment
from vision.image.picture import Picture
from vision.table_reader import Reading, TableReader

_CORNERS: tuple[Point, Point, Point, Point] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class Noted:
    """A wrapper of a reader that keeps the last readings and the time spent on reading."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self.last: Reading | None = None
        self.seconds = 0.0
        self.reads: list[Layout] = []
        """The readings of the last picture; empty if no table was found in it."""
        self.again: Layout | None = None
        """The layout of the further look at it; None if there was none, or if no table was found."""

    def begin(self) -> None:
        """Forgets the readings of the picture before."""
        self.reads, self.again = [], None

    @property
    def plan(self) -> Plan:
        """The plan of the wrapped reader."""
        return self._reader.plan

    def set_plan(self, plan: Plan) -> None:
        """Sets the plan of the wrapped reader."""
        self._reader.set_plan(plan)

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Sets the corners of the wrapped reader."""
        self._reader.set_corners(corners_px)

    def confirm_position(self, position: Layout) -> None:
        """Confirms a position to the wrapped reader."""
        self._reader.confirm_position(position)

    def read(self, picture: Picture) -> Reading:
        """Returns the reading of a steady picture, and keeps it."""
        reading = self._noted(picture, self._reader.read)
        self.reads.append(reading.layout)
        return reading

    def read_again(self, picture: Picture) -> Reading:
        """Returns the reading of a further look at the picture, and keeps it."""
        reading = self._noted(picture, self._reader.read_again)
        self.again = reading.layout
        return reading

    def _noted(self, picture: Picture, read: Callable[[Picture], Reading]) -> Reading:
        began = time.perf_counter()
        self.last = None
        try:
            self.last = read(picture)
        finally:
            self.seconds += time.perf_counter() - began
        return self.last


class EyesWithoutPictures:
    """A reader that needs no picture; it ignores corners and confirmed positions."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.last: Reading | None = None
        """The last reading; None before the first one."""

    def set_plan(self, plan: Plan) -> None:
        """Uses another plan."""
        self.plan = plan

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Does nothing: there are no pictures with corners."""

    def confirm_position(self, position: Layout) -> None:
        """Does nothing: later readings do not depend on confirmed positions."""

    def _told(self, layout: Layout) -> Reading:
        """Returns a reading of a layout with all markers in view, and keeps it."""
        self.last = Reading(layout, (), (0, 1, 2, 3), _CORNERS)
        return self.last


class TruthEyes(EyesWithoutPictures):
    """Eyes that report the true layout, without pictures."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._now = Layout()

    def show(self, moment: Moment) -> None:
        """Sets the moment whose layout is reported from now on."""
        self._now = moment.layout

    def read(self, picture: Picture) -> Reading:
        """Returns the true layout as a reading."""
        return self._told(self._now)

    def read_again(self, picture: Picture) -> Reading:
        """Returns the same reading."""
        return self.read(picture)
