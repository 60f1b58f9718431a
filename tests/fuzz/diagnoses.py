"""Each case makes a picture of a table with one known fault. If the table cannot be placed, the message must name that
fault and no other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.app.commands.doctor import picture_checks
from companion.core.foundation.errors import NoTable
from companion.core.plan import Mat
from vision.image.picture import Picture, read_picture
from vision.registration.checkup import checked
from vision.registration.registered_image import RegisteredImage, find_table

DATA = Path(__file__).parents[1] / "data"
SCENES: Mapping[str, tuple[Path, Mat]] = {
    "marble": (DATA / "calibration" / "marble-empty.jpg", Mat(600, 400, 40)),
    "stripes": (DATA / "calibration" / "stripes-empty.jpg", Mat(600, 400, 40)),
    "board": (DATA / "spectrangle" / "spectrangle-0030.jpg", Mat(440, 400, 40)),
}
NAMED = {
    "dark": "Too dark",
    "bright": "brighter than the camera can say",
    "shaken": "is shaken:",
    "unfocused": "is out of focus:",
    "covered": "covered, out of the picture",
    "mirrored": "picture is mirrored",
    "order": ("each other's places", "another order", "another corner"),
    "shape": "times as wide as high",
    "size": "sides of the markers",
    "moved": "were moved",
}
"""The words by which a sentence names a cause."""
EITHER = "out of focus or shaken"


class Spoiled(NamedTuple):
    """A picture, the mat that the program is given, and the faults that were made."""

    picture: Picture
    mat: Mat
    causes: frozenset[str]
    how: str


@cache
def scene(name: str) -> RegisteredImage:
    """Returns a good picture with its table placed."""
    path, mat = SCENES[name]
    return find_table(read_picture(path), mat)


def noisy(picture: Picture, rng: Random, sigma: float = 2.5) -> Picture:
    """Returns the picture with a sensor's noise."""
    field = np.random.default_rng(rng.randrange(1 << 30)).normal(0, sigma, picture.shape)
    return np.clip(picture + field, 0, 255).astype(np.uint8)


def shaken(picture: Picture, length_px: float, deg: float, bend_deg: float = 0.0) -> Picture:
    """Returns the picture as a camera takes it that moves along a line or an arc."""
    side = int(length_px) + 3
    kernel = np.zeros((2 * side + 1, 2 * side + 1), np.float32)
    x = y = 0.0
    path = []
    steps = 8 * math.ceil(length_px)
    for step in range(steps + 1):
        path.append((x, y))
        turn = math.radians(deg + bend_deg * (step / steps - 0.5))
        x, y = x + math.cos(turn) * length_px / steps, y + math.sin(turn) * length_px / steps
    middle = np.mean(path, axis=0)
    for at in path:
        left, top = np.floor(np.array(at) - middle + side).astype(int)
        right, down = np.array(at) - middle + side - (left, top)
        kernel[top, left] += (1 - right) * (1 - down)
        kernel[top, left + 1] += right * (1 - down)
        kernel[top + 1, left] += (1 - right) * down
        kernel[top + 1, left + 1] += right * down
    return _filtered(picture, kernel)


def unfocused(picture: Picture, radius_px: float) -> Picture:
    """Returns the picture as a lens takes it that is focused on another distance."""
    side = int(radius_px) + 2
    y, x = np.mgrid[-side : side + 1, -side : side + 1]
    return _filtered(picture, np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32))


def _filtered(picture: Picture, kernel: NDArray[np.float32]) -> Picture:
    done = cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(done, dtype=np.uint8)


def lit(picture: Picture, gain: float, offset: float = 0.0) -> Picture:
    """Returns the picture in more or less light."""
    return np.clip(picture.astype(np.float32) * gain + offset, 0, 255).astype(np.uint8)


