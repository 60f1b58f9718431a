"""Square blocks on a gray table, with the tracks that follow them from picture to picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Pyramid
from tests.vision.readers.pyramids.conftest import FromAbove
from vision.image.likeness import Glance, Mask, glance_of, unchanged
from vision.image.picture import Picture
from vision.memory.tracks import Followed, Track, Tracks

SIZE = (480, 640)
CORNERS = np.array([(20.0, 20.0), (620.0, 20.0), (620.0, 460.0), (20.0, 460.0)])
PAINT = {"red": (40, 40, 190), "blue": (190, 70, 40), "green": (60, 150, 50)}
SIDE = 48


@dataclass(frozen=True)
class Spot:
    """Where a thing stands; pixels are millimeters here."""

    x_mm: float
    y_mm: float
    sizes: tuple[str, ...]
    lies: bool = False


@dataclass(frozen=True)
class Block:
    """A thing of square levels, each smaller than the one below."""

    place: Spot
    colors: tuple[str, ...]
    confidence: float = 0.9
    tall: float = 0.0
    """How far its picture leans away from the camera, which is above the table's corner."""
    levels: tuple[Detection, ...] = field(init=False)
    outline_px: Any = field(init=False, compare=False)

    def __post_init__(self) -> None:
        pieces = [Pyramid(color, size) for color, size in zip(self.colors, self.place.sizes, strict=True)]
        object.__setattr__(self, "levels", tuple(Detection((Candidate(one, self.confidence),)) for one in pieces))
        object.__setattr__(self, "outline_px", np.array([self.corners(at) for at in range(len(self.colors))]))

    def corners(self, level: int) -> list[tuple[float, float]]:
        half = (SIDE - 14 * level) / 2
        x, y = self.place.x_mm, self.place.y_mm
        far = y + half + self.tall
        return [(x - half, y - half), (x + half, y - half), (x + half, far), (x - half, far)]

    @property
    def presence(self) -> float:
        return self.confidence

    @property
    def footprint_mm(self) -> Any:
        return np.array(self.corners(0)) - [(0, 0), (0, 0), (0, self.tall), (0, self.tall)]

    def seen_by(self, pose: Any) -> Block:
        return self

    def folded(self, looks: Sequence[Block], of: int) -> Block:
        kinds = [one.colors for one in looks]
        best = max(looks, key=lambda one: kinds.count(one.colors))
        alike = [one.confidence for one in looks if one.colors == best.colors]
        return Block(best.place, best.colors, sum(alike) / of, best.tall)


def block(x: float, *colors: str, y: float = 240.0, sure: float = 0.9, tall: float = 0.0) -> Block:
    return Block(Spot(x, y, ("large", "medium", "small")[: len(colors)]), colors, sure, tall)


def picture(*blocks: Block, cloth: tuple[int, int] | None = None) -> Picture:
    """The table with things on it; `cloth` is the middle of a dark cloth that lies over everything."""
    table = np.full((*SIZE, 3), 150, np.uint8) + np.random.default_rng(1).integers(0, 6, (*SIZE, 1), np.uint8)
    for one in blocks:
        for outline, color in zip(one.outline_px, one.colors, strict=True):
            cv2.fillConvexPoly(table, np.int32(outline), PAINT[color])
    if cloth is not None:
        (x, y), half = cloth, 70
        cv2.rectangle(table, (x - half, y - half), (x + half, y + half), (60, 50, 45), -1)
    return np.asarray(table, np.uint8)


class Table:
    """Tracks beside the pictures that they follow."""

    def __init__(self) -> None:
        self.tracks: Tracks[Block] = Tracks("p", sure=0.99)
        self.before: Glance | None = None
        self.same: Mask | None = None
        self.last: Followed[Block] = Followed((), (), ())

    def see(self, shown: Picture, *found: Block) -> Followed[Block]:
        """The next picture, with what a reader finds in it."""
        now = glance_of(shown, FromAbove())
        self.same = None if self.before is None else unchanged(self.before, now, CORNERS)
        self.before = now
        self.last = self.tracks.follow(found, self.same, now)
        return self.last

    def look_again(self, *found: Block) -> tuple[Track[Block], ...]:
        """Returns the things that a reader finds in a further look at the last picture."""
        return self.tracks.again(found, self.same)


def colors_of(followed: Followed[Block]) -> list[tuple[str, ...]]:
    """The colors of what is seen, in alphabetical order."""
    return colors_of_tracks(followed.tracks)


def colors_of_tracks(tracks: Sequence[Track[Block]]) -> list[tuple[str, ...]]:
    """The colors of what is followed, in alphabetical order."""
    return sorted(track.found.colors for track in tracks)


RED = block(200, "red")
GREEN = block(400, "green")
