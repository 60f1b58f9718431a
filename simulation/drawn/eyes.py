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
    """A reader whose last reading can be asked for, and how long it took to read."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self.last: Reading | None = None
        self.seconds = 0.0
        self.reads: list[Layout] = []
        """Readings of the last picture; empty where no table was found in it."""
        self.again: Layout | None = None
        """The further look at it; None if nobody asked for one, or no table was found in it."""

    def begin(self) -> None:
        """A new picture comes."""
        self.reads, self.again = [], None

    @property
    def plan(self) -> Plan:
        """Where things stand."""
        return self._reader.plan

    def set_plan(self, plan: Plan) -> None:
        """As the reader's."""
        self._reader.set_plan(plan)

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """As the reader's."""
        self._reader.set_corners(corners_px)

    def confirm_position(self, position: Layout) -> None:
        """As the reader's."""
        self._reader.confirm_position(position)

    def read(self, picture: Picture) -> Reading:
        """Read a steady picture."""
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
    """Eyes that are told what to see: corners and positions teach them nothing."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.last: Reading | None = None
        """The last reading; None before the first one."""

    def set_plan(self, plan: Plan) -> None:
        """Use another plan."""
        self.plan = plan

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Do nothing: no picture has corners."""

    def confirm_position(self, position: Layout) -> None:
        """Do nothing: what is seen next does not depend on it."""

    def _told(self, layout: Layout) -> Reading:
        """Returns a layout as a reading in which all markers were seen, and keeps it."""
        self.last = Reading(layout, (), (0, 1, 2, 3), _CORNERS)
        return self.last


class TruthEyes(EyesWithoutPictures):
    """Sees what really is there, without any picture."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._now = Layout()

    def show(self, moment: Moment) -> None:
        """What lies on the table from now on."""
        self._now = moment.layout

    def read(self, picture: Picture) -> Reading:
        """Returns the truth."""
        return self._told(self._now)

    def read_again(self, picture: Picture) -> Reading:
        """Returns the same truth."""
        return self.read(picture)