def covered(table: RegisteredImage, ids: tuple[int, ...]) -> Picture:
    """Returns the picture with a hand-sized thing over some markers."""
    out = table.picture.copy()
    side = 2.2 * table.mat.marker_mm
    for i in ids:
        x, y = table.mat.corners_mm()[i]
        quad = _pixels(table, (x, y), side)
        cv2.fillConvexPoly(out, quad.astype(np.int32), (90, 110, 120), cv2.LINE_AA)
    return out


def laid(table: RegisteredImage, places: Mapping[int, tuple[float, float]]) -> Picture:
    """Returns the picture with its markers moved.

    :param places: the center of each marker in table millimeters, by id.
    """
    out = table.picture.copy()
    paper = 8 * table.mat.marker_mm / 6
    for i in range(4):
        ink = np.asarray(np.median(_around(table, i), axis=0))
        cv2.fillConvexPoly(out, _pixels(table, table.mat.corners_mm()[i], 1.25 * paper).astype(np.int32), ink.tolist())
    sheets = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for i, place in places.items():
        sheet = np.full((320, 320), 235, np.uint8)
        sheet[40:280, 40:280] = np.maximum(cv2.aruco.generateImageMarker(sheets, i, 240), 30)
        sheet = np.minimum(sheet, 235)
        square = np.array([[0, 0], [320, 0], [320, 320], [0, 320]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(square, _pixels(table, place, paper).astype(np.float32))
        size = (out.shape[1], out.shape[0])
        soft = cv2.GaussianBlur(sheet, (0, 0), 1.5)
        mask = cv2.warpPerspective(np.full_like(sheet, 255), warp, size, flags=cv2.INTER_AREA)
        gray = cv2.warpPerspective(soft, warp, size, flags=cv2.INTER_AREA)
        share = (mask / 255.0)[..., None]
        out = np.asarray(out * (1 - share) + gray[..., None] * share, dtype=np.uint8)
    return out


def _around(table: RegisteredImage, number: int) -> NDArray[np.uint8]:
    """Returns the colors (N, 3) around a marker's paper."""
    place = table.mat.corners_mm()[number]
    ring = _pixels(table, place, 3 * table.mat.marker_mm).round().astype(int)
    height, width = table.picture.shape[:2]
    return table.picture[ring[:, 1].clip(0, height - 1), ring[:, 0].clip(0, width - 1)]


def _pixels(table: RegisteredImage, middle: tuple[float, float], side_mm: float) -> NDArray[np.float64]:
    """Returns the pixels (4, 2) of a square on the table, clockwise from the top left."""
    half = side_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + middle
    return np.asarray(table.pose.project(np.column_stack([square, np.zeros(4)])))


def _shaken(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    length, deg, bend = rng.uniform(7, 24), rng.uniform(0, 180), rng.choice((0.0, 0.0, rng.uniform(0, 40)))
    return shaken(table.picture, length, deg, bend), table.mat, f"{length:.1f} px at {deg:.0f} deg, bent by {bend:.0f}"


def _unfocused(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    radius = rng.uniform(5, 14)
    return unfocused(table.picture, radius), table.mat, f"{radius:.1f} px"


def _dark(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    gain = rng.uniform(0.02, 0.15)
    return lit(table.picture, gain), table.mat, f"{gain:.3f} of the light"


def _bright(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    gain = rng.uniform(2.5, 6)
    return lit(table.picture, gain, 30 * gain), table.mat, f"{gain:.1f} times the light"


def _covered(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    ids = tuple(rng.sample(range(4), rng.choice((3, 4))))
    return covered(table, ids), table.mat, f"markers {ids}"


def _mirrored(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    return np.ascontiguousarray(table.picture[:, ::-1]), table.mat, ""


def _order(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    order = rng.choice([(1, 0, 2, 3), (0, 2, 1, 3), (2, 1, 0, 3), (3, 2, 1, 0), (1, 0, 3, 2), (0, 1, 3, 2)])
    corners = table.mat.corners_mm()
    return laid(table, {i: corners[place] for i, place in enumerate(order)}), table.mat, f"{order}"


def _shape(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    factor = rng.choice((rng.uniform(0.6, 0.98), rng.uniform(1.02, 1.6)))
    return table.picture, structs.replace(table.mat, width_mm=round(table.mat.width_mm * factor, 1)), f"{factor:.3f}"


def _size(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    factor = rng.choice((rng.uniform(0.5, 0.85), rng.uniform(1.15, 2)))
    hidden = rng.randrange(4)
    mat = structs.replace(table.mat, marker_mm=round(table.mat.marker_mm * factor, 1))
    return covered(table, (hidden,)), mat, f"{factor:.3f} without {hidden}"


def _moved(table: RegisteredImage, rng: Random) -> tuple[Picture, Mat, str]:
    corners = dict(enumerate(table.mat.corners_mm()))
    ids = rng.sample(range(4), rng.choice((2, 3)))
    for i in ids:
        turn, far = rng.uniform(0, 2 * math.pi), rng.uniform(20, 45)
        corners[i] = corners[i][0] + far * math.cos(turn), corners[i][1] + far * math.sin(turn)
    return laid(table, corners), table.mat, f"markers {ids}"


CAUSES: Mapping[str, Callable[[RegisteredImage, Random], tuple[Picture, Mat, str]]] = {
    "shaken": _shaken,
    "unfocused": _unfocused,
    "dark": _dark,
    "bright": _bright,
    "covered": _covered,
    "mirrored": _mirrored,
    "order": _order,
    "shape": _shape,
    "size": _size,
    "moved": _moved,
}


def spoiled(name: str, cause: str, rng: Random) -> Spoiled:
    """Makes a picture of a scene with one fault of random strength."""
    picture, mat, how = CAUSES[cause](scene(name), rng)
    return Spoiled(noisy(picture, rng), mat, frozenset([cause]), f"{name}, {cause}: {how}")


def said(message: str) -> frozenset[str]:
    """Returns the causes that a message names."""
    found = {
        cause
        for cause, phrases in NAMED.items()
        if any(phrase in message for phrase in ((phrases,) if isinstance(phrases, str) else phrases))
    }
    return frozenset(found | ({"shaken", "unfocused"} if EITHER in message else set()))


ALSO: Mapping[str, frozenset[str]] = {
    "shape": frozenset(["order", "moved", "size"]),
    "size": frozenset(["moved", "shape"]),
    "moved": frozenset(["size", "shape"]),
    "shaken": frozenset(["unfocused"]),
    "unfocused": frozenset(["shaken"]),
    "dark": frozenset(["covered"]),
    "bright": frozenset(["covered"]),
}
"""Causes that a message may name beside the true one, because both look the same: a mat with width and height exchanged looks
like a turned one, three markers that were moved look like a mat of another size or shape, and bad light that still shows
markers leaves room for another cause."""


def judge(case: Spoiled) -> frozenset[str] | None:
    """Returns the causes that are named for a picture; None if its table is placed all the same.

    :raises AssertionError: the true cause is missing, or a cause is named that does not look like it.
    """
    checks = list(picture_checks(checked(case.picture)))
    try:
        find_table(case.picture, case.mat)
    except NoTable as error:
        message = str(error)
    else:
        return None
    named = said(message)
    assert case.causes <= named, f"{case.how}: {message}"
    allowed = case.causes.union(*(ALSO.get(cause, frozenset()) for cause in case.causes))
    assert named <= allowed, f"{case.how}: {message}"
    told = said(" ".join(f"{check.seen} {check.advice}" for check in checks if not check.ok))
    pictured = frozenset(["dark", "bright", "shaken", "unfocused", "mirrored"])
    assert told & pictured == named & pictured, f"{case.how}: the doctor says {told}, the table {named}"
    return named


def one(rng: Random) -> None:
    """Judges one picture with one fault."""
    judge(spoiled(rng.choice(sorted(SCENES)), rng.choice(sorted(CAUSES)), rng))
