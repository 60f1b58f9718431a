"""Where pictures come from, whatever it is: the one shape that the rest of the house sees.

A live source (camera, stream) gives the newest picture and forgets the others; a recording (film, folder) gives every
picture in order. Both are asked for the next picture and may have none yet.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from vision.image.picture import Picture


class Shot(NamedTuple):
    """One picture from a source."""

    number: int
    """1 for the source's first picture, then rising; a live source may leave numbers out."""
    name: str
    """The file name of a picture in a folder; else "picture 12"."""
    t_s: float
    """Seconds since the source's first picture: as recorded for a film, as it came for a camera."""
    at_s: float
    """Seconds since the epoch when it was delivered."""
    gap_s: float
    """Seconds between this picture and the previous one at the source; infinite if unknown."""
    picture: Picture


class Source(Protocol):
    """A camera, film, folder or stream. `next` is for one thread; the rest may be called from any."""

    label: str
    """The name for people: "camera 0", "game.avi"."""
    live: bool
    """True: only the newest picture counts. False: a recording, every picture in order."""
    stills: bool
    """True if each picture is a moment of its own, with unknown events between two of them."""

    def next(self, timeout_s: float) -> Shot | None:
        """The next picture; None if there is none within `timeout_s`, or none any more.

        Raises:
            CameraError: This one picture of a recording cannot be read; the call after it goes on.
        """

    def trouble(self) -> str | None:
        """One sentence while a live source gives no pictures, else None."""

    @property
    def ended(self) -> bool:
        """True if the recording is over, or the source is closed."""

    def close(self) -> None:
        """Let go of device, file, connection and thread. Safe to call twice."""
