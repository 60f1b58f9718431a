"""A motion-JPEG stream over HTTP, as phones, single-board computers and network cameras serve it.

It has a parser of its own, which distinguishes a stalled line from a slow one, refuses other streams in one sentence,
and is closed from another thread.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable

from companion.core.foundation.errors import CameraError
from companion.core.printable import one_line
from vision.sources.live import Limits, Raw
from vision.sources.multipart import MultipartParser, boundary_of
from vision.sources.web_camera import WebAnswer

CHUNK_BYTES = 64 * 1024


class StreamTap:
    """One motion-JPEG stream whose header has come.

    Args:
        answer: What a camera on the web has answered.

    Raises:
        CameraError: It is something else.
    """

    pushes = True
    renews_s = 0.0
    mode = None

    def __init__(
        self, label: str, answer: WebAnswer, limits: Limits, tick: Callable[[], float] = time.monotonic
    ) -> None:
        self._label = label
        self._silent_s = limits.silent_s
        self._patience_s = 2 * limits.silent_s
        """For the next picture; a camera may take its time for its first."""
        self._tick = tick
        self._closing = threading.Event()
        self._before_s: float | None = None
        self._answer = answer
        if not answer.kind.startswith("multipart/"):
            self.close()
            kind = one_line(answer.kind[:60]) or "no content type"
            raise CameraError(
                f"The {label} answers with {kind}, neither with a motion-JPEG stream (multipart/x-mixed-replace) nor"
                " with a JPEG picture. Give the address of the stream or of the snapshot itself, not of its page."
            )
        self._parser = MultipartParser(boundary_of(answer.response.getheader("Content-Type", "")))

    def read(self) -> Raw:
        """The newest complete part."""
        until_s = self._tick() + self._patience_s
        while True:
            left_s = until_s - self._tick()
            if left_s <= 0:
                raise CameraError(f"The {self._label} stalls: no picture came for {self._patience_s:g} s.")
            try:
                self._answer.line.settimeout(left_s)
                data = self._answer.response.read1(CHUNK_BYTES)
            except TimeoutError:
                continue
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
                # The last two where another thread has closed it meanwhile: a closed file, or none.
                raise CameraError(f"The {self._label} broke off.") from error
            parts = self._parser.feed(data)
            if parts:
                now_s = self._tick()
                gap_s = 0.0 if self._before_s is None else (now_s - self._before_s) / len(parts)
                self._before_s = now_s
                self._patience_s = self._silent_s
                return Raw(parts[-1], gap_s)
            if not data or self._parser.ended:
                raise CameraError(f"The {self._label} was closed by its server.")

    def close(self) -> None:
        """Cut the line; a read in another thread fails at once."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._answer.close()
