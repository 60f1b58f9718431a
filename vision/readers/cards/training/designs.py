"""Invented decks: each design draws its own faces and back, by its fonts, layout and inks.

A reader that has learned from many of them reads an unknown deck. Faces are drawn upright; both index corners are
equal, so that a card looks the same from both ends of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from companion.core.pieces import WHEEL
from vision.readers.cards.deck import CARD_MM, LETTERS, NUMBER_CARDS, RANKS
from vision.readers.cards.training.fonts import font_of
from vision.readers.cards.training.inks import Ink, draw_inks, lightness, pale
from vision.readers.cards.training.numberless_faces import draw_back, draw_special, draw_wheel
from vision.readers.cards.training.packs import FACES, draw_pack

PX_PER_MM = 3.0
SIZE_PX = round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM)
BACK, FOREIGN = -1, -2
"""The further faces of `Design.face`: a back, and a card of a standard pack."""
PRINTED_INKS: tuple[Ink, ...] = (
    (222, 38, 41), (230, 92, 46), (240, 138, 43), (245, 178, 46), (247, 224, 56), (163, 201, 64),
    (41, 153, 74), (33, 153, 158), (38, 89, 191), (84, 71, 173), (130, 61, 163), (189, 51, 115),
)  # fmt: skip
"""The inks of the deck that `companion print deck` makes, in the order of the wheel."""
_PRINTED = 0.08
"""The share of designs that are printings of that deck."""
_SUIT_FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
_HELVETICA = ("LiberationSans-Bold", "NimbusSans-Bold", "Arimo-Bold", "FreeSansBold", "DejaVuSans-Bold")
_WHITE: Ink = (252, 252, 250)
_BLACK: Ink = (22, 22, 26)


class Design(Struct, frozen=True):
    """A printing of the deck."""

    inks: tuple[Ink, ...]
    ground: str
    """The place of the color: "full", "frame", "dark", "band" or "plain"."""
    halves: str
    """The print of a secondary color: "mixed", or its two primaries "across", "slanted" or "beside" each other."""
    border_mm: float
    """The width in millimeters of the white edge around the face."""
    paper: Ink
    dark: Ink
    index_font: Path
    index_mm: float
    """The height in millimeters of the index's digits."""
    index_at_mm: tuple[float, float]
    """The middle of the index's number in millimeters."""
    below: str
    """The sign under the number of the index: "letters", "swatch", "dot" or none."""
    below_mm: float
    middle_font: Path
    middle_mm: float
    """The height in millimeters of the middle number; 0 if there is none."""
    underlined: bool
    outlined: bool
    named: bool
    """True if the color's name is on the card."""
    lines: int
    """The kind of ornaments."""
    four: bool
    """True if all four corners have an index."""
    seed: int

    def face(self, card: int) -> NDArray[np.uint8]:
        """Returns (H, W, 3) uint8 BGR: a card of the deck by its number, `BACK` or `FOREIGN`."""
        random = np.random.default_rng([self.seed, card + 5])
        image = Image.new("RGB", SIZE_PX, self.paper)
        draw = ImageDraw.Draw(image)
        if card == BACK:
            draw_back(image, np.random.default_rng(self.seed), self.inks)
        elif card == FOREIGN:
            pack = draw_pack(random, [self.index_font], [_SUIT_FONT])
            return pack.face(int(random.integers(0, FACES)))
        elif card >= NUMBER_CARDS:
            index = self.index_font, self.index_mm, self.index_at_mm
            draw_special(image, np.random.default_rng(self.seed), card - NUMBER_CARDS, self.inks, index, self.paper)
        else:
            self._number_card(image, draw, *divmod(card, RANKS))
        return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])

    def _number_card(self, image: Image.Image, draw: ImageDraw.ImageDraw, color: int, place: int) -> None:
        rank = place + 1
        parts = self._parts(color)
        b = self.border_mm
        if self.ground in ("full", "plain"):
            self._two(image, (b, b, CARD_MM[0] - b, CARD_MM[1] - b), parts)
        elif self.ground == "dark":
            draw.rectangle(_px(b, b, CARD_MM[0] - b, CARD_MM[1] - b), fill=self.dark)
        elif self.ground == "frame":
            self._frame(image, parts)
        else:
            top = 26.0 if self.lines % 2 else 52.0
            self._two(image, (b, top, CARD_MM[0] - b, top + 18), parts)
        self._ornament(image, draw, color, parts)
        ground = self._ground_at(parts)
        if self.middle_mm and not (self.ground == "dark" and self.lines % 3 == 0):
            self._middle(draw, rank, self._middle_ink(parts, ground))
        if self.named:
            font = font_of(self.middle_font, round(3.0 * PX_PER_MM))
            text = WHEEL[color].upper() if self.lines % 2 else WHEEL[color]
            y = 62.0 if self.ground != "band" else 76.0
            draw.text(_at(CARD_MM[0] / 2, y), text, fill=_against(ground[1]), font=font, anchor="mm")
        index = self._index(rank, color, parts, ground[0])
        self._paste(image, index, (0, 0))
        turned = self._index(rank, color, parts, ground[1]).transpose(Image.Transpose.ROTATE_180)
        self._paste(image, turned, (SIZE_PX[0] - turned.width, SIZE_PX[1] - turned.height))
        if self.four:
            self._paste(image, index, (SIZE_PX[0] - index.width, 0))
            self._paste(image, turned, (0, SIZE_PX[1] - turned.height))

    def _parts(self, color: int) -> tuple[Ink, Ink]:
        """Returns the two inks of a color; equal if it has one."""
        if color % 2 == 0 or self.halves == "mixed":
            return self.inks[color], self.inks[color]
        one, other = self.inks[color - 1], self.inks[(color + 1) % 12]
        return (one, other) if self.seed % 2 else (other, one)

    def _two(self, image: Image.Image, box: tuple[float, float, float, float], parts: tuple[Ink, Ink]) -> None:
        x0, y0, x1, y1 = box
        draw = ImageDraw.Draw(image)
        draw.rectangle(_px(*box), fill=parts[0])
        if parts[0] == parts[1]:
            return
        if self.halves == "beside":
            draw.rectangle(_px((x0 + x1) / 2, y0, x1, y1), fill=parts[1])
        elif self.halves == "slanted":
            draw.polygon([_at(x1, y0), _at(x1, y1), _at(x0, y1)], fill=parts[1])
        else:
            draw.rectangle(_px(x0, (y0 + y1) / 2, x1, y1), fill=parts[1])

    def _frame(self, image: Image.Image, parts: tuple[Ink, Ink]) -> None:
        inner = Image.new("RGB", SIZE_PX, self.paper)
        gap, wide = self.border_mm + 1.0, 0.8 + self.index_mm / 6
        self._two(inner, (gap, gap, CARD_MM[0] - gap, CARD_MM[1] - gap), parts)
        inside = gap + wide
        box = _px(inside, inside, CARD_MM[0] - inside, CARD_MM[1] - inside)
        radius = 2.0 * PX_PER_MM if self.lines % 2 else 0.0
        ImageDraw.Draw(inner).rounded_rectangle(box, radius, fill=self.paper)
        mask = Image.new("L", SIZE_PX, 0)
        outer = _px(gap, gap, CARD_MM[0] - gap, CARD_MM[1] - gap)
        ImageDraw.Draw(mask).rounded_rectangle(outer, radius, fill=255)
        image.paste(inner, (0, 0), mask)

    def _ground_at(self, parts: tuple[Ink, Ink]) -> tuple[Ink, Ink]:
        """Returns the inks under the first and the second index."""
        if self.ground in ("full", "plain"):
            return parts
        return (self.dark, self.dark) if self.ground == "dark" else (self.paper, self.paper)

    def _middle_ink(self, parts: tuple[Ink, Ink], ground: tuple[Ink, Ink]) -> Ink:
        if self.ground in ("frame", "band"):
            mixed = [round((a + b) / 2) for a, b in zip(*parts, strict=True)]
            return (mixed[0], mixed[1], mixed[2]) if self.ground == "frame" or self.seed % 3 else _BLACK
        if self.ground == "dark":
            return _WHITE if self.seed % 2 else parts[0]
        return _WHITE if self.outlined or self.seed % 3 else _against(ground[0])

    def _middle(self, draw: ImageDraw.ImageDraw, rank: int, ink: Ink) -> None:
        font = font_of(self.middle_font, round(self.middle_mm * 1.38 * PX_PER_MM))
        x, y = CARD_MM[0] / 2, CARD_MM[1] / 2
        stroke = round(0.5 * PX_PER_MM) if self.outlined else 0
        draw.text(_at(x, y), str(rank), fill=ink, font=font, anchor="mm", stroke_width=stroke, stroke_fill=_BLACK)
        if self.underlined and rank in (6, 9):
            low, wide = y + self.middle_mm * 0.68, self.middle_mm * 0.38
            draw.rectangle(_px(x - wide, low, x + wide, low + max(0.8, self.middle_mm * 0.08)), fill=ink)

    def _ornament(self, image: Image.Image, draw: ImageDraw.ImageDraw, color: int, parts: tuple[Ink, Ink]) -> None:
        middle = CARD_MM[0] / 2, CARD_MM[1] / 2
        if self.ground == "dark":
            draw_wheel(image, middle, 20.0, 11.0, self.inks, (color,), parts, self.dark, 0.0)
        elif self.ground == "frame" and self.lines % 2 == 0:
            for y in (18.0, 70.0):
                draw.rectangle(_px(middle[0] - 9, y, middle[0] + 9, y + 0.8), fill=parts[y > 50])
        elif self.ground == "full" and self.lines % 4 == 1:
            draw.ellipse(_px(middle[0] - 20, middle[1] - 26, middle[0] + 20, middle[1] + 26), outline=_WHITE, width=3)
        elif self.ground == "full" and self.lines % 4 == 2:
            box = _px(5.5, 5.5, CARD_MM[0] - 5.5, CARD_MM[1] - 5.5)
            draw.rounded_rectangle(box, 6, outline=pale(parts[0], 0.5), width=2)

    def _index(self, rank: int, color: int, parts: tuple[Ink, Ink], ground: Ink) -> Image.Image:
        """Returns (H, W) RGBA: the corner with the number and the sign under it."""
        image = Image.new("RGBA", (round(24 * PX_PER_MM), round(32 * PX_PER_MM)), (0, 0, 0, 0))
        draw = ImageDraw.Draw(image)
        x, y = self.index_at_mm
        ink = _against(ground)
        if self.ground in ("frame", "band") and self.lines % 5 < 3:
            mixed = [round((a + b) / 2) for a, b in zip(*parts, strict=True)]
            ink = (mixed[0], mixed[1], mixed[2])
        font = font_of(self.index_font, round(self.index_mm * 1.38 * PX_PER_MM))
        draw.text(_at(x, y), str(rank), fill=ink, font=font, anchor="mm")
        low = y + self.index_mm * 0.62
        if self.underlined and rank in (6, 9):
            wide = self.index_mm * 0.4
            draw.rectangle(_px(x - wide, low, x + wide, low + max(0.45, self.index_mm * 0.09)), fill=ink)
        low += 0.6 + self.index_mm * 0.15
        if self.below == "letters":
            small = font_of(self.index_font, max(4, round(self.below_mm * 1.38 * PX_PER_MM)))
            draw.text(_at(x, low + self.below_mm / 2), LETTERS[color], fill=ink, font=small, anchor="mm")
        elif self.below in ("swatch", "dot"):
            w, h = self.below_mm * 1.3, self.below_mm
            for k, part in enumerate(parts):
                left = x - w / 2 + k * w / 2
                box = _px(left, low, left + w / 2, low + h)
                if self.below == "swatch":
                    draw.rectangle(box, fill=part)
                else:
                    draw.pieslice(_px(x - h / 2, low, x + h / 2, low + h), 90 + 180 * k, 270 + 180 * k, fill=part)
        return image

    @staticmethod
    def _paste(image: Image.Image, part: Image.Image, at: tuple[int, int]) -> None:
        image.paste(part, at, part)


