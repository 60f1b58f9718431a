"""Writes the looks of the printed deck and of paper pyramids for their readers: `python -m simulation.printed.known_prints`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.app.printing.deck import BORDER_MM
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from simulation.printed.card_decks import printed_deck
from simulation.printed.laid import reflectance
from simulation.printed.paper import PX_PER_MM
from simulation.printed.tables import printed
from vision.image.picture import Picture
from vision.readers.cards.deck import CODES, LETTERS, NUMBER_CARDS, RANKS, SPECIALS
from vision.readers.cards.known_deck import LETTERS_BOX, MIDDLE_BOX, NUMBER_BOX, SPECIAL_BOX, Box
from vision.readers.cards.sheet import PX_PER_MM as SHEET_PX_PER_MM
from vision.readers.cards.weights import PRINTED_DECK
from vision.readers.pyramids.paper import FILE as PAPER_PYRAMIDS
from vision.readers.pyramids.paper import SIDE_PX

Arrays = dict[str, NDArray[Any]]

_GAMES = ("regenbogen", "ice-stalks")
"""Kits that together hold pyramids of every color."""
_FINE = 8
"""Each side is drawn so many times as large, then made smaller."""


def known_deck() -> Arrays:
    """Returns the numbers, letters, inks and special cards of the printed deck."""
    first = [printed_deck(f"{letters}1") for letters in LETTERS]
    red = [printed_deck(f"{LETTERS[0]}{rank}") for rank in range(1, RANKS + 1)]
    specials = [printed_deck(CODES[NUMBER_CARDS + kind]) for kind in range(len(SPECIALS))]
    return {
        "numbers": np.stack([_print_in(face, NUMBER_BOX) for face in red]),
        "middles": np.stack([_print_in(face, MIDDLE_BOX) for face in red]),
        "letters": np.stack([_print_in(face, LETTERS_BOX) for face in first]),
        "inks": np.stack([_ink(face) for face in first]),
        "specials": np.stack([_gray_in(face, SPECIAL_BOX) for face in specials]),
    }


def _print_in(face: Picture, box: Box) -> NDArray[np.uint8]:
    """Returns the share of print in each pixel of a box, 0 to 255."""
    x0, y0, x1, y1 = (round(side * PX_PER_MM) for side in box)
    part = face[y0:y1, x0:x1].astype(np.float32)
    ground = np.median(face[round(4 * PX_PER_MM) :: 7, round(4 * PX_PER_MM) :: 7].reshape(-1, 3), axis=0)
    apart = np.linalg.norm(part - ground, axis=2)
    small = cv2.resize(apart, _size(box), interpolation=cv2.INTER_AREA)
    return np.asarray(np.round(small / apart.max() * 255), np.uint8)


def _ink(face: Picture) -> NDArray[np.float32]:
    """Returns (3,): the linear light of the ground, B, G, R, as a share of that of its paper."""
    shown = reflectance(face)
    x, y = (round((BORDER_MM + 1) * PX_PER_MM) for _ in range(2))
    inner = shown[y : y + 40, x : x + 20].reshape(-1, 3)
    return np.asarray(np.median(inner, axis=0) / shown[2, 2], np.float32)


def _gray_in(face: Picture, box: Box) -> NDArray[np.uint8]:
    """Returns the gray levels of a box."""
    x0, y0, x1, y1 = (round(side * PX_PER_MM) for side in box)
    part = cv2.cvtColor(face[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(part, _size(box), interpolation=cv2.INTER_AREA), np.uint8)


def _size(box: Box) -> tuple[int, int]:
    return round((box[2] - box[0]) * SHEET_PX_PER_MM), round((box[3] - box[1]) * SHEET_PX_PER_MM)


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
    """Write the looks beside the weights of the readers."""
    for path, looks in ((PRINTED_DECK, known_deck()), (PAPER_PYRAMIDS, {"sides": known_sides()})):
        np.savez_compressed(path, **looks)  # type: ignore[arg-type]
        click.echo(f"{Path(path).name}: {Path(path).stat().st_size} bytes")


if __name__ == "__main__":
    main()
