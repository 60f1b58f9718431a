"""Draws faces without a number: special cards and backs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from vision.readers.cards.deck import CARD_MM, LETTERS, SPECIALS, SWAPS
from vision.readers.cards.training.fonts import font_of
from vision.readers.cards.training.inks import Ink, lightness, pale

_PX = 3.0
_BLACK: Ink = (24, 24, 28)
_WHITE: Ink = (250, 250, 250)
_SHORT = {
    "swap cards": ("SC", "S", "SWAP", "SWC"),
    "draw": ("D", "DR", "DRAW", "+", "+1"),
    "reverse draw": ("RD", "REV", "<>", "RVD"),
    "deck swap": ("DS", "DK", "DSW"),
    "pass hand right": ("PH>", "PR>", ">", "PHR"),
    "pass hand left": ("<PH", "<PL", "<", "PHL"),
}
_WORDS = {
    "swap cards": (("SWAP", "CARDS"), ("SWAP CARDS",), ("Swap", "cards")),
    "draw": (("DRAW",), ("Draw",)),
    "reverse draw": (("REVERSE", "DRAW"), ("Reverse", "draw"), ("REVERSE DRAW",)),
    "deck swap": (("DECK", "SWAP"), ("Deck", "swap"), ("DECK SWAP",)),
    "pass hand right": (("PASS", "RIGHT"), ("PASS HAND", "RIGHT"), ("Pass hand", "right"), ("PASS", "HAND", "RIGHT")),
    "pass hand left": (("PASS", "LEFT"), ("PASS HAND", "LEFT"), ("Pass hand", "left"), ("PASS", "HAND", "LEFT")),
}


def draw_wheel(
    image: Image.Image,
    middle_mm: tuple[float, float],
    outer_mm: float,
    inner_mm: float,
    inks: Sequence[Ink],
    lit: Sequence[int],
    parts: tuple[Ink, Ink] | None,
    ground: Ink,
    turn_deg: float,
) -> None:
    """Draws a wheel of the twelve colors in which some are lit; `parts` are the two inks of the first of them."""
    draw = ImageDraw.Draw(image)
    x, y = middle_mm
    box = [(x - outer_mm) * _PX, (y - outer_mm) * _PX, (x + outer_mm) * _PX, (y + outer_mm) * _PX]
    for color in range(12):
        start = -90 - 15 + 30 * color + turn_deg
        if color not in lit:
            draw.pieslice(box, start, start + 30, fill=pale(inks[color], 0.75, ground))
        elif parts is None:
            draw.pieslice(box, start, start + 30, fill=inks[color])
        else:
            draw.pieslice(box, start, start + 15, fill=parts[0])
            draw.pieslice(box, start + 15, start + 30, fill=parts[1])
    box = [(x - inner_mm) * _PX, (y - inner_mm) * _PX, (x + inner_mm) * _PX, (y + inner_mm) * _PX]
    draw.ellipse(box, fill=ground)


def draw_special(
    image: Image.Image,
    random: np.random.Generator,
    kind: int,
    inks: Sequence[Ink],
    index: tuple[Path, float, tuple[float, float]],
    paper: Ink,
) -> None:
    """Draws a special card, in the same style for every kind of one deck."""
    draw = ImageDraw.Draw(image)
    style = int(random.integers(0, 1000))
    ground = paper if style % 4 else pale(_BLACK, 0.12 if style % 8 else 0.75)
    ink = _BLACK if lightness(ground) > 0.5 else _WHITE
    width, height = image.size
    border = float(random.choice([0.0, 2.0, 3.0])) * _PX
    draw.rectangle((border, border, width - border, height - border), fill=ground)
    if style % 3:
        gap = border + 3
        draw.rounded_rectangle((gap, gap, width - gap, height - gap), 6, outline=ink, width=2)
    middle = CARD_MM[0] / 2, float(random.choice([36.0, 40.0, 44.0]))
    outer = float(random.uniform(14, 21))
    inner = outer * float(random.uniform(0.4, 0.65))
    turn = 0.0 if random.random() < 0.8 else float(random.integers(0, 12)) * 30
    font = font_of(index[0], max(6, round(index[1] * 0.95 * _PX)))
    word_font = font_of(index[0], round(float(random.uniform(4.5, 8.0)) * _PX))
    low = (middle[1] + outer + 7) * _PX
    x, y = index[2][0] * _PX, index[2][1] * _PX
    choice = int(random.integers(0, 60))
    corner = Image.new("RGBA", (round(26 * _PX), round(32 * _PX)), (0, 0, 0, 0))
    pen = ImageDraw.Draw(corner)
    name = SPECIALS[kind]
    if kind < len(SWAPS):
        one, other = SWAPS[kind]
        draw_wheel(image, middle, outer, inner, inks, (one, other), None, ground, turn)
        _arrow(draw, middle, inner * 0.75, 30.0 * one - 90 + turn, ink, both=True)
        if choice % 3:
            draw.text((width / 2, low), "SWAP" if choice % 2 else "Swap", fill=ink, font=word_font, anchor="mm")
        step = index[1] * 1.25 * _PX
        pen.text((x, y), LETTERS[one], fill=ink, font=font, anchor="mm")
        pen.text((x, y + step), LETTERS[other], fill=ink, font=font, anchor="mm")
        pen.line((x - step * 0.5, y + step / 2, x + step * 0.5, y + step / 2), fill=ink, width=2)
    else:
        draw_wheel(image, middle, outer, inner, inks, range(12), None, ground, turn)
        short = _SHORT[name][choice % len(_SHORT[name])]
        words = _WORDS[name][choice % len(_WORDS[name])]
        for k, word in enumerate(words):
            draw.text((width / 2, low + (k - 0.3) * word_font.size * 1.1), word, fill=ink, font=word_font, anchor="mm")
        if name.startswith("pass"):
            _arrow(draw, middle, inner * 0.75, 0.0 if name.endswith("right") else 180.0, ink, both=False)
        size = font if len(short) < 4 else font_of(index[0], max(6, round(index[1] * 0.6 * _PX)))
        pen.text((max(x, size.getlength(short) / 2 + border + 6), y), short, fill=ink, font=size, anchor="mm")
    image.paste(corner, (0, 0), corner)
    turned = corner.transpose(Image.Transpose.ROTATE_180)
    image.paste(turned, (width - turned.width, height - turned.height), turned)


def draw_back(image: Image.Image, random: np.random.Generator, inks: Sequence[Ink]) -> None:
    """Draws a back: a pattern, with or without a white edge, sometimes with a wheel in its middle."""
    draw = ImageDraw.Draw(image)
    width, height = image.size
    border = 0.0 if random.random() < 0.2 else float(random.uniform(1.5, 5.0)) * _PX
    tone = inks[int(random.integers(0, 12))]
    if random.random() < 0.5:
        tone = pale(tone, float(random.uniform(0.3, 0.7)), _BLACK)
    if random.random() < 0.15:
        tone = pale(_BLACK, float(random.uniform(0.05, 0.6)))
    mark = pale(tone, float(random.uniform(0.15, 0.6)), _WHITE if random.random() < 0.7 else _BLACK)
    draw.rounded_rectangle((border, border, width - border, height - border), border, fill=tone)
    kind, step = int(random.integers(0, 6)), float(random.uniform(3, 9)) * _PX
    side = step * float(random.uniform(0.2, 0.45))
    for row in range(int(height / step) + 1):
        for column in range(int(width / step) + 1):
            x, y = (column + 0.5 * (row % 2)) * step, row * step
            if not (border + side < x < width - border - side and border + side < y < height - border - side):
                continue
            if kind == 0:
                draw.ellipse((x - side, y - side, x + side, y + side), fill=mark)
            elif kind == 1:
                draw.ellipse((x - side, y - side, x + side, y + side), outline=mark, width=2)
            elif kind == 2:
                draw.polygon([(x - side, y), (x, y - side), (x + side, y), (x, y + side)], fill=mark)
            elif kind == 3:
                draw.line((x - side, y - side, x + side, y + side), fill=mark, width=2)
            elif kind == 4:
                draw.line((x - side, y, x + side, y), fill=mark, width=2)
                draw.line((x, y - side, x, y + side), fill=mark, width=2)
    if random.random() < 0.5:
        middle = CARD_MM[0] / 2, CARD_MM[1] / 2
        outer = float(random.uniform(8, 18))
        if random.random() < 0.5:
            box = [(middle[0] - outer - 1.5) * _PX, (middle[1] - outer - 1.5) * _PX]
            draw.ellipse((*box, (middle[0] + outer + 1.5) * _PX, (middle[1] + outer + 1.5) * _PX), fill=_WHITE)
        ground = _WHITE if random.random() < 0.5 else tone
        draw_wheel(image, middle, outer, outer * float(random.uniform(0.3, 0.7)), inks, range(12), None, ground, 0.0)


def _arrow(
    draw: ImageDraw.ImageDraw,
    middle_mm: tuple[float, float],
    length_mm: float,
    turn_deg: float,
    ink: Ink,
    *,
    both: bool,
) -> None:
    along = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    across = np.array([-along[1], along[0]])
    middle = np.array(middle_mm)
    head, wide = 0.45 * length_mm, 0.35 * length_mm
    ends = (1, -1) if both else (1,)
    tail, tip = middle - along * length_mm * 0.8, middle + along * length_mm * 0.8
    draw.line([tuple(tail * _PX), tuple(tip * _PX)], fill=ink, width=4)
    for end in ends:
        top = middle + end * along * length_mm
        foot = top - end * along * head
        points = [top, foot + across * wide, foot - across * wide]
        draw.polygon([tuple(point * _PX) for point in points], fill=ink)
