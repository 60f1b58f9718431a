"""The protocol by which the page lets people choose a camera.

`companion.app.commands.camera_registry` implements it with real cameras; the page never imports `vision`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from companion.core.foundation.errors import CameraError


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
