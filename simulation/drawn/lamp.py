"""Models the light on a drawn table: one lamp or window with a place and a color, and ambient light.

Light is linear, as B, G, R; a white sheet in the middle of the mat reflects the sum of a lamp's `color` and `around`.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[Any]


class Lamp(Struct, frozen=True):
    """A lamp over a table."""

    place_mm: tuple[float, float, float]
    """The place of the lamp in table space, z up."""
    color: tuple[float, float, float]
    """The light of the lamp on a horizontal white sheet in the middle of the mat."""
    around: tuple[float, float, float]
    """The light from the rest of the room."""
    middle_mm: tuple[float, float]
    softness: float
    """Half the width of a shadow's soft edge divided by the height of the body: 0.02 for a bulb, 0.3 for a window."""

    def toward(self, place_mm: tuple[float, float]) -> Floats:
        """Returns (3,): the unit vector from a place on the table to the lamp."""
        away = np.array(self.place_mm) - (*place_mm, 0.0)
        return np.asarray(away / np.linalg.norm(away))

    def share(self, xy_mm: Floats) -> Floats:
        """Returns (...): the light of the lamp at table places (..., 2), by distance and slant, as a multiple of
        `color`.
        """
        away = np.array(self.place_mm[:2], dtype=np.float32) - np.asarray(xy_mm, dtype=np.float32)
        height = self.place_mm[2]
        slant = height / ((away**2).sum(-1) + height**2) ** 1.5
        here = np.array(self.place_mm[:2]) - self.middle_mm
        middle = height / ((here**2).sum() + height**2) ** 1.5
        return np.asarray(slant / middle)

    def white(self, xy_mm: Floats) -> Floats:
        """Returns (..., 3): the light of a horizontal white sheet at table places (..., 2)."""
        found = self.share(xy_mm)[..., None] * np.array(self.color, dtype=np.float32)
        return np.asarray(found + np.array(self.around, dtype=np.float32))


_KINDS: dict[str, tuple[float, tuple[float, float], tuple[float, float], tuple[float, float], float]] = {
    "window": (0.3, (700, 1500), (900, 1600), (0.55, 0.8), 0.98),
    "ceiling lamp": (0.14, (100, 700), (1300, 1900), (0.45, 0.7), 0.8),
    "desk lamp": (0.05, (450, 800), (450, 800), (0.6, 0.85), 0.85),
    "overcast": (0.5, (0, 400), (1500, 2000), (0.15, 0.35), 1.03),
}
"""The kinds of lamp by name: softness, range of the horizontal distance from the middle, range of the height, range of
the lamp's share of the light, and factor of blue (1 is neutral).
"""


def random_lamp(rng: Random, middle_mm: tuple[float, float], name: str | None = None) -> Lamp:
    """Returns a random lamp around the table."""
    softness, distance, height, parts, blue = _KINDS[name or rng.choice(tuple(_KINDS))]
    angle = rng.uniform(0, 2 * np.pi)
    far = rng.uniform(*distance)
    level, part = rng.uniform(0.35, 0.9), rng.uniform(*parts)
    cast = rng.uniform(-0.08, 0.08)
    tint = np.array([blue * (1 + cast), 1.0, (2 - blue) * (1 - cast)]) * level
    room = np.array([1 + rng.uniform(-0.06, 0.06), 1.0, 1 + rng.uniform(-0.06, 0.06)]) * level
    return Lamp(
        place_mm=(
            middle_mm[0] + far * float(np.cos(angle)),
            middle_mm[1] + far * float(np.sin(angle)),
            rng.uniform(*height),
        ),
        color=_three(tint * part),
        around=_three(room * (1 - part)),
        middle_mm=middle_mm,
        softness=softness,
    )


def _three(values: Floats) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red
