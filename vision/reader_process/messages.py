"""The messages between the server and its reader process, each sent separately as MessagePack.

The server asks with a number and gets one answer with that number. The process reports its state several times a second
and sends each reading; it continues after the answer that the reading was judged.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from companion.core.foundation.errors import BadCalibration, CameraError, SeeError
from companion.core.layout import Layout
from companion.core.pieces import Die, Pyramid
from companion.core.plan import Plan, Point
from companion.core.protocols.calibration import CalibrationStatus, CardSign, Notice, Standing, StillStanding
from companion.core.protocols.eyes import CameraMode, EyesStatus, Frame, Overlay

Step = Literal["status", "open", "close", "remember", "set_out", "keep_taught", "forget", "later"]
"""A method of `companion.core.protocols.calibration.Calibrator`."""


class BeginWatching(Struct, frozen=True, tag="begin"):
    """Starts watching a table; the first message to a process."""

    camera: str
    """The camera's address, in the form of `vision.sources.opening.open_source`."""
    plan: Plan
    kept: str
    """The file that keeps the learned table."""
    calibration: str | None = None
    """A calibration file to use instead of the kept one."""
    after: int = 0
    """The number of the last picture that an earlier process saw."""
    memory: bytes | None = None
    """The memory of an earlier process (`ReaderLearned`)."""
    plain: bool = False
    """True to read without the learned table, because it may have crashed the earlier processes."""


class AskFrame(Struct, frozen=True, tag="frame"):
    """Asks for the newest picture with a number above `after`; the process waits up to `timeout_s`."""

    n: int
    after: int
    timeout_s: float


class AskStep(Struct, frozen=True, tag="step"):
    """Asks for a step of the set-up."""

    n: int
    step: Step
    standing: Standing | None = None
    row: tuple[Pyramid | Die | CardSign, ...] = ()
    keep: bool = False


class UsePlan(Struct, frozen=True, tag="plan"):
    """Switches to another plan from the next picture on."""

    plan: Plan


class UseCorners(Struct, frozen=True, tag="corners"):
    """Uses clicked corners instead of markers; None goes back to markers."""

    corners_px: tuple[Point, Point, Point, Point] | None


class LookAgain(Struct, frozen=True, tag="look"):
    """Reads the next steady picture even if nothing moved."""


class ReadingJudged(Struct, frozen=True, tag="judged"):
    """Reports that the last reading was judged."""

    position: Layout | None = None
    """The game's position if the reading shows it; None otherwise."""
    error: str | None = None
    """The reason why the game could not process the reading; None without an error."""


class Leave(Struct, frozen=True, tag="leave"):
    """Tells the process to release the camera and to end."""


class Opened(Struct, frozen=True, tag="opened"):
    """Reports that the camera gives pictures."""

    mode: CameraMode | None
    """The mode in which the camera was opened; None if there was no choice."""


class CameraRefused(Struct, frozen=True, tag="refused"):
    """Reports that the camera cannot be opened now; the process tries again."""

    error: str


class Pulse(Struct, frozen=True, tag="pulse"):
    """Reports the state several times a second, so that silence means that the process hangs."""

    status: EyesStatus
    notice: Notice
    overlay: Overlay | None
    busy_s: float
    """The number of seconds that the reading thread has spent on its present task."""


class TableSeen(Struct, frozen=True, tag="seen"):
    """A reading. The process waits for `ReadingJudged`."""

    layout: Layout
    frame: int
    renamed: bool
    """True if pieces have other names than in the reading before."""


class ReaderLearned(Struct, frozen=True, tag="learned"):
    """The reader's memory of the table, for the next process if this one dies."""

    memory: bytes


class Answered(Struct, frozen=True, tag="answer"):
    """The answer to a question."""

    n: int
    frame: Frame | None = None
    status: CalibrationStatus | None = None


class Failed(Struct, frozen=True, tag="failed"):
    """The reason why a question has no answer."""

    n: int
    kind: str
    error: str


ToReader = BeginWatching | AskFrame | AskStep | UsePlan | UseCorners | LookAgain | ReadingJudged | Leave
ToHouse = Opened | CameraRefused | Pulse | TableSeen | ReaderLearned | Answered | Failed

ERRORS: dict[str, type[SeeError | CameraError | BadCalibration]] = {
    kind.__name__: kind for kind in (SeeError, StillStanding, CameraError, BadCalibration)
}
"""Name of an error that a step may raise to its class; other errors become `SeeError`."""

encode = msgspec.msgpack.Encoder().encode
decode_to_reader = msgspec.msgpack.Decoder(ToReader).decode
decode_to_house = msgspec.msgpack.Decoder(ToHouse).decode
