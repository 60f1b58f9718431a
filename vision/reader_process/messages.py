"""The messages between the server and its reader process: one message a send, as MessagePack.

The server asks with a number and gets one answer with that number. The process reports its state several times a second
and sends each reading; it goes on after the answer that the reading was judged.
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
    """Watch a table. The first message that a process is sent."""

    camera: str
    """As `vision.sources.opening.open_source` takes it."""
    plan: Plan
    kept: str
    """The file that keeps the learned table."""
    calibration: str | None = None
    """A calibration file instead of the kept one."""
    after: int = 0
    """Number of the last picture that an earlier process saw."""
    memory: bytes | None = None
    """The memory of an earlier process (`ReaderLearned`)."""
    plain: bool = False
    """Read without the learned table: it may have killed the earlier processes."""


class AskFrame(Struct, frozen=True, tag="frame"):
    """The newest picture with a number above `after`; waits up to `timeout_s`."""

    n: int
    after: int
    timeout_s: float


class AskStep(Struct, frozen=True, tag="step"):
    """A step of the set-up."""

    n: int
    step: Step
    standing: Standing | None = None
    row: tuple[Pyramid | Die | CardSign, ...] = ()
    keep: bool = False


class UsePlan(Struct, frozen=True, tag="plan"):
    """Read by another plan from the next picture on."""

    plan: Plan


class UseCorners(Struct, frozen=True, tag="corners"):
    """Use clicked corners instead of markers; None goes back to markers."""

    corners_px: tuple[Point, Point, Point, Point] | None


class LookAgain(Struct, frozen=True, tag="look"):
    """Reads the next steady picture even if nothing moved."""


class ReadingJudged(Struct, frozen=True, tag="judged"):
    """The last reading was judged."""

    position: Layout | None = None
    """The game's position, if the reading shows it."""
    error: str | None = None
    """Why the game could not take it in."""


class Leave(Struct, frozen=True, tag="leave"):
    """Let go of the camera and end."""


class Opened(Struct, frozen=True, tag="opened"):
    """The camera gives pictures."""

    mode: CameraMode | None
    """How it was opened; None where there was no mode to choose."""


class CameraRefused(Struct, frozen=True, tag="refused"):
    """The camera cannot be opened now; the process tries again."""

    error: str


class Pulse(Struct, frozen=True, tag="pulse"):
    """How the eyes are; comes several times a second, so silence means that the process hangs."""

    status: EyesStatus
    notice: Notice
    overlay: Overlay | None
    busy_s: float
    """Seconds for which the reading thread has done one and the same thing."""


class TableSeen(Struct, frozen=True, tag="seen"):
    """A reading. The process waits for `ReadingJudged`."""

    layout: Layout
    frame: int
    renamed: bool
    """Pieces have other names than in the reading before."""


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
"""The errors that a step may end with, by name; others become `SeeError`."""

encode = msgspec.msgpack.Encoder().encode
decode_to_reader = msgspec.msgpack.Decoder(ToReader).decode
decode_to_house = msgspec.msgpack.Decoder(ToHouse).decode
