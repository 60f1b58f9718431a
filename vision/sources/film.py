"""A video file: a recorded game, with every picture in order, at the times in the file.

OpenCV decodes it. A file that was cut off by a power failure simply ends there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.core.foundation.errors import CameraError
from vision.sources.source import CameraPace, Shot

PIXELS_LIMIT = 25_000_000
"""The largest number of pixels of one picture, as for photographs."""
STILLS_BELOW_FPS = 2.5
"""A film with fewer pictures per second is a series of stills: too much can happen between two pictures."""


class FilmSource:
    """Pictures of a video file.

    Args:
        realtime: True: deliver each at its time; False: as fast as they are asked for.
        after: So many pictures were delivered before; the one after them comes first.

    Raises:
        CameraError: It is no video that OpenCV can decode, or it holds no picture.
    """

    live = False

    def __init__(
        self,
        path: Path,
        *,
        realtime: bool = False,
        after: int = 0,
        clock: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self.label = path.name
        self._clock = clock
        self._closed = False
        self._number = 0
        self._t_s = 0.0
        self._film = cv2.VideoCapture(str(path))
        rate = self._film.get(cv2.CAP_PROP_FPS)
        self._step_s = 1 / rate if 0 < rate < 1000 else 0.0
        self.stills = 0 < rate < STILLS_BELOW_FPS
        width, height = self._film.get(cv2.CAP_PROP_FRAME_WIDTH), self._film.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if width * height > PIXELS_LIMIT:
            self._film.release()
            raise CameraError(
                f"The film {path.name} is {width:.0f}x{height:.0f}; "
                f"the limit is {PIXELS_LIMIT / 1e6:.0f} million pixels. Make it smaller first."
            )
        self._ahead = self._decode()
        if self._ahead is None:
            self._film.release()
            raise CameraError(
                f"The file {path.name} is no video that can be played here. Give an MP4 or AVI file, or a folder of "
                "pictures."
            )
        while self._ahead is not None and self._ahead.number <= after:
            self._ahead = self._decode()
        self._pace = CameraPace(realtime, tick, from_s=0.0 if self._ahead is None else self._ahead.t_s)

    def _decode(self) -> Shot | None:
        """Returns the next picture of the file, with times in the file; the wall-clock time is set at its delivery."""
        if not self._film.isOpened():
            return None
        there, picture = self._film.read()
        if not there:
            return None
        told_s = self._film.get(cv2.CAP_PROP_POS_MSEC) / 1000
        before_s, self._number = self._t_s, self._number + 1
        if self._number > 1:
            self._t_s = told_s if told_s > before_s else before_s + self._step_s
        pixels = np.asarray(picture, dtype=np.uint8)
        if pixels.ndim == 2:
            pixels = np.repeat(pixels[:, :, None], 3, axis=2)
        return Shot(self._number, f"picture {self._number}", self._t_s, 0.0, self._t_s - before_s, pixels)

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the next picture at its time."""
        shot = self._ahead
        if shot is None or self._closed or not self._pace.wait(shot.t_s, timeout_s):
            return None
        self._ahead = self._decode()
        return shot._replace(at_s=self._clock())

    def trouble(self) -> str | None:
        """Returns None: a file does not become unavailable for a while."""
        return None

    @property
    def ended(self) -> bool:
        """True if the last picture was delivered."""
        return self._closed or self._ahead is None

    def close(self) -> None:
        """Stops deliveries; the file is released with this object, since another thread may be decoding."""
        self._closed = True
        self._pace.stop()
