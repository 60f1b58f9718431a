"""Measures how well pyramids are read: `python -m bench.pyramids FOLDER... [--prior] [--folds FOLDER]` for labeled
pictures.

One row for all pictures and one for each table, light, view, scene and whether something else lies there; below, why
items were lost and how far confidences can be believed. `--prior` gives the reader the set of the game that is played;
`--folds` takes, for each table, nets that never saw it (see `python -m vision.readers.pyramids.training`).
`--recording` times pictures of a recorded game that differ little from the one before. Times are of all cores
together and by the clock. `python -m bench pyramids` reads only the picture that comes with the tests.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figure import Figure
from bench.stopwatch import Stopwatch, Taken, as_text
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.core.plan import Mat
from vision.image.picture import read_picture
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.reader import ReaderMemory, read, trained
from vision.registration.registered_image import find_table

NEAR_MM = 10.0
"""A stack counts as found within this distance; a lying piece within twice as much."""

_ORDINARY = ("red", "orange", "yellow", "green", "blue", "purple")
SETS = {
    "spectra": {Pyramid(c, s): 5 for c in _ORDINARY for s in PYRAMID_SIZES}
    | {Pyramid(c, s): 2 for c in ("black", "white") for s in PYRAMID_SIZES},
    "ice stalks": {Pyramid(c, s): 5 for c in (*_ORDINARY, "cyan") for s in PYRAMID_SIZES},
    "scatter": {Pyramid(c, s): 5 for c in PYRAMID_COLORS for s in PYRAMID_SIZES},
}
"""The pieces of each scene's game (SPA-1, ICE-2)."""

BUNDLED = Path(__file__).parents[1] / "tests" / "data" / "pyramids" / "stalks-oak.jpg"
BUNDLED_TRUTH = {
    "stacks": [
        {"x": x, "y": y, "pieces": [dict(zip(("color", "size"), name.split(), strict=True)) for name in names]}
        for x, y, names in (
            (461.2, 165.0, ("blue large", "blue medium", "purple small")),
            (167.9, 182.0, ("yellow large", "yellow medium")),
            (133.1, 88.3, ("green large",)),
            (384.3, 197.3, ("cyan large", "cyan medium")),
            (428.5, 221.0, ("green large", "green medium", "cyan small")),
        )
    ],
    "lying": [],
}
"""The content of the bundled picture, as it was made."""
ROUNDS = 5
FEW = 3
"""Pieces that a small change takes away, adds or moves at most."""


def figures() -> Iterator[Figure]:
    """Yields one picture that training has seen: that reading works here, and its time. Accuracy needs many, see
    `main`.
    """
    table = find_table(read_picture(BUNDLED), Mat(600, 400, 40))
    row = PyramidRow()
    times_ms = []
    for _ in range(ROUNDS):
        start = time.process_time()
        memory = read(table.picture, table.pose, table.light, table.mat)
        times_ms.append(1e3 * (time.process_time() - start))
    row.add(BUNDLED_TRUTH, memory.scene.truth())
    yield Figure("pieces of the bundled picture read right", row.count["right"] / row.count["wanted"], "", at_least=0.9)
    yield Figure("CPU to read it", statistics.median(times_ms), "ms")


class PyramidRow:
    """Counts over some pictures."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        """Items by why they are wrong."""
        self.sure: list[tuple[float, bool]] = []
        """Confidence of each item of a thing that was found, and whether it is right."""

    def add(self, truth: dict[str, Any], seen: dict[str, Any]) -> None:
        """Score one picture."""
        right = 0
        stacks, lying = (
            pairs(truth["stacks"], seen["stacks"], NEAR_MM),
            pairs(truth["lying"], seen["lying"], 2 * NEAR_MM),
        )
        for want, have in stacks:
            a, b = named(want), named(have)
            self.lose(a, b)
            self.sure += [(p["confidence"], x == y) for p, x, y in zip(have["pieces"], a, b, strict=False)]
            right += sum(x == y for x, y in zip(a, b, strict=False))
            self.count.update(stack=1, stack_right=a == b, top_right=a[-1] == b[-1])
        for want, have in lying:
            a, b = [(want["color"], want["size"])], [(have["color"], have["size"])]
            self.lose(a, b)
            self.sure.append((have["confidence"], a == b))
            right += a == b
        wanted = sum(len(s["pieces"]) for s in truth["stacks"]) + len(truth["lying"])
        given = sum(len(s["pieces"]) for s in seen["stacks"]) + len(seen["lying"])
        self.lost["missed"] += wanted - sum(len(s["pieces"]) for s, _ in stacks) - len(lying)
        self.lost["invented"] += given - sum(len(s["pieces"]) for _, s in stacks) - len(lying)
        self.count.update(pictures=1, wanted=wanted, given=given, right=right, whole=right == wanted == given)

    def lose(self, want: list[tuple[str, str]], have: list[tuple[str, str]]) -> None:
        """Note why items of a thing that was found are wrong; colors are judged where the sizes are right."""
        wrong = sum(a != b for a, b in zip(want, have, strict=False)) + max(len(want) - len(have), 0)
        sizes = [size for _, size in want], [size for _, size in have]
        cause = "number of levels" if len(want) != len(have) else "size" if sizes[0] != sizes[1] else "color"
        self.lost[cause] += wrong

    def belief(self) -> str:
        """Share of right items by how sure the reader was, and the calibration error in percent."""
        bins = ((0.0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01))
        said, error = [], 0.0
        for low, high in bins:
            chosen = [(sure, right) for sure, right in self.sure if low <= sure < high]
            if chosen:
                mean = statistics.mean(sure for sure, _ in chosen)
                true = statistics.mean(right for _, right in chosen)
                error += abs(mean - true) * len(chosen) / len(self.sure)
                said.append(f"{len(chosen)} items {mean:.2f} sure, {true:.2f} right")
        return "; ".join(said) + f"; error {100 * error:.1f} percent"

    def text(self, name: str) -> str:
        """Returns one printed line."""
        c = self.count
        precision, recall = c["right"] / max(c["given"], 1), c["right"] / max(c["wanted"], 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return (
            f"{name:28s} {c['pictures']:4d} {c['wanted']:6d}  {f1:.4f}  {c['stack_right'] / max(c['stack'], 1):.4f}  "
            f"{c['top_right'] / max(c['stack'], 1):.4f}  {c['whole'] / max(c['pictures'], 1):.3f}"
        )


def named(stack: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns colors and sizes from the lowest up."""
    return [(p["color"], p["size"]) for p in stack["pieces"]]


