"""Pieces that the reader invents on a patterned cloth: `python -m bench.invented_pieces FOLDER... [--cloth NAME]`.

Folders are recorded games of pyramids with a `sequence.json`. Under their steady pictures another cloth is laid, in
the pictures' own light, and each table is read in three looks with new noise. A thing that came with a picture, and
stands nowhere near anything that the labels have, was invented.

Prints how many pieces came, how many of them not all looks showed (`came glimpsed`), and how many the next picture
lost; how many were invented in one, in two and in all of the looks, how many of those the next picture still told, and
how many it told more surely than `DOUBTFUL`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.core.layout import Layout
from companion.core.pieces import SHAPES
from companion.core.plan import Plan
from companion.core.recording import load_recording_file
from companion.games import RECORDED
from companion.referee.matching import LOOKS
from companion.referee.matching.rereading import DOUBTFUL
from simulation.changed.cloths import CLOTHS, laid
from vision.image.picture import Picture, read_picture
from vision.readers.pyramids.hypothesis import lifts_mm
from vision.registration.registered_image import RegisteredImage, find_table
from vision.table_reader import TableReader

SIZE_PX = (1280, 720)
NOISE = 3.0
"""Standard deviation of the noise of each look, gray levels."""
NEAR_MM = 12.0
"""The reader invented a thing if the labels have none within this distance."""
PAPER_MM = 34.0
"""A marker's sheet reaches so far from its center; up to it the table has another cloth."""


def cloth_under(picture: Picture, plan: Plan, truth: dict[str, Any], name: str) -> Picture:
    """Returns a labeled picture with another cloth on its table."""
    table = find_table(picture, plan.mat)
    return laid(picture, table, _covering(table, truth), CLOTHS[name])


def _covering(table: RegisteredImage, truth: dict[str, Any]) -> Any:
    """(H, W) True where pieces or markers are."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    solids = [np.column_stack([circle * PAPER_MM + corner, np.zeros(24)]) for corner in table.mat.corners_mm()]
    for stack in truth["stacks"]:
        sizes = [piece["size"] for piece in stack["pieces"]]
        middle = np.array([stack["x"], stack["y"]])
        solid = []
        for size, lift in zip(sizes, lifts_mm(sizes), strict=True):
            corners = circle * (SHAPES[size].base_mm / np.sqrt(2) + 1)
            solid.append(np.column_stack([corners + middle, np.full(24, lift)]))
            solid.append(np.array([[*middle, lift + SHAPES[size].height_mm]]))
        solids.append(np.concatenate(solid))
    mask = np.zeros(table.picture.shape[:2], np.uint8)
    for solid in solids:
        hull = cv2.convexHull(table.pose.project(solid).astype(np.float32))
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 1)
    return mask > 0


class _Came(NamedTuple):
    """A thing that came with one picture."""

    at_mm: tuple[float, float]
    places: frozenset[str]
    shown: int
    """The number of looks that showed it."""
    true: bool


def count(folder: Path, cloth: str | None, first: bool = False) -> Counter[str]:
    """Returns how many things came and were invented in the pictures of one game, and how many the next picture told.

    :param first: in its first picture alone, in which everything comes; else in all later ones.
    """
    labels = json.loads((folder / "sequence.json").read_text())
    file = load_recording_file(folder / "sequence.json")
    plan = RECORDED[labels["game"]](file.mat, file.setup).plan
    reader, rng = TableReader(plan), np.random.default_rng(1)
    found: Counter[str] = Counter()
    known: set[str] = set()
    came: list[_Came] = []
    steady = [frame for frame in labels["frames"] if frame["stable"]]
    for frame in steady:
        picture = np.asarray(cv2.resize(read_picture(folder / frame["file"]), SIZE_PX, interpolation=cv2.INTER_AREA))
        if cloth is not None:
            picture = cloth_under(picture, plan, frame["truth"], cloth)
        looks: list[Layout] = []
        for nth in range(LOOKS):
            noisy = np.clip(picture + rng.normal(0, NOISE, picture.shape), 0, 255).astype(np.uint8)
            looks.append((reader.read_again if nth else reader.read)(noisy).layout)
        found += _kept(came, looks[0], frame["truth"])
        came = _came(looks, known, frame["truth"]) if first == (frame is steady[0]) else []
        found.update("came" if one.true else f"invented in {one.shown} of {LOOKS}" for one in came)
        found["came glimpsed"] += sum(one.true and one.shown < LOOKS for one in came)
        known |= {place for layout in looks for place in layout.at_mm}
    return found


def _came(looks: Sequence[Layout], known: set[str], truth: dict[str, Any]) -> list[_Came]:
    """Returns the things that looks at one table show for the first time."""
    points: dict[tuple[float, float], set[str]] = {}
    shown: Counter[tuple[float, float]] = Counter()
    for layout in looks:
        seen = set()
        for place, at in layout.at_mm.items():
            if place in known:
                continue
            point = next((one for one in points if _is_near(one, at)), at)
            points.setdefault(point, set()).add(place)
            seen.add(point)
        shown.update(seen)
    return [_Came(at, frozenset(places), shown[at], _is_there(at, truth)) for at, places in points.items()]


def _kept(came: Sequence[_Came], then: Layout, truth: dict[str, Any]) -> Counter[str]:
    """Returns how many of the things that the picture before brought are lost, and how many invented ones are told."""
    told = {one.place: one.confidence for heap in then.heaps.values() for one in heap}
    found: Counter[str] = Counter()
    for one in came:
        if one.true:
            found["lost"] += _is_there(one.at_mm, truth) and not any(
                _is_near(one.at_mm, at) for at in then.at_mm.values()
            )
            continue
        sure = max((told[place] for place in one.places if place in told), default=0.0)
        found["told later"] += sure > 0
        found["told surely"] += sure > DOUBTFUL
        found[f"told surely, shown by fewer than {LOOKS}"] += sure > DOUBTFUL and one.shown < LOOKS
    return found


def _is_there(at_mm: tuple[float, float], truth: dict[str, Any]) -> bool:
    """True if the labels have anything there."""
    return any(_is_near((one["x"], one["y"]), at_mm) for one in [*truth["stacks"], *truth.get("lying", [])])


def _is_near(one_mm: tuple[float, float], other_mm: tuple[float, float]) -> bool:
    return bool(np.hypot(one_mm[0] - other_mm[0], one_mm[1] - other_mm[1]) < NEAR_MM)


def main() -> None:
    """Read the arguments, print a row a folder and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--cloth", choices=sorted(CLOTHS), help="None: as photographed.")
    parser.add_argument("--first", action="store_true", help="The first picture of each game, in which all comes.")
    args = parser.parse_args()
    total: Counter[str] = Counter()
    for folder in args.folders:
        row = count(folder, args.cloth, args.first)
        total += row
        print(f"{folder.name:14s} {_told(row)}", flush=True)
    print(f"{'all':14s} {_told(total)}")


def _told(row: Counter[str]) -> str:
    invented = [f"invented in {shown} of {LOOKS}" for shown in range(1, LOOKS + 1)]
    names = [
        "came",
        "came glimpsed",
        "lost",
        *invented,
        "told later",
        "told surely",
        f"told surely, shown by fewer than {LOOKS}",
    ]
    return "   ".join(f"{name} {row[name]}" for name in names)


if __name__ == "__main__":
    main()
