"""Measures how far known tables seem to be from themselves: `python -m bench.table_drift FOLDER...`.

A folder is one of those of `bench.pyramid_tables`. Each picture is compared with the empty table as it is, with the
cloth between the markers moved by 10 and by 25 mm, and under a lamp of another color; the last two are calculated. One
row for each table: the largest value where nothing was changed, the smallest one where something was.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from bench.pyramid_tables import labeled
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration
from vision.calibration.drift import Drift, drift
from vision.image.picture import Picture, read_picture
from vision.image.pose import Pose
from vision.readers.pyramids.reader import read_pyramids
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate

LAMP = np.array([0.7, 1.0, 1.3])
"""Gains of B, G and R under the other lamp."""
CLOTH_MM = (10.0, 25.0)


def main() -> None:
    """Read the arguments, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=4, help="only every so many pictures")
    args = parser.parse_args()
    print("table                       pictures  untouched: moved, tint   cloth 10 mm  25 mm   lamp: moved, tint")
    for folder in args.folders:
        about, pictures = labeled(folder)
        mat = Mat(*(about["mat"][name] for name in ("width_mm", "height_mm", "marker_mm")))
        known = calibrate("pyramids", mat, [read_picture(folder / about["calibration"]["empty"])]).calibration
        chosen = [read_picture(path) for path, _ in pictures[:: args.every]]
        rows = [_drifts(picture, known) for picture in chosen]
        moved = np.array([[one.moved for one in row] for row in rows])
        tint = np.array([[one.tint for one in row] for row in rows])
        print(
            f"{folder.name:28s}{len(rows):8d}  {moved[:, 0].max():16.3f} {tint[:, 0].max():7.2f}"
            f"  {moved[:, 1].min():11.3f} {moved[:, 2].min():6.3f}  {moved[:, 3].max():11.3f} {tint[:, 3].min():6.2f}"
        )


def _drifts(picture: Picture, known: Calibration) -> tuple[Drift, Drift, Drift, Drift]:
    """As it is, with the cloth moved a little and more, under another lamp."""
    table = find_table(picture, known.mat, calibration=known)
    outlines = [found.outline_px for found in read_pyramids(table).scene.found]
    shown = (
        table.picture,
        *(_cloth(table.picture, table.pose, known.mat, by) for by in CLOTH_MM),
        _lamp(table.picture),
    )
    seen = []
    for one in shown:
        placed = find_table(one, known.mat)
        seen.append(drift(one, placed.pose, placed.light, known.empty, outlines) or Drift(0.0, 0.0))
    as_is, near, far, lamp = seen
    return as_is, near, far, lamp


def _lamp(picture: Picture) -> Picture:
    linear = (picture.astype(np.float32) / 255) ** 2.2 * LAMP
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def _cloth(picture: Picture, pose: Pose, mat: Mat, by_mm: float) -> Picture:
    """Returns the cloth between the markers, and what stands on it, moved to the right and half as far down."""
    side, width, height = mat.marker_mm, mat.width_mm, mat.height_mm
    box = np.array([(side, side), (width - side, side), (width - side, height - side), (side, height - side)])
    before, after = (
        pose.project(np.column_stack([box + (away, away / 2), np.zeros(4)])).astype(np.float32)  # noqa: RUF005
        for away in (0.0, by_mm)
    )
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(before).astype(np.int32), 1)
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(before, after), size)
    return np.asarray(np.where(mask[..., None] > 0, moved, picture), np.uint8)


if __name__ == "__main__":
    main()
