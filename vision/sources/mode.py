"""Chooses the mode of a camera: the most pixels that it still delivers often enough.

A camera accepts any request and gives what it can, and its own description is often wrong. So each mode is requested
and measured by its pictures, the largest one first. Over a slow line, or in dim light with long exposures, a large mode
may be too slow to show what happens between two pictures.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import cv2

ASKED_PX = ((1920, 1080), (1600, 900), (1280, 720), (960, 540), (640, 480))
"""The widths and heights that are requested, in this order."""
RATE_HZ = 30
"""The requested rate of each mode in pictures per second."""
LEAST_HZ = 5.0
"""A slower mode is not chosen if a smaller one is faster."""
WARM_UP = 2
"""The number of pictures after a change of mode that do not count for its rate."""
MEASURED = 8
"""The largest number of pictures by which a rate is measured."""
MEASURE_S = 1.2
"""The largest number of seconds per measurement, so that all modes together fit into a camera's time for opening."""
BUDGET_S = 5.0
"""The number of seconds after which no further mode is tried, and the best one so far is chosen."""


class Mode(NamedTuple):
    """The mode of a camera."""

    width_px: int
    height_px: int
    rate_hz: float

    def __str__(self) -> str:
        rate = f"{self.rate_hz:.0f}" if self.rate_hz >= 2 else f"{self.rate_hz:.1f}"
        return f"{self.width_px} x {self.height_px} pixels, {rate} pictures a second"

    def sentence(self, label: str) -> str:
        """Returns the sentence about the mode; `label` is the camera's name for people."""
        slow = "" if self.enough else " That is few: what happens between two is missed. More light may help."
        return f"The {label} gives {self}.{slow}"

    @property
    def enough(self) -> bool:
        """True if pictures come often enough to see what happens between two of them."""
        return self.rate_hz >= LEAST_HZ


class Tunable(Protocol):
    """The part of `cv2.VideoCapture` that changes its mode."""

    def set(self, property_id: int, value: float) -> bool: ...
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...


def choose_mode(capture: Tunable, tick: Callable[[], float] = time.monotonic) -> Mode | None:
    """Sets a camera to its best mode and returns that; None if no mode gives a picture.

    Args:
        tick: Returns seconds of a clock that never goes back.
    """
    began_s = tick()
    tried: dict[tuple[int, int], Mode] = {}
    last = ASKED_PX[0]
    for asked in ASKED_PX:
        if tick() - began_s > BUDGET_S:
            break
        last, mode = asked, _measured(capture, asked, tick)
        if mode is not None:
            tried[asked] = mode
            if mode.enough:
                return mode
    if not tried:
        return None
    best = max(tried, key=lambda asked: tried[asked].rate_hz)
    if best != last:
        _ask(capture, best)
    return tried[best]


def _ask(capture: Tunable, size_px: tuple[int, int]) -> None:
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
    capture.set(cv2.CAP_PROP_FPS, RATE_HZ)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _measured(capture: Tunable, asked: tuple[int, int], tick: Callable[[], float]) -> Mode | None:
    """Requests a mode and measures the result; None if no picture comes."""
    _ask(capture, asked)
    for _ in range(WARM_UP):
        if not capture.grab():
            return None
    began_s, count, size = tick(), 0, None
    while count < MEASURED and (count == 0 or tick() - began_s < MEASURE_S):
        if not capture.grab():
            return None
        there, picture = capture.retrieve()
        if there and picture is not None:
            size = picture.shape[1], picture.shape[0]
        count += 1
    if size is None:
        return None
    return Mode(*size, count / max(tick() - began_s, 1e-6))
