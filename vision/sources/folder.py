"""Recorded games as a folder of pictures in name order, one for each moment.

Files of other kinds (labels, notes) are skipped; a picture that cannot be decoded is reported, and the others continue.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from companion.core.foundation.errors import CameraError, UnreadablePicture
from vision.image.picture import decode_picture
from vision.sources.source import CameraPace, Shot

SUFFIXES = (".jpg", ".jpeg", ".png")
"""The suffixes of picture files, in upper or lower case."""
DENSE_S = 0.2
"""Pictures closer together than this number of seconds follow each other like a film's."""


class FolderSource:
    """Pictures of a folder, or one picture.

    Args:
        path: The folder, or one picture file.
        pace_s: Seconds from one picture to the next.
        realtime: True: deliver at that pace; False: as fast as they are asked for.
        after: So many pictures were delivered before; the one after them comes first.

    Raises:
        CameraError: There is no picture in it.
    """

    live = False

    def __init__(
        self,
        path: Path,
        *,
        pace_s: float = 1.0,
        realtime: bool = False,
        after: int = 0,
        clock: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self.label = path.name or str(path)
        self.stills = pace_s > DENSE_S
        self._pace_s = pace_s
        self._clock = clock
        self._pace = CameraPace(realtime, tick, from_s=after * pace_s)
        self._next = after
        self._closed = False
        if path.is_file():
            self._files = [path]
            return
        try:
            self._files = sorted(
                (file for file in path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file()),
                key=lambda file: file.name,
            )
        except OSError as error:
            raise CameraError(f"The folder {path} cannot be opened ({error.strerror}). Choose another.") from error
        if not self._files:
            raise CameraError(
                f"The folder {path} holds no picture ({', '.join(SUFFIXES)}). Give the folder that holds the recording."
            )

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the next picture in name order at its time."""
        if self.ended or not self._pace.wait(self._next * self._pace_s, timeout_s):
            return None
        index, file = self._next, self._files[self._next]
        self._next += 1
        try:
            picture = decode_picture(file.read_bytes())
        except OSError as error:
            raise CameraError(f"The picture {file.name} cannot be opened ({error.strerror}).") from error
        except UnreadablePicture as error:
            raise CameraError(f"The picture {file.name} cannot be read: {error}") from error
        gap_s = math.inf if self.stills else self._pace_s
        return Shot(index + 1, file.name, index * self._pace_s, self._clock(), gap_s, picture)

    def trouble(self) -> str | None:
        """Returns None: a folder does not become unavailable for a while."""
        return None

    @property
    def total(self) -> int:
        """The number of pictures."""
        return len(self._files)

    @property
    def ended(self) -> bool:
        """True if all pictures were delivered."""
        return self._closed or self._next >= len(self._files)

    def close(self) -> None:
        """Stops deliveries."""
        self._closed = True
        self._pace.stop()
