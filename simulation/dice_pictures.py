"""Draws trays: exact dice through an exact camera, flat or leaning, lit from the side, with a camera's blur and noise."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.core.pieces import WHEEL
from companion.core.plan import Mat
from vision.image.light import LINEAR, srgb_levels
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.dice.naming import colorings
from vision.readers.dice.palette import learned
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Solid
from vision.registration.markers import marker_cells

MAT = Mat(240.0, 180.0, 25.0)
SIZE = (1280, 720)
FELT = (0.045, 0.16, 0.05)
"""The linear light of the tray's floor as B, G, R."""
_LAMP = np.array([0.45, -0.35, 0.82])
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The pips of each face, as steps from the middle of the face."""


Shares = Sequence[tuple[float, float, float]]


class Drawn(Struct, frozen=True):
    """A die to draw; a tilt makes it cocked."""

    kind: str
    face: str | int
    x_mm: float
    y_mm: float
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0


def camera(oblique: bool = True) -> Pose:
    """Returns a camera in front of the tray, or one above its middle."""
    eye = np.array([105.0, 300.0, -370.0]) if oblique else np.array([120.0, 100.0, -380.0])
    ahead = np.array([120.0, 92.0, 0.0]) - eye
    ahead /= np.linalg.norm(ahead)
    right = np.cross(np.array([0.0, 1.0, 0.0]), ahead) if not oblique else np.cross(ahead, np.array([0.0, 0.0, -1.0]))
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    rotation = np.stack([right, down, ahead])
    rvec = cv2.Rodrigues(rotation)[0].ravel()
    return Pose(SIZE, 1050.0, 0.0, tuple(map(float, rvec)), tuple(map(float, -rotation @ eye)), 0.0)


def tray(
    dice: Sequence[Drawn],
    pose: Pose | None = None,
    floor: Sequence[float] = FELT,
    seed: int = 0,
    shares: Shares | None = None,
) -> Picture:
    """Returns a picture of a tray with dice.

    Args:
        shares: The linear light of each color of the wheel as a share of white's; None takes that of the usual dice.
    """
    shares = learned().palette.shares if shares is None else shares
    pose = camera() if pose is None else pose
    lights = np.empty((SIZE[1], SIZE[0], 3), np.float32)
    lights[:] = floor
    for number, (x, y) in enumerate(MAT.corners_mm()):
        draw_marker(lights, pose, number, x, y)
    far = [float(np.hypot(*(np.array([die.x_mm, die.y_mm, 0.0]) - pose.eye_mm())[:2])) for die in dice]
    for k in np.argsort(far)[::-1]:
        _shadow(lights, pose, dice[int(k)])
    for k in np.argsort(far)[::-1]:
        _die(lights, pose, dice[int(k)], shares)
    lights = cv2.GaussianBlur(lights, (0, 0), 0.8)
    noise = np.random.default_rng(seed).normal(0, 2.0, lights.shape)
    return np.clip(255 * srgb_levels(np.clip(0.7 * lights, 0, 1)) + noise, 0, 255).astype(np.uint8)


def glaring(picture: Picture, pose: Pose, dice: Sequence[Drawn], toward: Sequence[float], light: float) -> Picture:
    """Returns the picture with a lamp that glares over half of each die's top face, on the side `toward` in pixels."""
    lights = LINEAR[picture].astype(np.float32)
    y, x = np.mgrid[: lights.shape[0], : lights.shape[1]]
    for die in dice:
        corners, _ = _corners(die)
        top = pose.project(corners[list(_solid_of(die).faces[0])])
        face = np.zeros(lights.shape[:2], np.float32)
        cv2.fillConvexPoly(face, np.round(top * 16).astype(np.int32), (1.0,), cv2.LINE_AA, 4)
        middle = top.mean(axis=0)
        beyond = (x - middle[0]) * toward[0] + (y - middle[1]) * toward[1]
        lights += (light * face * np.clip(0.5 + beyond / 4, 0, 1))[..., None]
    return np.clip(255 * srgb_levels(np.clip(lights, 0, 1)), 0, 255).astype(np.uint8)


def _fill(lights: np.ndarray, pose: Pose, points: np.ndarray, color: Sequence[float]) -> None:
    pixels = np.round(pose.project(points) * 16).astype(np.int32)
    cv2.fillConvexPoly(lights, pixels, tuple(map(float, color)), cv2.LINE_AA, 4)


def _flat(x: float, y: float, half_mm: float) -> np.ndarray:
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half_mm + (x, y)
    return np.column_stack([square, np.zeros(4)])


