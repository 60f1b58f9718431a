"""Measures how well pawns are read: `python -m bench.pawns FOLDER... [--folds FOLDER]` for labeled pictures of
Spectrum boards.

One row for all pictures, with the set as prior and without, and one for each table, light and view; below, what went
wrong, how far confidences can be believed, and the time. `--folds` takes, for each table, a net that never saw it (see
`python -m vision.readers.pawns.training`); `--stress` reads them as another camera might have seen them. `--empty N`
draws N boards that no net has seen, each under another lamp and camera than when it was shown empty, and reads them
without and with that.
`python -m bench pawns` reads only the pictures that come with the tests.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.accuracy import stresses
from bench.figure import Figure
from companion.core.foundation.errors import SeeError, WrongTable
from companion.core.layout import Detection
from companion.core.pieces import Pawn
from companion.core.plan import Mat, PawnBoard, Plan
from companion.games.spectrum.plan import MAT
from simulation.changed.lamps import CAMERAS, LAMPS, encoded, lamplight
from simulation.drawn.boards import drawn_board
from vision.calibration.calibration import Calibration
from vision.image.light import LINEAR
from vision.image.picture import Picture, read_picture
from vision.readers.pawns.net import WEIGHTS, load
from vision.readers.pawns.reader import WheelReading, place_wheel, read_board
from vision.readers.pawns.wheel import SPACES
from vision.registration.registered_image import RegisteredImage, find_table
from vision.setup.calibrating import calibrate
from vision.table_reader import TableReader

BUNDLED = Path(__file__).parents[1] / "tests" / "data" / "spectrum"
ROUNDS = 3
UNSEEN = 9100
"""Drawn boards are numbered from here on; training saw lower numbers."""

Names = tuple[str | None, ...]
"""The color of the pawn on each space of `SPACES`, None where none stands."""


class PawnRow:
    """Counts over some pictures."""

    def __init__(self) -> None:
        self.pictures = self.whole = self.wanted = self.given = self.right = 0

    def add(self, want: Names, have: Names) -> None:
        """Score one picture."""
        right = sum(a is not None and a == b for a, b in zip(want, have, strict=True))
        self.pictures += 1
        self.whole += want == have
        self.wanted += sum(a is not None for a in want)
        self.given += sum(b is not None for b in have)
        self.right += right

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.right / (self.wanted + self.given) if self.wanted + self.given else 1.0

    def text(self, name: str) -> str:
        """Returns one printed line."""
        share = self.whole / max(self.pictures, 1)
        return f"{name:32s} {self.pictures:4d} {self.wanted:6d}  {self.f1:.4f}  {share:.4f}"


def truth(label: dict[str, Any]) -> Names:
    """Returns the spaces of a label."""
    there = {(pawn["path"], pawn["space"]): pawn["color"] for pawn in label["truth"]["pawns"]}
    return tuple(there.get((space.color, space.ring)) for space in SPACES)


def names(sightings: Sequence[Detection]) -> Names:
    """Returns the spaces of a reading."""
    return tuple(s.piece.color if isinstance(s.piece, Pawn) else None for s in sightings)


def labels(folders: Sequence[Path]) -> Iterator[tuple[dict[str, Any], Picture]]:
    """Yields every label with its picture."""
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        label = json.loads(path.read_text())
        yield label, read_picture(path.with_name(label["image"]))


def mat_of(label: dict[str, Any]) -> tuple[Mat, Any]:
    """Returns the mat, and clicked corners where a marker is hidden."""
    mat = label["mat"]
    clicked = tuple(map(tuple, mat["corners_px"])) if len(mat["visible_ids"]) < 4 else None
    return Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]), clicked


def read_one(label: dict[str, Any], picture: Picture, weights: Path = WEIGHTS) -> WheelReading:
    """Returns a board that is looked for everywhere.

    :raises SeeError: the table or the board was not found.
    """
    mat, clicked = mat_of(label)
    table = find_table(picture, mat, clicked)
    return read_board(table, place_wheel(table), load(weights))


def times_ms(label: dict[str, Any], picture: Picture) -> tuple[float, float]:
    """CPU time of a first picture and of one of a table that the reader knows."""
    mat, clicked = mat_of(label)
    reader = TableReader(Plan(mat, (PawnBoard(),), clicked))
    start = time.process_time()
    reader.read(picture)
    middle = time.process_time()
    reader.read(picture)
    return 1e3 * (middle - start), 1e3 * (time.process_time() - middle)


def figures() -> Iterator[Figure]:
    """Yields the pictures that come with the tests; training has seen them, so they say that reading works, not how
    well.
    """
    row, again = PawnRow(), []
    for label, picture in labels([BUNDLED]):
        row.add(truth(label), names(read_one(label, picture).joint))
        again += [times_ms(label, picture)[1] for _ in range(ROUNDS)]
    yield Figure("bundled Spectrum pictures, pawns F1", row.f1, "", at_least=0.99)
    yield Figure("CPU for a steady picture of a known board, median", statistics.median(again), "ms", at_most=250)


def report_stress(folders: Sequence[Path], weights: Path) -> None:
    """Print how well the pictures are read as another camera might have seen them."""
    for name, change in stresses().items():
        row = PawnRow()
        for label, picture in labels(folders):
            changed = change(picture)
            factor = changed.shape[1] / picture.shape[1]
            corners = [(x * factor, y * factor) for x, y in label["mat"]["corners_px"]]
            told = {**label, "mat": {**label["mat"], "corners_px": corners}}
            try:
                read = names(read_one(told, changed, weights).joint)
            except SeeError as error:
                print(f"  {label['image']}: {error}")
                read = (None,) * len(SPACES)
            row.add(truth(label), read)
        print(row.text(name))


def report_empty(count: int) -> None:
    """Print how well drawn boards are read without and with the empty board, under other lamps and cameras."""
    rows = {"never shown empty": PawnRow(), "shown empty first": PawnRow()}
    for seed in range(UNSEEN, UNSEEN + count):
        scene, pawns, label = drawn_board(seed)
        corners = label["mat"]["corners_px"]
        random = np.random.default_rng(seed)
        lamp = list(LAMPS.values())[int(random.integers(len(LAMPS)))]
        camera = list(CAMERAS.values())[int(random.integers(len(CAMERAS)))]
        shown = scene.picture(())
        picture = encoded(lamplight(LINEAR[scene.picture((), pawns)], lamp), camera)
        known = calibrate("spectrum", MAT, [shown], None, corners).calibration
        for name, calibration in zip(rows, (None, known), strict=True):
            try:
                table = _table(picture, corners, calibration)
                read = names(read_board(table, place_wheel(table)).joint)
            except SeeError as error:
                print(f"  {label['image']}: {error}")
                read = (None,) * len(SPACES)
            rows[name].add(truth(label), read)
    for name, row in rows.items():
        print(row.text(name))


def _table(picture: Picture, corners: Any, calibration: Calibration | None) -> RegisteredImage:
    """Returns the table in a picture, as `vision.setup.known_table` takes it: one that looks like another one is read
    without.
    """
    try:
        return find_table(picture, MAT, corners, calibration=calibration)
    except WrongTable:
        return find_table(picture, MAT, corners)


def main() -> None:
    """Read the arguments, read the pictures, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--stress", action="store_true", help="read them darker, warmer, noisier, blurred, smaller")
    parser.add_argument("--empty", type=int, default=0, metavar="N", help="read N drawn boards beside the empty board")
    args = parser.parse_args()
    if args.empty:
        report_empty(args.empty)
        return
    if args.stress:
        report_stress(args.folders, args.weights)
        return
    rows: dict[str, PawnRow] = defaultdict(PawnRow)
    confused: Counter[str] = Counter()
    sure: list[tuple[float, bool]] = []
    first, again = [], []
    empty: Names = (None,) * len(SPACES)
    for label, picture in labels(args.folders):
        weights = args.folds / f"{label['table'].replace(' ', '-')}.npz" if args.folds else args.weights
        want, alone, joint = truth(label), empty, empty
        try:
            reading = read_one(label, picture, weights)
            alone, joint = names(reading.alone), names(reading.joint)
            sure += [(s.confidence, a == b) for s, a, b in zip(reading.joint, want, joint, strict=True)]
            both = times_ms(label, picture)
            first.append(both[0])
            again.append(both[1])
        except SeeError as error:
            print(f"  {label['image']}: {error}")
        kinds = [f"table: {label['table']}", f"light: {label['light']}", f"view: {label.get('look', {}).get('view')}"]
        for kind in ["all", *kinds]:
            rows[kind].add(want, joint)
        rows["all, each space by itself"].add(want, alone)
        wrong = [(s.spot, a, b) for s, a, b in zip(SPACES, want, joint, strict=True) if a != b]
        confused.update(f"{a or 'nothing'} read as {b or 'nothing'}" for _, a, b in wrong)
        if wrong:
            print(f"  {label['image']}: {'; '.join(f'{spot} {a} read {b}' for spot, a, b in wrong)}")
    print(f"{'':32s} pics  pawns  F1      whole pictures")
    for name in sorted(rows, key=lambda n: (not n.startswith("all"), n)):
        print(rows[name].text(name))
    print("confused:", ", ".join(f"{name} {count}" for name, count in confused.most_common(12)) or "none")
    for low, high in ((0.0, 0.6), (0.6, 0.9), (0.9, 0.99), (0.99, 1.01)):
        part = [(s, right) for s, right in sure if low <= s < high]
        if part:
            mean, true = statistics.mean(s for s, _ in part), statistics.mean(right for _, right in part)
            print(f"  {len(part)} spaces {mean:.3f} sure, {true:.3f} right")
    print(
        f"CPU, median: first picture {statistics.median(first):.0f} ms, known board {statistics.median(again):.0f} ms"
    )


if __name__ == "__main__":
    main()
