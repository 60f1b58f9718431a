"""Invented standard packs: aces to kings of four suits, and jokers, in many fonts and styles; none is of this deck."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.training.fonts import font_of
from vision.readers.cards.training.inks import Ink

_PX = 3.0
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS = "♠♥♦♣"
_PROBE_PX = 30
_JOKER = 52
FACES = 54
_COLUMNS = 0.3, 0.5, 0.7
_ROWS = {"top": 0.17, "upper": 0.39, "third": 0.34, "middle": 0.5, "quarter": 0.28}
_PIPS: dict[int, tuple[tuple[int, str], ...]] = {
    1: ((1, "middle"),),
    2: ((1, "top"),),
    3: ((1, "top"), (1, "middle")),
    4: ((0, "top"), (2, "top")),
    5: ((0, "top"), (2, "top"), (1, "middle")),
    6: ((0, "top"), (2, "top"), (0, "middle"), (2, "middle")),
    7: ((0, "top"), (2, "top"), (0, "middle"), (2, "middle"), (1, "third")),
    8: ((0, "top"), (2, "top"), (0, "middle"), (2, "middle"), (1, "third")),
    9: ((0, "top"), (2, "top"), (0, "upper"), (2, "upper"), (1, "middle")),
    10: ((0, "top"), (2, "top"), (0, "upper"), (2, "upper"), (1, "quarter")),
}
"""The column and the row of each pip in the upper half; those above the middle have a partner in the lower half, but
for that in the seven's.
"""


class StandardPack(Struct, frozen=True):
    """A printing of a standard pack."""

    index_font: Path
    suit_font: Path
    index_mm: float
    at_mm: tuple[float, float]
    pip_mm: float
    paper: Ink
    inks: tuple[Ink, Ink, Ink, Ink]
    """The inks of spades, hearts, diamonds and clubs."""
    dyes: tuple[Ink, ...]
    """The inks of courts and jokers."""
    framed: bool
    four: bool
    """True if all four corners have an index."""
    seed: int

    def face(self, number: int) -> NDArray[np.uint8]:
        """Returns (H, W, 3) uint8 BGR: one of the `FACES` cards."""
        size = round(CARD_MM[0] * _PX), round(CARD_MM[1] * _PX)
        image = Image.new("RGB", size, self.paper)
        suit, rank = divmod(number, 13)
        if number >= _JOKER:
            suit, rank = (0, 1)[number % 2], 12
        random = np.random.default_rng([self.seed, number])
        if rank >= 10:
            self._court(image, random, suit, joker=number >= _JOKER)
        else:
            self._pips(image, suit, rank + 1)
        self._indices(image, suit, "JOKER" if number >= _JOKER else _RANKS[rank])
        return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])

    def _pips(self, image: Image.Image, suit: int, rank: int) -> None:
        width, height = image.size
        pip = self._suit(suit, self.pip_mm * (1.9 if rank == 1 else 1.0))
        turned = pip.transpose(Image.Transpose.ROTATE_180)
        for column, row in _PIPS[rank]:
            x, y = width * _COLUMNS[column], height * _ROWS[row]
            _paste(image, pip, x, y)
            if row != "middle" and not (rank == 7 and row == "third"):
                _paste(image, turned, x, height - y)

    def _court(self, image: Image.Image, random: np.random.Generator, suit: int, *, joker: bool) -> None:
        width, height = image.size
        left, top = round(width * random.uniform(0.17, 0.24)), round(height * random.uniform(0.08, 0.14))
        half = Image.new("RGB", (width - 2 * left, height // 2 - top), self.paper)
        draw = ImageDraw.Draw(half)
        for _ in range(int(random.integers(14, 40))):
            x, y = random.uniform(-0.1, 0.95) * half.width, random.uniform(0.0, 0.95) * half.height
            w, h = random.uniform(0.05, 0.5) * half.width, random.uniform(0.04, 0.4) * half.height
            dye = self.dyes[int(random.integers(0, len(self.dyes)))]
            kind = int(random.integers(0, 4))
            if kind == 0:
                draw.ellipse((x, y, x + w, y + h), fill=dye, outline=self.inks[0])
            elif kind == 1:
                draw.polygon([(x, y), (x + w, y + h / 3), (x + w / 2, y + h)], fill=dye, outline=self.inks[0])
            elif kind == 2:
                draw.line((x, y, x + w, y + h), fill=dye, width=int(random.integers(1, 5)))
            else:
                draw.rectangle((x, y, x + w, y + h), fill=dye, outline=self.inks[0])
        if not joker:
            _paste(half, self._suit(suit, self.pip_mm), half.width * 0.18, half.height * 0.16)
        image.paste(half, (left, top))
        image.paste(half.transpose(Image.Transpose.ROTATE_180), (left, height - top - half.height))
        if self.framed:
            ImageDraw.Draw(image).rectangle((left, top, width - left, height - top), outline=self.inks[0], width=2)

    def _indices(self, image: Image.Image, suit: int, text: str) -> None:
        corner = Image.new("RGBA", (round(16 * _PX), round(44 * _PX)), (0, 0, 0, 0))
        draw, (x, y) = ImageDraw.Draw(corner), self.at_mm
        ink = self.inks[suit]
        if text == "JOKER":
            font = font_of(self.index_font, round(self.index_mm * 0.8 * _PX))
            for k, letter in enumerate(text):
                draw.text((x * _PX, (y + 0.85 * k * self.index_mm) * _PX), letter, fill=ink, font=font, anchor="mm")
        else:
            font = font_of(self.index_font, round(self.index_mm * 1.38 * _PX))
            draw.text((x * _PX, y * _PX), text, fill=ink, font=font, anchor="mm")
            _paste(corner, self._suit(suit, self.index_mm * 0.9), x * _PX, (y + self.index_mm * 1.15) * _PX)
        turned = corner.transpose(Image.Transpose.ROTATE_180)
        image.paste(corner, (0, 0), corner)
        image.paste(turned, (image.width - corner.width, image.height - corner.height), turned)
        if self.four:
            image.paste(corner, (image.width - corner.width, 0), corner)
            image.paste(turned, (0, image.height - corner.height), turned)

    def _suit(self, suit: int, high_mm: float) -> Image.Image:
        """Returns the sign of a suit, as high as asked."""
        font = font_of(self.suit_font, 120)
        box = font.getbbox(_SUITS[suit])
        sign = Image.new("RGBA", (round(box[2] - box[0]), round(box[3] - box[1])), (*self.inks[suit], 0))
        ImageDraw.Draw(sign).text((-box[0], -box[1]), _SUITS[suit], fill=self.inks[suit], font=font)
        high = max(3, round(high_mm * _PX))
        return sign.resize((max(2, round(sign.width * high / sign.height)), high), Image.Resampling.BOX)


def draw_pack(random: np.random.Generator, fonts: Sequence[Path], suits: Sequence[Path]) -> StandardPack:
    """Returns a random printing, with digits and signs of suits from these fonts."""
    black, red = _near(random, (24, 24, 30), 14), _near(random, (200, 28, 40), 24)
    four = random.random() < 0.12
    inks = (
        (black, red, _near(random, (40, 80, 190), 24), _near(random, (20, 130, 60), 24))
        if four
        else (black, red, red, black)
    )
    bases: tuple[Ink, ...] = (
        (205, 40, 45),
        (235, 195, 60),
        (45, 70, 150),
        (25, 25, 30),
        (250, 250, 250),
        (60, 140, 90),
    )
    if random.random() < 0.2:
        bases = (black, red, (250, 250, 250))
    index_mm = float(random.uniform(4.0, 9.0) if random.random() < 0.8 else random.uniform(9.0, 14.0))
    cream = int(random.integers(0, 22))
    inset = float(random.uniform(1.2, 3.5))
    return StandardPack(
        index_font=fonts[int(random.integers(0, len(fonts)))],
        suit_font=suits[int(random.integers(0, len(suits)))],
        index_mm=index_mm,
        at_mm=(inset + 0.45 * index_mm + 0.8, inset + 0.55 * index_mm),
        pip_mm=float(random.uniform(8.0, 15.0)),
        paper=(254 - cream // 3, 253 - cream // 2, 252 - cream),
        inks=inks,
        dyes=tuple(_near(random, base, 18) for base in bases),
        framed=bool(random.random() < 0.75),
        four=bool(random.random() < 0.15),
        seed=int(random.integers(0, 2**31)),
    )


def suit_fonts(fonts: Sequence[Path]) -> list[Path]:
    """Returns those fonts that have the signs of all four suits."""
    found = []
    for path in fonts:
        font = ImageFont.truetype(str(path), _PROBE_PX)
        signs = [font.getmask(sign) for sign in (*_SUITS, "\uffff")]
        if len({bytes(sign) for sign in signs}) == len(signs) and all(sign.getbbox() for sign in signs[:-1]):
            found.append(path)
    return found


def _near(random: np.random.Generator, ink: Ink, spread: float) -> Ink:
    r, g, b = (round(float(np.clip(level + random.normal(0, spread), 0, 255))) for level in ink)
    return r, g, b


def _paste(image: Image.Image, part: Image.Image, x: float, y: float) -> None:
    """Pastes a part with its middle at a place."""
    image.paste(part, (round(x - part.width / 2), round(y - part.height / 2)), part)
