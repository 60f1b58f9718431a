"""Measures how well a deck is read once its sampler was shown: `python -m bench.card_samplers [--designs N] [--seed
S]`.

Each deck lies on a drawn table of its own, under its own lamp. One picture of 24 cards (one of each color, one of each
number) teaches it; other pictures of the same table are then read, untaught and taught. Decks are the printed one, or
designs that the nets never learned from.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np
from msgspec import structs

from companion.core.foundation.errors import SeeError
from simulation.printed.card_decks import CARD_MAT, drawn_deck, printed_deck, sampler_picture, scattered_picture
from vision.calibration.calibration import Calibration, EmptyTable
from vision.readers.cards.reader import read_cards
from vision.readers.cards.teaching import USUAL_ROWS, taught_by_pictures
from vision.readers.cards.training.designs import draw_design
from vision.readers.cards.training.fonts import FOLDERS, find_fonts
from vision.registration.registered_image import RegisteredImage, find_table

_NEAR_MM = 15.0


def right_cards(table: RegisteredImage, laid: list[tuple[str, float, float]]) -> tuple[int, int, int]:
    """The numbers of cards with the right name, the right color, and the right number."""
    read = read_cards(table)
    found = []
    for code, x, y in laid:
        near = [one for one in read if math.dist((one.place.x_mm, one.place.y_mm), (x, y)) < _NEAR_MM]
        seen = min(near, key=lambda one: math.dist((one.place.x_mm, one.place.y_mm), (x, y))).code if near else "??"
        color, rank = code.rstrip("0123456789"), code.lstrip("BGOPRY")
        found.append((seen == code, seen.rstrip("0123456789") == color, seen.lstrip("BGOPRY") == rank))
    whole, colors, ranks = (sum(one) for one in zip(*found, strict=True))
    return whole, colors, ranks


def main() -> int:
    """Read the arguments, draw, read and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=0, help="so many drawn decks; none: the printed one")
    parser.add_argument("--tables", type=int, default=6, help="tables of the printed deck")
    parser.add_argument("--pictures", type=int, default=2)
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--fonts", nargs="*", type=Path, default=[], help="more folders with fonts for drawn decks")
    args = parser.parse_args()
    random = np.random.default_rng(args.seed)
    fonts = find_fonts((*FOLDERS, *args.fonts))
    decks = [drawn_deck(draw_design(random, fonts)) for _ in range(args.designs)] or [printed_deck] * args.tables
    totals, refused = np.zeros((2, 3), int), 0
    count = 0
    for k, deck in enumerate(decks):
        seed = args.seed + k
        picture, _ = sampler_picture(seed, deck)
        table = find_table(picture, CARD_MAT)
        empty = EmptyTable(table.picture, table.pose, table.light, CARD_MAT, 0.0)
        calibration = Calibration("cards", empty)
        try:
            taught, _ = taught_by_pictures(calibration.deck, [table], USUAL_ROWS)
        except SeeError as error:
            print(f"deck {seed}: {error}")
            refused += 1
            continue
        known = structs.replace(calibration, deck=taught)
        rows = np.zeros((2, 3), int)
        laid_here = 0
        for number in range(args.pictures):
            shot, laid = scattered_picture(seed, deck, number)
            seen = find_table(shot, CARD_MAT)
            for way, one in enumerate((seen, structs.replace(seen, calibration=known))):
                rows[way] += right_cards(one, laid)
            laid_here += len(laid)
        totals += rows
        count += laid_here
        print(f"deck {seed}: of {laid_here} untaught {rows[0].tolist()} taught {rows[1].tolist()}", flush=True)
    print(
        f"{len(decks) - refused} decks, {refused} refused, {count} cards: right, color right, number right: "
        f"untaught {totals[0].tolist()}, taught {totals[1].tolist()}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
