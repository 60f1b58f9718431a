"""Draws rows of ink for training: numbers and letters in many fonts, blurred like camera pictures. Needs PyTorch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from torch import nn

from vision.readers.cards.deck import RANKS
from vision.readers.cards.glyphs import CORNER_MM, INK_MEAN, PX_PER_MM, TEXTS, cut_corner
from vision.readers.cards.training.fonts import font_of
from vision.readers.pyramids.training.learning import block, keep

Random = np.random.Generator
Floats = NDArray[Any]

_OTHERS = ("A", "J", "K", "Q", "DS", "PH", "<PH", "PH>", "SC", "D", "RD", "13", "0", "<", "+", "S", "MB", "BO", "88")
_FRAGMENT, _WHOLE = 0.35, 0.55
"""Rows that overlap less than this with the print are fragments without meaning; those between the two bounds are left
out.
"""
_ALIKE = ("1", "6", "8", "9", "10", "O", "B", "11")
"""Texts that are valid upside down."""
_JOINED = 96
_RATE = 3e-3


def draw_row(random: Random, fonts: Sequence[Path]) -> tuple[Floats, int] | None:
    """Returns a row of ink as `vision.readers.cards.glyphs` cuts it, and its index in `TEXTS`; None if it was not
    found.
    """
    size = round(CORNER_MM[0] * PX_PER_MM), round(CORNER_MM[1] * PX_PER_MM)
    ground = random.integers(0, 256, 3)
    ink = random.integers(0, 256, 3)
    if np.abs(ground - ink).sum() < 190:
        ink = np.where(ground > 128, ground - 120, ground + 120)
    image = Image.new("RGB", size, tuple(int(v) for v in ground))
    draw = ImageDraw.Draw(image)
    others = random.random() < 0.12
    text = str(random.choice(_OTHERS)) if others else TEXTS[int(random.integers(0, len(TEXTS)))]
    font_path = fonts[int(random.integers(0, len(fonts)))]
    high = float(random.uniform(2.6, 8.0))
    font = font_of(font_path, max(8, round(high * 1.38 * PX_PER_MM)))
    x, y = (
        (float(random.uniform(2.5, 6.0)) + high * 0.6) * PX_PER_MM,
        (float(random.uniform(2.0, 5.0)) + high / 2) * PX_PER_MM,
    )
    tone = tuple(int(v) for v in ink)
    if len(text) == 2 and random.random() < 0.4:
        apart = font.getlength(text) * 0.25 * float(random.uniform(1.0, 1.6))
        for at, letter in ((x - apart, text[0]), (x + apart, text[1])):
            draw.text((at, y), letter, fill=tone, font=font, anchor="mm")
    else:
        apart = 0.0
        draw.text((x, y), text, fill=tone, font=font, anchor="mm")
    spot = np.array(draw.textbbox((x, y), text, font=font, anchor="mm"), float)
    if apart:
        more = apart - font.getlength(text) * 0.25
        spot += (-more, 0, more, 0)
    if text in ("6", "9") and random.random() < 0.6:
        low, wide = y + high * PX_PER_MM * 0.64, high * PX_PER_MM * 0.35
        draw.rectangle((x - wide, low, x + wide, low + max(2.0, high * 0.4)), fill=tone)
    if random.random() < 0.15:
        text, others = "", True
        image.paste(tuple(int(v) for v in ground), (0, 0, *size))
        box = (x - high * 2.2, y - high * 1.5, x + high * 2.2, y + high * 1.5)
        draw.rectangle(box, fill=tone) if random.random() < 0.6 else draw.ellipse(box, fill=tone)
    under = _draw_under(draw, random, font_path, (x, y + high * PX_PER_MM * 0.5), tone) if not others else None
    _draw_edges(draw, random, size)
    if random.random() < 0.12 and text not in _ALIKE and not others:
        image, others, under = image.transpose(Image.Transpose.ROTATE_180), True, None
    picture: Floats = np.asarray(image).astype(np.float32)
    coarse = float(random.uniform(0.26, 0.7))
    turn = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), float(random.normal(0, 2.5)), 1.0)
    picture = cv2.warpAffine(picture, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    small: Floats = cv2.resize(
        picture, None, fx=coarse, fy=coarse * float(random.uniform(0.75, 1.0)), interpolation=cv2.INTER_AREA
    )
    small = cv2.GaussianBlur(small, (0, 0), float(random.uniform(0.3, 0.8)))
    small += random.normal(0, float(random.uniform(0.5, 6)), small.shape).astype(np.float32)
    picture = cv2.resize(np.clip(small, 0, 255), size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    corner = cut_corner(picture, np.ones(picture.shape[:2], np.float32))
    if corner is None or not corner.rows:
        return None
    at = int(random.integers(0, len(corner.rows)))
    number, below = corner.rows[at]
    if others:
        return number, len(TEXTS)
    whole = _overlap(corner.spans[at], spot)
    if whole < _FRAGMENT:
        return number, len(TEXTS)
    if whole < _WHOLE:
        return None
    if under is not None and below is not None and random.random() < 0.4:
        return below, under
    return number, TEXTS.index(text)


def _overlap(one: Floats, other: Floats) -> float:
    """Returns the share of two boxes' common bounding box that both cover."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    common = float(np.prod(np.maximum(high - low, 0)))
    return common / (float(np.prod(one[2:] - one[:2])) + float(np.prod(other[2:] - other[:2])) - common + 1e-6)


