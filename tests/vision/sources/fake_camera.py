"""A camera that exists only in a process of its own: `python fake_camera.py`, told its behavior as the name.

It is the real child of `vision.sources.device` with another capture, so killing and reopening are real.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.sources.child import CameraCapture, main
from vision.sources.mode import Mode, choose_mode

PERIOD_S = 0.005
SIDES = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)


class FakeCapture:
    """Behaves as its name says, from the fourth picture on: good, absent, broken, gray, hangs, stops, freezes.

    "plugged:FILE" is there while that file is; "slow" gives pictures of the size that it is asked for, and large ones seldom.
    """

    def __init__(self, behavior: str) -> None:
        self.behavior, _, path = behavior.partition(":")
        self.plug = Path(path) if path else None
        self.count = 0
        self.rng = np.random.default_rng()
        self.size_px = [128, 72]

    def isOpened(self) -> bool:  # noqa: N802
        if self.plug is not None:
            return self.plug.exists()
        return self.behavior != "absent"

    def set(self, property_id: int, value: float) -> bool:
        if property_id in SIDES:
            self.size_px[SIDES.index(property_id)] = int(value)
        return property_id in SIDES

    def grab(self) -> bool:
        time.sleep(0.3 if self.behavior == "slow" and self.size_px[0] > 1280 else PERIOD_S)
        late = self.count >= 3
        if self.behavior == "hangs" and late:
            time.sleep(3600)
        if self.plug is not None:
            return self.plug.exists()
        return not (self.behavior == "stops" and late)

    def retrieve(self) -> tuple[bool, Any]:
        if self.behavior == "broken":
            return False, None
        self.count += 1
        if self.behavior == "freezes" and self.count > 3:
            return True, np.full((72, 128, 3), 7, dtype=np.uint8)
        width, height = self.size_px
        shape = (height, width) if self.behavior == "gray" else (height, width, 3)
        return True, self.rng.integers(0, 256, shape, dtype=np.uint8)


COMMAND = (sys.executable, __file__)
"""The command line of a child that behaves as the camera that it is told to hold is called."""


def opened(behavior: str) -> tuple[CameraCapture, Mode | None]:
    """A camera that behaves so; only a slow one has modes to choose from."""
    capture = FakeCapture(behavior)
    return capture, choose_mode(capture) if behavior == "slow" else None


if __name__ == "__main__":
    main(opened)