def draw_design(random: np.random.Generator, fonts: Sequence[Path]) -> Design:
    """Returns a random design."""
    if random.random() < _PRINTED:
        return _printed_design(random, fonts)
    ground = str(random.choice(["full", "frame", "dark", "band", "plain"], p=[0.36, 0.28, 0.14, 0.08, 0.14]))
    halves = str(random.choice(["mixed", "across", "slanted", "beside"], p=[0.5, 0.17, 0.17, 0.16]))
    index_mm = float(random.uniform(4.0, 8.5))
    border = 0.0 if random.random() < 0.45 else float(random.uniform(1.2, 4.5))
    below = str(random.choice(["letters", "swatch", "dot", ""], p=[0.42, 0.26, 0.14, 0.18]))
    if ground in ("full", "dark") and below == "" and random.random() < 0.5:
        below = "letters"
    if ground == "plain":
        below = "" if random.random() < 0.8 else "letters"
    if ground == "frame" and below == "":
        below = "swatch"
    inset = border + float(random.uniform(0.5, 2.5)) + (2.0 if ground == "frame" else 0.0)
    at = inset + index_mm * float(random.uniform(0.62, 0.95)), inset + index_mm * 0.55
    shade = int(random.integers(14, 60))
    cream = int(random.integers(0, 24))
    upright = [font for font in fonts if not any(part in font.stem for part in ("Italic", "Oblique", "It-", "talic"))]
    chosen = upright if random.random() < 0.8 and upright else fonts
    fonts_two = [chosen[int(k)] for k in random.integers(0, len(chosen), 2)]
    same = random.random() < 0.7
    middle = 0.0 if ground == "plain" and random.random() < 0.7 else float(random.uniform(13, 27))
    return Design(
        inks=draw_inks(random),
        ground=ground,
        halves=halves,
        border_mm=border,
        paper=(254 - cream // 3, 253 - cream // 2, 252 - cream),
        dark=(shade, shade + int(random.integers(-6, 7)), shade + int(random.integers(-6, 20))),
        index_font=fonts_two[0],
        index_mm=index_mm,
        index_at_mm=at,
        below=below,
        below_mm=float(random.uniform(2.4, 4.5)),
        middle_font=fonts_two[0] if same else fonts_two[1],
        middle_mm=middle,
        underlined=bool(random.random() < 0.7) and ground != "plain",
        outlined=bool(random.random() < 0.5),
        named=bool(random.random() < 0.45) and ground != "plain",
        lines=int(random.integers(0, 60)),
        four=bool(random.random() < 0.06),
        seed=int(random.integers(0, 2**31)),
    )


def _printed_design(random: np.random.Generator, fonts: Sequence[Path]) -> Design:
    """Returns the deck that `companion print deck` makes, in the inks of a random printer."""
    tint = random.normal(0, 7, 3)
    inks = [np.clip(np.array(ink) + tint + random.normal(0, 6, 3), 0, 255) for ink in PRINTED_INKS]
    bold = [font for font in fonts if font.stem in _HELVETICA] or list(fonts)
    font = bold[int(random.integers(0, len(bold)))]
    return Design(
        inks=tuple((round(r), round(g), round(b)) for r, g, b in inks),
        ground="full",
        halves="mixed",
        border_mm=3.0,
        paper=_WHITE,
        dark=_BLACK,
        index_font=font,
        index_mm=8.0,
        index_at_mm=(11.0, 10.5),
        below="letters",
        below_mm=4.2,
        middle_font=font,
        middle_mm=22.0,
        underlined=True,
        outlined=False,
        named=False,
        lines=0,
        four=False,
        seed=3 * int(random.integers(0, 2**29)),
    )


def _against(ground: Ink) -> Ink:
    """Returns an ink that is legible on a ground."""
    return _BLACK if lightness(ground) > 0.56 else _WHITE


def _px(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    return x0 * PX_PER_MM, y0 * PX_PER_MM, x1 * PX_PER_MM, y1 * PX_PER_MM


def _at(x: float, y: float) -> tuple[float, float]:
    return x * PX_PER_MM, y * PX_PER_MM
