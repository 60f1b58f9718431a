"""Measures how much confirmed and corrected rolls teach: `python -m bench.corrections [--evenings N] [--seed SEED]`.

Each evening has dice of another make: each color of the wheel is printed brighter, darker or tinted otherwise than on
the dice that the reader learned from. People confirm or correct whole rolls; afterwards new rolls of the same dice are
read. The table shows the share of dice that are read right after 0, 5 and 20 dice were named, and how many of the
wrong ones were sure.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import numpy as np

from companion.core.layout import Detection, Layout
from companion.core.pieces import FACES, WHEEL, Die
from companion.core.plan import DiceTray, Plan
from simulation.dice_pictures import MAT, Drawn, Shares, camera, tray
from vision.readers.dice.palette import learned
from vision.readers.dice.recognition import SURE
from vision.table_reader import TableReader

NAMED = (0, 5, 20)
A_ROLL = 5
JUDGED_ROLLS = 6
PRINT_SIGMA = 0.9
"""One sigma of the logarithm of a color's light, in each channel, between two makes of dice."""
FLOORS = ((0.045, 0.16, 0.05), (0.08, 0.13, 0.24), (0.05, 0.05, 0.35), (0.4, 0.42, 0.45))
"""Linear light B, G, R of green felt, walnut, red felt and gray paper."""
NEAR_MM = 8.0
PLAN = Plan(MAT, (DiceTray(),))


def other_print(rng: np.random.Generator) -> Shares:
    """Returns the colors of another make of dice."""
    usual = np.array(learned().palette.shares)
    shares = np.clip(usual * np.exp(rng.normal(0, PRINT_SIGMA, usual.shape)), 0.02, 1.3)
    return [(float(b), float(g), float(r)) for b, g, r in shares]


def a_roll(rng: np.random.Generator) -> tuple[Drawn, ...]:
    """Returns dice that fell anywhere, none on another."""
    dice: list[Drawn] = []
    while len(dice) < A_ROLL:
        x, y = rng.uniform((35, 35), (205, 145))
        if all(math.hypot(x - one.x_mm, y - one.y_mm) > 28 for one in dice):
            kind = str(rng.choice(["spectrum-d6", "spectrum-d12"]))
            face = str(rng.choice(list(FACES[kind])))
            dice.append(Drawn(kind, face, float(x), float(y), float(rng.uniform(0, 90))))
    return tuple(dice)


def right_and_wrong(reader: TableReader, picture: np.ndarray, roll: tuple[Drawn, ...]) -> Iterator[tuple[bool, bool]]:
    """Yields for each die whether it is read right, and whether it is surely read wrong."""
    seen = reader.read(picture).layout.heaps["dice"]
    wanted = sorted((die.kind, str(die.face)) for die in roll)
    given = [(one.piece.kind, str(one.piece.face), one.confidence) for one in seen if isinstance(one.piece, Die)]
    for kind, face, confidence in given:
        good = (kind, face) in wanted
        if good:
            wanted.remove((kind, face))
        yield good, not good and confidence >= SURE
    yield from ((False, False) for _ in range(max(0, len(roll) - len(given))))


def evening(rng: np.random.Generator) -> dict[int, list[tuple[bool, bool]]]:
    """Returns the answers after each number of named dice."""
    shares, floor = other_print(rng), FLOORS[int(rng.integers(len(FLOORS)))]
    pose = camera(bool(rng.random() < 0.7))
    judged = [a_roll(rng) for _ in range(JUDGED_ROLLS)]
    pictures = [tray(roll, pose, floor, seed, shares) for seed, roll in enumerate(judged)]
    reader, found, named = TableReader(PLAN), {}, 0
    for wanted in NAMED:
        while named < wanted:
            roll = a_roll(rng)
            reader.read(tray(roll, pose, floor, 100 + named, shares))
            position = Layout(heaps={"dice": tuple(Detection.sure(Die(die.kind, die.face)) for die in roll)})
            reader.confirm_position(position)
            named += len(roll)
        pairs = zip(pictures, judged, strict=True)
        found[wanted] = [answer for picture, roll in pairs for answer in right_and_wrong(reader, picture, roll)]
    return found


def main() -> None:
    """Read the arguments, play the evenings, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=4)
    parser.add_argument("--seed", type=int, default=10)
    args = parser.parse_args()
    evenings = [evening(np.random.default_rng((args.seed, k))) for k in range(args.evenings)]
    print(f"{len(WHEEL)} colors, {args.evenings} makes of dice that nothing was learned from")
    for named in NAMED:
        answers = [answer for one in evenings for answer in one[named]]
        right = sum(good for good, _ in answers)
        wrong = sum(sure for _, sure in answers)
        print(
            f"{named:3d} dice named: {right} of {len(answers)} right: {right / len(answers):.3f}, surely wrong {wrong}"
        )


if __name__ == "__main__":
    main()
