"""The cameras on the web: a motion-JPEG stream over HTTP, or one picture for each request.

Phones, single-board computers and network cameras serve streams. The parser distinguishes a stalled line from a slow
one, refuses other streams in one sentence, and is closed from another thread. Many cameras have an address for a
snapshot and no such stream: their snapshot is requested again and again.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable

from companion.core.foundation.errors import CameraError
from companion.core.printable import one_line
from vision.sources.live import Limits, Raw
from vision.sources.web_camera import WebAnswer, WebCamera, cut_after

# Motion-JPEG over HTTP: bytes in, JPEG parts out.
#
# Cameras keep to RFC 2046 loosely: boundaries with and without dashes, lengths that are missing, lines that end in a
# bare line feed. The parser takes all of that, holds little, and refuses what would fill memory.

PART_LIMIT = 10 * 1024 * 1024
"""The largest number of bytes of one picture, as for an upload."""
HEAD_LIMIT = 8 * 1024
"""The largest number of bytes of one part's header lines."""
LINE_LIMIT = 256
"""The largest number of bytes of a stream's first line."""
SILENCE_LIMIT = 1024 * 1024
"""The number of bytes without any boundary after which a stream is given up."""


def boundary_of(content_type: str) -> bytes | None:
    """Returns the boundary in a `Content-Type` header, without its dashes; None if the header is not multipart."""
    kind, _, rest = content_type.partition(";")
    if not kind.strip().lower().startswith("multipart/"):
        return None
    for field in rest.split(";"):
        name, _, value = field.partition("=")
        if name.strip().lower() == "boundary":
            return value.strip().strip('"').lstrip("-").encode("latin-1", "replace") or None
    return None


class MultipartParser:
    """Cuts a stream into its parts' bodies.

    Args:
        boundary: The result of `boundary_of`. If a stream begins with another boundary, or none was announced, the
            stream
            decides: some cameras announce one and send another.
    """

    def __init__(self, boundary: bytes | None) -> None:
        self._delimiter = b"" if boundary is None else b"--" + boundary
        self._begun = False
        self._buffer = bytearray()
        self._length: int | None = None
        self._in_body = False
        self._searched = 0
        self.ended = False
        """True if the closing delimiter was seen."""

    def feed(self, data: bytes) -> list[bytes]:
        """Returns the bodies that are complete now, oldest first.

        Raises:
            CameraError: A part or its header is larger than the limits, or no boundary comes.
        """
        self._buffer += data
        bodies: list[bytes] = []
        while not self.ended:
            if self._in_body:
                body = self._body()
                if body is None:
                    break
                if body:
                    bodies.append(body)
            elif not self._head():
                break
        return bodies

    def _head(self) -> bool:
        """Skips the delimiter and the header lines; returns False while they are incomplete."""
        if not self._begun and not self._first_line():
            return False
        start = self._buffer.find(self._delimiter)
        if start < 0:
            if len(self._buffer) > SILENCE_LIMIT:
                raise CameraError("The stream never sends the boundary that it announces; it is no motion-JPEG stream.")
            return False
        after = start + len(self._delimiter)
        if self._buffer[after : after + 2] == b"--":
            self.ended = True
            return False
        ends = [
            (at, at + len(mark)) for mark in (b"\r\n\r\n", b"\n\n") if (at := self._buffer.find(mark, after - 2)) >= 0
        ]
        if not ends:
            if len(self._buffer) - after > HEAD_LIMIT:
                raise CameraError(f"The stream sends header lines of more than {HEAD_LIMIT} bytes.")
            return False
        stop, body = min(ends)
        self._length = self._announced(bytes(self._buffer[after : max(stop, after)]))
        del self._buffer[:body]
        self._in_body, self._searched = True, 0
        return True

    def _first_line(self) -> bool:
        """Takes the delimiter from the stream's first line if that is one; returns False while the line is
        incomplete.
        """
        start = len(self._buffer) - len(self._buffer.lstrip(b"\r\n"))
        end = self._buffer.find(b"\n", start)
        if end < 0 and len(self._buffer) - start <= LINE_LIMIT:
            return False
        line = bytes(self._buffer[start:end]).rstrip(b"\r \t") if end >= 0 else b""
        self._begun = True
        if line.startswith(b"--") and not (self._delimiter and self._delimiter in line):
            self._delimiter = line
        if not self._delimiter:
            raise CameraError("The stream begins with no boundary; it is no motion-JPEG stream.")
        return True

    @staticmethod
    def _announced(head: bytes) -> int | None:
        """Returns the part's `Content-Length` if it gives a plausible one; None otherwise."""
        for line in head.splitlines():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value.strip()[:20])
                if length > PART_LIMIT:
                    raise CameraError(
                        f"The stream announces a picture of {length / 1e6:.0f} MB; the limit is "
                        f"{PART_LIMIT / 1e6:.0f} MB. Choose a smaller resolution at the camera."
                    )
                return length or None
        return None

    def _body(self) -> bytes | None:
        """Returns the part's body; None while it is incomplete."""
        if self._length is not None:
            if len(self._buffer) < self._length:
                return None
            size, end = self._length, self._length
        else:
            found = self._buffer.find(self._delimiter, max(0, self._searched - len(self._delimiter)))
            if found < 0:
                self._searched = len(self._buffer)
                if self._searched > PART_LIMIT:
                    raise CameraError(
                        f"The stream sends a picture of more than {PART_LIMIT / 1e6:.0f} MB. "
                        "Choose a smaller resolution at the camera."
                    )
                return None
            end = found
            size = found - 2 if self._buffer[max(0, found - 2) : found] == b"\r\n" else found
            size = size - 1 if self._buffer[max(0, size - 1) : size] == b"\n" and size == found else size
        body = bytes(self._buffer[: max(0, size)])
        del self._buffer[:end]
        self._in_body = False
        return body


CHUNK_BYTES = 64 * 1024


class StreamTap:
    """A motion-JPEG stream whose header has arrived.

    Args:
        answer: The answer of a camera on the web.

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
        """The time limit in seconds for the next picture; a camera may take longer for its first one."""
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
        """Returns the newest complete part."""
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
                # The last two occur if another thread has closed it meanwhile: a closed file, or none.
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
        """Cuts the line; a read in another thread fails immediately."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._answer.close()


PICTURES = ("image/jpeg", "image/jpg", "image/pjpeg")
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
        if answer.kind not in PICTURES:
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
