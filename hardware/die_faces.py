"""Determines the upper face of a die from the color that a sensor under the cup sees.

The sensor sees the lower face. On the color dice opposite faces have opposite colors (BRD-6), so the lower face
determines the upper one. Pips cannot be read that way, so a tower for such dice leaves the reading to the camera.
"""

from __future__ import annotations

from msgspec import Struct

from companion.core.pieces import Die

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""

WHEEL: tuple[tuple[str, Color], ...] = (
    ("red", (200, 30, 30)),
    ("red-orange", (205, 70, 25)),
    ("orange", (215, 115, 20)),
    ("orange-yellow", (220, 165, 25)),
    ("yellow", (220, 210, 40)),
    ("yellow-green", (135, 190, 45)),
    ("green", (30, 140, 50)),
    ("green-blue", (20, 125, 125)),
    ("blue", (25, 60, 180)),
    ("blue-purple", (65, 40, 165)),
    ("purple", (110, 30, 140)),
    ("purple-red", (160, 25, 90)),
)
"""The twelve colors clockwise, with their nominal look to a sensor; a calibration by TOWER_RAW replaces it."""


class DieFaces(Struct, frozen=True):
    """One kind of die with the looks of its faces to a sensor."""

    kind: str
    """The kind as in `companion.core.pieces.Die`."""
    up: tuple[str, ...]
    """The upper face for each face number that the sensor sees, from 1."""
    seen: tuple[Color, ...]
    """The color that the sensor sees for each face number, a quarter of its counts."""

    def die(self, face: int) -> Die | None:
        """Returns the die with sensor face `face`; None for 0, which is no face, and for numbers beyond the last."""
        return Die(self.kind, self.up[face - 1]) if 1 <= face <= len(self.up) else None

    def face(self, up: str) -> int:
        """Returns the sensor face of a die that shows `up`;

        Raises:
            ValueError: If no face shows it.
        """
        return self.up.index(up) + 1


def wheel_die(kind: str, step: int) -> DieFaces:
    """Returns the die with every `step`-th color of the wheel."""
    below = WHEEL[::step]
    half = len(below) // 2
    above = tuple(below[(index + half) % len(below)][0] for index in range(len(below)))
    return DieFaces(kind, above, tuple(color for _, color in below))


SPECTRUM_D6 = wheel_die("spectrum-d6", 2)
"""The cube with the six primaries."""
SPECTRUM_D12 = wheel_die("spectrum-d12", 1)
"""The dodecahedron with all twelve colors."""
