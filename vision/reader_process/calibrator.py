"""The set-up of a table whose reader is another process."""

from __future__ import annotations

from typing import Protocol

from companion.core.foundation.errors import SeeError
from companion.core.protocols.calibration import CalibrationStatus, Notice, Row, Standing
from vision.reader_process.messages import AskStep, Step

SOON_S = 10.0
"""The time for a step that looks at no further pictures."""
LONG_S = 90.0
"""The time for a step that does."""


class Asked(Protocol):
    """The used part of `vision.reader_process.reader_process.ReaderProcess`."""

    def notice(self) -> Notice: ...
    def ask_step(self, step: AskStep, within_s: float) -> CalibrationStatus | None: ...


class RemoteCalibrator:
    """Implements `companion.core.protocols.calibration.Calibrator` by asking the process; every step ends within a
    time.
    """

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
        """As the process said last."""
        return self._reader.notice()

    def open(self) -> None:
        """Begin the set-up.

        Raises:
            SeeError: The process does not answer; so do all steps.
        """
        self._ask("open")

    def close(self) -> None:
        """The set-up is over."""
        self._ask("close")

    def remember(self, standing: Standing | None = None) -> None:
        """Remember the table as it shows now; raises as `companion.core.protocols.calibration.Calibrator.remember`
        does.
        """
        self._reader.ask_step(AskStep(0, "remember", standing=standing), LONG_S)

    def set_out(self, row: Row) -> None:
        """Learn colors; raises as `companion.core.protocols.calibration.Calibrator.set_out` does."""
        self._reader.ask_step(AskStep(0, "set_out", row=tuple(row)), LONG_S)

    def keep_taught(self, keep: bool) -> None:
        """Keep what people teach for the next evening, or forget it."""
        self._reader.ask_step(AskStep(0, "keep_taught", keep=keep), SOON_S)

    def forget(self) -> None:
        """Read without the empty table."""
        self._ask("forget")

    def later(self) -> None:
        """Withdraw the present offer."""
        self._ask("later")

    def _ask(self, step: Step) -> CalibrationStatus | None:
        return self._reader.ask_step(AskStep(0, step), SOON_S)
