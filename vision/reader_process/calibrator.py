"""Sets up a table whose reader runs in another process."""

from __future__ import annotations

from typing import Protocol

from companion.core.foundation.errors import SeeError
from companion.core.protocols.calibration import CalibrationStatus, Notice, Row, Standing
from vision.reader_process.messages import AskStep, Step

SOON_S = 10.0
"""The time limit in seconds of a step that needs no further pictures."""
LONG_S = 90.0
"""The time limit in seconds of a step that needs further pictures."""


class Asked(Protocol):
    """The part of `vision.reader_process.reader_process.ReaderProcess` that is used here."""

    def notice(self) -> Notice: ...
    def ask_step(self, step: AskStep, within_s: float) -> CalibrationStatus | None: ...


class RemoteCalibrator:
    """Implements `companion.core.protocols.calibration.Calibrator` through the process; every step has a time limit."""

    def __init__(self, reader: Asked) -> None:
        self._reader = reader

    def status(self) -> CalibrationStatus:
        """Returns the current status; while the process does not answer, the status says so."""
        try:
            found = self._ask("status")
        except SeeError as error:
            return CalibrationStatus(False, str(error), False, "no")
        assert found is not None
        return found

    def notice(self) -> Notice:
        """Returns the last notice of the process."""
        return self._reader.notice()

    def open(self) -> None:
        """Begins the set-up.

        Raises:
            SeeError: The process does not answer; all steps raise this.
        """
        self._ask("open")

    def close(self) -> None:
        """Ends the set-up."""
        self._ask("close")

    def remember(self, standing: Standing | None = None) -> None:
        """Remembers the table as it is now; raises the errors of
        `companion.core.protocols.calibration.Calibrator.remember`.
        """
        self._reader.ask_step(AskStep(0, "remember", standing=standing), LONG_S)

    def set_out(self, row: Row) -> None:
        """Learns colors; raises the errors of `companion.core.protocols.calibration.Calibrator.set_out`."""
        self._reader.ask_step(AskStep(0, "set_out", row=tuple(row)), LONG_S)

    def keep_taught(self, keep: bool) -> None:
        """Keeps what people teach for the next evening, or forgets it."""
        self._reader.ask_step(AskStep(0, "keep_taught", keep=keep), SOON_S)

    def forget(self) -> None:
        """Reads without the empty table from now on."""
        self._ask("forget")

    def later(self) -> None:
        """Withdraws the present offer."""
        self._ask("later")

    def _ask(self, step: Step) -> CalibrationStatus | None:
        return self._reader.ask_step(AskStep(0, step), SOON_S)
