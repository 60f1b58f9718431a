"""Measures how well cells are read in which a lamp is mirrored: `python -m bench.reflections FOLDER [--every N]`.

A round reflection is drawn somewhere over the board of each labeled picture of tiles. Cells of which it hides too much
are said to be unknown; of all others is printed how many are right, and how many they are.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench.accuracy import best_turn, truth
from companion.core.plan import Mat
from simulation.changed.reflections import with_reflection
from vision.image.picture import read_picture
from vision.readers.tiles.scene import read_scene
from vision.registration.registered_image import find_table

DIAMETERS_MM = (0.0, 25.0, 50.0)
STRENGTHS = (1.0, 2.5)


def main() -> None:
    """Read the pictures of a folder with reflections of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth picture")
    args = parser.parse_args()
    answers: dict[float, list[bool | None]] = defaultdict(list)
    for number, path in enumerate(sorted(args.folder.glob("*.json"))[:: args.every]):
        label = json.loads(path.read_text())
        random = np.random.default_rng(number)
        picture = read_picture(path.with_name(label["image"]))
        known = label["mat"]
        mat = Mat(known["width_mm"], known["height_mm"], known["marker_mm"])
        corners = known["corners_px"] if len(known["visible_ids"]) < 4 else None
        pose = find_table(picture, mat, corners).pose.scaled(1.0)
        board = label["truth"]["board"]
        for diameter_mm in DIAMETERS_MM:
            x, y = random.dirichlet((2, 2, 2)) @ np.array([board["apex"], board["left"], board["right"]])
            strength = float(random.uniform(*STRENGTHS))
            shown = (
                with_reflection(picture, pose, (float(x), float(y)), diameter_mm, strength) if diameter_mm else picture
            )
            shot = best_turn(label, read_scene(find_table(shown, mat, corners)), 0.0)
            told = zip(shot.joint, truth(label), shot.burnt, strict=True)
            answers[diameter_mm] += [None if burnt else seen == true for seen, true, burnt in told]
    for diameter_mm, some in answers.items():
        told_cells = [one for one in some if one is not None]
        print(
            f"reflection of {diameter_mm:2.0f} mm: told {len(told_cells) / len(some):.4f} of {len(some)} cells, "
            f"right of these {sum(told_cells) / len(told_cells):.4f}"
        )


if __name__ == "__main__":
    main()
