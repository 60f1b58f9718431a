"""Draws tables without cards, seen from above: wood, cloth, plain and printed mats, and things that are not cards."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]
Random = np.random.Generator


def draw_table(random: Random, side: int) -> Image:
    """Returns (S, S, 3) float32 levels as B, G, R."""
    tone = _tone(random)
    kind = int(random.integers(0, 6))
    image = np.full((side, side, 3), tone, np.float32)
    if kind in (0, 1):
        _add_grain(image, random)
    elif kind == 2:
        _add_cloth(image, random)
    elif kind == 3:
        _add_checks(image, random)
    elif kind == 4:
        _add_print(image, random)
    return image


def add_things(image: Image, random: Random) -> None:
    """Lays things that are not cards on a table."""
    for _ in range(int(random.choice([0, 1, 2, 3], p=[0.35, 0.35, 0.2, 0.1]))):
        _THINGS[int(random.integers(0, len(_THINGS)))](image, random)


def add_hand(image: Image, random: Random) -> NDArray[np.uint8]:
    """Draws an arm from the edge with a fist at its end; returns its mask (S, S) uint8, 255 at the arm."""
    side = image.shape[0]
    mask = np.zeros((side, side), np.uint8)
    angle = float(random.uniform(0, 2 * np.pi))
    tip = random.uniform(0.15, 0.85, 2) * side
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    start = tip + along * 2 * side
    wide = float(random.uniform(0.1, 0.17)) * side
    arm = [
        tip + across * wide * 0.3,
        start + across * wide * 0.6,
        start - across * wide * 0.6,
        tip - across * wide * 0.3,
    ]
    cv2.fillPoly(mask, [np.array(arm, np.int32)], 255, cv2.LINE_AA)
    cv2.ellipse(mask, _whole(tip), _whole((wide * 0.75, wide * 0.5)), float(np.degrees(angle)), 0, 360, 255, -1)
    for k in range(int(random.integers(0, 5))):
        finger = tip - along * wide * float(random.uniform(0.5, 1.1)) + across * wide * (k - 1.5) * 0.28
        cv2.line(mask, _whole(tip), _whole(finger), 255, max(2, round(wide * 0.24)), cv2.LINE_AA)
    skin = np.array([100, 130, 190], np.float32) * float(random.uniform(0.3, 1.25)) * random.uniform(0.85, 1.15, 3)
    if random.random() < 0.2:
        skin = _tone(random)
    shade = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), wide * 0.3)
    paint(image, mask, skin * np.clip(shade[..., None] * 1.3, 0.35, 1.1))
    return mask


def paint(image: Image, mask: NDArray[np.uint8], color: Image) -> None:
    """Paints a picture where a mask (S, S) uint8 is set."""
    share = mask.astype(np.float32)[..., None] / 255
    image *= 1 - share
    image += share * color


def smooth_noise(random: Random, side: int, cells: tuple[int, int]) -> Image:
    """Returns (S, S) float32: noise of deviation 1 with `cells` changes over a picture's side, down and across."""
    noise = random.standard_normal(cells, np.float32)
    return np.asarray(cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC))


def _tone(random: Random) -> Image:
    kind = random.random()
    if kind < 0.35:
        wood = np.array([70, 105, 150], np.float32) * float(random.uniform(0.35, 1.35))
        return np.asarray(wood * random.uniform(0.85, 1.15, 3), np.float32)
    if kind < 0.8:
        gray = float(random.uniform(15, 240))
        return np.asarray(np.clip(gray * random.uniform(0.88, 1.12, 3), 5, 250), np.float32)
    return random.uniform(15, 220, 3).astype(np.float32)


def _add_grain(image: Image, random: Random) -> None:
    side = image.shape[0]
    cells = int(random.integers(20, 160)), int(random.integers(2, 8))
    grain = smooth_noise(random, side, cells) + 0.5 * smooth_noise(random, side, (cells[0] * 3, cells[1] * 3))
    if random.random() < 0.5:
        grain = grain.T
    image *= (1 + np.float32(random.uniform(0.03, 0.16)) * grain)[..., None]
    if random.random() < 0.4:
        for at in np.arange(float(random.uniform(0, 100)), side, float(random.uniform(80, 300))):
            line = np.s_[int(at) : int(at) + 2] if random.random() < 0.5 else np.s_[:, int(at) : int(at) + 2]
            image[line] *= 0.6


