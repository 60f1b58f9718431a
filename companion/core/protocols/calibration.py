"""What the house expects of something that learns how a table looks when it is empty.

The page leads through three steps with it: the markers are seen, the empty table is remembered, one piece of each color
is set out. `vision` implements it, the command line wires it in, and nobody else knows how tables are learned.
`NoCalibrator` stands for a table without a camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from companion.core.foundation.errors import SeeError
from companion.core.pieces import Pyramid

Known = Literal["no", "partly", "yes"]
Standing = Literal["none", "game"]
"""What people say stands on the table while it is remembered: nothing at all, or the pieces of the game."""


class SetupStep(Struct, frozen=True):
    """One step of the set-up, as it is now."""

    done: bool
    text: str
    """One sentence or two: how it is, what is wrong, what to do."""


class CalibrationStatus(Struct, frozen=True):
    """What is known of the table, and how its set-up stands."""

    useful: bool
    """Whether what stands on this table is read better with the empty table beside it."""
    why: str
    """One sentence: what it is good for, or why it is of no use here."""
    open: bool
    """The set-up is going on; the game waits until it is over."""
    known: Known
    """Whether the empty table is remembered and in use."""
    steps: tuple[SetupStep, SetupStep, SetupStep] = (SetupStep(False, ""), SetupStep(False, ""), SetupStep(False, ""))
    """Markers, empty table, one of each color; empty texts unless `open`."""
    markers: tuple[int, ...] = ()
    """Ids that are seen."""
    words: tuple[str, ...] = ()
    """How well this table will be read, in sentences."""
    colors: tuple[str, ...] = ()
    """Colors that may be set out, in this order."""
    remembered_s: float | None = None
    """When the empty table was remembered, in seconds since the epoch."""


class Notice(Struct, frozen=True):
    """What every page says of the set-up, whatever it shows."""

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
        """What every page says of it; costs nothing."""

    def open(self) -> None:
        """Begin the set-up; the game waits."""

    def close(self) -> None:
        """The set-up is over; the game goes on with what the table shows."""

    def remember(self, standing: Standing | None = None) -> None:
        """Remember the table as it shows now.

        :param standing: what people say stands there, whatever is read; None: let it be read.
        :raises StillStanding: pieces were read and nobody has said what to make of them.
        :raises SeeError: the table cannot be learned from what the camera shows; the sentence says what to do.
        :raises BadCalibration: it could not be written.
        """

    def set_out(self, row: Sequence[Pyramid]) -> None:
        """Learn colors from known pieces that stand in one row, given from left to right.

        :raises SeeError: the row is not there as it was told; the sentence names what is missing.
        :raises BadCalibration: it could not be written.
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
        """Nothing to say."""
        return Notice(False)

    def open(self) -> None:
        """Nothing to set up."""
        raise SeeError("No camera is watched here. Start `companion serve` with --camera to set up a table.")

    def close(self) -> None:
        """Nothing is open."""

    def remember(self, standing: Standing | None = None) -> None:
        """Nothing to see."""
        self.open()

    def set_out(self, row: Sequence[Pyramid]) -> None:
        """Nothing to see."""
        self.open()

    def forget(self) -> None:
        """Nothing is known."""

    def later(self) -> None:
        """Nothing was offered."""
