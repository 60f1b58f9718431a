"""Defines the things on a drawn table, in millimeters: stacks of pyramids, and pyramids on their sides."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from companion.core.pieces import SHAPES, STACK_STEP_MM, Pyramid
from simulation.drawn.camera import Floats
from vision.readers.pyramids import hypothesis as models


class Upright(Struct, frozen=True):
    """A stack of pyramids, bottom to top; a lone pyramid is a stack of one.

    A larger piece over a smaller one comes down to the table and hides it; that is a nest.
    """

    pieces: tuple[Pyramid, ...]
    x_mm: float
    y_mm: float
    yaw_deg: float = 0.0

    @property
    def place_mm(self) -> tuple[float, float]:
        """The middle of the stack."""
        return self.x_mm, self.y_mm

    @property
    def seen(self) -> tuple[Pyramid, ...]:
        """The visible pieces, bottom to top."""
        lifts = self.lifts_mm()
        tips = [lift + SHAPES[piece.size].height_mm for piece, lift in zip(self.pieces, lifts, strict=True)]
        return tuple(
            piece
            for at, piece in enumerate(self.pieces)
            if all(
                lifts[at] < lift or tips[at] > tip for lift, tip in zip(lifts[at + 1 :], tips[at + 1 :], strict=True)
            )
        )

    def lifts_mm(self) -> list[float]:
        """Returns the height of each base above the table in millimeters, bottom to top."""
        lifts: list[float] = []
        tip = -STACK_STEP_MM
        for piece in self.pieces:
            height = SHAPES[piece.size].height_mm
            tip = max(tip + STACK_STEP_MM, height)
            lifts.append(tip - height)
        return lifts

    def solids(self) -> list[Floats]:
        """Returns points (5, 3) of each piece, bottom to top, in the order of `vision.readers.pyramids.hypothesis`."""
        return [
            models.standing(self.x_mm, self.y_mm, self.yaw_deg, piece.size, lift)
            for piece, lift in zip(self.pieces, self.lifts_mm(), strict=True)
        ]

    def moved(self, x_mm: float, y_mm: float, yaw_deg: float) -> Upright:
        """Returns the same stack at another place."""
        return Upright(self.pieces, x_mm, y_mm, yaw_deg)


class Lying(Struct, frozen=True):
    """A pyramid on its side; x and y are under the middle of its raised base, and its tip points along the heading."""

    piece: Pyramid
    x_mm: float
    y_mm: float
    heading_deg: float

    @property
    def place_mm(self) -> tuple[float, float]:
        """The middle of the area that it covers."""
        points = self.solids()[0]
        x, y = points[:, :2].mean(0)
        return float(x), float(y)

    @property
    def pieces(self) -> tuple[Pyramid, ...]:
        """The only piece."""
        return (self.piece,)

    @property
    def seen(self) -> tuple[Pyramid, ...]:
        """The only piece."""
        return (self.piece,)

    def solids(self) -> list[Floats]:
        """Returns the points (5, 3) in the order of `vision.readers.pyramids.hypothesis`."""
        return [models.lying(self.x_mm, self.y_mm, self.heading_deg, self.piece.size)]

    def moved(self, x_mm: float, y_mm: float, yaw_deg: float) -> Lying:
        """Returns the same piece at another place."""
        return Lying(self.piece, x_mm, y_mm, yaw_deg)


Stand = Upright | Lying
"""A thing on the table."""


def planes(points_mm: Floats) -> tuple[Floats, Floats]:
    """Returns the outward normals (5, 3) of a pyramid's faces, and distances (5,); inside, normal . point <= distance."""
    middle = points_mm.mean(0)
    normals, distances = [], []
    for face in models.FACES:
        a, b, c = points_mm[list(face[:3])]
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        if normal @ (middle - a) > 0:
            normal = -normal
        normals.append(normal)
        distances.append(normal @ a)
    return np.array(normals), np.array(distances)
