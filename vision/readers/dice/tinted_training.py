"""Learns the odds of pips of any color: `python -m vision.readers.dice.tinted_training FOLDER... [--hold-out]`.

Each folder holds labeled trays, as `python -m simulation.drawn.pip_trays FOLDER` draws them: each picture shows one box
of dice, "family" names its plastic and "side_mm" its size. The other numbers of `learned.json` stay unchanged. With
`--hold-out` no file is written; each family is read with odds that the other families taught.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core.foundation.kept_file import decode_json
from companion.core.plan import Mat
from vision.image.picture import read_picture
from vision.readers.dice.box import TINTED, box_of, tinted_features
from vision.readers.dice.candidates import LEVEL_MM, DieCandidate
from vision.readers.dice.palette import FILE, LearnedDice, learned, save
from vision.readers.dice.plane import tray_plane
from vision.readers.dice.reader import read_dice
from vision.readers.dice.recognition import SURE
from vision.readers.dice.tinted_faces import tinted_candidates
from vision.readers.dice.training import logistic
from vision.registration.registered_image import RegisteredImage, find_table

_AT_IT, _NEAR = 0.2, 0.5
"""A candidate within the first share of a side is at a die's place; one beyond the second is not at any."""
_SAME_SIZE = 0.2
"""The difference of the logarithms of sizes up to which a pattern has the size of its die."""


class LabeledTray(Struct, frozen=True):
    """One picture of a box of dice."""

    family: str
    table: RegisteredImage
    dice: tuple[dict[str, Any], ...]
    side_mm: float
    found: tuple[DieCandidate, ...]


def load(folder: Path) -> list[LabeledTray]:
    """Returns all labeled trays of a folder."""
    trays = []
    for path in sorted(folder.glob("*.json")):
        label = decode_json(path.read_bytes(), dict[str, Any])
        mat = Mat(*(label["mat"][name] for name in ("width_mm", "height_mm", "marker_mm")))
        table = find_table(read_picture(path.with_name(label["image"])), mat)
        found = tinted_candidates(table, tray_plane(table, LEVEL_MM), (), ())
        trays.append(LabeledTray(label["family"], table, tuple(label["truth"]["dice"]), label["side_mm"], tuple(found)))
    return trays


def learn(trays: Sequence[LabeledTray], before: LearnedDice) -> LearnedDice:
    """Returns the odds, from some trays."""
    rows, answers = [], []
    for tray in trays:
        box = box_of(tray.found, before)
        for candidate in tray.found:
            right = _right(tray, candidate)
            if right is not None:
                rows.append(tinted_features(candidate, box))
                answers.append(right)
    return replace(before, odds={**before.odds, TINTED: logistic(np.array(rows), np.array(answers))})


def _right(tray: LabeledTray, candidate: DieCandidate) -> bool | None:
    """True if pattern and size match the die at the place; None at a drawing, or close to a die but not at its
    place.
    """
    place, pips = candidate.place, candidate.pips
    gap, die = min(
        ((math.hypot(one["x"] - place.x_mm, one["y"] - place.y_mm) / tray.side_mm, one) for one in tray.dice),
        key=lambda pair: pair[0],
    )
    if gap > _NEAR:
        return False
    if die["logo"] or pips is None:
        return None
    alike = pips.number == die["face"] and abs(math.log(candidate.solid.height_mm / tray.side_mm)) < _SAME_SIZE
    return (True if gap < _AT_IT else None) if alike else False


def hold_out(trays: Sequence[LabeledTray], before: LearnedDice) -> None:
    """Reads each family with the odds taught by the others, and prints the shares of right and of certain wrong
    readings.
    """
    for family in sorted({tray.family for tray in trays}):
        numbers = learn([tray for tray in trays if tray.family != family], before)
        right = wrong = wanted = 0
        for tray in (one for one in trays if one.family == family):
            dice = read_dice(tray.table, numbers=numbers)
            for die in (one for one in tray.dice if not one["logo"]):
                near = [one for one in dice if math.hypot(one.place.x_mm - die["x"], one.place.y_mm - die["y"]) < 8.0]
                seen = max(near, key=lambda one: one.sighting.confidence, default=None)
                good = seen is not None and seen.die.face == die["face"]
                wanted += 1
                right += good
                wrong += seen is not None and not good and seen.sighting.confidence >= SURE
        print(f"{family:12s} {right} of {wanted} faces right: {right / max(wanted, 1):.3f}, surely wrong {wrong}")


def main() -> None:
    """Reads the arguments and the trays, then learns and writes, or checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--hold-out", action="store_true", help="leave each family out, write nothing")
    args = parser.parse_args()
    trays = [tray for folder in args.folders for tray in load(folder)]
    if args.hold_out:
        hold_out(trays, learned())
        return
    save(learn(trays, learned()), args.out)
    print(f"learned from {len(trays)} trays with {sum(len(tray.dice) for tray in trays)} dice: {args.out}")


if __name__ == "__main__":
    main()
