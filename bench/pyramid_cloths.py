"""Pyramids on cloths by family: `python -m bench.pyramid_cloths [FAMILY...] [--tables N] [--stills N] [--seed N]`.

Draws tables of each family of `vision.readers.pyramids.training.drawn.families`, calibrates each from pictures of it
empty and of a sampler, and reads its stills with that, or without it (`--plain`). Nets have learned from none of these;
whether anything is there was fitted to some of them (`python -m simulation.drawn.presence`), from other seeds.
One row for each family; times are of one process's CPU. `--keep FOLDER` keeps what was drawn for another run.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.pyramids import PyramidRow
from companion.core.foundation.errors import CompanionError
from simulation.drawn.shown_tables import ShownTable, shown_table
from vision.calibration.calibration import Calibration
from vision.readers.pyramids.joint_assignment import ConfirmedColors
from vision.readers.pyramids.reader import read
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.training.drawn.tables import NAMES
from vision.registration.registered_image import find_table

Picture = NDArray[np.uint8]


def truth_of(things: tuple[Thing, ...]) -> dict[str, Any]:
    """Returns the object of a labeled picture."""
    truth: dict[str, Any] = {"stacks": [], "lying": []}
    for thing in things:
        place, colors = thing.place, thing.colors
        pieces = [{"color": color, "size": size} for color, size in zip(colors, place.sizes, strict=True)]
        where = {"x": place.x_mm, "y": place.y_mm}
        if place.lies:
            truth["lying"].append({**where, "heading": place.turn_deg, **pieces[0]})
        else:
            truth["stacks"].append({**where, "pieces": pieces})
    return truth


def read_still(picture: Picture, table: ShownTable, calibration: Calibration | None) -> dict[str, Any]:
    """Returns the reading of a still."""
    found = find_table(picture, table.mat, calibration=calibration)
    empty = None if calibration is None else calibration.empty
    colors = None if calibration is None else ConfirmedColors(calibration.colors, calibration.tones)
    memory = read(found.picture, found.pose, found.light, found.mat, colors=colors, empty=empty)
    return memory.scene.truth()


def main() -> None:
    """Read the arguments, draw, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(NAMES))
    parser.add_argument("--tables", type=int, default=2, help="of each family")
    parser.add_argument("--stills", type=int, default=3, help="of each table")
    parser.add_argument("--seed", type=int, default=1, help="of the first table")
    parser.add_argument("--plain", action="store_true", help="without calibration")
    parser.add_argument("--keep", type=Path, help="folder for what was drawn")
    args = parser.parse_args()
    whole, all_ms = PyramidRow(), []
    print(f"{'':28s} pics pieces  F1      stacks  tops    whole  precision  median ms  longest")
    for family in args.families or NAMES:
        row, times_ms = PyramidRow(), []
        for seed in range(args.seed, args.seed + args.tables):
            table = shown_table(family, seed, args.stills, args.keep)
            try:
                calibration = None if args.plain else table.calibration()
            except CompanionError as error:
                print(f"{family}, seed {seed}: {error}")
                continue
            for picture, things in table.stills:
                start = time.process_time()
                seen = read_still(picture, table, calibration)
                times_ms.append(1e3 * (time.process_time() - start))
                row.add(truth_of(things), seen)
                whole.add(truth_of(things), seen)
        all_ms += times_ms
        if times_ms:
            print(f"{row.text(family)}  {_tail(row, times_ms)}", flush=True)
    print(f"{whole.text('all')}  {_tail(whole, all_ms)}")
    print("items lost:", ", ".join(f"{n} {c}" for n, c in whole.lost.most_common()) or "none")
    print("confidences:", whole.belief())


def _tail(row: PyramidRow, times_ms: list[float]) -> str:
    precision = row.count["right"] / max(row.count["given"], 1)
    return f"{precision:.3f}  {statistics.median(times_ms):9.0f}  {max(times_ms):7.0f}"


if __name__ == "__main__":
    main()
