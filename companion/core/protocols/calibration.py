"""The protocol of a calibrator, which learns how the empty table looks.

The page guides people through three steps: the markers are seen, the empty table is remembered, and one piece of each
color is set out. `vision` implements the protocol, the command line connects it, and no other module knows how tables
are learned. `NoCalibrator` stands for a table without a camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from companion.core.foundation.errors import SeeError
from companion.core.pieces import Die, Pyramid

Known = Literal["no", "partly", "yes"]
Standing = Literal["none", "game"]
"""The pieces on the table while it is remembered, as a person states them: none, or those of the game."""


class CardSign(Struct, frozen=True, tag="card sign"):
    """A card of which the color or the number or both are stated."""

    code: str
    """The code as notation writes it: "GB", "7" or "GB7"; or a special card: "swap R/G"."""


Row = Sequence[Pyramid | Die | CardSign]
"""Known pieces that a person set out, from left to right; dice and cards may fill several rows, listed from the top."""


class SetupStep(Struct, frozen=True):
    """The present state of one step of the set-up."""

    done: bool
    text: str
    """One or two sentences: the state, the trouble, and what to do."""


class CameraView(Struct, frozen=True):
    """The angle from which a camera sees the table, and a better one."""

    above_deg: float
    """The camera's angle above the plane of the table; 90 is straight from above."""
    better_deg: float | None = None
    """A lower angle from which stacks are easier to distinguish; None if the present angle is good."""


class CalibrationStatus(Struct, frozen=True):
    """The knowledge about the empty table, and the state of its set-up."""

    useful: bool
    """True if this table's pieces are read better when the look of the empty table is known."""
    why: str
    """One sentence: why the set-up helps, or why it does not help here."""
    open: bool
    """True during the set-up; the game waits until it is over."""
    known: Known
    """The knowledge of the empty table: not remembered, partly, or remembered and in use."""
    steps: tuple[SetupStep, SetupStep, SetupStep] = (SetupStep(False, ""), SetupStep(False, ""), SetupStep(False, ""))
    """The steps for markers, empty table, and one piece of each color; their texts are empty unless `open`."""
    markers: tuple[int, ...] = ()
    """The ids of the visible markers."""
    words: tuple[str, ...] = ()
    """Sentences on how well this table will be read."""
    colors: tuple[str, ...] = ()
    """The colors that may be set out, in this order; for cards the numbers follow."""
    row_of: Literal["pyramids", "dice", "cards"] = "pyramids"
    """The kind of pieces that show these colors."""
    remembered_s: float | None = None
    """The time when the empty table was remembered, in seconds since the epoch."""
    keeps_taught: bool = False
    """True if corrections and confirmations are kept for the next evening."""
    view: CameraView | None = None
    """The angle from which the remembered table is seen; None if it does not matter for these pieces."""


class Notice(Struct, frozen=True):
    """The note about the set-up that every page shows."""

    open: bool
    """True during the set-up; the game waits until it is over."""
    offer: str | None = None
    """One or two sentences on why the table should be set up now; shown once for each reason."""


class StillStanding(SeeError, status=409):
    """An error: something seems to stand on a table that is to be remembered empty."""


class Calibrator(Protocol):
    """An object that learns a table. Every method may be called from any thread."""

    def status(self) -> CalibrationStatus:
        """Returns the present state. While the set-up is open, this examines the newest picture."""

    def notice(self) -> Notice:
        """Returns the note for every page; it is cheap."""

    def open(self) -> None:
        """Begins the set-up; the game waits."""

    def close(self) -> None:
        """Ends the set-up; the game goes on with the pieces on the table."""

    def remember(self, standing: Standing | None = None) -> None:
        """Remembers the table as it looks now.

        Args:
            standing: The pieces on the table as a person states them; None: the reader finds out.

        Raises:
            StillStanding: The reader found pieces that no person has stated.
            SeeError: The table cannot be learned from the picture; the message says what to do.
            BadCalibration: The calibration could not be written.
        """

    def set_out(self, row: Row) -> None:
        """Learns colors from known pieces.

        Raises:
            SeeError: The row differs from the stated one; the message names the missing part.
            BadCalibration: The calibration could not be written.
        """

    def keep_taught(self, keep: bool) -> None:
        """Starts or stops keeping people's corrections and confirmations for the next evening.

        Raises:
            BadCalibration: The calibration could not be written.
        """

    def forget(self) -> None:
        """Forgets the empty table, now and after a restart."""

    def later(self) -> None:
        """Withdraws the present offer."""


class NoCalibrator:
    """The calibrator of a table without a camera."""

    def status(self) -> CalibrationStatus:
        """Returns a status that says there is no camera."""
        return CalibrationStatus(False, "No camera is watched here, so there is nothing to set up.", False, "no")

    def notice(self) -> Notice:
        """Returns an empty note."""
        return Notice(False)

    def open(self) -> None:
        """Raises `SeeError`, because there is no camera."""
        raise SeeError("No camera is watched here. Start `companion serve` with --camera to set up a table.")

    def close(self) -> None:
        """Does nothing, because no set-up is ever open."""

    def remember(self, standing: Standing | None = None) -> None:
        """Raises `SeeError`, because there is no camera."""
        self.open()

    def set_out(self, row: Row) -> None:
        """Raises `SeeError`, because there is no camera."""
        self.open()

    def keep_taught(self, keep: bool) -> None:
        """Raises `SeeError`, because there is no camera."""
        self.open()

    def forget(self) -> None:
        """Does nothing, because no table was ever remembered."""

    def later(self) -> None:
        """Does nothing, because there is never an offer."""
