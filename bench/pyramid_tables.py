"""Pyramids beside the empty table: `python -m bench.pyramid_tables FOLDER... [--plain] [--weights NETS]`.

A folder holds `table.json` or `sequence.json` with the mat and with `calibration` (a picture of the empty table, one of
a sampler and its rows), and labeled pictures. Each table is calibrated once and its pictures are read with that, or
without it (`--plain`). One row for each table; times are of one process's CPU. `python -m bench pyramid_tables` reads
the marble table that comes with the tests.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figure import Figure
from bench.pyramids import PyramidRow
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture, read_picture
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.joint_assignment import ConfirmedColors
from vision.readers.pyramids.reader import Nets, read, trained
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate

BUNDLED = Path(__file__).parents[1] / "tests" / "data" / "calibration"
BUNDLED_ROWS = [[Pyramid(color, size) for color in PYRAMID_COLORS] for size in PYRAMID_SIZES]


def figures() -> Iterator[Figure]:
    """Yields one calibration and one picture: that both work here, and their time. Accuracy needs many, see `main`."""
    mat = Mat(600, 400, 40)
    empty, sampler, scatter = (read_picture(BUNDLED / f"marble-{name}.jpg") for name in ("empty", "sampler", "scatter"))
    start = time.process_time()
    calibration = calibrate("pyramids", mat, [empty], (sampler, BUNDLED_ROWS)).calibration
    yield Figure("CPU to calibrate a table", 1e3 * (time.process_time() - start), "ms")
    start = time.process_time()
    seen = _seen(scatter, mat, calibration, trained())
    yield Figure("CPU to read a picture beside it", 1e3 * (time.process_time() - start), "ms")
    truth = json.loads((BUNDLED / "marble-scatter.json").read_text())
    row = PyramidRow()
    row.add(truth, seen)
    yield Figure("pieces of it read right", row.count["right"] / row.count["wanted"], "", at_least=0.8)


def _seen(picture: Picture, mat: Mat, calibration: Calibration | None, nets: Nets) -> dict[str, Any]:
    table = find_table(picture, mat, calibration=calibration)
    empty = None if calibration is None else calibration.empty
    colors = None if calibration is None else ConfirmedColors(calibration.colors, calibration.tones)
    memory = read(table.picture, table.pose, table.light, table.mat, nets=nets, colors=colors, empty=empty)
    return memory.scene.truth()


def labeled(folder: Path) -> tuple[dict[str, Any], list[tuple[Path, dict[str, Any]]]]:
    """A folder's description of its table, and its pictures with their labels."""
    game = folder / "sequence.json"
    about: dict[str, Any] = json.loads((game if game.is_file() else folder / "table.json").read_text())
    if game.is_file():
        return about, [(folder / frame["file"], frame["truth"]) for frame in about["frames"] if frame["stable"]]
    labels = [json.loads(path.read_text()) for path in sorted(folder.glob("still-*.json"))]
    return about, [(folder / label["image"], label["truth"]) for label in labels]


def main() -> None:
    """Read the arguments, read the pictures, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--plain", action="store_true", help="without calibration")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    nets = trained(args.weights)
    whole = PyramidRow()
    print(f"{'':28s} pics pieces  F1      stacks  tops    whole  precision  median ms  longest")
    for folder in args.folders:
        about, pictures = labeled(folder)
        size = about["mat"]
        mat = Mat(size["width_mm"], size["height_mm"], size["marker_mm"])
        calibration = None
        if not args.plain:
            known = about["calibration"]
            rows = [[Pyramid(one["color"], one["size"]) for one in row] for row in known["sampler"]["rows"]]
            sampler = read_picture(folder / known["sampler"]["file"]), rows
            calibration = calibrate("pyramids", mat, [read_picture(folder / known["empty"])], sampler).calibration
        row, times_ms = PyramidRow(), []
        for path, truth in pictures:
            picture = read_picture(path)
            start = time.process_time()
            seen = _seen(picture, mat, calibration, nets)
            times_ms.append(1e3 * (time.process_time() - start))
            row.add(truth, seen)
            whole.add(truth, seen)
        precision = row.count["right"] / max(row.count["given"], 1)
        name = f"{folder.name}, {about['table']}"
        print(f"{row.text(name)}  {precision:.3f}  {statistics.median(times_ms):9.0f}  {max(times_ms):7.0f}")
    print(whole.text("all"))
    print("items lost:", ", ".join(f"{n} {c}" for n, c in whole.lost.most_common()) or "none")
    print("confidences:", whole.belief())


if __name__ == "__main__":
    main()
