"""The protocol of eyes, which watch a table through a camera.

The page and the session manager use eyes through this protocol and never import `vision`; the command line connects
real eyes. `NoEyes` stands for a table without a camera, where every move is entered on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from companion.core.foundation.errors import CameraError
from companion.core.layout import Layout, Spot
from companion.core.plan import Point

PlaybackState = Literal["playing", "paused", "waiting", "over"]
"""The state of a playback; while "waiting" it stops at an illegal move until a person has read the message."""


class PlaybackStatus(Struct, frozen=True):
    """The progress of a recording."""

    state: PlaybackState
    text: str
    """One or two sentences for people: the present picture, and what to do."""
    number: int
    """The number of pictures shown so far."""
    total: int


class Playback(Protocol):
    """The controls of a recording that is being shown. Every method may be called from any thread."""

    def status(self) -> PlaybackStatus:
        """Returns the progress."""

    def play(self) -> None:
        """Goes on, also past an illegal move at which the playback waits."""

    def pause(self) -> None:
        """Pauses until `play` or `step`."""

    def step(self) -> None:
        """Shows the next picture and pauses there."""

    def restart(self) -> None:
        """Starts again with the first picture and a new game."""

    def detach(self) -> None:
        """Stops the recording for good: the table belongs to a person's own game from now on."""


# The protocol by which the page lets people choose a camera.
#
# `companion.app.commands.camera_registry` implements it with real cameras; the page never imports `vision`.


class Offered(NamedTuple):
    """One camera that a person may choose."""

    name: str
    """The name for `--camera`, without the secrets of an address: "0"."""
    label: str
    """The name that a person gave the camera."""
    jpeg: bytes | None
    """The present picture as a JPEG, at most 320 pixels wide; None if there is none."""
    text: str
    """One sentence: that the camera can be used, or why not."""
    watched: bool
    """True if this camera watches the table now."""


class PhonePictures(Protocol):
    """The pictures that a phone takes while it watches the table. Every method may be called from any thread."""

    def begin(self) -> None:
        """Makes the phone the camera of the table from now on."""

    def take(self, jpeg: bytes) -> float:
        """Takes one picture, which replaces an earlier one that was not read yet.

        Returns:
            The number of seconds after which the next picture is wanted; more while the reader is behind.

        Raises:
            CameraError: The picture cannot be kept.
            UnreadablePicture: The data is not a JPEG picture, or is too large.
        """

    def end(self) -> None:
        """Forgets all pictures. If the phone was the camera, the table has none from now on."""


class NoPhonePictures:
    """The phone pictures of a table that no phone can watch."""

    def begin(self) -> None:
        """Raises an error, because no phone can watch this table.

        Raises:
            CameraError: Always.
        """
        raise CameraError("A phone cannot watch this table. Start a server without a recording: companion serve.")

    def take(self, jpeg: bytes) -> float:
        """Raises an error, because no phone watches this table.

        Raises:
            CameraError: Always.
        """
        raise CameraError("A phone does not watch this table.")

    def end(self) -> None:
        """Does nothing, because there are no pictures."""


class Cameras(Protocol):
    """The cameras of this machine. Every method may be called from any thread."""

    def look(self) -> tuple[Offered, ...]:
        """Returns every camera with its present picture. Cameras that do not watch the table are closed soon after the
        last call.
        """

    def use(self, name: str) -> None:
        """Chooses the camera that watches the table from now on; "" chooses none.

        Raises:
            CameraError: The camera cannot be opened; the previous one goes on.
        """


class NoCameras:
    """The cameras of a server whose page cannot choose one."""

    def look(self) -> tuple[Offered, ...]:
        """Returns an empty tuple."""
        return ()

    def use(self, name: str) -> None:
        """Raises an error, because the page cannot change the camera.

        Raises:
            CameraError: Always.
        """
        raise CameraError("This page cannot change the camera. Name one with --camera when it is started.")


class Frame(NamedTuple):
    """One picture in the form that the page receives."""

    number: int
    """The picture's number, which rises from picture to picture; an overlay names the picture to which it belongs."""
    jpeg: bytes
    at_s: float
    """The time in seconds since the epoch."""


class OverlayMark(Struct, frozen=True):
    """One outline to draw over a picture."""

    outline_px: tuple[Point, ...]
    """The corners in pixels of the full picture, x right, y down. The first corner of a board is its upper end on the
    page."""
    label: str
    """A short label: "GGY4"."""
    kind: Literal["read", "doubt", "hand", "board", "marker"]
    spot: Spot | None = None
    confidence: float = 1.0


class Overlay(Struct, frozen=True):
    """The marks of the reading of picture `frame`."""

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
"""The states in which the table should be seen but is not, each with a displayed title."""


class CameraMode(Struct, frozen=True):
    """The mode in which a camera runs."""

    text: str
    """One sentence on the picture size and the frame rate."""
    enough: bool
    """True if pictures come often enough to see what happens between two of them."""


class EyesStatus(Struct, frozen=True):
    """The present state of the eyes."""

    state: EyesState
    text: str
    """One sentence for people: the trouble and what to do, or the present activity."""
    frame: int = 0
    age_s: float | None = None
    """The age of the newest picture in seconds."""
    markers: tuple[int, ...] = ()
    corners_px: tuple[Point, Point, Point, Point] | None = None
    size_px: tuple[int, int] | None = None
    mode: CameraMode | None = None
    """The mode in which the camera was opened; None if there was no choice."""
    notice: str | None = None
    """One sentence on a trouble that is over; shown for a while."""
    lost: int = 0
    """The number of camera pictures that were skipped while another one was read."""


class Eyes(Protocol):
    """An object that watches a table. Every method may be called from any thread."""

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """Returns the newest picture with a number above `after`; waits up to `timeout_s`, then returns None."""

    def overlay(self) -> Overlay | None:
        """Returns the marks of the last reading."""

    def status(self) -> EyesStatus:
        """Returns the present state."""

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Sets corners, in picture pixels, that replace the markers; None goes back to markers."""

    def look_again(self) -> None:
        """Reads the next steady picture even if nothing moved."""

    def confirm_position(self, position: Layout) -> None:
        """Confirms that the present reading shows the game's `position`: dice rolled after it are new.

        The receiver of a reading calls it before it returns.
        """

    def close(self) -> None:
        """Releases the camera and the threads."""


class NoEyes:
    """The eyes of a table without a camera."""

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """Returns None, because there is never a picture."""
        return None

    def overlay(self) -> Overlay | None:
        """Returns None, because there is never a reading."""
        return None

    def status(self) -> EyesStatus:
        """Returns a status that says there is no camera."""
        return EyesStatus("off", "No camera: you enter the moves on this page.")

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Does nothing, because there is no picture with corners."""

    def look_again(self) -> None:
        """Does nothing, because there is no picture to read."""

    def confirm_position(self, position: Layout) -> None:
        """Does nothing, because there is no reading to confirm."""

    def close(self) -> None:
        """Does nothing, because there are no resources to release."""
