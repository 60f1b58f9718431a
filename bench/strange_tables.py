"""Labeled pictures as other tables would have shown them: `python -m bench.strange_tables FOLDER... [--calibrated]`.

The table around the board (under the dice) is laid with other cloths, in the picture's own light and shadows, the
lamps are changed (warm without white balance, cool, warm from one side and cool from the other), and the camera (dim
light, harder or softer contrast, noise, coarse JPEG). `--mixed N` draws N changes of all three for each picture.
What a folder holds is told by its labels. `--every N` takes each Nth picture only, `--out FOLDER` writes what is read
wrong, `--calibrated` shows each reader the same cloth empty first. Colors and odds of the readers are those that are
shipped, so these figures say what a strange table costs, not what a new picture of a known one does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.core.foundation.errors import CompanionError
from companion.core.plan import Mat
from simulation.changed.cloths import CLOTHS, ClothGround, Floats, covered, ground, laid
from simulation.changed.lamps import CAMERAS, LAMPS, encoded, lamplight
from vision.calibration.calibration import Calibration
from vision.domains import DOMAINS
from vision.image.picture import Picture, read_picture
from vision.readers.tiles.lattice import CORNERS, INRADIUS_MM, RIM_MM, TILE_TOP_MM, Placement
from vision.readers.tiles.silhouettes import TILE_MM, find_silhouettes
from vision.registration.registered_image import RegisteredImage, find_table
from vision.setup.calibrating import CALIBRATED, calibrate

_DOMAIN = {"cells": "spectrangle", "dice": "dice", "pawns": "spectrum"}
"""Domains by what their labels hold."""
_DIE_MM = {"spectrum-d6": (11.6, 16.0), "spectrum-d12": (10.6, 18.0), "pips-d6": (11.6, 16.0)}
"""Radius and height of a cylinder around a die."""
_RUSTLE = 3.0
"""Gray levels by which two pictures of one place differ."""
_PAPER_MM = 9.0
"""White around a marker's black square."""


class TableScore(NamedTuple):
    """One picture: items that are right, that are there, and that were told."""

    right: int
    wanted: int
    given: int


def kept_of(domain: str, label: dict[str, Any], table: RegisteredImage, *, bare: bool = False) -> NDArray[np.bool_]:
    """(H, W) what is no table: board, pieces and markers; `bare`: markers alone."""
    mask = np.zeros(table.picture.shape[:2], np.uint8)
    side = table.mat.marker_mm / 2 + _PAPER_MM
    square = np.array([(-side, -side), (side, -side), (side, side), (-side, side)])
    for corner, i in zip(table.mat.corners_mm(), range(4), strict=True):
        # A sheet may lie turned; a disc around it holds it whole.
        ring = side * 1.3 * _circle(24) if i in label["mat"]["visible_ids"] else square * 0
        _fill(mask, table, ring + corner, 0.0)
    if bare:
        return np.asarray(mask > 0)
    if domain == "spectrangle":
        apex, left, right = (tuple(label["truth"]["board"][n]) for n in ("apex", "left", "right"))
        board = Placement.of((apex, left, right))
        _fill(mask, table, board.to_table(CORNERS * (1 + (RIM_MM + 1) / INRADIUS_MM)), TILE_TOP_MM)
        for tile in find_silhouettes(table, board):
            lie = Placement(tile.spot.x_mm, tile.spot.y_mm, tile.spot.heading_deg)
            _fill(mask, table, lie.to_table(CORNERS * ((TILE_MM + 2) / 300)), TILE_TOP_MM)
    elif domain == "spectrum":
        board = label["truth"]["board"]
        _fill(mask, table, _circle(72) * (board["radius"] + 4) + (board["cx"], board["cy"]), 0.0)
        _fill(mask, table, np.array(table.mat.corners_mm()), 0.0)
    else:
        for die in label["truth"]["dice"]:
            radius, height = _DIE_MM[die["kind"]]
            ring = _circle(24) * radius + (die["x"], die["y"])
            points = np.concatenate([_placed(ring, 0.0), _placed(ring, height)])
            _hull(mask, table, points)
    return np.asarray(mask > 0)


