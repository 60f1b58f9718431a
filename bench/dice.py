"""How well dice are read: `python -m bench.dice FOLDER...` for labelled pictures, or without one those of the tests.

One row for all pictures and one for each kind of die, tray, light and view; below, what was read wrong, how far
confidences can be believed, and the processor time of a picture. `python -m vision.dice.training FOLDER... --hold-out
table` says how well tables are read that nothing was learnt from. `python -m bench dice` reads the pictures that come
with the tests and a drawn tray of nine dice.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.figure import Figure
from companion.plan import DiceTray, Mat, Plan
from tests.vision.dice.drawn import MAT, NINE, tray
from vision.dice.reader import SeenDie, read_dice
from vision.picture import read_picture
from vision.table import find_table
from vision.table_reader import TableReader

BUNDLED = Path(__file__).parents[1] / "tests" / "data" / "dice"
NEAR_MM = 8.0
ROUNDS = 15


class Shot(NamedTuple):
    """One labelled picture, read."""

    label: dict[str, Any]
    pairs: list[tuple[dict[str, Any], SeenDie | None]]
    """Each labelled die and what was read there."""
    invented: list[SeenDie]
    milliseconds: float

    @property
    def whole(self) -> bool:
        """Whether everything is right."""
        return not self.invented and all(right(die, seen) for die, seen in self.pairs)


def right(die: dict[str, Any], seen: SeenDie | None) -> bool:
    """Whether kind and face are as labelled."""
    return seen is not None and (seen.die.kind, seen.die.face) == (die["kind"], die["face"])


def figures() -> Iterator[Figure]:
    """The bundled pictures, then the time of a tray of nine."""
    shots = list(read_all(BUNDLED))
    yield Figure("dice of the bundled pictures, F1", f1(shots), "", at_least=0.99)
    yield Figure("whole pictures right", sum(s.whole for s in shots) / len(shots), "", at_least=0.95)
    picture = tray(NINE)
    reader = TableReader(Plan(MAT, (DiceTray(),)))
    heap = reader.read(picture).layout.heaps["dice"]
    yield Figure("dice of a drawn tray of nine", float(len(heap)), "", at_least=9)
    times_ms = []
    for _ in range(ROUNDS):
        began = time.process_time()
        reader.read(picture)
        times_ms.append(1000 * (time.process_time() - began))
    yield Figure("CPU to read a tray of nine dice, median", statistics.median(times_ms), "ms", at_most=150)


def read_all(folder: Path) -> Iterator[Shot]:
    """Every labelled picture of a folder."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        mat = label["mat"]
        corners = mat["corners_px"] if len(mat["visible_ids"]) < 4 else None
        picture = read_picture(path.with_name(label["image"]))
        began = time.process_time()
        table = find_table(picture, Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]), corners)
        dice = read_dice(table)
        milliseconds = 1000 * (time.process_time() - began)
        yield Shot(label, *matched(label["truth"]["dice"], dice), milliseconds)


def matched(
    labelled: list[dict[str, Any]], dice: tuple[SeenDie, ...]
) -> tuple[list[tuple[dict[str, Any], SeenDie | None]], list[SeenDie]]:
    """Nearest pairs, and what is left of the reading."""
    gaps = sorted(
        (math.hypot(die["x"] - seen.place.x_mm, die["y"] - seen.place.y_mm), i, j)
        for i, die in enumerate(labelled)
        for j, seen in enumerate(dice)
    )
    found: dict[int, int] = {}
    for gap, i, j in gaps:
        if gap < NEAR_MM and i not in found and j not in found.values():
            found[i] = j
    pairs = [(die, dice[found[i]] if i in found else None) for i, die in enumerate(labelled)]
    return pairs, [seen for j, seen in enumerate(dice) if j not in found.values()]


def f1(shots: list[Shot]) -> float:
    """Of kinds and faces."""
    good = sum(right(die, seen) for shot in shots for die, seen in shot.pairs)
    wanted = sum(len(shot.pairs) for shot in shots)
    given = sum(seen is not None for shot in shots for _, seen in shot.pairs) + sum(len(s.invented) for s in shots)
    return 2 * good / max(wanted + given, 1)


def report(shots: list[Shot]) -> None:
    """Print everything."""
    groups: dict[str, list[Shot]] = defaultdict(list)
    kinds: dict[str, list[bool]] = defaultdict(list)
    for shot in shots:
        label = shot.label
        for group in (f"tray {label['table'].split(' on ')[0]}", f"light {label['light']}", f"view {label['view']}"):
            groups[group].append(shot)
        for die, seen in shot.pairs:
            kinds[die["kind"]].append(right(die, seen))
            if not right(die, seen):
                read = "nothing" if seen is None else f"{seen.die.kind} {seen.die.face}"
                print(f"  {label['image']}: {die['kind']} {die['face']} read as {read}")
        for seen in shot.invented:
            print(f"  {label['image']}: {seen.die.kind} {seen.die.face} where nothing is")
    for name, some in [("all", shots), *sorted(groups.items())]:
        whole = sum(shot.whole for shot in some) / len(some)
        count = sum(len(shot.pairs) for shot in some)
        print(f"{name:28s} pictures {len(some):4d}   dice {count:5d}   F1 {f1(some):.4f}   whole pictures {whole:.4f}")
    for kind, answers in sorted(kinds.items()):
        print(f"{kind:28s} {len(answers):5d} dice, {sum(answers) / len(answers):.4f} right")
    reliability(shots)
    gaps = [
        math.hypot(die["x"] - seen.place.x_mm, die["y"] - seen.place.y_mm)
        for shot in shots
        for die, seen in shot.pairs
        if seen is not None
    ]
    times_ms = [shot.milliseconds for shot in shots]
    print(f"places: median {statistics.median(gaps):.2f} mm off, worst {max(gaps):.2f} mm")
    print(f"CPU a picture, markers included: median {statistics.median(times_ms):.0f} ms, worst {max(times_ms):.0f} ms")


def reliability(shots: list[Shot]) -> None:
    """Share of right readings by how sure they were."""
    said: dict[str, list[bool]] = defaultdict(list)
    for shot in shots:
        answers = [(seen, right(die, seen)) for die, seen in shot.pairs if seen is not None]
        for seen, good in [*answers, *((seen, False) for seen in shot.invented)]:
            low = next(limit for limit in (0.99, 0.95, 0.9, 0.8, 0.0) if seen.sighting.confidence >= limit)
            said[f"{low:.2f}"].append(good)
    for low, answers in sorted(said.items(), reverse=True):
        print(f"confidence at least {low}        {len(answers):5d} dice, {sum(answers) / len(answers):.4f} right")


def main() -> None:
    """Read the arguments, read the pictures, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[BUNDLED])
    args = parser.parse_args()
    report([shot for folder in args.folders for shot in read_all(folder)])


if __name__ == "__main__":
    main()
