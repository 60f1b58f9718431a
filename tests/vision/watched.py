"""What eyes are tested with: a reader that is told what to say, a camera that shows what is put in, who listens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from companion.core.foundation.errors import NoTable
from companion.core.layout import Detection, Layout
from companion.core.plan import Mat, Plan
from companion.core.protocols.eyes import OverlayMark
from tests.vision.scenes import film
from vision.gate.change import Map
from vision.gate.watcher import Corners, Watcher
from vision.image.picture import Picture
from vision.sources.source import Shot, Source

CORNERS: Corners = ((108.0, 78.0), (528.0, 78.0), (528.0, 288.0), (108.0, 288.0))


class Read(Struct, frozen=True):
    layout: Layout
    marks: tuple[OverlayMark, ...] = (OverlayMark(((0.0, 0.0), (9.0, 0.0), (0.0, 9.0)), "GGY4", "read"),)
    markers: tuple[int, ...] = (0, 1, 2, 3)
    corners_px: Corners = CORNERS
    zones_px: tuple[tuple[tuple[float, float], ...], ...] = ()


class Reader:
    """Reads how bright the picture is, or fails as told."""

    def __init__(self) -> None:
        self.plan = Plan(Mat(600, 300, 40))
        self.pictures: list[Picture] = []
        self.corners: list[Corners | None] = []
        self.settled: list[int] = []
        """How many pictures were read when the position was said to be what they show."""
        self.further: list[int] = []
        """Before which of the pictures a further look was asked for."""
        self.covered: list[Map | None] = []
        self.stirred: list[Map] = []
        self.error: NoTable | None = None

    def read(self, picture: Picture) -> Read:
        self.pictures.append(picture)
        if self.error is not None:
            raise self.error
        return Read(Layout(cells={"c0": Detection.sure(None)}))

    def read_again(self, picture: Picture) -> Read:
        self.further.append(len(self.pictures))
        return self.read(picture)

    def set_corners(self, corners_px: Corners | None) -> None:
        self.corners.append(corners_px)

    def set_covered(self, covered: Map | None) -> None:
        self.covered.append(covered)

    def set_stirred(self, stirred: Map) -> None:
        self.stirred.append(stirred)

    def confirm_position(self, position: Layout) -> None:
        self.settled.append(len(self.pictures))


class Line:
    """A live source: gives what is put in, and is in trouble when told."""

    label = "camera 9"
    live = True
    stills = False

    def __init__(self) -> None:
        self.shots: list[Shot] = []
        self.ended = False
        self.said: str | None = None

    def play(self, pictures: list[Picture], gap_s: float = 1 / 30) -> None:
        start = self.shots[-1].number if self.shots else 0
        for shot in film(pictures, start=start):
            self.shots.append(shot._replace(gap_s=gap_s, at_s=1000.0))

    def next(self, timeout_s: float) -> Shot | None:
        if self.shots and not self.ended:
            return self.shots.pop(0)
        time.sleep(0.005)
        return None

    def trouble(self) -> str | None:
        return self.said

    def close(self) -> None:
        self.ended = True


class Told(list[int]):
    """What `see` was told: numbers of pictures."""

    def __call__(self, layout: Layout, frame: int) -> None:
        assert layout.cells["c0"].piece is None
        self.append(frame)


@contextmanager
def watching(source: Source, reader: Reader, see: Callable[[Layout, int], object]) -> Iterator[Watcher]:
    threads = threading.active_count()
    watcher = Watcher(source, reader, see, clock=lambda: 1002.0)
    try:
        yield watcher
    finally:
        watcher.close()
        assert threading.active_count() == threads


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)