def draw_marker(lights: np.ndarray, pose: Pose, number: int, x: float, y: float) -> None:
    _fill(lights, pose, _flat(x, y, MAT.marker_mm / 2 + 8), (1, 1, 1))
    cells = marker_cells(number)
    side = MAT.marker_mm / len(cells)
    for row, line in enumerate(cells):
        for column, white in enumerate(line):
            middle = np.array([column + 0.5, row + 0.5]) * side - MAT.marker_mm / 2
            color = (1.0, 1.0, 1.0) if white else (0.02, 0.02, 0.02)
            _fill(lights, pose, _flat(x + middle[0], y + middle[1], side / 2 + 0.03), color)


def _solid_of(die: Drawn) -> Solid:
    return DODECAHEDRON if die.kind == "spectrum-d12" else CUBE


def _corners(die: Drawn) -> tuple[np.ndarray, np.ndarray]:
    """Returns the corners (N, 3) in table millimeters, and the die's rotation matrix (3, 3)."""
    solid = _solid_of(die)
    turn = cv2.Rodrigues(np.array([0.0, 0.0, -np.radians(die.yaw_deg)]))[0]
    lean = cv2.Rodrigues(np.radians(die.tilt_deg) * np.array([0.8, 0.6, 0.0]))[0]
    rotation = np.asarray(lean @ turn)
    points = (solid.corners - (0, 0, solid.height_mm / 2)) @ rotation.T
    return points + np.array([die.x_mm, die.y_mm, -points[:, 2].min()]), rotation


def _shadow(lights: np.ndarray, pose: Pose, die: Drawn) -> None:
    corners, _ = _corners(die)
    flat = corners[:, :2] - corners[:, 2:] * (_LAMP[:2] / _LAMP[2])
    hull = cv2.convexHull(flat.astype(np.float32)).reshape(-1, 2)
    mask = np.zeros(lights.shape[:2], np.float32)
    pixels = np.round(pose.project(np.column_stack([hull, np.zeros(len(hull))]))).astype(np.int32)
    cv2.fillConvexPoly(mask, pixels, (0.6,))
    lights *= (1 - cv2.GaussianBlur(mask, (0, 0), 3.0))[..., None]


def _die(lights: np.ndarray, pose: Pose, die: Drawn, shares: Shares) -> None:
    solid = _solid_of(die)
    corners, rotation = _corners(die)
    if die.kind != "pips-d6":
        ways = colorings(solid.name)
        way = ways[ways[:, 0] == WHEEL.index(str(die.face))][0]
    for number, face in enumerate(solid.faces):
        points = corners[list(face)]
        middle = points.mean(axis=0)
        normal = rotation @ solid.normals[number]
        if normal @ (pose.eye_mm() - middle) <= 0:
            continue
        shade = max(0.25, float(normal @ _LAMP) / float(_LAMP[2])) if number else 1.0
        if die.kind == "pips-d6":
            _fill(lights, pose, points, np.array([0.86, 0.86, 0.86]) * shade)
            _pips(lights, pose, points, int(die.face) if number == 0 else 1 + (int(die.face) + number) % 6)
        else:
            _fill(lights, pose, points, np.array([0.8, 0.8, 0.8]) * shade)
            color = np.array(shares[way[number]]) * shade
            _fill(lights, pose, middle + 0.85 * (points - middle), color)


def _pips(lights: np.ndarray, pose: Pose, face: np.ndarray, number: int) -> None:
    middle = face.mean(axis=0)
    along, across = (face[1] - face[0]) / 16, (face[3] - face[0]) / 16
    around = np.radians(np.arange(0, 360, 20))
    for u, v in PIPS[number]:
        spot = middle + 4.0 * (u * along + v * across)
        ring = spot + 1.35 * (np.cos(around)[:, None] * along + np.sin(around)[:, None] * across)
        _fill(lights, pose, ring, (0.02, 0.02, 0.02))


NINE = (
    Drawn("spectrum-d12", "blue-purple", 60, 50, 10),
    Drawn("spectrum-d6", "red", 100, 60, 33),
    Drawn("pips-d6", 5, 150, 50, 70),
    Drawn("pips-d6", 1, 80, 110, 20),
    Drawn("spectrum-d6", "green", 130, 120, 5),
    Drawn("spectrum-d12", "orange", 180, 110, 40),
    Drawn("pips-d6", 6, 100, 145, 50),
    Drawn("spectrum-d12", "yellow-green", 150, 85, 0),
    Drawn("spectrum-d6", "purple", 40, 90, 80),
)
"""Nine dice, the number that a player rolls together."""
