"""A camera on the web that gives one picture for each request: its snapshot is requested again and again.

Many cameras have an address for a snapshot and none for a motion-JPEG stream, or a stream in a form of its own only.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable

from companion.core.foundation.errors import CameraError
from vision.sources.live import Limits, Raw
from vision.sources.stream import PART_LIMIT
from vision.sources.web_camera import WebAnswer, WebCamera, cut_after

KINDS = ("image/jpeg", "image/jpg", "image/pjpeg")
"""The content types by which cameras mean a JPEG picture."""
APART_S = 0.2
"""The least number of seconds between requests: five times a second, as often as hands must be seen."""
RENEWS_S = 10.0
"""The number of seconds for which a camera may repeat a snapshot: some make a new one only every few seconds."""
WHOLE_S = 5.0
"""The number of seconds that a picture may take from its header to its end."""


class SnapshotTap:
    """Requests a camera's snapshot.

    Args:
        camera: Receives a request for each further picture.
        answer: Its first answer.
    """

    pushes = False
    renews_s = RENEWS_S
    mode = None

    def __init__(
        self,
        label: str,
        camera: WebCamera,
        answer: WebAnswer,
        limits: Limits,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label, self._camera, self._tick = label, camera, tick
        self._whole_s = max(WHOLE_S, limits.silent_s)
        self._closing = threading.Event()
        self._answer: WebAnswer | None = answer
        self._asked_s = tick()
        self._before_s: float | None = None

    def read(self) -> Raw:
        """Returns the next picture. All but the first one are taken after this call."""
        answer, self._answer = self._answer, None
        if answer is None:
            if self._closing.wait(max(0.0, self._asked_s + APART_S - self._tick())):
                raise CameraError(f"The {self._label} broke off.")
            self._asked_s = self._tick()
            answer = self._camera.ask()
        if answer.kind not in KINDS:
            answer.close()
            raise CameraError(f"The {self._label} answers with {answer.kind[:60] or 'no content type'} now.")
        data = self._whole(answer)
        now_s = self._tick()
        gap_s = 0.0 if self._before_s is None else now_s - self._before_s
        self._before_s = now_s
        return Raw(data, gap_s)

    def close(self) -> None:
        """Stops requests; a picture in transfer is abandoned."""
        self._closing.set()
        answer = self._answer
        if answer is not None:
            answer.close()
        self._camera.close()

    def _whole(self, answer: WebAnswer) -> bytes:
        self._answer = answer  # so that it can be closed from another thread
        try:
            with cut_after(answer.line, self._whole_s) as late:
                answer.line.settimeout(self._whole_s)
                data = answer.response.read(PART_LIMIT + 1)
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            answer.close()
            raise CameraError(f"The {self._label} broke off.") from error
        finally:
            self._answer = None
        if late.is_set():
            answer.close()
            raise CameraError(f"The {self._label} stalls: no picture came for {self._whole_s:g} s.")
        if len(data) > PART_LIMIT:
            answer.close()
            raise CameraError(
                f"The {self._label} sends a picture of more than {PART_LIMIT / 1e6:.0f} MB. "
                "Choose a smaller resolution at the camera."
            )
        self._camera.keep(answer)
        return data