def _circle(count: int) -> Floats:
    angles = np.arange(count) * 2 * np.pi / count
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _placed(points_mm: Floats, z_mm: float) -> Floats:
    return np.column_stack([points_mm, np.full(len(points_mm), z_mm)])


def _fill(mask: NDArray[np.uint8], table: RegisteredImage, outline_mm: Floats, z_mm: float) -> None:
    _hull(mask, table, _placed(outline_mm, z_mm))


def _hull(mask: NDArray[np.uint8], table: RegisteredImage, points_mm: Floats) -> None:
    pixels = table.pose.project(points_mm).astype(np.float32)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(pixels)).astype(np.int32), 1)


def score(domain: str, want: dict[str, Any], have: dict[str, Any]) -> TableScore:
    """Compare two truths in the words of the labeled picture set."""
    if domain == "dice":
        right = sum(
            any(
                die["kind"] == one["kind"]
                and die["face"] == one["face"]
                and np.hypot(die["x"] - one["x"], die["y"] - one["y"]) < 8
                for one in have["dice"]
            )
            for die in want["dice"]
        )
        return TableScore(right, len(want["dice"]), len(have["dice"]))
    if domain == "spectrum":
        sides = [{(p["color"], p["path"], p["space"]) for p in truth["pawns"]} for truth in (want, have)]
        return TableScore(len(sides[0] & sides[1]), len(sides[0]), len(sides[1]))
    fields = ("left", "right", "flat", "value")
    there = [{k: tuple(c[f] for f in fields) for k, c in enumerate(t["cells"]) if c} for t in (want, have)]
    return TableScore(sum(there[1].get(k) == tile for k, tile in there[0].items()), len(there[0]), len(there[1]))


def best(domain: str, want: dict[str, Any], reading: Any) -> tuple[TableScore, dict[str, Any]]:
    """Returns the score of a reading; a Spectrangle board counts whichever of its corners was taken for the apex."""
    if domain != "spectrangle":
        return score(domain, want, reading.truth()), reading.truth()
    turns = [structs.replace(reading, scene=reading.scene.turned(k)).truth() for k in range(3)]
    return max(((score(domain, want, truth), truth) for truth in turns), key=lambda pair: pair[0].right)


class TableCase(NamedTuple):
    """One labeled picture."""

    label: dict[str, Any]
    table: RegisteredImage
    corners_px: Any
    kept: NDArray[np.bool_]
    under: ClothGround


def cases(domain: str, folder: Path, every: int) -> Iterator[TableCase]:
    """Yields the pictures of a folder."""
    for path in sorted(folder.glob("*.json"))[::every]:
        yield case(domain, path)


def case(domain: str, path: Path) -> TableCase:
    """Returns one picture, by the file of its label."""
    label = json.loads(path.read_text())
    known = label["mat"]
    mat = Mat(known["width_mm"], known["height_mm"], known["marker_mm"])
    corners = known["corners_px"] if len(known["visible_ids"]) < 4 else None
    table = find_table(read_picture(path.with_name(label["image"])), mat, corners)
    kept = kept_of(domain, label, table)
    return TableCase(label, table, corners, kept, ground(table.picture, table, kept))


class TableChange(NamedTuple):
    """Names of a cloth, a lamp and a camera; None: as it was."""

    cloth: str | None = None
    lamp: str | None = None
    camera: str | None = None

    def __str__(self) -> str:
        return ", ".join(part for part in self if part) or "as it was"


def changes() -> list[TableChange]:
    """Returns one thing at a time, and a few that go together."""
    alone = [
        *map(TableChange, CLOTHS),
        *(TableChange(lamp=name) for name in LAMPS),
        *(TableChange(camera=name) for name in CAMERAS),
    ]
    warm = ("green cloth", "red gingham", "black and white squares")
    return [*alone, *(TableChange(cloth, "warm lamp") for cloth in warm)]


def mixed(count: int, seed: int) -> list[TableChange]:
    """So many changes of all three, drawn for one picture."""
    random = np.random.default_rng(seed)

    def one(names: Sequence[str]) -> str | None:
        return (None, *names)[int(random.integers(len(names) + 1))]

    return [TableChange(one(tuple(CLOTHS)), one(tuple(LAMPS)), one(tuple(CAMERAS))) for _ in range(count)]


