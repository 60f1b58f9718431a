"""A motion-JPEG server on loopback that misbehaves as told, for the tests of streams."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np

BOUNDARY = "cut"


def picture(seed: int, size: tuple[int, int] = (160, 90)) -> np.ndarray:
    """A small picture of noise, another one for each seed."""
    return np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)


def jpeg(seed: int, size: tuple[int, int] = (160, 90)) -> bytes:
    """The same, encoded."""
    return cv2.imencode(".jpg", picture(seed, size))[1].tobytes()


def part(data: bytes, length: int | None = None) -> bytes:
    """One part with its delimiter and header."""
    size = len(data) if length is None else length
    return f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {size}\r\n\r\n".encode() + data + b"\r\n"


Script = Callable[[Callable[[bytes], None], threading.Event], None]
"""What a connection sends: called with `send` and an event that is set when the test is over."""


def steady(gap_s: float = 0.02) -> Script:
    """New pictures for ever."""

    def script(send: Callable[[bytes], None], over: threading.Event) -> None:
        seed = int(time.monotonic() * 1000)
        while not over.wait(gap_s):
            seed += 1
            send(part(jpeg(seed % 2**31)))

    return script


@contextmanager
def serving(
    script: Script | None,
    *,
    content_type: str = f"multipart/x-mixed-replace; boundary={BOUNDARY}",
    status: int = 200,
    headers: dict[str, str] | None = None,
    seen: list[dict[str, str]] | None = None,
    port: int = 0,
) -> Iterator[str]:
    """A server whose every connection plays `script`; gives its address."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if seen is not None:
                seen.append(dict(self.headers))
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            if script is not None:
                try:
                    script(self._send, over)
                except OSError:
                    self.close_connection = True

        def _send(self, data: bytes) -> None:
            self.wfile.write(data)
            self.wfile.flush()

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/video"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
