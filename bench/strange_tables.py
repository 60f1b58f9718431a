"""Labelled pictures as other tables would have shown them: `python -m bench.strange_tables FOLDER... [--calibrated]`.

The table around the board (under the dice) is laid with other cloths, in the picture's own light and shadows, and the
lamps are changed: warm without white balance, cool, warm from one side and cool from the other. What a folder holds is
told by its labels. `--every N` takes each Nth picture only, `--out FOLDER` writes what is read wrong, `--calibrated`
shows each reader the same cloth empty first. Colors and odds of the readers are those that are shipped, so these
figures say what a strange table costs, not what a new picture of a known one does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.plan import Mat
from vision.calibrating import CALIBRATED, calibrate
from vision.calibration.calibration import Calibration
from vision.domains import DOMAINS
from vision.light import LINEAR
from vision.picture import Picture, read_picture
from vision.registered_image import RegisteredImage, find_table
from vision.tiles.lattice import CORNERS, INRADIUS_MM, RIM_MM, TILE_TOP_MM, Placement
from vision.tiles.silhouettes import TILE_MM, find_silhouettes

Floats = NDArray[Any]

_DOMAIN = {"cells": "spectrangle", "dice": "dice", "pawns": "spectrum"}
"""Domains by what their labels hold."""
_DIE_MM = {"spectrum-d6": (11.6, 16.0), "spectrum-d12": (10.6, 18.0), "pips-d6": (11.6, 16.0)}
"""Radius and height of a cylinder around a die."""
_SHADOW_PX = 45.0
"""Light that varies over less than this is a shadow or a grain, which a new cloth keeps."""
_NEAR_PX = 121
"""Shadows reach about half so far."""
_RUSTLE = 3.0
"""Grey levels by which two pictures of one place differ."""
_PAPER_MM = 9.0
"""White around a marker's black square."""


def gingham(color: Sequence[float]) -> Callable[[Floats], Floats]:
    """White and colored bands of 18 mm across each other."""

    def ink(at_mm: Floats) -> Floats:
        bands = (np.floor(at_mm / 18.0) % 2).mean(axis=-1)[..., None]
        return np.asarray(0.75 * (1 - bands) + np.array(color) * bands)

    return ink


def stripes(one: Sequence[float], other: Sequence[float]) -> Callable[[Floats], Floats]:
    """Bands of 25 mm."""
    return lambda at_mm: np.where((np.floor(at_mm[..., :1] / 25.0) % 2) > 0, np.array(one), np.array(other))


def checkerboard(one: Sequence[float], other: Sequence[float]) -> Callable[[Floats], Floats]:
    """Squares of 45 mm, about as large as a tile."""
    return lambda at_mm: np.where(
        (np.floor(at_mm / 45.0).sum(axis=-1) % 2)[..., None] > 0, np.array(one), np.array(other)
    )


def plain(color: Sequence[float]) -> Callable[[Floats], Floats]:
    """Woven threads of one color."""

    def ink(at_mm: Floats) -> Floats:
        rustle = np.random.default_rng(3).normal(0, 0.12, at_mm.shape[:2]).astype(np.float32)
        return np.asarray(np.array(color) * np.exp(cv2.GaussianBlur(rustle, (5, 1), 0))[..., None])

    return ink


CLOTHS: dict[str, Callable[[Floats], Floats]] = {
    "green cloth": plain((0.09, 0.26, 0.04)),
    "red gingham": gingham((0.05, 0.04, 0.5)),
    "green gingham": gingham((0.08, 0.3, 0.05)),
    "yellow and blue stripes": stripes((0.06, 0.55, 0.75), (0.45, 0.15, 0.06)),
    "black and white squares": checkerboard((0.03, 0.03, 0.03), (0.7, 0.7, 0.7)),
    "green and purple squares": checkerboard((0.05, 0.25, 0.03), (0.2, 0.04, 0.15)),
    "navy cloth": plain((0.1, 0.035, 0.02)),
    "purple cloth": plain((0.25, 0.05, 0.18)),
}
"""Reflectance (H, W, 3), linear B, G, R, of cloths at table millimetres (H, W, 2)."""

LAMPS: dict[str, tuple[Sequence[float], Sequence[float]]] = {
    "warm lamp": ((0.42, 0.82, 1.2), (0.42, 0.82, 1.2)),
    "cool window": ((1.3, 1.0, 0.72), (1.3, 1.0, 0.72)),
    "warm left, cool right": ((0.5, 0.85, 1.15), (1.2, 1.0, 0.75)),
}
"""Gains of linear B, G, R at the picture's left and right border."""


class TableScore(NamedTuple):
    """One picture: items that are right, that are there, and that were told."""

    right: int
    wanted: int
    given: int


def laid(
    picture: Picture,
    table: RegisteredImage,
    kept: NDArray[np.bool_],
    cloth: Callable[[Floats], Floats],
    left: NDArray[np.bool_] | None = None,
) -> Picture:
    """The picture (H, W, 3) with another cloth wherever `kept` (H, W) is False.

    :param left: (H, W) what of it is left there; with all else goes its shadow. None: all.
    """
    height, width = picture.shape[:2]
    linear = LINEAR[picture]
    free = (~kept).astype(np.float32)
    usual = cv2.GaussianBlur(linear * free[..., None], (0, 0), _SHADOW_PX)
    usual /= np.maximum(cv2.GaussianBlur(free, (0, 0), _SHADOW_PX), 1e-3)[..., None]
    shade = np.clip((linear.mean(axis=2) + 0.004) / (usual.mean(axis=2) + 0.004), 0.2, 1.4)
    if left is not None:
        shade[cv2.dilate((kept & ~left).astype(np.uint8), np.ones((_NEAR_PX, _NEAR_PX), np.uint8)) > 0] = 1.0
        kept = left
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    at_mm = table.pose.unproject(np.column_stack([columns.ravel(), rows.ravel()]).astype(float))
    white = table.light.white(np.clip(at_mm, -400, 1500)).reshape(height, width, 3)
    new = cloth(at_mm.reshape(height, width, 2)) * white * shade[..., None]
    soft = cv2.GaussianBlur(kept.astype(np.float32), (0, 0), 0.8)[..., None]
    return _encoded(linear * soft + new * (1 - soft))