def _add_cloth(image: Image, random: Random) -> None:
    side = image.shape[0]
    weave = smooth_noise(random, side, (side // 2, side // 8)) + smooth_noise(random, side, (side // 8, side // 2))
    image *= (1 + np.float32(random.uniform(0.02, 0.12)) * weave)[..., None]


def _add_checks(image: Image, random: Random) -> None:
    side = image.shape[0]
    step = float(random.uniform(12, 130))
    rows, columns = (np.arange(side) + random.uniform(0, step, 2)[:, None]).astype(np.float32)
    bands = (rows % (2 * step) < step).astype(np.float32)[:, None], (columns % (2 * step) < step).astype(np.float32)
    for band in bands:
        image += (band * float(random.uniform(-60, 60)))[..., None] * random.uniform(0.3, 1.0, 3).astype(np.float32)
    if random.random() < 0.4:
        image += ((columns % step < 4) * float(random.uniform(-90, 90)))[None, :, None].astype(np.float32)
    np.clip(image, 5, 250, out=image)


def _add_print(image: Image, random: Random) -> None:
    side = image.shape[0]
    image[:] = np.clip(float(random.uniform(160, 245)) * random.uniform(0.94, 1.06, 3), 0, 255)
    ink = tuple(float(v) for v in random.uniform(10, 150, 3))
    for _ in range(int(random.integers(1, 6))):
        one, other = random.uniform(-0.1, 1.1, (2, 2)) * side
        if random.random() < 0.6:
            cv2.rectangle(image, _whole(one), _whole(other), ink, int(random.integers(1, 4)), cv2.LINE_AA)
        else:
            cv2.line(image, _whole(one), _whole((other[0], one[1])), ink, int(random.integers(1, 4)), cv2.LINE_AA)
    words = ("SPECTRA", "DRAW", "12", "do not scale", "TABLE 7", "A1")
    for word in random.choice(words, 2):
        at = _whole(random.uniform(0, 0.9, 2) * side)
        mask = np.zeros((side, side), np.uint8)
        cv2.putText(
            mask, str(word), at, int(random.integers(0, 5)), float(random.uniform(0.4, 1.3)), 255, 1, cv2.LINE_AA
        )
        paint(image, mask, np.array(ink, np.float32))


def _cup(image: Image, random: Random) -> None:
    side = image.shape[0]
    at, radius = _whole(random.uniform(0, 1, 2) * side), int(random.uniform(0.11, 0.17) * side)
    tone = random.uniform(20, 250, 3)
    cv2.circle(image, at, radius, tone.tolist(), -1, cv2.LINE_AA)
    shift = _whole(np.array(at) + random.uniform(-0.15, 0.15, 2) * radius)
    cv2.circle(image, shift, int(radius * 0.85), (tone * float(random.uniform(0.5, 0.9))).tolist(), -1, cv2.LINE_AA)
    cv2.circle(image, shift, int(radius * 0.75), (15.0, 25.0, 45.0), -1, cv2.LINE_AA)


def _sheet(image: Image, random: Random) -> None:
    """Draws a note, a phone, a box or a book: a rectangle with other proportions than a card's."""
    side = image.shape[0]
    long = float(random.uniform(0.5, 1.2)) * side if random.random() < 0.5 else float(random.uniform(0.05, 0.24)) * side
    short = long * float(random.uniform(0.25, 0.95))
    box = (_real(random.uniform(0, 1, 2) * side), (long, short), float(random.uniform(0, 180)))
    corners = cv2.boxPoints(box).astype(np.int32)
    tone = random.uniform(200, 252, 3) if random.random() < 0.5 else random.uniform(10, 230, 3)
    cv2.fillPoly(image, [corners], tone.tolist(), cv2.LINE_AA)
    for share in np.arange(0.15, 0.9, float(random.uniform(0.08, 0.3))):
        if random.random() < 0.6:
            one = corners[0] + (corners[1] - corners[0]) * share + (corners[3] - corners[0]) * 0.1
            other = corners[0] + (corners[1] - corners[0]) * share + (corners[3] - corners[0]) * 0.9
            cv2.line(image, _whole(one), _whole(other), (tone * 0.7).tolist(), 1, cv2.LINE_AA)


def _die(image: Image, random: Random) -> None:
    side = image.shape[0]
    long = float(random.uniform(0.055, 0.08)) * side
    corners = cv2.boxPoints((_real(random.uniform(0, 1, 2) * side), (long, long), float(random.uniform(0, 90))))
    tone = random.uniform(20, 250, 3)
    cv2.fillPoly(image, [corners.astype(np.int32)], tone.tolist(), cv2.LINE_AA)
    for _ in range(int(random.integers(1, 7))):
        at = corners.mean(0) + random.uniform(-0.3, 0.3, 2) * long
        cv2.circle(image, _whole(at), max(1, int(long * 0.09)), (255 - tone).tolist(), -1, cv2.LINE_AA)


def _marker(image: Image, random: Random) -> None:
    side = image.shape[0]
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    black = int(random.choice([50, 80])) if side >= 200 else 25
    drawn = cv2.aruco.generateImageMarker(dictionary, int(random.integers(0, 4)), black)
    quiet = black // 5
    drawn = cv2.copyMakeBorder(drawn, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=255)
    x, y = (int(v) for v in random.integers(0, side - drawn.shape[0], 2))
    image[y : y + drawn.shape[0], x : x + drawn.shape[1]] = np.clip(drawn, 18, 240)[..., None]


def _pen(image: Image, random: Random) -> None:
    side = image.shape[0]
    one, other = random.uniform(-0.2, 1.2, (2, 2)) * side
    tone = random.uniform(10, 240, 3).tolist()
    cv2.line(image, _whole(one), _whole(other), tone, int(random.integers(6, 18)), cv2.LINE_AA)


_THINGS = (_cup, _sheet, _die, _marker, _pen, _sheet, _marker)


def _whole(point: NDArray[np.float64] | tuple[float, float]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _real(point: NDArray[np.float64]) -> tuple[float, float]:
    return float(point[0]), float(point[1])
