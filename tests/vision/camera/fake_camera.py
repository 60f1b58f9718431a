"""A camera that exists only in a process of its own: `python fake_camera.py BEHAVIOR [STATE_FILE]`.

It is the real child of `vision.camera.device` with another capture, so killing and reopening are real.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from vision.camera.child import main

PERIOD_S = 0.005


class FakeCapture:
    """Behaves as its name says, from the fourth picture on: good, absent, broken, gray, hangs, stops, freezes.

    "plugged:FILE" is there while that file is.
    """

    def __init__(self, behavior: str) -> None:
        self.behavior, _, path = behavior.partition(":")
        self.plug = Path(path) if path else None
        self.count = 0
        self.rng = np.random.default_rng()

    def isOpened(self) -> bool:  # noqa: N802
        if self.plug is not None:
            return self.plug.exists()
        return self.behavior != "absent"

    def grab(self) -> bool:
        time.sleep(PERIOD_S)
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
        shape = (72, 128) if self.behavior == "gray" else (72, 128, 3)
        return True, self.rng.integers(0, 256, shape, dtype=np.uint8)


def command(behavior: str) -> list[str]:
    """The command line of a child that behaves so."""
    return [sys.executable, __file__, behavior]


if __name__ == "__main__":
    main(FakeCapture)
