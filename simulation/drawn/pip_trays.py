"""Draws trays of dice with pips in every plastic that shops sell: `python -m simulation.drawn.pip_trays FOLDER`.

Each picture comes with a label in the format of labeled pictures; "family" names the plastic, so that a family can be
left out of training. All dice of a picture are of one make: one size, one body, one color of pips, often one logo in
place of a face.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.dice_pictures import MAT, SIZE, camera, draw_marker
from simulation.drawn.pip_plastic import FAMILIES, Make, face_texture, make_of
from vision.image.light import srgb_levels
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.dice.solids import cube, turned

Floats = NDArray[Any]
SIDES_MM = (11.5, 12.0, 13.0, 14.0, 16.0, 16.0, 16.0, 18.0, 19.0)
"""The sides of dice that are sold; the usual one occurs most often."""
_PATCH_MM = 0.5
_TEXTURE_PX = 72
_OPPOSITE = 7
"""The sum of the numbers on opposite faces."""


def floor_texture(rng: np.random.Generator) -> tuple[str, Floats]:
    """Returns the name of a kind of floor, and a random texture of it in linear light (H, W, 3), half a millimeter per
    pixel.
    """
    height, width = round((MAT.height_mm + 160) / _PATCH_MM), round((MAT.width_mm + 160) / _PATCH_MM)
    kind = str(rng.choice(["felt", "wood", "paper", "stone", "checks", "cloth"]))
    base = rng.uniform(0.03, 0.6) * rng.uniform(0.4, 1.0, 3)
    if kind == "paper":
        base = rng.uniform(0.4, 0.85) * rng.uniform(0.9, 1.0, 3)
    if kind == "wood":
        base = np.array([0.25, 0.5, 0.8]) * rng.uniform(0.1, 0.6)
    floor = np.tile(base, (height, width, 1))
    soft = {"felt": (1.0, 1.0), "wood": (3.0, 60.0), "paper": (20.0, 20.0), "stone": (9.0, 9.0)}
    across, along = soft.get(kind, (1.0, 1.0))
    grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), across, sigmaY=along)
    grain /= grain.std()
    strength = {"felt": 0.12, "wood": 0.25, "paper": 0.02, "stone": 0.35}.get(kind, 0.08)
    floor *= np.exp(strength * grain)[..., None]
    if kind in ("checks", "cloth"):
        pitch = rng.uniform(10, 40) / _PATCH_MM
        rows, columns = np.mgrid[:height, :width]
        one = (columns / pitch).astype(int) % 2
        other = (rows / pitch).astype(int) % 2
        mask = (one ^ other) if kind == "checks" else (one & other)
        floor = np.where(mask[..., None] > 0, floor, rng.uniform(0.03, 0.8) * rng.uniform(0.4, 1.0, 3) + 0 * floor)
    return kind, floor


def places_of(rng: np.random.Generator, count: int, side_mm: float) -> list[tuple[float, float]]:
    """Returns random places at which dice do not touch; some are close together."""
    found: list[tuple[float, float]] = []
    for _ in range(2000):
        if len(found) == count:
            break
        x, y = rng.uniform(30, MAT.width_mm - 30), rng.uniform(30, MAT.height_mm - 30)
        if all(math.hypot(x - a, y - b) > 1.45 * side_mm for a, b in found):
            found.append((float(x), float(y)))
    return found


def drawn_tray(seed: int, family: str) -> tuple[Picture, dict[str, Any]]:
    """Returns a picture of a tray, and its label."""
    rng = np.random.default_rng((seed, FAMILIES.index(family)))
    make = make_of(rng, family)
    side_mm = float(rng.choice(SIDES_MM))
    pose = camera(oblique=bool(rng.random() < 0.6))
    kind, floor = floor_texture(rng)
    lights = _laid(pose, floor, np.array([-80.0, -80.0]), _PATCH_MM)
    for number, (x, y) in enumerate(MAT.corners_mm()):
        draw_marker(lights, pose, number, x, y)
    lamp = np.array([*rng.uniform(-0.6, 0.6, 2), 1.0])
    lamp /= np.linalg.norm(lamp)
    dice = []
    placed = [(x, y, float(rng.uniform(0, 90))) for x, y in places_of(rng, int(rng.integers(3, 9)), side_mm)]
    placed.sort(key=lambda one: -float(np.hypot(*(np.array(one[:2]) - pose.eye_mm()[:2]))))
    for place in placed:
        _shadow(lights, pose, place, side_mm, lamp)
    for place in placed:
        up = int(rng.integers(1, 7))
        _die(lights, pose, place, side_mm, up, make, lamp, rng)
        dice.append({"kind": "pips-d6", "face": up, "x": place[0], "y": place[1], "logo": up == make.logo_face})
    label = {"dice": dice}
    picture = _photographed(lights, rng)
    corners = [
        [float(v) for v in pixel] for pixel in pose.project(np.array([(x, y, 0.0) for x, y in MAT.corners_mm()]))
    ]
    mat = {
        "width_mm": MAT.width_mm,
        "height_mm": MAT.height_mm,
        "marker_mm": MAT.marker_mm,
        "visible_ids": [0, 1, 2, 3],
    }
    return picture, {
        "image": f"pips-{family}-{seed:04d}.jpg",
        "domain": "dice",
        "size": list(SIZE),
        "mat": {**mat, "corners_px": corners},
        "table": f"{kind} on table",
        "light": "drawn",
        "view": "oblique",
        "family": family,
        "side_mm": side_mm,
        "truth": label,
    }


def _photographed(lights: Floats, rng: np.random.Generator) -> Picture:
    """Returns the picture that a random camera takes of linear light."""
    lights = lights * (rng.uniform(0.4, 0.95) * rng.uniform(0.85, 1.0, 3))
    lights = cv2.GaussianBlur(lights, (0, 0), rng.uniform(0.5, 1.2))
    levels = 255 * srgb_levels(np.clip(lights, 0, 1)) ** rng.uniform(0.85, 1.2)
    return np.clip(levels + rng.normal(0, rng.uniform(1, 4), lights.shape), 0, 255).astype(np.uint8)


def _laid(pose: Pose, texture: Floats, corner_mm: Floats, mm_per_px: float) -> Floats:
    """Returns a texture that lies flat on the table, as the camera sees it."""
    height, width = texture.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    flat = np.column_stack([source * mm_per_px + corner_mm, np.zeros(4)])
    matrix = cv2.getPerspectiveTransform(source, pose.project(flat).astype(np.float32))
    seen = cv2.warpPerspective(texture.astype(np.float32), matrix, SIZE, flags=cv2.INTER_AREA)
    return np.ascontiguousarray(seen, dtype=np.float32)


def _shadow(lights: Floats, pose: Pose, place: tuple[float, float, float], side_mm: float, lamp: Floats) -> None:
    solid = cube(side_mm)
    corners = solid.placed(solid.corners, *place)
    flat = corners[:, :2] - corners[:, 2:] * (lamp[:2] / lamp[2])
    hull = cv2.convexHull(flat.astype(np.float32)).reshape(-1, 2)
    mask = np.zeros(lights.shape[:2], np.float32)
    pixels = np.round(pose.project(np.column_stack([hull, np.zeros(len(hull))]))).astype(np.int32)
    cv2.fillConvexPoly(mask, pixels, (0.6,))
    lights *= (1 - cv2.GaussianBlur(mask, (0, 0), 3.0))[..., None]


def _die(
    lights: Floats,
    pose: Pose,
    place: tuple[float, float, float],
    side_mm: float,
    up: int,
    make: Make,
    lamp: Floats,
    rng: np.random.Generator,
) -> None:
    """Draws the faces that the camera sees, the top one last."""
    solid = cube(side_mm)
    around = [number for number in range(1, 7) if number not in (up, _OPPOSITE - up)]
    turn = int(rng.integers(4))
    around = around[turn:] + around[:turn]
    numbers = [up, *around, _OPPOSITE - up]
    corners = solid.placed(solid.corners, *place)
    for number in (4, 3, 2, 1, 0):
        face = solid.faces[number]
        points = corners[list(face)]
        normal = turned(solid.normals[number], place[2])
        if normal @ (pose.eye_mm() - points.mean(axis=0)) <= 0:
            continue
        shade = max(0.3, float(normal @ lamp) / float(lamp[2])) if number else 1.0
        texture, alpha = face_texture(make, numbers[number], rng, _TEXTURE_PX)
        _patch(lights, pose, points, texture * shade, alpha)


def _patch(lights: Floats, pose: Pose, points: Floats, texture: Floats, alpha: Floats) -> None:
    """Draws a face's texture over the picture."""
    side = texture.shape[0]
    pixels = pose.project(points)
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 3, SIZE)
    size = tuple(int(v) for v in high - low)
    if min(size) < 2:
        return
    source = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (pixels - low).astype(np.float32))
    over = cv2.warpPerspective(np.dstack([texture * alpha[..., None], alpha]).astype(np.float32), matrix, size)
    part = lights[low[1] : high[1], low[0] : high[0]]
    part *= 1 - over[..., 3:]
    part += over[..., :3]


def main() -> None:
    """Draw a folder of labeled trays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10, help="the number of pictures per family")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--families", nargs="*", default=FAMILIES, choices=FAMILIES)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for family in args.families:
        for k in range(args.count):
            picture, label = drawn_tray(args.seed + k, family)
            path = args.folder / label["image"]
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
            path.with_suffix(".json").write_text(json.dumps(label))


if __name__ == "__main__":
    main()
