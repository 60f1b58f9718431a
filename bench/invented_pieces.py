"""Pieces that the reader invents on a patterned cloth: `python -m bench.invented_pieces FOLDER... [--cloth NAME]`.

Folders are recorded games of pyramids with a `sequence.json`. Under their steady pictures another cloth is laid, in
the pictures' own light, and each table is read in three looks with new noise. A thing that came with a picture, and
stands nowhere near anything that the labels have, was invented. Prints how many came, and how many were invented in
one, in two and in all of the looks.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games import RECORDED
from companion.layout import Layout
from companion.pieces import SHAPES
from companion.plan import Plan
from companion.recording import load_recording_file
from companion.referee.reading_debouncer import LOOKS
from simulation.changed.cloths import CLOTHS, laid
from vision.picture import Picture, read_picture
from vision.pyramids.models import lifts_mm
from vision.registered_image import RegisteredImage, find_table
from vision.table_reader import TableReader

SIZE_PX = (1280, 720)
NOISE = 3.0
"""Standard deviation of the noise of each look, gray levels."""
NEAR_MM = 12.0
"""What stands farther than this from everything that the labels have was invented."""
PAPER_MM = 34.0
"""A marker's sheet reaches so far from its center; up to it the table has another cloth."""


def cloth_under(picture: Picture, plan: Plan, truth: dict[str, Any], name: str) -> Picture:
    """A labeled picture with another cloth on its table."""
    table = find_table(picture, plan.mat)
    return laid(picture, table, _kept(table, truth), CLOTHS[name])


def _kept(table: RegisteredImage, truth: dict[str, Any]) -> Any:
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


def count(folder: Path, cloth: str | None, first: bool = False) -> Counter[str]:
    """What came and what was invented in the pictures of one game.

    :param first: in its first picture alone, in which everything comes; else in all later ones.
    """
    labels = json.loads((folder / "sequence.json").read_text())
    file = load_recording_file(folder / "sequence.json")
    plan = RECORDED[labels["game"]](file.mat, file.setup).plan
    reader, rng = TableReader(plan), np.random.default_rng(1)
    found: Counter[str] = Counter()
    known: set[str] = set()
    steady = [frame for frame in labels["frames"] if frame["stable"]]
    for frame in steady:
        picture = np.asarray(cv2.resize(read_picture(folder / frame["file"]), SIZE_PX, interpolation=cv2.INTER_AREA))
        if cloth is not None:
            picture = cloth_under(picture, plan, frame["truth"], cloth)
        looks: list[Layout] = []
        for nth in range(LOOKS):
            noisy = np.clip(picture + rng.normal(0, NOISE, picture.shape), 0, 255).astype(np.uint8)
            looks.append((reader.read_again if nth else reader.read)(noisy).layout)
        if first == (frame is steady[0]):
            found += _came(looks, known, frame["truth"])
        known |= {place for layout in looks for place in layout.at_mm}
    return found


def _came(looks: Sequence[Layout], known: set[str], truth: dict[str, Any]) -> Counter[str]:
    """What looks at one table show for the first time: whether it is there, and how many of them showed it."""
    things = [*truth["stacks"], *truth.get("lying", [])]
    seen: Counter[tuple[float, float]] = Counter()
    for layout in looks:
        seen.update({at for place, at in layout.at_mm.items() if place not in known})
    found: Counter[str] = Counter()
    for (x, y), shown in _joined(seen).items():
        true = any(np.hypot(one["x"] - x, one["y"] - y) < NEAR_MM for one in things)
        found["came" if true else f"invented in {shown} of {LOOKS}"] += 1
    return found


def _joined(seen: Counter[tuple[float, float]]) -> Counter[tuple[float, float]]:
    """Points that are nearer to each other than two things can stand, as one."""
    joined: Counter[tuple[float, float]] = Counter()
    for point, times in seen.items():
        near = next((one for one in joined if np.hypot(one[0] - point[0], one[1] - point[1]) < NEAR_MM), point)
        joined[near] += times
    return joined


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
    names = ["came", *(f"invented in {shown} of {LOOKS}" for shown in range(1, LOOKS + 1))]
    return "   ".join(f"{name} {row[name]}" for name in names)


if __name__ == "__main__":
    main()
