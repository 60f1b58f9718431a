"""Readers for drawn games: the real one with its last reading kept, and one that is never wrong."""

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
    """A reader that keeps its last reading and the time that it took."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self.last: Reading | None = None
        self.seconds = 0.0
        self.reads: list[Layout] = []
        """The readings of the last picture; empty if no table was found in it."""
        self.again: Layout | None = None
        """The further look at it; None if there was none, or no table was found."""

    def begin(self) -> None:
        """Prepares for a new picture."""
        self.reads, self.again = [], None

    @property
    def plan(self) -> Plan:
        """The plan of the zones."""
        return self._reader.plan

    def set_plan(self, plan: Plan) -> None:
        """Sets the reader's plan."""
        self._reader.set_plan(plan)

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Sets the reader's corners."""
        self._reader.set_corners(corners_px)

    def confirm_position(self, position: Layout) -> None:
        """Confirms a position to the reader."""
        self._reader.confirm_position(position)

    def read(self, picture: Picture) -> Reading:
        """Reads a steady picture."""
        reading = self._noted(picture, self._reader.read)
        self.reads.append(reading.layout)
        return reading

    def read_again(self, picture: Picture) -> Reading:
        """Returns a further look at it."""
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
    """A reader without pictures, which corners and positions do not influence."""

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
        """Does nothing: later readings do not depend on it."""

    def _told(self, layout: Layout) -> Reading:
        """Returns a layout as a reading in which all markers were seen, and keeps it."""
        self.last = Reading(layout, (), (0, 1, 2, 3), _CORNERS)
        return self.last


class TruthEyes(EyesWithoutPictures):
    """Reads the truth, without pictures."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._now = Layout()

    def show(self, moment: Moment) -> None:
        """Sets the things on the table from now on."""
        self._now = moment.layout

    def read(self, picture: Picture) -> Reading:
        """Returns the truth."""
        return self._told(self._now)

    def read_again(self, picture: Picture) -> Reading:
        """Returns the same truth."""
        return self.read(picture)
