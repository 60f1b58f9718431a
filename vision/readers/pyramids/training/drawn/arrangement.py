"""Random things on a table: trees and supplies, stalks, scattered, nested close together and lying pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import Mat
from vision.readers.pyramids.hypothesis import StackHypothesis

_SIZES = ("large", "medium", "small")
_EDGE_MM = 34.0


class Thing(Struct, frozen=True):
    """A stack or a lying piece with its colors, lowest first."""

    place: StackHypothesis
    colors: tuple[str, ...]


def colors_of(things: Sequence[Thing]) -> list[int]:
    """Numbers of the colors of all pieces, thing by thing, lowest first."""
    return [PYRAMID_COLORS.index(name) for thing in things for name in thing.colors]


FEW, CROWD = (8, 30), (40, 70)
"""Tries to place a thing: a game's table, and one that is as full as can be."""


def random_things(mat: Mat, random: np.random.Generator, tries: tuple[int, int] = FEW) -> tuple[Thing, ...]:
    """Things that keep a piece's width of distance, or touch."""
    scene = random.choice(["trees", "stalks", "scatter", "mixed"], p=[0.35, 0.2, 0.25, 0.2])
    palette = random.permutation(len(PYRAMID_COLORS))[: random.integers(2, 9)]
    things: list[Thing] = []
    for _ in range(int(random.integers(*tries))):
        kind = {"trees": "tree", "stalks": "stalk", "scatter": "lone"}.get(str(scene), "any")
        if kind == "any" or random.random() < 0.45:
            kind = str(random.choice(["tree", "stalk", "lone", "lone", "lying"]))
        shape = _shape(kind, palette, random)
        place = _place(shape[0], kind == "lying", things, mat, random)
        if place is not None:
            things.append(Thing(place, shape[1]))
    return tuple(things)


def _shape(kind: str, palette: np.ndarray, random: np.random.Generator) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sizes and colors, lowest first."""
    name = PYRAMID_COLORS[random.choice(palette)]
    if kind in ("lone", "lying"):
        return (str(random.choice(_SIZES)),), (name,)
    if kind == "tree":
        sizes = _SIZES[: random.choice([2, 3], p=[0.4, 0.6])] if random.random() < 0.9 else _SIZES[1:]
        if random.random() < 0.7:
            return sizes, (name,) * len(sizes)
        return sizes, tuple(PYRAMID_COLORS[random.choice(palette)] for _ in sizes)
    count = int(random.integers(2, 8))
    steps = sorted(random.integers(0, 3, count).tolist()) if random.random() < 0.5 else _descending(count, random)
    colors = [PYRAMID_COLORS[random.choice(palette)] for _ in steps]
    if random.random() < 0.25:
        colors = [name] * count
    return tuple(_SIZES[s] for s in steps), tuple(colors)


def _descending(count: int, random: np.random.Generator) -> list[int]:
    """Sizes that mostly repeat and seldom shrink."""
    size, found = int(random.choice([0, 0, 0, 1])), []
    for _ in range(count):
        found.append(size)
        if size < 2 and random.random() < 0.25:
            size += 1
    return found


def _place(
    sizes: tuple[str, ...], lies: bool, things: list[Thing], mat: Mat, random: np.random.Generator
) -> StackHypothesis | None:
    reach = {"large": 13.5, "medium": 10.5, "small": 7.6}
    for _ in range(25):
        if things and random.random() < 0.5:
            near = things[random.integers(len(things))].place
            angle, away = random.uniform(0, 2 * math.pi), random.uniform(15, 48)
            x, y = near.x_mm + away * math.cos(angle), near.y_mm + away * math.sin(angle)
        else:
            x = random.uniform(_EDGE_MM, mat.width_mm - _EDGE_MM)
            y = random.uniform(_EDGE_MM, mat.height_mm - _EDGE_MM)
        if not (14 < x < mat.width_mm - 14 and 14 < y < mat.height_mm - 14):
            continue
        if any(math.hypot(x - cx, y - cy) < 45 for cx, cy in mat.corners_mm()):
            continue
        turn = random.uniform(0, 360)
        if random.random() < 0.3 and not lies:
            turn = random.normal(0, 4) % 90
        own = StackHypothesis(float(x), float(y), float(turn), sizes, lies)
        spots = _spots(own, reach)
        if all(
            math.hypot(a[0] - b[0], a[1] - b[1]) > a[2] + b[2] + random.uniform(-1, 3)
            for other in things
            for a in spots
            for b in _spots(other.place, reach)
        ):
            return own
    return None


def _spots(place: StackHypothesis, reach: dict[str, float]) -> list[tuple[float, float, float]]:
    """Circles x, y, radius that a thing takes up."""
    radius = reach[place.sizes[0]]
    if not place.lies:
        return [(place.x_mm, place.y_mm, radius * 1.1)]
    turn, length = math.radians(place.turn_deg), radius * 3.4
    ahead = math.cos(turn), -math.sin(turn)
    return [
        (place.x_mm + ahead[0] * length * t, place.y_mm + ahead[1] * length * t, radius * (1.15 - 0.9 * t))
        for t in (0.0, 0.3, 0.6, 0.95)
    ]
