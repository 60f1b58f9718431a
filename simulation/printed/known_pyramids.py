"""Writes the printed sides of paper pyramids for the pyramid reader: `python -m simulation.printed.known_pyramids`."""

from __future__ import annotations

from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from simulation.printed.laid import reflectance
from simulation.printed.paper import PX_PER_MM
from simulation.printed.tables import printed
from vision.readers.pyramids.paper import FILE, SIDE_PX

_GAMES = ("regenbogen", "ice-stalks")
"""Kits that together hold pyramids of every color."""
_FINE = 8
"""Each side is drawn so many times as large, then made smaller."""


def known_sides() -> NDArray[np.uint8]:
    """Returns (colors, sizes, h, w, 3): square roots of the light that each side reflects, up to 255.

    The tip is at the middle of the upper edge, the foot along the lower one.
    """
    light = [[_side(f"{color} {size}") for size in PYRAMID_SIZES] for color in PYRAMID_COLORS]
    return np.round(np.sqrt(np.array(light)) * 255).astype(np.uint8)


def _side(name: str) -> NDArray[Any]:
    part, ink = next(game.ink(name) for game in map(printed, _GAMES) if name in game.names())
    tip, first, second = (np.array(part.outline_mm[k]) * PX_PER_MM - 0.5 for k in (0, 2, 3))
    there = np.array([[SIDE_PX / 2, 0], [0, SIDE_PX], [SIDE_PX, SIDE_PX]]) * _FINE - 0.5
    matrix = cv2.getAffineTransform(np.array([tip, first, second], np.float32), there.astype(np.float32))
    drawn = cv2.warpAffine(ink, matrix, (SIDE_PX * _FINE,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.resize(reflectance(np.asarray(drawn)), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)


@click.command()
def main() -> None:
    """Write the sides beside the weights of the pyramid reader."""
    np.savez_compressed(FILE, sides=known_sides())
    click.echo(f"{FILE.name}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
