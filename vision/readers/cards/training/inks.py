"""Twelve inks of a printed deck: six primaries, and between each two of them one mixed ink."""

from __future__ import annotations

import colorsys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.cards.inks import undiluted

Ink = tuple[int, int, int]
"""R, G, B levels."""

_HUES = (354.0, 26.0, 51.0, 140.0, 217.0, 279.0)
"""The usual hues of red, orange, yellow, green, blue and purple in degrees."""
_SPREAD = (7.0, 6.0, 5.0, 17.0, 13.0, 13.0)
_FULL = (0.85, 0.9, 0.87, 0.75, 0.8, 0.65)
_BRIGHT = (0.83, 0.93, 0.94, 0.58, 0.74, 0.6)


def draw_inks(random: np.random.Generator) -> tuple[Ink, ...]:
    """Returns the inks of one printing, in the order of the wheel."""
    full = float(random.normal(0, 0.05))
    bright = float(random.normal(0, 0.06))
    hues = [hue + float(random.uniform(-1, 1)) * wide for hue, wide in zip(_HUES, _SPREAD, strict=True)]
    plain = [
        (
            hues[i],
            float(np.clip(_FULL[i] + full + random.normal(0, 0.06), 0.4, 1.0)),
            float(np.clip(_BRIGHT[i] + bright + random.normal(0, 0.05), 0.3, 1.0)),
        )
        for i in range(6)
    ]
    inks = []
    for i in range(6):
        one, other = plain[i], plain[(i + 1) % 6]
        share = float(random.uniform(0.38, 0.62))
        away = (other[0] - one[0]) % 360
        full_mixed = float(np.clip((one[1] + other[1]) / 2 + random.normal(0, 0.06), 0.4, 1.0))
        bright_mixed = float(np.clip((one[2] + other[2]) / 2 + random.normal(0, 0.05), 0.3, 1.0))
        inks.append(_levels(*one))
        inks.append(_levels(one[0] + away * share, full_mixed, bright_mixed))
    return tuple(inks)


def pale(ink: Ink, share: float, ground: Ink = (255, 255, 255)) -> Ink:
    """Returns an ink so thin that `share` of the ground shows."""
    mixed = [round(a * (1 - share) + b * share) for a, b in zip(ink, ground, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def lightness(ink: Ink) -> float:
    """Returns the apparent lightness of an ink, 0 to 1."""
    weights: NDArray[np.float64] = np.array([0.3, 0.59, 0.11])
    return float(weights @ np.array(ink)) / 255


def fit_inks(random: np.random.Generator, path: Path, decks: int = 3000) -> None:
    """Writes the looks of twelve inks in CIELAB over many printings and lights: means (12, 3), spread (36, 36)."""
    seen: list[list[NDArray[np.float32]]] = [[] for _ in range(12)]
    for _ in range(decks):
        inks = np.array(draw_inks(random), np.float32)[:, ::-1] / 255
        light = np.exp(random.normal(-0.1, 0.22) + random.normal(0, 0.07, 3)).astype(np.float32)
        haze = np.float32(max(0.0, random.normal(0.0, 0.05)))
        levels = np.clip(inks * light ** np.float32(0.45) * (1 - haze) + haze, 0, 1)
        lab = cv2.cvtColor(undiluted(levels).astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0]
        for color in range(12):
            seen[color].append(lab[color])
    means = np.array([np.mean(one, axis=0) for one in seen], np.float32)
    together = np.cov(np.stack(seen, axis=1).reshape(decks, -1).T).astype(np.float32)
    np.savez_compressed(path, means=means, together=together)


def _levels(hue_deg: float, full: float, bright: float) -> Ink:
    r, g, b = colorsys.hsv_to_rgb(hue_deg % 360 / 360, full, bright)
    return round(r * 255), round(g * 255), round(b * 255)
