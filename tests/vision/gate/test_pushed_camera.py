"""A camera that was pushed and one before which a hand rests: both show little of the table as it was."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

import companion.app.demos
from companion.core.layout import Detection, Layout
from tests.vision.scenes import GLOVE, hand
from tests.vision.watched import Line, Read, Reader, Told, until, watching
from vision.image.picture import Picture
from vision.registration.markers import find_markers
from vision.sources.source import Shot


class TickingLine(Line):
    """A line that never runs dry: the last picture comes again and again, each with new noise."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self.picture = picture
        self.number = 0
        self.rng = np.random.default_rng(4)

    def next(self, timeout_s: float) -> Shot | None:
        time.sleep(0.01)
        self.number += 1
        noise = self.rng.integers(0, 3, self.picture.shape, dtype=np.uint8)
        return Shot(self.number, str(self.number), self.number / 30, 1002.0, 1 / 30, cv2.add(self.picture, noise))


def recorded() -> Picture:
    """A picture of a real mat, with its four markers."""
    picture = cv2.imread(str(Path(companion.app.demos.__file__).parent / "spectrangle" / "frame-0008.jpg"))
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


def moved_by(picture: Picture, right_px: int) -> Picture:
    """As a camera that was pushed sees the same table: a part of it is in view still."""
    shift = np.array([[1.0, 0.0, right_px], [0.0, 1.0, 0.0]])
    height, width = picture.shape[:2]
    found = cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(found, dtype=np.uint8)


class RealCorners(Reader):
    """Knows where the markers of a picture are."""

    def read(self, picture: Picture) -> Read:
        seen = find_markers(picture)
        first, second, third, fourth = (tuple(map(float, seen[number][0].mean(axis=0))) for number in range(4))
        return Read(Layout(cells={"c0": Detection.sure(None)}), corners_px=(first, second, third, fourth))  # type: ignore[arg-type]


def test_a_camera_that_was_pushed_is_not_taken_for_a_hand_for_long() -> None:
    line = TickingLine(recorded())
    with watching(line, RealCorners(), Told()) as watcher:
        until(lambda: watcher.status().state == "looking" and len(watcher.status().markers) == 4)
        line.picture = moved_by(recorded(), 430)
        until(lambda: watcher.status().state == "no-table")
        assert watcher.status().text.startswith("The camera or the mat was moved")
        line.picture = recorded()
        until(lambda: watcher.status().state == "looking")


def test_a_hand_that_rests_is_no_moved_camera() -> None:
    line = TickingLine(recorded())
    with watching(line, RealCorners(), Told()) as watcher:
        until(lambda: watcher.status().state == "looking" and len(watcher.status().markers) == 4)
        line.picture = hand(recorded(), (640, 300), GLOVE)
        until(lambda: watcher.status().state == "moving")
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            assert watcher.status().state in ("moving", "looking", "reading")
            time.sleep(0.05)
