"""The protocol of a calibrator, which learns the look of the empty table.

The page leads through three steps with it: the markers are seen, the empty table is remembered, one piece of each color
is set out. `vision` implements it, the command line wires it in, and no other module knows how tables are learned.
`NoCalibrator` stands for a table without a camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from companion.core.foundation.errors import SeeError
from companion.core.pieces import Die, Pyramid

Known = Literal["no", "partly", "yes"]
Standing = Literal["none", "game"]
"""The pieces on the table while it is remembered, as people state them: none, or those of the game."""


Row = Sequence[Pyramid | Die]
"""Known pieces that were set out, from left to right; dice in several rows, from the top."""


class SetupStep(Struct, frozen=True):
    """One step of the set-up, as it is now."""

    done: bool
    text: str
    """One or two sentences: the state, the trouble, what to do."""


class CameraView(Struct, frozen=True):
    """From where a camera sees the table, and from where it would see more."""

    above_deg: float
    """The angle above the table's plane; 90 is straight from above."""
    better_deg: float | None = None
    """A lower angle from which stacks are told apart better; None: it is good as it is."""


class CalibrationStatus(Struct, frozen=True):
    """The knowledge of the table, and the state of its set-up."""

    useful: bool
    """True if what stands on this table is read better with the empty table beside it."""
    why: str
    """One sentence: what it is good for, or why it is of no use here."""
    open: bool
    """The set-up is going on; the game waits until it is over."""
    known: Known
    """The state of the empty table: remembered and in use, or not."""
    steps: tuple[SetupStep, SetupStep, SetupStep] = (SetupStep(False, ""), SetupStep(False, ""), SetupStep(False, ""))
    """Markers, empty table, one of each color; empty texts unless `open`."""
    markers: tuple[int, ...] = ()
    """Ids that are seen."""
    words: tuple[str, ...] = ()
    """How well this table will be read, in sentences."""
    colors: tuple[str, ...] = ()
    """Colors that may be set out, in this order."""
    row_of: Literal["pyramids", "dice"] = "pyramids"
    """The pieces that show these colors."""
    remembered_s: float | None = None
    """When the empty table was remembered, in seconds since the epoch."""
    keeps_taught: bool = False
    """Corrections and confirmations are kept for the next evening."""
    view: CameraView | None = None
    """From where the remembered table is seen; None if that does not matter for its pieces."""


class Notice(Struct, frozen=True):
    """The note on the set-up on every page."""

    open: bool
    """The set-up is going on; the game waits until it is over."""
    offer: str | None = None
    """One sentence or two: why the table should be set up now; said once for each reason."""


class StillStanding(SeeError, status=409):
    """Something seems to stand on a table that is to be remembered empty."""


class Calibrator(Protocol):
    """Something that learns a table. Every method may be called from any thread."""

    def status(self) -> CalibrationStatus:
        """How things are now; while the set-up is open, the newest picture is looked at for it."""

    def notice(self) -> Notice:
        """The note on every page; it is cheap."""

    def open(self) -> None:
        """Begin the set-up; the game waits."""

    def close(self) -> None:
        """The set-up is over; the game goes on with what the table shows."""

    def remember(self, standing: Standing | None = None) -> None:
        """Remembers the table as it is now.

        Args:
            standing: The pieces there as people state them, whatever is read; None: let them be read.

        Raises:
            StillStanding: Pieces were read and people have not stated any.
            SeeError: The table cannot be learned from the picture; the sentence has the advice.
            BadCalibration: It could not be written.
        """

    def set_out(self, row: Row) -> None:
        """Learns colors from known pieces.

        Raises:
            SeeError: The row differs from the stated one; the sentence names the missing part.
            BadCalibration: It could not be written.
        """

    def keep_taught(self, keep: bool) -> None:
        """Keep what people correct and confirm for the next evening; or forget it.

        Raises:
            BadCalibration: It could not be written.
        """

    def forget(self) -> None:
        """Read without the empty table from now on, and after a restart."""

    def later(self) -> None:
        """Withdraw the present offer."""


class NoCalibrator:
    """A table without a camera."""

    def status(self) -> CalibrationStatus:
        """Of no use."""
        return CalibrationStatus(False, "No camera is watched here, so there is nothing to set up.", False, "no")

    def notice(self) -> Notice:
        """There is no note."""
        return Notice(False)

    def open(self) -> None:
        """There is no set-up."""
        raise SeeError("No camera is watched here. Start `companion serve` with --camera to set up a table.")

    def close(self) -> None:
        """There is no open set-up."""

    def remember(self, standing: Standing | None = None) -> None:
        """There is no camera."""
        self.open()

    def set_out(self, row: Row) -> None:
        """There is no camera."""
        self.open()

    def keep_taught(self, keep: bool) -> None:
        """There is no camera."""
        self.open()

    def forget(self) -> None:
        """There is no knowledge to forget."""

    def later(self) -> None:
        """There is no offer."""