def lit(picture: Picture, lamp: tuple[Sequence[float], Sequence[float]]) -> Picture:
    """The picture under another lamp."""
    share = np.linspace(0, 1, picture.shape[1])[None, :, None]
    return _encoded(LINEAR[picture] * (np.array(lamp[0]) * (1 - share) + np.array(lamp[1]) * share))


def _encoded(linear: Floats) -> Picture:
    """sRGB of linear light, squeezed as a camera does."""
    light = np.clip(linear, 0, 1)
    code = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055) * 255
    coded = cv2.imencode(".jpg", np.round(code).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


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
        board = Placement.of(tuple(tuple(label["truth"]["board"][n]) for n in ("apex", "left", "right")))
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
    """Compare two truths in the words of the labelled picture set."""
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
    """The score of a reading; a Spectrangle board counts whichever of its corners was taken for the apex."""
    if domain != "spectrangle":
        return score(domain, want, reading.truth()), reading.truth()
    turns = [structs.replace(reading, scene=reading.scene.turned(k)).truth() for k in range(3)]
    return max(((score(domain, want, truth), truth) for truth in turns), key=lambda pair: pair[0].right)


class TableCase(NamedTuple):
    """One labelled picture."""

    label: dict[str, Any]
    table: RegisteredImage
    corners_px: Any
    kept: NDArray[np.bool_]


def cases(domain: str, folder: Path, every: int) -> Iterator[TableCase]:
    """The pictures of a folder."""
    for path in sorted(folder.glob("*.json"))[::every]:
        label = json.loads(path.read_text())
        known = label["mat"]
        mat = Mat(known["width_mm"], known["height_mm"], known["marker_mm"])
        corners = known["corners_px"] if len(known["visible_ids"]) < 4 else None
        table = find_table(read_picture(folder / label["image"]), mat, corners)
        yield TableCase(label, table, corners, kept_of(domain, label, table))


def changes() -> dict[str, tuple[str | None, str | None]]:
    """Cloth and lamp by the name of a change."""
    found: dict[str, tuple[str | None, str | None]] = {name: (name, None) for name in CLOTHS}
    found |= {name: (None, name) for name in LAMPS}
    warm = ("green cloth", "red gingham", "black and white squares")
    return found | {f"{cloth}, warm lamp": (cloth, "warm lamp") for cloth in warm}


def made(case: TableCase, cloth: str | None, lamp: str | None) -> Picture:
    """A picture changed."""
    picture = case.table.picture
    if cloth is not None:
        picture = laid(picture, case.table, case.kept, CLOTHS[cloth])
    return picture if lamp is None else lit(picture, LAMPS[lamp])


def main() -> int:
    """Print a row for each change."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", help="changes whose name holds this")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--calibrated", action="store_true")
    args = parser.parse_args()
    for folder in args.folders:
        domain = _domain(folder)
        given = list(cases(domain, folder, args.every))
        print(f"{domain}: {len(given)} pictures")
        for name, (cloth, lamp) in changes().items():
            if args.only and args.only not in name:
                continue
            total, whole = np.zeros(3, int), 0
            for case in given:
                picture = made(case, cloth, lamp)
                want = case.label["truth"]
                try:
                    empty = shown_empty(domain, case, cloth) if args.calibrated else None
                    got, have = best(domain, want, _read(domain, picture, case, empty))
                except CompanionError as error:
                    got, have = score(domain, want, {"cells": [], "dice": [], "pawns": []}), {"error": str(error)}
                total += got
                whole += got.right == got.wanted == got.given
                if args.out and not got.right == got.wanted == got.given:
                    stem = f"{Path(case.label['image']).stem}-{name.replace(' ', '-').replace(',', '')}"
                    cv2.imwrite(str(args.out / f"{stem}.png"), picture)
                    (args.out / f"{stem}.json").write_text(json.dumps({"want": want, "have": have}))
            f1 = 2 * total[0] / max(total[1] + total[2], 1)
            print(f"  {name:28s} items {total[1]:4d}  F1 {f1:.4f}  whole pictures {whole / len(given):.4f}", flush=True)
    return 0


def _read(domain: str, picture: Picture, case: TableCase, empty: Calibration | None) -> Any:
    return DOMAINS[domain](find_table(picture, case.table.mat, case.corners_px, calibration=empty))


def shown_empty(domain: str, case: TableCase, cloth: str | None) -> Calibration | None:
    """What a calibration learns of the same cloth without pieces; None where that is not made."""
    if domain not in CALIBRATED or cloth is None:
        return None
    markers = kept_of(domain, case.label, case.table, bare=True)
    picture = laid(case.table.picture, case.table, case.kept, CLOTHS[cloth], markers)
    rustle = np.random.default_rng(7).normal(0, _RUSTLE, picture.shape)
    picture = np.asarray(np.clip(picture + rustle, 0, 255), np.uint8)
    return calibrate(domain, case.table.mat, [picture], None, case.corners_px).calibration


def _domain(folder: Path) -> str:
    label = json.loads(min(folder.glob("*.json")).read_text())
    return next(domain for key, domain in _DOMAIN.items() if key in label["truth"])


if __name__ == "__main__":
    sys.exit(main())