def _draw_under(
    draw: ImageDraw.ImageDraw, random: Random, font_path: Path, foot: tuple[float, float], tone: tuple[int, ...]
) -> int | None:
    """Draws letters or a swatch under a number; returns the index in `TEXTS` of the letters, or that of "none of
    them".
    """
    kind = random.random()
    if kind < 0.25:
        return None
    high = float(random.uniform(2.2, 4.5))
    top = foot[1] + float(random.uniform(0.8, 2.2)) * PX_PER_MM
    if kind < 0.45:
        wide = high * 0.7 * PX_PER_MM
        box = (foot[0] - wide, top, foot[0] + wide, top + high * PX_PER_MM)
        color = tuple(int(v) for v in random.integers(0, 256, 3))
        draw.rectangle(box, fill=color) if random.random() < 0.6 else draw.ellipse(box, fill=color)
        return len(TEXTS)
    text = int(random.integers(RANKS, len(TEXTS)))
    font = font_of(font_path, max(6, round(high * 1.38 * PX_PER_MM)))
    draw.text((foot[0], top + high / 2 * PX_PER_MM), TEXTS[text], fill=tone, font=font, anchor="mm")
    return text


def _draw_edges(draw: ImageDraw.ImageDraw, random: Random, size: tuple[int, int]) -> None:
    """Draws the card's edge, and sometimes a frame along it."""
    at = float(random.uniform(0.0, 1.4)) * PX_PER_MM
    color = tuple(int(v) for v in random.integers(0, 256, 3))
    wide = float(random.uniform(0.3, 1.4)) * PX_PER_MM
    if random.random() < 0.7:
        draw.rectangle((0, 0, at + wide, size[1]), fill=color)
        draw.rectangle((0, 0, size[0], at + wide), fill=color)


class LetteringNet(nn.Module):
    """A net from rows (B, 1, 24, 36) to scores (B, texts + 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            block(1, 24), nn.MaxPool2d(2), block(24, 48), nn.MaxPool2d(2), block(48, 64), nn.MaxPool2d(2),
            nn.Conv2d(64, _JOINED, (3, 4), bias=False), nn.BatchNorm2d(_JOINED), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.drop = nn.Dropout(0.2)
        self.head = nn.Conv2d(_JOINED, len(TEXTS) + 1, 1)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.features(rows))).flatten(1)


def fit_lettering(fonts: Sequence[Path], count: int, seconds: float, seed: int, path: Path) -> str:
    """Fits on rows of most fonts, writes the weights, and returns the figures for rows of the other fonts."""
    random = np.random.default_rng(seed)
    apart = list(fonts[::7])
    known = [font for font in fonts if font not in apart]
    sets = []
    for some, many in ((known, count), (apart, count // 12)):
        rows = [row for _ in range(many) if (row := draw_row(random, some)) is not None]
        sets.append((torch.from_numpy(np.stack([row for row, _ in rows])), torch.tensor([text for _, text in rows])))
    (rows_in, texts_in), (rows_out, texts_out) = sets
    torch.manual_seed(seed)
    net = LetteringNet()
    adam = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=0.02)
    start = time.process_time()
    while (done := (time.process_time() - start) / seconds) < 1:
        for group in adam.param_groups:
            group["lr"] = _RATE * (1 - done) + 1e-5
        some_rows = torch.randint(0, len(rows_in), (128,))
        shift = torch.roll(rows_in[some_rows], (int(random.integers(-1, 2)), int(random.integers(-1, 2))), (1, 2))
        adam.zero_grad()
        nn.functional.cross_entropy(
            net(shift[:, None] - INK_MEAN), texts_in[some_rows], label_smoothing=0.02
        ).backward()
        adam.step()
    net.eval()
    keep(net, path, torch.zeros(2, 1, *rows_in.shape[1:]), {"rows": {0: "n"}, "answers": {0: "n"}})
    with torch.no_grad():
        right = float((net(rows_out[:, None] - INK_MEAN).argmax(1) == texts_out).float().mean())
    return f"lettering: {right:.4f} of {len(rows_out)} rows in {len(apart)} fonts that were left out"
