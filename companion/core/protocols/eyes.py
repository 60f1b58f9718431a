"""The protocol of eyes, which look at a table.

The page and the session manager speak to eyes through this protocol and never import `vision`; the command line wires
real eyes in. `NoEyes` stands for a table without a camera, where every move is entered on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from companion.core.foundation.errors import CameraError
from companion.core.layout import Layout, Spot
from companion.core.plan import Point

PlaybackState = Literal["playing", "paused", "waiting", "over"]
"""`waiting`: it holds at an illegal move until somebody has read it."""


class PlaybackStatus(Struct, frozen=True):
    """The progress of a recording."""

    state: PlaybackState
    text: str
    """One or two sentences for people: the present picture, and what to do."""
    number: int
    """Pictures shown so far."""
    total: int


class Playback(Protocol):
    """A recording that is shown. Every method may be called from any thread."""

    def status(self) -> PlaybackStatus:
        """The progress."""

    def play(self) -> None:
        """Go on, also past an illegal move at which it waits."""

    def pause(self) -> None:
        """Hold until `play` or `step`."""

    def step(self) -> None:
        """Show the next picture and hold there."""

    def restart(self) -> None:
        """Begin again with the first picture and a new game."""

    def detach(self) -> None:
        """Take the recorded eyes away for good: the table belongs to somebody's own game from now on."""


# The protocol by which the page lets people choose a camera.
#
# `companion.app.commands.camera_registry` implements it with real cameras; the page never imports `vision`.


class Offered(NamedTuple):
    """One camera that could be watched."""

    name: str
    """The name for `--camera`, without the secrets of an address: "0"."""
    label: str
    """The name that a person gave it."""
    jpeg: bytes | None
    """The present picture, at most 320 pixels wide; None if there is none."""
    text: str
    """One sentence: that it can be used, or why not."""
    watched: bool
    """True if the table is watched by it now."""


class PhonePictures(Protocol):
    """Takes the pictures of a phone that watches the table. Every method may be called from any thread."""

    def begin(self) -> None:
        """Watches the table by the phone from now on."""

    def take(self, jpeg: bytes) -> float:
        """Takes one picture, which replaces an earlier one that was not read yet.

        Returns:
            The number of seconds after which the next picture is wanted; more while the reader is behind.

        Raises:
            CameraError: The picture cannot be kept.
            UnreadablePicture: It is no JPEG picture, or too large.
        """

    def end(self) -> None:
        """Forgets all pictures; if the phone watches the table, nothing does from now on."""


class NoPhonePictures:
    """A table that no phone can watch."""

    def begin(self) -> None:
        """There is no way to watch by a phone.

        Raises:
            CameraError: Always.
        """
        raise CameraError("A phone cannot watch this table. Start a server of one table, without a recording.")

    def take(self, jpeg: bytes) -> float:
        """No picture is wanted.

        Raises:
            CameraError: Always.
        """
        raise CameraError("A phone does not watch this table.")

    def end(self) -> None:
        """There is nothing to forget."""


class Cameras(Protocol):
    """The cameras of this machine. Every method may be called from any thread."""

    def look(self) -> tuple[Offered, ...]:
        """Every camera with its present picture. Those that are not watched are let go soon after the last call."""

    def use(self, name: str) -> None:
        """Watch the table by this camera, or none (""), from now on.

        Raises:
            CameraError: It cannot be opened; the one before goes on.
        """


class NoCameras:
    """A machine whose cameras the page cannot choose from."""

    def look(self) -> tuple[Offered, ...]:
        """None."""
        return ()

    def use(self, name: str) -> None:
        """There is none to choose.

        Raises:
            CameraError: Always.
        """
        raise CameraError("This page cannot change the camera. Name one with --camera when it is started.")


class Frame(NamedTuple):
    """One picture as it goes to the page."""

    number: int
    """Rises by at least one a picture; overlays name the picture that they belong to."""
    jpeg: bytes
    at_s: float
    """Seconds since the epoch."""


class OverlayMark(Struct, frozen=True):
    """One outline to draw over a picture."""

    outline_px: tuple[Point, ...]
    """Corners in the pixels of the full picture, x right, y down; of a board the first is its upper end on the page."""
    label: str
    """A few letters: "GGY4"."""
    kind: Literal["read", "doubt", "hand", "board", "marker"]
    spot: Spot | None = None
    confidence: float = 1.0


class Overlay(Struct, frozen=True):
    """The reading of picture `frame`."""

    frame: int
    size_px: tuple[int, int]
    marks: tuple[OverlayMark, ...]


EyesState = Literal["off", "opening", "looking", "moving", "reading", "lost", "dark", "no-table", "ended"]

BLIND: Mapping[EyesState, str] = {
    "lost": "Camera lost",
    "dark": "Picture dark",
    "no-table": "Table not seen",
    "ended": "Recording over",
}
"""States in which the table is not seen although it should be, each with a title for people."""


class CameraMode(Struct, frozen=True):
    """The mode of a camera."""

    text: str
    """One sentence: how many pixels, how many pictures a second."""
    enough: bool
    """True if pictures come often enough to see what happens between two of them."""


class EyesStatus(Struct, frozen=True):
    """How the eyes are."""

    state: EyesState
    text: str
    """One sentence for people: the trouble and what to do, or the present activity."""
    frame: int = 0
    age_s: float | None = None
    """Age of the newest picture."""
    markers: tuple[int, ...] = ()
    corners_px: tuple[Point, Point, Point, Point] | None = None
    size_px: tuple[int, int] | None = None
    mode: CameraMode | None = None
    """How the camera was opened; None where there was no choice."""
    notice: str | None = None
    """One sentence on a trouble that is over; shown for a while."""
    lost: int = 0
    """Pictures of the camera that came and went while another one was read."""


class Eyes(Protocol):
    """Something that looks at a table. Every method may be called from any thread."""

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """The newest picture with a number above `after`; waits up to `timeout_s`, then None."""

    def overlay(self) -> Overlay | None:
        """The marks of the last reading."""

    def status(self) -> EyesStatus:
        """How things are now."""

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Use clicked corners instead of markers; None goes back to markers."""

    def look_again(self) -> None:
        """Reads the next steady picture even if nothing moved."""

    def confirm_position(self, position: Layout) -> None:
        """Confirms that the present reading shows the game's `position`: dice rolled after it are new.

        The receiver of a reading calls it before it returns.
        """

    def close(self) -> None:
        """Let go of camera and threads."""


class NoEyes:
    """A table without a camera."""

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """Never a picture."""
        return None

    def overlay(self) -> Overlay | None:
        """There is no reading."""
        return None

    def status(self) -> EyesStatus:
        """Off."""
        return EyesStatus("off", "No camera: you enter the moves on this page.")

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """There is no picture that corners could belong to."""

    def look_again(self) -> None:
        """There is no table to look at."""

    def confirm_position(self, position: Layout) -> None:
        """There is no reading."""

    def close(self) -> None:
        """There are no resources to release."""
