"""Stand-ins for what a page meets: painted eyes, a clock moved by hand, a server that answers nobody, games by rote."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.core.contract import Drawn, ToDraw, ToMove
from companion.core.foundation.errors import CameraError
from companion.core.layout import Detection, Layout
from companion.core.pieces import Tile
from companion.core.plan import Point
from companion.core.protocols.eyes import EyesStatus, Frame, Offered, Overlay, OverlayMark
from companion.referee.table.table import Table
from web.sockets.server import CannotListen

SIZE_PX = (640, 360)
BOARD_PX = (320.0, 200.0)
"""Middle of a board in a painted picture."""


def painted(number: int) -> bytes:
    """A JPEG of a table with four dark squares; its number is painted on."""
    image = np.full((SIZE_PX[1], SIZE_PX[0], 3), (92, 120, 150), np.uint8)
    for x, y in ((80, 50), (560, 50), (580, 310), (60, 310)):
        cv2.rectangle(image, (x - 22, y - 22), (x + 22, y + 22), (245, 245, 245), -1)
        cv2.rectangle(image, (x - 14, y - 14), (x + 14, y + 14), (20, 20, 20), -1)
    triangle = np.array([[320, 60], [470, 300], [170, 300]])
    cv2.fillConvexPoly(image, triangle, (210, 220, 225))
    cv2.putText(image, str(number), (20, 350), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)
    done, data = cv2.imencode(".jpg", image)
    assert done
    return data.tobytes()


class PaintedEyes:
    """Eyes that look at painted pictures. A test says what they see and how they are."""

    def __init__(self, state: str = "looking", text: str = "Looking at the table.") -> None:
        self._changed = threading.Condition()
        self._frame = Frame(1, painted(1), 1_700_000_000.0)
        self.corners_set: list[object] = []
        self.looks = 0
        self.overlaid: Overlay | None = None
        self._status = EyesStatus(state, text, 1, 0.1, (0, 1, 2, 3), self.marked(), SIZE_PX)

    @staticmethod
    def marked() -> tuple[Point, Point, Point, Point]:
        """Where the markers are painted."""
        return (80.0, 50.0), (560.0, 50.0), (580.0, 310.0), (60.0, 310.0)

    def picture(self) -> int:
        """Take another picture; its number."""
        with self._changed:
            number = self._frame.number + 1
            self._frame = Frame(number, painted(number), 1_700_000_000.0 + number)
            self._changed.notify_all()
            return number

    def read(self, *labels: str, upper_end: Point | None = None) -> None:
        """Say that the newest picture was read, with these labels, and a board whose upper end lies there."""
        marks = tuple(
            OverlayMark(
                ((300 + 30 * i, 100), (330 + 30 * i, 150), (270 + 30 * i, 150)),
                label,
                "doubt" if i % 3 == 2 else "read",
                f"c{i}",
            )
            for i, label in enumerate(labels)
        )
        if upper_end is not None:
            x, y = 2 * BOARD_PX[0] - upper_end[0], 2 * BOARD_PX[1] - upper_end[1]
            marks = (OverlayMark((upper_end, (x, y)), "", "board"), *marks)
        self.overlaid = Overlay(self._frame.number, SIZE_PX, marks)

    def become(self, state: str, text: str) -> None:
        """Be in another state."""
        self._status = EyesStatus(state, text, self._frame.number, 0.1, (0, 1, 2, 3), self.marked(), SIZE_PX)

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._frame.number > after, timeout_s)
            return self._frame if self._frame.number > after else None

    def overlay(self) -> Overlay | None:
        return self.overlaid

    def status(self) -> EyesStatus:
        return self._status

    def set_corners(self, corners_px: object) -> None:
        self.corners_set.append(corners_px)

    def look_again(self) -> None:
        self.looks += 1

    def confirm_position(self, position: object = None) -> None:
        pass

    def close(self) -> None:
        pass


class HandClock:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


def play(table: Table, events: int, seed: int = 4) -> None:
    """Play some events: draws at random, moves for the most points."""
    rng = Random(seed)
    for _ in range(events):
        expects = table.session.state.expects()
        if isinstance(expects, ToDraw):
            pieces = sorted(table.session.game.unseen(table.session.state), key=lambda piece: piece.name)
            rng.shuffle(pieces)
            table.play(Drawn(expects.seat, tuple(pieces[: expects.count])), source="page")
        elif isinstance(expects, ToMove):
            table.play(best(table), source="page")
        else:
            return


def best(table: Table) -> Any:
    """The legal move with the most points; the first of several."""
    seat = table.session.state.expects().seats[0]
    return max(table.session.legal(), key=lambda move: table.session.state.apply(move).scores()[seat].total)


def seen(table: Table, *changes: tuple[str, Tile | None], hands: dict[str, list[Tile]] | None = None) -> Layout:
    """What a camera sees that reads the table rightly, but for these spots."""
    layout = table.session.state.layout()
    cells = dict(layout.cells)
    heaps = dict(layout.heaps)
    for spot, piece in changes:
        cells[spot] = Detection.sure(piece)
    for spot, tiles in (hands or {}).items():
        heaps[spot] = tuple(Detection.sure(tile) for tile in tiles)
    return Layout(cells, heaps)


class PaintedCameras:
    """Two cameras, one of which does not open."""

    def __init__(self, eyes: PaintedEyes) -> None:
        self.eyes, self.watched = eyes, ""

    def look(self) -> tuple[Offered, ...]:
        frame = self.eyes.frame(-1, 0.0)
        assert frame is not None
        return (
            Offered("0", "0", frame.jpeg, "Gives pictures.", self.watched == "0"),
            Offered("2", "2", None, "It does not open.", False),
        )

    def use(self, name: str) -> None:
        if name not in ("", "0"):
            raise CameraError("It does not open.")
        self.watched = name
        self.eyes.become("looking" if name else "off", "The table is steady." if name else "No camera is watched.")


class Listener:
    """A server that only notes at which other address it would answer."""

    def __init__(self, *, taken: tuple[str, ...] = ()) -> None:
        self.also: str | None = None
        self.taken = set(taken)
        self.stuck = False
        """True if it cannot leave its other address now."""

    def listen_also(self, host: str) -> None:
        if host in self.taken:
            raise CannotListen("Port 8000 is in use already. Stop the other program.")
        self.also = host

    def listen_no_more(self) -> None:
        if self.stuck:
            raise CannotListen("The page does not come to it now. Try again.")
        self.also = None