def made(case: TableCase, change: TableChange) -> Picture:
    """Returns a picture changed."""
    linear = case.under.linear if change.cloth is None else covered(case.under, CLOTHS[change.cloth])
    if change.lamp is not None:
        linear = lamplight(linear, LAMPS[change.lamp])
    return encoded(linear, None if change.camera is None else CAMERAS[change.camera])


class TableTally:
    """Counts over some pictures."""

    def __init__(self) -> None:
        self.right = self.wanted = self.given = self.whole = self.pictures = 0

    def add(self, got: TableScore) -> None:
        """One more."""
        self.right, self.wanted, self.given = self.right + got.right, self.wanted + got.wanted, self.given + got.given
        self.pictures += 1
        self.whole += got.right == got.wanted == got.given

    def text(self, name: str) -> str:
        """Returns one printed line."""
        f1 = 2 * self.right / max(self.wanted + self.given, 1)
        whole = self.whole / max(self.pictures, 1)
        return (
            f"  {name:38s} pictures {self.pictures:4d}  items {self.wanted:5d}  F1 {f1:.4f}  whole pictures {whole:.4f}"
        )


def main() -> int:
    """Print a row for each change."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", help="changes whose name holds this")
    parser.add_argument("--mixed", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0, help="of the mixed changes")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--calibrated", action="store_true")
    args = parser.parse_args()
    for folder in args.folders:
        domain = _domain(folder)
        rows: dict[str, TableTally] = {}
        for number, case in enumerate(cases(domain, folder, args.every)):
            wanted = mixed(args.mixed, 1000 * args.seed + number) if args.mixed else changes()
            for change in [one for one in wanted if args.only in str(one)]:
                got = _tried(domain, case, change, args.calibrated, args.out)
                names = ["all", *(part or f"no other {kind}" for kind, part in change._asdict().items())]
                for name in names if args.mixed else [str(change)]:
                    rows.setdefault(name, TableTally()).add(got)
        print(domain)
        for name, tally in sorted(rows.items(), key=lambda row: row[0] != "all") if args.mixed else rows.items():
            print(tally.text(name), flush=True)
    return 0


def _tried(domain: str, case: TableCase, change: TableChange, calibrated: bool, out: Path | None) -> TableScore:
    """Returns the score of one changed picture, written to `out` with both truths if it is not whole."""
    picture, want = made(case, change), case.label["truth"]
    try:
        empty = shown_empty(domain, case, change) if calibrated else None
        got, have = best(domain, want, _read(domain, picture, case, empty))
    except CompanionError as error:
        got, have = score(domain, want, {"cells": [], "dice": [], "pawns": []}), {"error": str(error)}
    if out and not got.right == got.wanted == got.given:
        stem = f"{Path(case.label['image']).stem}-{str(change).replace(' ', '-').replace(',', '')}"
        cv2.imwrite(str(out / f"{stem}.png"), picture)
        (out / f"{stem}.json").write_text(json.dumps({"want": want, "have": have}))
    return got


def _read(domain: str, picture: Picture, case: TableCase, empty: Calibration | None) -> Any:
    return DOMAINS[domain](find_table(picture, case.table.mat, case.corners_px, calibration=empty))


def shown_empty(domain: str, case: TableCase, change: TableChange) -> Calibration | None:
    """The calibration on the same cloth without pieces, in the usual light; None where that is not made."""
    if domain not in CALIBRATED or change.cloth is None:
        return None
    markers = kept_of(domain, case.label, case.table, bare=True)
    picture = laid(case.table.picture, case.table, case.kept, CLOTHS[change.cloth], markers)
    rustle = np.random.default_rng(7).normal(0, _RUSTLE, picture.shape)
    picture = np.asarray(np.clip(picture + rustle, 0, 255), np.uint8)
    return calibrate(domain, case.table.mat, [picture], None, case.corners_px).calibration


def _domain(folder: Path) -> str:
    label = json.loads(min(folder.glob("*.json")).read_text())
    return next(domain for key, domain in _DOMAIN.items() if key in label["truth"])


if __name__ == "__main__":
    sys.exit(main())
