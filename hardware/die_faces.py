"""The upper face by the color that a sensor under the cup sees.

The sensor sees the lower face. On the color dice opposite faces have opposite colors (BRD-6), so the lower face
determines the upper one; pips cannot be read that way, and a tower for them leaves reading to the camera.
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
"""The twelve colors clockwise, and how a sensor may see them: nominal, until TOWER_RAW was used to calibrate."""


class DieFaces(Struct, frozen=True):
    """One kind of die, as sensors see it."""

    kind: str
    """As in `companion.core.pieces.Die`."""
    up: tuple[str, ...]
    """By face number, from 1: the upper face when the sensor sees that face."""
    seen: tuple[Color, ...]
    """By face number: the color that the sensor sees, a quarter of its counts."""

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