def pairs(truth: list[Any], seen: list[Any], limit_mm: float) -> list[tuple[Any, Any]]:
    """Nearest pairs, each thing used once."""
    reach = sorted(
        (math.hypot(t["x"] - s["x"], t["y"] - s["y"]), i, j) for i, t in enumerate(truth) for j, s in enumerate(seen)
    )
    done_t: set[int] = set()
    done_s: set[int] = set()
    found = []
    for distance, i, j in reach:
        if distance <= limit_mm and i not in done_t and j not in done_s:
            done_t.add(i)
            done_s.add(j)
            found.append((truth[i], seen[j]))
    return found


def small_changes(folder: Path) -> list[Taken]:
    """The time of reading for each steady picture of a recording that differs in a few pieces from the one before."""
    recording = json.loads((folder / "sequence.json").read_text())
    size = recording["mat"]
    mat = Mat(size["width_mm"], size["height_mm"], size["marker_mm"])
    times = []
    before: ReaderMemory | None = None
    for frame in recording["frames"]:
        if not frame["stable"]:
            continue
        table = find_table(read_picture(folder / frame["file"]), mat)
        watch = Stopwatch()
        memory = read(table.picture, table.pose, table.light, table.mat, previous=before)
        taken = watch.lap()
        if before is not None:
            now, then = places(memory), places(before)
            if 0 < max(len(now - then), len(then - now)) <= FEW:
                times.append(taken)
        before = memory
    return times


def places(memory: ReaderMemory) -> set[tuple[float, float]]:
    """Returns where things are; one that was kept is exactly where it was."""
    return {(found.place.x_mm, found.place.y_mm) for found in memory.scene.found}


def main() -> None:
    """Read the arguments, read the pictures, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--prior", action="store_true")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--recording", type=Path)
    args = parser.parse_args()
    if not args.folders and not args.recording:
        parser.error("name a folder of labeled pictures, or a recorded game with --recording")
    if args.recording:
        changes = small_changes(args.recording)
        print(f"{len(changes)} changes of at most {FEW} pieces: {as_text(changes)}")
    if not args.folders:
        return
    rows: dict[str, PyramidRow] = defaultdict(PyramidRow)
    confused: Counter[str] = Counter()
    full, again = [], []
    for path in sorted(p for folder in args.folders for p in folder.glob("*.json")):
        label = json.loads(path.read_text())
        size = label["mat"]
        corners = size["corners_px"] if len(size["visible_ids"]) < 4 else None
        table = find_table(
            read_picture(path.with_name(label["image"])),
            Mat(size["width_mm"], size["height_mm"], size["marker_mm"]),
            corners,
        )
        nets = trained(args.folds / label["table"].replace(" ", "-") if args.folds else args.weights)
        limits = SETS[label["scene"]] if args.prior else None
        watch = Stopwatch()
        memory = read(table.picture, table.pose, table.light, table.mat, limits=limits, nets=nets)
        full.append(watch.lap())
        read(table.picture, table.pose, table.light, table.mat, previous=memory, limits=limits, nets=nets)
        again.append(watch.lap())
        seen = memory.scene.truth()
        kinds = ["all", label["light"], label["table"], label["view"], label["scene"]]
        for kind in [*kinds, "something else there" if label["occluder"] else "only pieces"]:
            rows[kind].add(label["truth"], seen)
        for want, have in pairs(label["truth"]["stacks"], seen["stacks"], NEAR_MM):
            for a, b in zip(named(want), named(have), strict=False):
                if a[1] == b[1] and a[0] != b[0]:
                    confused[f"{a[0]} read as {b[0]}"] += 1
    print(f"{'':28s} pics pieces  F1      stacks  tops    whole pictures")
    for name in sorted(rows, key=lambda n: (n != "all", n)):
        print(rows[name].text(name))
    print("items lost:", ", ".join(f"{n} {c}" for n, c in rows["all"].lost.most_common()) or "none")
    print("confidences:", rows["all"].belief())
    print("colors confused:", ", ".join(f"{n} {c}" for c, n in confused.most_common(12)) or "none")
    print(f"a picture: {as_text(full)}")
    print(f"the same picture again: {as_text(again)}")


if __name__ == "__main__":
    main()
