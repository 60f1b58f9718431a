"""Measures how much corrected pyramids teach: `python -m bench.pyramid_corrections [--tables N] [--stills N] [--seed
N]`.

Each drawn table has lamps, a camera and plastics of its own, and was shown empty, but no sampler was shown. People
correct or confirm positions of a tree and two lone pieces; afterwards the same stills are read again. The rows show
what is right after 0, 5 and 20 pieces were named. Nets have learned from other tables of this family.
"""

from __future__ import annotations

import argparse

import numpy as np

from bench.pyramid_cloths import truth_of
from bench.pyramids import PyramidRow
from companion.core.foundation.errors import CompanionError
from companion.core.layout import Detection, Layout
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.core.plan import PyramidZone
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.reader import read
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.training.drawn.tables import ORDINARY, DrawnTable
from vision.readers.pyramids.zones import PyramidZones
from vision.registration.registered_image import RegisteredImage, find_table
from vision.setup.calibrating import calibrate

NAMED = (0, 5, 20)
A_POSITION = 5
"""So many pieces are named at a time."""
EMPTIES = 3
APART_MM = 60.0
TREE = ("large", "medium", "small")
LESSON = "lesson"


def things_of_a_position(random: np.random.Generator) -> tuple[Thing, ...]:
    """A tree and lone pieces that stand apart, `A_POSITION` pieces together."""
    things: list[Thing] = []
    while len(things) < A_POSITION - len(TREE) + 1:
        x, y = random.uniform((80, 80), (520, 320))
        if all(np.hypot(x - one.place.x_mm, y - one.place.y_mm) > APART_MM for one in things):
            sizes = (str(random.choice(PYRAMID_SIZES)),) if things else TREE
            colors = tuple(str(random.choice(PYRAMID_COLORS)) for _ in sizes)
            things.append(Thing(StackHypothesis(float(x), float(y), float(random.uniform(0, 90)), sizes), colors))
    return tuple(things)


def rows_of(table: DrawnTable, stills: int, random: np.random.Generator) -> dict[int, PyramidRow]:
    """The scores of one table's stills after each number of named pieces.

    Raises:
        CompanionError: The table's markers are not found.
    """
    calibration = calibrate("pyramids", table.mat, [table.empty() for _ in range(EMPTIES)]).calibration
    width, height = table.mat.width_mm, table.mat.height_mm
    zones = (PyramidZone(LESSON, ((0, 0), (width, 0), (width, height), (0, height)), "pool"),)
    judged = [table.still() for _ in range(stills)]
    pictures = [find_table(picture, table.mat, calibration=calibration) for picture, _ in judged]
    reader, rows, named = PyramidZones(calibration), {}, 0
    for wanted in NAMED:
        while named < wanted:
            things = things_of_a_position(random)
            reader.read(find_table(table.with_things(things), table.mat, calibration=calibration), zones)
            pieces = [Pyramid(*both) for one in things for both in zip(one.colors, one.place.sizes, strict=True)]
            reader.confirm_position(Layout(heaps={LESSON: tuple(Detection.sure(piece) for piece in pieces)}))
            named += len(pieces)
        rows[wanted] = PyramidRow()
        for picture, (_, truth) in zip(pictures, judged, strict=True):
            rows[wanted].add(truth_of(truth), _seen(picture, reader))
    return rows


def _seen(table: RegisteredImage, reader: PyramidZones) -> dict[str, object]:
    assert table.calibration is not None
    found = read(
        table.picture,
        table.pose,
        table.light,
        table.mat,
        colors=reader.confirmed_colors,
        empty=table.calibration.empty,
        shapes=reader.confirmed_shapes,
    )
    return found.scene.truth()


def main() -> None:
    """Read the arguments, draw, teach, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--stills", type=int, default=2, help="of each table")
    parser.add_argument("--seed", type=int, default=10, help="of the first table")
    args = parser.parse_args()
    whole = {named: PyramidRow() for named in NAMED}
    for seed in range(args.seed, args.seed + args.tables):
        random = np.random.default_rng(seed)
        try:
            rows = rows_of(DrawnTable(ORDINARY, random), args.stills, random)
        except CompanionError as error:
            print(f"seed {seed}: {error}")
            continue
        for named, row in rows.items():
            whole[named].count.update(row.count)
            whole[named].lost.update(row.lost)
    print(f"{'pieces named':28s} pics pieces  F1      stacks  tops    whole")
    for named, row in whole.items():
        lost = ", ".join(f"{name} {count}" for name, count in sorted(row.lost.items()))
        print(f"{row.text(str(named))}  lost: {lost}")


if __name__ == "__main__":
    main()
