"""Printed parts that no camera reads, beside pieces that one reads: score tracks and counters, stones, sheets.

No game needs a camera to see them: the program counts the points, the next piece shows which stone was drawn, and
players tap the cells of a sheet. So a reader must take none of these parts for a piece, and must read the pieces beside
them as if they were not there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from random import Random
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.pieces import PRIMARIES, PYRAMID_SIZES
from companion.core.plan import Mat, TileBoard
from companion.games import PLANS
from companion.games.shared.cards.deck import CODES
from simulation.drawn.camera import Floats
from simulation.printed.folded import folded_die, folded_pyramid, stand
from simulation.printed.laid import LaidPart
from simulation.printed.readings import Compared
from simulation.printed.tables import Sight, printed
from vision.domains import recognize
from vision.image.picture import Picture
from vision.readers.dice.naming import faces_of
from vision.readers.dice.solids import CUBE
from vision.table_reader import TableReader

_TRIES = 200
_NEAR_MM = 12.0
"""The largest distance between a piece and its reading."""
_MARKER_ROOM_MM = 35.0

Found = list[tuple[str, float, float]]
"""The name of each piece, and its place in table millimeters."""


class Beside(NamedTuple):
    """A picture of pieces with other printed parts beside them."""

    picture: Picture
    laid: Found
    """The pieces that a reader must find, and nothing else."""
    parts: int
    """The number of other parts."""


class _Table:
    """A table that remembers which places are taken."""

    def __init__(self, seed: int, game: str, *, loose_markers: bool = False) -> None:
        self.mat: Mat = PLANS[game](2).mat
        self.rng, self.parts = Random(seed), 0
        self.sight = Sight(seed, self.mat, loose_markers=loose_markers)
        corners = ((x, y) for x in (0.0, self.mat.width_mm) for y in (0.0, self.mat.height_mm))
        self._taken = [_square(x, y, _MARKER_ROOM_MM) for x, y in corners]

    def take(self, place: Floats) -> bool:
        """Keeps other parts away from a convex place (N, 2) in table millimeters; returns false if it was not free."""
        outline = place.astype(np.float32)
        free = not any(cv2.intersectConvexConvex(outline, one)[0] > 0 for one in self._taken)
        if free:
            self._taken.append(outline)
        return free

    def spot(self, off_mm: float) -> tuple[float, float]:
        """Returns a random place, at most `off_mm` off the mat."""
        wide, high = self.mat.width_mm + off_mm, self.mat.height_mm + off_mm
        return self.rng.uniform(-off_mm, wide), self.rng.uniform(-off_mm, high)

    def room(self, half_mm: float, off_mm: float) -> Iterator[tuple[float, float]]:
        """Yields the middles of random free squares, and takes each; ends if it finds no more."""
        for _ in range(_TRIES):
            x, y = self.spot(off_mm)
            if self.take(_square(x, y, half_mm)):
                yield x, y

    def strew(self, game: str, *names: str, off_mm: float = 60.0) -> None:
        """Lays parts of a printed game at random places and headings that are free, as long as there is room."""
        for name in names:
            part, ink = printed(game).ink(name)
            for _ in range(_TRIES):
                heading = self.rng.choice((0.0, 90.0, 180.0, 270.0)) + self.rng.uniform(-8, 8)
                laid = LaidPart(ink, *self.spot(off_mm), heading, 2.0, part.outline_mm)
                (width, height) = laid.size_mm()
                if self.take(laid.on_table(((0, 0), (width, 0), (width, height), (0, height)))[:, :2]):
                    self.sight.lay(laid)
                    self.parts += 1
                    break


def _square(x: float, y: float, half_mm: float) -> Floats:
    return np.array([(x - half_mm, y - half_mm), (x + half_mm, y - half_mm), (x + half_mm, y + half_mm),
                     (x - half_mm, y + half_mm)], np.float32)  # fmt: skip


def _counters(count: int) -> tuple[str, ...]:
    return tuple(f"counter {number + 1}" for number in range(count))


def track_beside_board(seed: int) -> Beside:
    """Returns the printed board of Spectrangle, empty, with score track and counters beside it."""
    table = _Table(seed, "spectrangle")
    table.sight.lay(printed("spectrangle").mat())
    corners = next(zone.corners_mm for zone in PLANS["spectrangle"](2).zones if isinstance(zone, TileBoard))
    table.take(np.array(corners))
    table.strew("spectrangle", "track 119", *_counters(4))
    return Beside(table.sight.picture(), [], table.parts)


def track_beside_cards(seed: int) -> Beside:
    """Returns cards of the printed deck with the score track of Cribbage and counters beside them."""
    table, laid = _Table(seed, "cribbage", loose_markers=True), []
    for code, place in zip(table.rng.sample(CODES, 6), table.room(60.0, -60.0), strict=False):
        _, ink = printed("deck").ink(code)
        table.sight.lay(LaidPart(ink, *place, table.rng.uniform(0, 360)))
        laid.append((code, *place))
    table.strew("cribbage", "track 121", *_counters(4))
    return Beside(table.sight.picture(), laid, table.parts)


def sheet_beside_tray(seed: int) -> Beside:
    """Returns the printed tray with four dice, and sheets of Roll & Color beside it."""
    table, laid = _Table(seed, "roll-and-color"), []
    table.sight.lay(printed("roll-and-color").mat())
    width, height = table.mat.width_mm, table.mat.height_mm
    table.take(np.array([(0, 0), (width, 0), (width, height), (0, height)]))
    table.strew("roll-and-color", "sheet", "sheet", off_mm=160.0)
    for k in range(4):
        up = table.rng.randrange(len(CUBE.faces))
        x, y = width * (0.3 + 0.4 * (k % 2)), height * (0.3 + 0.4 * (k // 2))
        stand(table.sight.canvas, printed("roll-and-color").ink(CUBE.name)[1], folded_die(CUBE, up, x, y, k * 31.0))
        laid.append((f"spectrum-d6 {faces_of(CUBE)[up]}", x, y))
    return Beside(table.sight.picture(), laid, table.parts)


def stones_beside_stalks(seed: int) -> Beside:
    """Returns folded pyramids with stones of Ice Stalks beside them, as they are laid aside."""
    table, laid = _Table(seed, "ice-stalks", loose_markers=True), []
    places = islice(table.room(40.0, -50.0), 6)
    taken = sorted(places, key=lambda one: one[1])
    table.strew("ice-stalks", *(f"stone {color}" for color in ("cyan", *PRIMARIES)), off_mm=0.0)
    for x, y in taken:
        color, size = table.rng.choice(PRIMARIES), table.rng.choice(PYRAMID_SIZES)
        part, ink = printed("ice-stalks").ink(f"{color} {size}")
        stand(table.sight.canvas, ink, folded_pyramid(part, size, x, y, table.rng.uniform(0, 90)))
        laid.append((f"{color} {size}", x, y))
    return Beside(table.sight.picture(), laid, table.parts)


def _tiles(picture: Picture) -> Found:
    layout = TableReader(PLANS["spectrangle"](2)).read(picture).layout
    seen = [*layout.cells.values(), *(one for heap in layout.heaps.values() for one in heap)]
    return [(str(one.piece), 0.0, 0.0) for one in seen if one.piece is not None]


def _cards(picture: Picture) -> Found:
    read = recognize(picture, "cards", PLANS["cribbage"](2).mat).truth()["cards"]
    return [("face down" if one["face"] == "down" else one["card"], one["x"], one["y"]) for one in read]


def _dice(picture: Picture) -> Found:
    read = recognize(picture, "dice", PLANS["roll-and-color"](2).mat).truth()["dice"]
    return [(f"{one['kind']} {one['face']}", one["x"], one["y"]) for one in read]


def _pyramids(picture: Picture) -> Found:
    read = recognize(picture, "pyramids", PLANS["ice-stalks"](2).mat).truth()["stacks"]
    return [
        (" under ".join(f"{piece['color']} {piece['size']}" for piece in one["pieces"]), one["x"], one["y"])
        for one in read
    ]


_SCENES: Mapping[str, tuple[Callable[[int], Beside], Callable[[Picture], Found]]] = {
    "track-beside-board": (track_beside_board, _tiles),
    "track-beside-cards": (track_beside_cards, _cards),
    "sheet-beside-tray": (sheet_beside_tray, _dice),
    "stones-beside-stalks": (stones_beside_stalks, _pyramids),
}
"""A table and the reader of its pieces, by kind."""


def invented(found: Found, laid: Found) -> list[str]:
    """Returns the names of the readings at places where no piece lies."""
    return [one[0] for one in found if not any(_near(one, other) for other in laid)]


def read_beside(kind: str, seed: int) -> tuple[Beside, Found]:
    """Returns a table of a kind in `BYSTANDERS`, and what the reader of its pieces finds there."""
    draw, read = _SCENES[kind]
    scene = draw(seed)
    return scene, read(scene.picture)


def compare(scene: Beside, found: Found) -> Compared:
    """Returns the differences between a table and its reading; pieces and other parts count alike."""
    wrong = [f"{name} read where nothing lies" for name in invented(found, scene.laid)]
    for one in scene.laid:
        names = [other[0] for other in found if _near(one, other)]
        if names != [one[0]]:
            wrong.append(f"{one[0]} read as {', '.join(names) or 'nothing'}")
    return Compared(scene.picture, tuple(wrong), len(scene.laid) + scene.parts)


def _compared(kind: str, seed: int) -> Compared:
    return compare(*read_beside(kind, seed))


def _near(one: tuple[str, float, float], other: tuple[str, float, float]) -> bool:
    return math.dist(one[1:], other[1:]) < _NEAR_MM


BYSTANDERS: Mapping[str, Callable[[int], Compared]] = {kind: partial(_compared, kind) for kind in _SCENES}
"""The comparisons by kind, as in `simulation.printed.readings`."""
