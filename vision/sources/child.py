"""The process that holds a camera: `python -m vision.sources.child`, with a socket as its standard input.

A camera's driver may block for ever inside OpenCV, and a thread there cannot be stopped; a process can. The child grabs
all the time, so that its newest picture is never old; when asked by one byte, it decodes and sends a picture.
"""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np

from vision.sources.answer import ANSWER, NAME
from vision.sources.mode import Mode, choose_mode

_VIDEO = re.compile(r"(?:/dev/video)?([0-9]+)")
"""A camera's number, or the device that its own name leads to; OpenCV opens those most reliably by number."""
SPIN_S = 0.002
"""The pause in seconds after a grab that took no time, so that a faulty driver cannot occupy a processor."""


class CameraCapture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...


CameraFactory = Callable[[str], tuple[CameraCapture, Mode | None]]
"""Opens a camera; its mode is None if there is no choice."""


def open_capture(camera: str) -> tuple[CameraCapture, Mode | None]:
    """Opens a camera by index or device path in its best mode, or a stream by address as it is."""
    if "://" in camera:
        return cv2.VideoCapture(camera, cv2.CAP_FFMPEG), None
    number = _VIDEO.fullmatch(camera if camera.isdigit() else os.path.realpath(camera))
    capture = cv2.VideoCapture(camera if number is None else int(number[1]))
    return capture, choose_mode(capture) if capture.isOpened() else None


def serve(camera: str, channel: socket.socket, opener: CameraFactory = open_capture) -> None:
    """Opens the camera and answers until the channel closes or the camera gives no more pictures."""
    wanted = threading.Event()

    def listen() -> None:
        try:
            while channel.recv(1):
                wanted.set()
        finally:
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    capture, mode = opener(camera)
    if not capture.isOpened():
        return _refuse(channel, "cannot be opened")
    width, height, rate_hz = mode or (0, 0, 0.0)
    channel.sendall(ANSWER.pack(True, width, height, rate_hz, 0))
    before_s = time.monotonic()
    while True:
        if not capture.grab():
            return _refuse(channel, "stopped giving pictures")
        now_s = time.monotonic()
        gap_s, before_s = now_s - before_s, now_s
        if gap_s < SPIN_S:
            time.sleep(SPIN_S)
        if not wanted.is_set():
            continue
        there, picture = capture.retrieve()
        if not there or picture is None:
            return _refuse(channel, "gave a picture that cannot be decoded")
        wanted.clear()
        pixels = np.ascontiguousarray(picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
        height, width = pixels.shape[:2]
        channel.sendall(ANSWER.pack(True, width, height, gap_s, pixels.nbytes))
        channel.sendall(pixels.data.cast("B"))


def named(channel: socket.socket) -> str:
    """Returns the camera that the parent names first.

    Raises:
        EOFError: The parent is gone.
    """
    with channel.makefile("rb", buffering=0) as line:
        head = line.read(NAME.size) or b""
        size = NAME.unpack(head)[0] if len(head) == NAME.size else 0
        data = b""
        while len(data) < size:
            more = line.read(size - len(data))
            if not more:
                break
            data += more
    if not data:
        raise EOFError
    return data.decode("utf-8", "surrogateescape")


def _refuse(channel: socket.socket, what: str) -> None:
    data = what.encode()
    channel.sendall(ANSWER.pack(False, 0, 0, 0.0, len(data)) + data)


def main(opener: CameraFactory = open_capture) -> None:
    """Runs as the child of `vision.sources.device`."""
    channel = socket.socket(fileno=sys.stdin.fileno())
    try:
        serve(named(channel), channel, opener)
        channel.shutdown(socket.SHUT_WR)
    except (OSError, EOFError):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
