"""Reads a table with its calibration, and notices when the calibration no longer fits.

A calibration is used while it fits the plan's mat and pieces. If the table turns out to be another one, it is read
without calibration, so that the game goes on; if a cloth was moved or a lamp switched, the calibration stays in use. In
both cases a new set-up is offered once.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Literal

from msgspec import structs

from companion.core.foundation.errors import WrongTable
from companion.core.layout import Layout
from companion.core.plan import CardZone, DiceTray, PawnBoard, Plan, PyramidBoard, PyramidZone, TileBoard, TileHeap
from vision.calibration.calibration import Calibration, EmptyTable
from vision.calibration.drift import TINT, Drift, drift, tint
from vision.calibration.taught import TaughtTable
from vision.gate.change import Map
from vision.image.picture import Picture
from vision.readers.pyramids.reader import PATTERNED
from vision.table_reader import Corners, Reading, TableReader, outlines_px

Reason = Literal["new", "other", "pattern", "moved", "light", "damaged"]

OFFERS: dict[Reason, str] = {
    "new": "This table was never shown empty. Pieces are read more surely once it was: three short steps.",
    "other": "This table does not look like the one that was remembered, so it is read without. Clear it and press "
    "Remember the empty table.",
    "pattern": PATTERNED.replace("*", ""),
    "moved": "The table does not look as it did when it was empty: a cloth was moved, or something lies there. Set the "
    "table up again when it suits.",
    "light": "The light is not what it was when the table was remembered. Set the table up again when it suits.",
    "damaged": "What was remembered of this table cannot be read any more. Remember the empty table again.",
}
"""The reasons to offer the set-up, as sentences for people."""

MOVED, MOVED_PLAINLY = 0.015, 0.05
"""The shares of the free mat that have changed: the first needs confirmation by the next picture, the second does not.
On untouched tables it is at most 0.002, on stripes moved by 10 mm at least 0.23 (docs/accuracy.md).
"""
TURN = threading.Lock()
"""A lock for reading a picture: all readers of a process share their nets, which serve one thread at a time."""
AGAIN_S = 3.0
"""The number of seconds for which a table that looked right is not compared again."""


_ZONES: dict[str, tuple[type, ...]] = {
    "pyramids": (PyramidZone, PyramidBoard),
    "spectrangle": (TileBoard, TileHeap),
    "spectrum": (PawnBoard,),
    "dice": (DiceTray,),
    "cards": (CardZone,),
}
"""Domain to its zones; for a plan with several domains, the first one counts."""
PLAIN_COSTS = "pyramids"
"""The domain that is read so much worse on a table without a picture of it empty that the set-up is offered before a
game.
"""


def domain_of(plan: Plan) -> str | None:
    """Returns the domain of an empty table on a plan, or None."""
    for domain, zones in _ZONES.items():
        if any(isinstance(zone, zones) for zone in plan.zones):
            return domain
    return None


class KnownTableReader:
    """Reads one table. `read`, `read_again` and `confirm_position` are for one thread, the rest for any."""

    def __init__(
        self, plan: Plan, calibration: Calibration | None = None, tick: Callable[[], float] = time.monotonic
    ) -> None:
        """
        Args:
            tick: Seconds of a clock that never goes back.
        """
        self._reader = TableReader(plan)
        self._tick = tick
        self._learned = calibration
        self._refused: Calibration | None = None
        """The calibration that turned out to belong to another table."""
        self._in_use: Calibration | None = None
        self._has_read = self._afresh = False
        self._reason: Reason | None = None
        self._offered: set[Reason] = set()
        self._suspected = False
        self._compared_s = -math.inf
        self._to_teach: TaughtTable | None = None

    @property
    def plan(self) -> Plan:
        """The plan of the zones."""
        return self._reader.plan

    @property
    def clicked_px(self) -> Corners | None:
        """The corners that a person clicked; None without clicks."""
        return self._reader.clicked_px

    @property
    def calibration(self) -> Calibration | None:
        """The calibration of the table if it fits, else None."""
        known = self._learned
        if known is None or known is self._refused or known.mat != self.plan.mat:
            return None
        return known if known.domain == domain_of(self.plan) else None

    @property
    def empty(self) -> EmptyTable | None:
        """The present look of the empty table of `calibration`; None if it is unknown."""
        known = self.calibration
        if known is None:
            return None
        return self._reader.empty if known is self._in_use else known.empty

    @property
    def offer(self) -> str | None:
        """The reason why the table should be set up, as a sentence for people; None without an offer."""
        reason = self._reason
        unknown = self.calibration is None and (self._learned is None or self._learned is not self._refused)
        if reason is None and unknown and domain_of(self.plan) == PLAIN_COSTS and "new" not in self._offered:
            reason = "new"
        return None if reason is None else OFFERS[reason]

    def learn(self, calibration: Calibration | None) -> None:
        """Uses another calibration from the next picture on; None uses none."""
        self._learned, self._refused = calibration, None
        self._reason, self._suspected = None, False
        self._offered = set() if calibration is not None else self._offered | {"new"}

    @property
    def taught(self) -> TaughtTable:
        """The look of the pieces as confirmed so far; for the thread that reads."""
        return self._reader.taught

    def teach(self, taught: TaughtTable) -> None:
        """Starts the next picture with the knowledge of an earlier evening, or with none."""
        self._to_teach = taught

    def withdraw(self) -> None:
        """Withdraws the present offer for good."""
        self._offered.add(self._reason or "new")
        self._reason = None

    def offer_for(self, reason: Reason) -> None:
        """Offers the set-up, unless it was offered before for this reason."""
        if reason not in self._offered:
            self._offered.add(reason)
            self._reason = reason

    def renamed(self) -> bool:
        """True if pieces have other names than before, since the last such question."""
        afresh, self._afresh = self._afresh, False
        return afresh

    def set_plan(self, plan: Plan) -> None:
        """Uses another plan from the next picture on."""
        self._reader.set_plan(plan)

    def set_corners(self, corners_px: Corners | None) -> None:
        """Uses clicked corners instead of markers; None goes back to markers."""
        self._reader.set_corners(corners_px)

    def set_covered(self, covered: Map | None) -> None:
        """Sets the parts that something covers in the pictures from now on; see `TableReader`."""
        self._reader.set_covered(covered)

    def set_stirred(self, stirred: Map) -> None:
        """Sets how often something was over each part of the table; see `TableReader`."""
        self._reader.set_stirred(stirred)

    def confirm_position(self, position: Layout) -> None:
        """Confirms that the last reading shows the game's `position`."""
        self._reader.confirm_position(position)

    def read(self, picture: Picture) -> Reading:
        """Reads the plan's zones in a steady picture.

        Raises:
            NoTable: The table cannot be placed.
            NoBoard: The plan's board is missing.
        """
        reading = self._read(self._reader.read, picture)
        self._look_after(reading)
        return reading

    def read_again(self, picture: Picture) -> Reading:
        """Returns a further look at the table that was read last; raises as `read` does."""
        return self._read(self._reader.read_again, picture)

    def _read(self, read: Callable[[Picture], Reading], picture: Picture) -> Reading:
        if self._use():
            read = self._reader.read  # the earlier reading is forgotten, so a further look is impossible
        taught, self._to_teach = self._to_teach, None
        if taught is not None:
            self._reader.teach(taught)
        with TURN:
            try:
                reading = read(picture)
            except WrongTable:
                self._refused = self._learned
                self.offer_for("other")
                self._use()
                reading = self._reader.read(picture)
        self._has_read = True
        return reading

    def _use(self) -> bool:
        """Passes the fitting calibration to the reader, in the thread that reads; returns True if it is another one."""
        wanted = self.calibration
        if wanted is self._in_use:
            return False
        self._in_use = wanted
        self._reader.set_calibration(wanted)
        self._afresh = self._has_read
        return True

    def _look_after(self, reading: Reading) -> None:
        """Notices evidence that the table should be set up again."""
        if self._in_use is None:
            if PATTERNED in reading.remarks:
                self.offer_for("pattern")
            return
        now_s, table = self._tick(), self._reader.table
        if table is None or (now_s - self._compared_s < AGAIN_S and not self._suspected):
            return
        self._compared_s = now_s
        empty = self._reader.empty or self._in_use.empty
        found = drift(table.picture, table.pose, table.light, empty, outlines_px(reading.marks, table))
        if found is not None:
            # The empty table is kept fresh if a cloth creeps; colors belong to the light of their learning.
            self._judge(structs.replace(found, tint=tint(table.light, self._in_use.empty)))

    def _judge(self, found: Drift) -> None:
        if found.tint > TINT:
            self.offer_for("light")
        if found.moved > MOVED_PLAINLY or (found.moved > MOVED and self._suspected):
            self.offer_for("moved")
        self._suspected = found.moved > MOVED
        if self._reason == "moved" and not self._suspected:
            self._reason = None
