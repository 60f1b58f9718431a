"""A phone as the camera: its page sends pictures to the server, and the reader takes the newest one from a mailbox.

The mailbox is a folder that both processes share. A picture that was not taken before the next one comes is replaced,
so there is no queue, and the phone learns that the reader is behind.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.core.foundation.errors import CameraError
from vision.sources.live import Limits, Raw

SUFFIX = ".phone"
"""The end of a mailbox's name, by which a source recognizes it."""
LABEL = "phone"
_PICTURE, _NEXT, _TAKEN = "picture.jpg", "next.jpg", "taken.jpg"
_LOOK_S = 0.02
"""The interval in seconds at which an empty mailbox is checked."""


class PhoneMailbox:
    """A folder that holds at most one picture for the reader. One process puts, another takes.

    Args:
        folder: Ends in `SUFFIX`; it is made if it is not there, for its owner alone.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = folder

    def put(self, jpeg: bytes) -> bool:
        """Replaces the picture in the mailbox.

        Returns:
            True if the previous one had been taken: the reader keeps up.

        Raises:
            CameraError: The folder takes no picture.
        """
        picture, following = self.folder / _PICTURE, self.folder / _NEXT
        try:
            taken = not picture.exists()
            line = os.open(following, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(line, "wb") as file:
                file.write(jpeg)
            following.replace(picture)
        except OSError as error:
            raise CameraError(
                f"The picture of the phone cannot be kept in {self.folder} ({error.strerror}). Make room there."
            ) from error
        return taken

    def take(self) -> bytes | None:
        """Takes the picture out; None if there is none."""
        taken = self.folder / _TAKEN
        try:
            (self.folder / _PICTURE).replace(taken)
            return taken.read_bytes()
        except OSError:
            return None

    def empty(self) -> None:
        """Removes all pictures."""
        for name in (_PICTURE, _NEXT, _TAKEN):
            (self.folder / name).unlink(missing_ok=True)


class PhoneTap:
    """Takes pictures from a mailbox, for `vision.sources.live.LiveSource`."""

    pushes = False
    renews_s = 0.0
    mode = None

    def __init__(self, mailbox: PhoneMailbox, limits: Limits, tick: Callable[[], float] = time.monotonic) -> None:
        self._mailbox, self._silent_s, self._tick = mailbox, limits.silent_s, tick
        self._closing = threading.Event()
        self._before_s: float | None = None

    def read(self) -> Raw:
        """Returns the newest picture; waits for one as long as a camera may be silent."""
        until_s = self._tick() + self._silent_s
        while (jpeg := self._mailbox.take()) is None:
            if self._closing.wait(_LOOK_S) or self._tick() >= until_s:
                raise CameraError("The phone sends no pictures. Unlock it, and leave its camera page open.")
        now_s = self._tick()
        gap_s = 0.0 if self._before_s is None else now_s - self._before_s
        self._before_s = now_s
        return Raw(jpeg, gap_s)

    def close(self) -> None:
        """Ends a wait for a picture. Safe to call twice."""
        self._closing.set()
