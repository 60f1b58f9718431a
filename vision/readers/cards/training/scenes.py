"""Draws scenes for training: cards of one design on a table, as seen from straight above in a camera's picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.cards.deck import CARD_MM, KINDS, NUMBER_CARDS
from vision.readers.cards.training.designs import BACK, FOREIGN, SIZE_PX, Design
from vision.readers.cards.training.tabletop import add_hand, add_things, draw_table, smooth_noise

Random = np.random.Generator
Image = NDArray[Any]

SIDE_MM, PX_PER_MM = 256, 2
SIDE_PX = SIDE_MM * PX_PER_MM


class LaidCard(Struct, frozen=True):
    """A card of a scene."""

    card: int
    """Its number in the deck, `BACK` or `FOREIGN`."""
    x_mm: float
    y_mm: float
    heading_deg: float
    """The direction of its top edge, counter-clockwise, 0 = right."""
    shown: float
    """The visible share of its area."""


class Scene(Struct, frozen=True):
    """A picture with the cards in it."""

    picture: NDArray[np.uint8]
    """(S, S, 3) BGR."""
    cards: tuple[LaidCard, ...]
    owner: NDArray[np.int16]
    """(S, S): the index of the card that a pixel shows; -1 for none."""


def draw_scene(random: Random, design: Design) -> Scene:
    """Returns a random scene."""
    image = draw_table(random, SIDE_PX)
    add_things(image, random)
    owner = np.full((SIDE_PX, SIDE_PX), -1, np.int16)
    wear = float(random.uniform(0, 0.12)) if random.random() < 0.3 else 0.0
    thick = float(random.uniform(0.15, 0.7))
    laid = _places(random)
    for k, (card, x, y, heading) in enumerate(laid):
        face = _face(design, card)
        _lay(image, owner, k, face, (x, y), heading, random, wear, thick)
    if random.random() < 0.25:
        owner[add_hand(image, random) > 127] = -1
    picture = _photograph(image, random, owner >= 0)
    area = CARD_MM[0] * CARD_MM[1] * PX_PER_MM**2 * 0.985
    counts = np.bincount(owner[owner >= 0].ravel(), minlength=len(laid))
    cards = tuple(
        LaidCard(card, x, y, heading, min(float(counts[k]) / area, 1.0)) for k, (card, x, y, heading) in enumerate(laid)
    )
    return Scene(picture, cards, owner)


@lru_cache(maxsize=1200)
def _face(design: Design, card: int) -> NDArray[np.uint8]:
    face = design.face(card)
    alpha = np.zeros(face.shape[:2], np.uint8)
    width, height = SIZE_PX
    radius = 9
    cv2.rectangle(alpha, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.dstack([face, alpha])


def _card(random: Random) -> int:
    chance = random.random()
    if chance < 0.84:
        return int(random.integers(0, NUMBER_CARDS))
    return int(random.integers(NUMBER_CARDS, KINDS)) if chance < 0.95 else FOREIGN if chance < 0.97 else BACK


def _places(random: Random) -> list[tuple[int, float, float, float]]:
    """Returns cards from the lowest to the highest, each with its middle in mm and its heading."""
    kind = str(
        random.choice(
            ["singles", "pile", "trick", "columns", "rows", "fan", "none"], p=[0.12, 0.12, 0.2, 0.22, 0.05, 0.25, 0.04]
        )
    )
    turn = float(random.choice([0.0, 90.0, 180.0, 270.0]) + random.normal(0, 6))
    if random.random() < 0.35:
        turn = float(random.uniform(0, 360))
    middle = SIDE_MM / 2 + random.uniform(-60, 60, 2)
    laid: list[tuple[int, float, float, float]] = []

    def put(card: int, right: float, up: float, heading: float) -> None:
        a = np.radians(turn)
        x = middle[0] + right * np.cos(a) - up * np.sin(a)
        y = middle[1] - right * np.sin(a) - up * np.cos(a)
        laid.append((card, float(x), float(y), (heading + turn) % 360))

    backs = [BACK if random.random() < 0.25 else _card(random) for _ in range(40)]
    if kind == "singles":
        for k in range(int(random.integers(1, 7))):
            put(backs[k], *_two(random, 140), float(random.uniform(0, 360)))
    elif kind == "pile":
        spread = float(random.uniform(0.5, 7))
        for _ in range(int(random.integers(2, 9))):
            put(
                _card(random),
                *_about(random, spread),
                90 + 180 * int(random.integers(0, 2)) + float(random.normal(0, spread * 1.5)),
            )
        for _ in range(int(random.integers(0, 4))):
            put(BACK, 75 + random.normal(0, 0.7), random.normal(0, 0.7), 90 + float(random.normal(0, 1.5)))
        if random.random() < 0.5:
            put(_card(random), *_two(random, 130), float(random.uniform(0, 360)))
    elif kind == "trick":
        start, count = float(random.uniform(0, 360)), int(random.integers(2, 7))
        away = float(random.uniform(18, 52))
        for k in range(count):
            a = start + 360 / max(count, 4) * k + float(random.normal(0, 12))
            put(
                _card(random),
                away * np.cos(np.radians(a)),
                away * np.sin(np.radians(a)),
                a + 180 + float(random.normal(0, 14)),
            )
        if random.random() < 0.5:
            for _ in range(3):
                put(BACK, 120 + random.normal(0, 1), random.normal(0, 1) + 30, float(random.uniform(0, 5)))
    elif kind == "columns":
        step = float(random.choice([18, 28, 20, 24]) + random.normal(0, 1.5))
        wide = float(random.uniform(65, 78))
        for column in range(int(random.integers(1, 5))):
            hidden, count = int(random.integers(0, 5)), int(random.integers(1, 8))
            y = float(random.uniform(60, 110))
            tight = float(random.uniform(8, 14))
            for k in range(hidden + count):
                card = BACK if k < hidden else _card(random)
                flip = 180 * int(random.random() < 0.5)
                put(
                    card,
                    wide * (column - 1.5) + float(random.normal(0, 1.3)),
                    y,
                    90 + flip + float(random.normal(0, 1.8)),
                )
                y -= tight if k < hidden else step
    elif kind == "rows":
        for row in range(2):
            for column in range(int(random.integers(2, 5))):
                put(
                    _card(random),
                    (column - 1.5) * float(random.uniform(66, 76)),
                    (row - 0.5) * float(random.uniform(90, 100)),
                    90 + float(random.normal(0, 5)),
                )
        if random.random() < 0.6:
            _, x, y, heading = laid[int(random.integers(0, len(laid)))]
            laid.append(
                (
                    _card(random),
                    x + float(random.normal(0, 12)),
                    y + float(random.normal(0, 12)),
                    heading + float(random.normal(0, 9)),
                )
            )
    elif kind == "fan":
        for fan in range(int(random.integers(1, 4))):
            step, bend = float(random.uniform(14, 27)), float(random.normal(0, 3.5))
            first = 90 + 180 * int(random.random() < 0.5) + float(random.normal(0, 8))
            x, y = float(random.uniform(-90, 40)), float((fan - 1) * 100 + random.normal(0, 8))
            down = -1 if random.random() < 0.5 else 1
            for k in range(int(random.integers(2, 7))):
                put(
                    _card(random),
                    x + step * k * down,
                    y + float(random.normal(0, 1.2)),
                    first - bend * k * down + float(random.normal(0, 0.8)),
                )
    return laid


def _two(random: Random, reach_mm: float) -> tuple[float, float]:
    """Returns two random lengths, uniform up to `reach_mm` in both directions."""
    return float(random.uniform(-reach_mm, reach_mm)), float(random.uniform(-reach_mm, reach_mm))


def _about(random: Random, spread_mm: float) -> tuple[float, float]:
    """Returns two random lengths with mean 0."""
    return float(random.normal(0, spread_mm)), float(random.normal(0, spread_mm))


def _lay(
    image: Image,
    owner: NDArray[np.int16],
    number: int,
    face: NDArray[np.uint8],
    at_mm: tuple[float, float],
    heading_deg: float,
    random: Random,
    wear: float,
    thick: float,
) -> None:
    """Lays a card with its shadow on everything that lies there already."""
    scale = PX_PER_MM * float(random.normal(1.0, 0.012))
    a = np.radians(heading_deg - 90)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) * scale / (SIZE_PX[0] / CARD_MM[0])
    turn = turn @ np.array([[1 + random.normal(0, 0.01), random.normal(0, 0.01)], [0, 1 + random.normal(0, 0.01)]])
    middle = np.array(at_mm) * PX_PER_MM
    reach = np.abs(turn) @ (np.array(SIZE_PX) / 2) + 5
    low = np.maximum((middle - reach).astype(int), 0)
    high = np.minimum((middle + reach).astype(int), SIDE_PX)
    if (high - low < 2).any():
        return
    move = middle - low - turn @ (np.array(SIZE_PX) / 2)
    warp = np.column_stack([turn, move])
    size = int(high[0] - low[0]), int(high[1] - low[1])
    part = cv2.warpAffine(face, warp, size, flags=cv2.INTER_LINEAR).astype(np.float32)
    place = np.s_[low[1] : high[1], low[0] : high[0]]
    alpha = part[..., 3:] / 255
    shadow = cv2.GaussianBlur(alpha, (0, 0), 1.0 + 2 * thick)
    shift = np.array([[1, 0, random.normal(0, 2.0)], [0, 1, random.normal(0, 2.0)]])
    shadow = cv2.warpAffine(shadow, shift, size)[..., None]
    image[place] *= 1 - np.float32(thick) * shadow
    color = part[..., :3]
    if wear:
        color += np.float32(wear * 255) * random.standard_normal((*color.shape[:2], 1), np.float32)
    bent = np.linspace(-1, 1, size[0], dtype=np.float32) * np.float32(random.normal(0, 0.03))
    color *= (bent + np.float32(1 + random.normal(0, 0.05)))[None, :, None] * alpha
    under = image[place]
    under *= 1 - alpha
    under += color
    owner[place][alpha[..., 0] > 0.5] = number


def _photograph(image: Image, random: Random, on_cards: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Returns a picture as a camera takes it in the light of a room."""
    rows, columns = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32) / SIDE_PX - 0.5
    slope = random.normal(0, 0.13, 2).astype(np.float32)
    light = np.float32(np.exp(random.normal(-0.08, 0.2))) * np.exp(slope[0] * columns + slope[1] * rows)
    image *= light[..., None] * np.exp(random.normal(0, 0.06, 3)).astype(np.float32)
    if random.random() < 0.4:
        gray = image.mean(2, keepdims=True)
        image = gray + (image - gray) * float(random.uniform(0.65, 1.15))
    if random.random() < 0.35:
        at = random.uniform(-0.6, 0.6, 2).astype(np.float32)
        wide = float(random.uniform(0.08, 0.35))
        glare = np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / (2 * wide**2))
        gloss = np.where(on_cards, np.float32(random.uniform(0.2, 1.0)), np.float32(random.uniform(0, 1.0)))
        image += (glare * gloss * np.float32(random.uniform(20, 120)))[..., None]
    if random.random() < 0.3:
        shade = smooth_noise(random, SIDE_PX, (4, 4))
        image *= (1 - 0.35 * (shade > float(random.uniform(0.2, 1.2))).astype(np.float32))[..., None]
    blur = np.exp(random.normal(-0.25, 0.45, 2))
    image = cv2.GaussianBlur(image, (0, 0), float(max(blur[0], 0.2)), sigmaY=float(max(blur[1], 0.2)))
    coarse = float(random.uniform(0.5, 1.0))
    size = round(SIDE_PX * coarse), round(SIDE_PX * coarse * float(random.uniform(0.7, 1.0)))
    small: Image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    small = small + np.float32(random.uniform(0.5, 7)) * random.standard_normal(small.shape, np.float32)
    small = np.clip(small, 0, 255).astype(np.uint8)
    if random.random() < 0.8:
        quality = int(random.integers(45, 96))
        small = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, quality))[1], cv2.IMREAD_COLOR)
        )
    return np.asarray(cv2.resize(small, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR))


class SceneSource:
    """An endless source of scenes: a few of each design, then another design."""

    def __init__(self, designs: Sequence[Design], scenes_each: int = 10) -> None:
        self._designs, self._each = designs, scenes_each
        self._design, self._left = designs[0], 0

    def next_scene(self, random: Random) -> Scene:
        """Returns one more scene."""
        if not self._left:
            self._design, self._left = self._designs[int(random.integers(0, len(self._designs)))], self._each
        self._left -= 1
        return draw_scene(random, self._design)
