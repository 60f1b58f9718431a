"""Table tops by sampling, in families: one family is left out of a fit and judges it.

A family is a way to make a surface, not a list of surfaces: scales, angles, numbers of inks and inks themselves are
drawn anew each time, in half of the tables from the colors of the pieces.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.pyramids.training.drawn.plastic import measured_dyes
from vision.readers.pyramids.training.drawn.surface import smooth_noise, turned

Floats = NDArray[Any]
Random = np.random.Generator
Inks = Callable[[], Floats]

_REACTION = 0.0545, 0.062
"""Feed and kill rates at which Gray and Scott's reaction makes labyrinths."""
_REACTION_SIDE, _REACTION_STEPS = 160, 2500
_LETTERS = "abcdefghiklmnoprstuvwxyzABCDEFGHKLMNPRSTUW0123456789"


def inks_of(random: Random) -> Inks:
    """A source of inks, linear (3,) B, G, R: colors of the pieces for half of all tables, else any dye."""
    if random.random() < 0.5:
        own, share = measured_dyes()
        pieces = own + share * 0.5
        return lambda: np.asarray(pieces[random.integers(len(pieces))] * np.exp(random.normal(0, 0.15, 3)), np.float32)

    def dye() -> Floats:
        saturation = random.uniform(0.3, 0.95) if random.random() < 0.7 else random.uniform(0, 0.3)
        code = np.array(colorsys.hsv_to_rgb(random.random(), saturation, random.uniform(0.12, 0.95))[::-1])
        return np.asarray(code**2.2, np.float32)

    return dye


def pale(random: Random) -> Floats:
    """(3,) what most cloths are printed on."""
    return np.asarray(random.uniform(0.4, 0.85) * np.exp(random.normal(0, 0.05, 3)), np.float32)


def gingham(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Equal bands of one ink across each other on a pale ground."""
    side = int(random.uniform(8, 60))
    ys, xs = np.arange(height) // side % 2, np.arange(width) // side % 2
    share = ((ys[:, None] + xs) / 2)[..., None]
    return np.asarray(pale(random) * (1 - share) + inks() * share, np.float32)


def tartan(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Broad and narrow bands of many inks, the same both ways, woven as a twill."""
    sett: list[Floats] = []
    colors = [inks() for _ in range(int(random.integers(3, 6)))]
    for _ in range(int(random.integers(5, 10))):
        band = int(random.uniform(2, 10) if random.random() < 0.5 else random.uniform(10, 60))
        sett += [colors[int(random.integers(len(colors)))]] * band
    repeat = np.concatenate([sett, sett[::-1]])
    ys, xs = np.arange(height) % len(repeat), np.arange(width) % len(repeat)
    twill = ((np.arange(height)[:, None] + np.arange(width)) // 2 % 2)[..., None]
    mean = (repeat[ys][:, None] + repeat[xs]) / 2
    return np.asarray(mean + (repeat[xs] - mean) * random.uniform(0, 0.5) * (2 * twill - 1), np.float32)


def floral(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Flowers, leaves and tendrils from random splines, in rows or strewn about."""
    surface = np.ascontiguousarray(
        np.broadcast_to(pale(random) if random.random() < 0.7 else inks(), (height, width, 3))
    )
    surface = surface.astype(np.float32)
    colors, step = [inks() for _ in range(int(random.integers(3, 6)))], random.uniform(50, 150)
    size, jitter = step * random.uniform(0.3, 0.6), random.uniform(0, 0.5) * step
    for y in np.arange(0, height, step):
        for x in np.arange(0, width, step):
            at = np.array([x, y]) + random.uniform(-1, 1, 2) * jitter
            tendril = at + np.cumsum(random.normal(0, size * 0.4, (5, 2)), axis=0)
            cv2.polylines(surface, [_bent(tendril, False)], False, colors[0].tolist(), 2, cv2.LINE_AA, 4)
            for k in range(int(random.integers(2, 5))):
                _petals(surface, tendril[k], size * 0.4, 2, colors[1 % len(colors)], random)
            _petals(surface, at, size, int(random.integers(4, 9)), colors[int(random.integers(2, len(colors)))], random)
            cv2.circle(surface, (int(at[0]), int(at[1])), max(2, int(size * 0.2)), colors[-1].tolist(), -1, cv2.LINE_AA)
    return surface


def _petals(surface: Floats, at: Floats, size: float, count: int, ink: Floats, random: Random) -> None:
    """Closed splines around a middle, in place."""
    angles = np.linspace(0, 2 * np.pi, 2 * count, endpoint=False) + random.uniform(0, 6)
    reach = (
        size * np.where(np.arange(2 * count) % 2, 1.0, random.uniform(0.3, 0.7)) * random.uniform(0.8, 1.2, 2 * count)
    )
    outline = at + np.column_stack([np.cos(angles), np.sin(angles)]) * reach[:, None]
    cv2.fillPoly(surface, [_bent(outline, True)], ink.tolist(), cv2.LINE_AA, 4)


def _bent(points: Floats, closed: bool) -> NDArray[np.int32]:
    """A smooth curve near points (N, 2), in sixteenths of pixels: their corners are cut three times."""
    for _ in range(3):
        after = np.roll(points, -1, axis=0) if closed else points[1:]
        before = points if closed else points[:-1]
        points = np.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], axis=1).reshape(-1, 2)
    return np.round(points * 16).astype(np.int32)


def bamboo(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Slats side by side, each of a slightly other tone, with dark gaps and threads across."""
    base = pale(random) * np.array([0.45, 0.75, 1.0]) * random.uniform(0.5, 1.0)
    slat, gap = int(random.uniform(6, 24)), int(random.uniform(1, 4))
    tones = np.exp(random.normal(0, random.uniform(0.05, 0.25), height // slat + 1))
    row = np.repeat(tones, slat)[:height] * np.where(np.arange(height) % slat < gap, random.uniform(0.15, 0.5), 1.0)
    grain = np.exp(0.08 * smooth_noise(height, width, 1.0, 50.0, random))
    surface = np.asarray(base * (row[:, None] * grain)[..., None], np.float32)
    thread, step = inks(), int(random.uniform(60, 300))
    for x in range(step // 2, width, step):
        surface[:, x : x + 3] = thread
    return surface


def granite(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Fractal noise of several minerals, from specks to clouds."""
    surface = np.broadcast_to(pale(random) * random.uniform(0.2, 1.0), (height, width, 3)).astype(np.float32)
    for _ in range(int(random.integers(2, 5))):
        scale, spread = random.uniform(1.5, 10), random.uniform(0.3, 1.0)
        noise = sum(smooth_noise(height, width, scale * 2**k, scale * 2**k, random) * spread**k for k in range(3))
        share = np.clip((noise - random.uniform(0.8, 1.6)) * 3, 0, 1)[..., None]
        ink = inks() if random.random() < 0.3 else random.uniform(0.02, 0.9) * np.exp(random.normal(0, 0.08, 3))
        surface = surface * (1 - share) + np.asarray(ink, np.float32) * share
    return np.asarray(surface, np.float32)


def play_rug(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Large fields of strong colors with roads between them, lines on the roads, houses and trees."""
    fields = _voronoi(height, width, int(random.integers(8, 25)), random)
    colors = np.stack([inks() for _ in range(int(fields.max()) + 1)])
    surface = colors[fields].astype(np.float32)
    road, line = inks() * 0.4, pale(random)
    for _ in range(int(random.integers(3, 7))):
        way = _bent(random.uniform(-0.1, 1.1, (5, 2)) * (width, height), False)
        thick = int(random.uniform(30, 90))
        cv2.polylines(surface, [way], False, road.tolist(), thick, cv2.LINE_AA, 4)
        for k in range(0, len(way) - 1, 2):
            cv2.polylines(surface, [way[k : k + 2]], False, line.tolist(), 3, cv2.LINE_AA, 4)
    for _ in range(int(random.integers(20, 60))):
        at, size = random.uniform(0, 1, 2) * (width, height), random.uniform(8, 40)
        corners = int(random.integers(3, 7))
        angles = np.arange(corners) * 2 * np.pi / corners + random.uniform(0, 6)
        shape = at + np.column_stack([np.cos(angles), np.sin(angles)]) * size
        cv2.fillConvexPoly(surface, np.round(shape).astype(np.int32), inks().tolist(), cv2.LINE_AA)
    return surface


def mosaic(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Cells of Voronoi's kind: terrazzo, pebbles, broken tiles with joints."""
    cells = _voronoi(height, width, int(random.uniform(200, 3000)), random)
    colors = np.stack([pale(random), *(inks() for _ in range(int(random.integers(2, 6))))])
    surface = colors[random.integers(0, len(colors), int(cells.max()) + 1)[cells]].astype(np.float32)
    if random.random() < 0.6:
        edge = cv2.morphologyEx(cells.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        surface[edge] = pale(random)
    return surface


def _voronoi(height: int, width: int, count: int, random: Random) -> NDArray[np.int32]:
    """(height, width) the number of the nearest of some random points."""
    far = np.full((height, width), 255, np.uint8)
    points = (random.uniform(0, 1, (count, 2)) * (height, width)).astype(int)
    far[points[:, 0], points[:, 1]] = 0
    _, labels = cv2.distanceTransformWithLabels(far, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    return np.asarray(labels, np.int32)


def labyrinth(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """A reaction that spreads by diffusion: labyrinths and spots of two inks."""
    u, v = np.ones((_REACTION_SIDE, _REACTION_SIDE), np.float32), np.zeros((_REACTION_SIDE, _REACTION_SIDE), np.float32)
    for y, x in random.integers(0, _REACTION_SIDE - 8, (60, 2)).tolist():
        v[y : y + 8, x : x + 8] = 0.5
    feed, kill = _REACTION[0] * random.uniform(0.6, 1.05), _REACTION[1]
    around = np.array([[0.05, 0.2, 0.05], [0.2, -1, 0.2], [0.05, 0.2, 0.05]], np.float32)
    for _ in range(_REACTION_STEPS):
        reaction = u * v * v
        u += cv2.filter2D(u, -1, around, borderType=cv2.BORDER_REFLECT) - reaction + feed * (1 - u)
        v += 0.5 * cv2.filter2D(v, -1, around, borderType=cv2.BORDER_REFLECT) + reaction - (feed + kill) * v
    scale = random.uniform(1.2, 5)
    large = cv2.resize(v, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    wide = cv2.copyMakeBorder(
        large, 0, max(0, height - len(large)), 0, max(0, width - large.shape[1]), cv2.BORDER_REFLECT
    )[:height, :width]
    share = np.clip((wide - np.median(wide)) * 12 + 0.5, 0, 1)[..., None]
    return np.asarray((pale(random) if random.random() < 0.5 else inks()) * (1 - share) + inks() * share, np.float32)


def bricks(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Rows of bricks or boards, shifted against each other, each of its own tone."""
    tall, wide, joint = int(random.uniform(14, 60)), int(random.uniform(30, 160)), int(random.uniform(1, 5))
    ys, xs = np.mgrid[0:height, 0:width]
    row = ys // tall
    column = (xs + row * wide // 2) // wide
    colors = np.stack([inks() for _ in range(int(random.integers(1, 4)))])
    tones = np.exp(random.normal(0, 0.2, 4096))
    number = (row * 977 + column * 131) % 4096
    surface = colors[number % len(colors)] * tones[number][..., None]
    surface[(ys % tall < joint) | ((xs + row * wide // 2) % wide < joint)] = pale(random)
    return np.asarray(surface, np.float32)


def basket(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Strands that go over and under each other."""
    side = int(random.uniform(6, 36))
    ys, xs = np.mgrid[0:height, 0:width]
    over = (ys // side + xs // side) % 2
    along = np.where(over, ys % side, xs % side) / side
    shade = (0.45 + 0.55 * np.sin(np.pi * along))[..., None]
    one, other = inks(), pale(random) if random.random() < 0.5 else inks()
    return np.asarray(np.where(over[..., None] > 0, one, other) * shade, np.float32)


def print_in_lines(height: int, width: int, random: Random, inks: Inks) -> Floats:
    """Lines of text of several sizes, with pictures between them: a newspaper, a poster."""
    surface = np.broadcast_to(pale(random), (height, width, 3)).astype(np.float32)
    surface = np.ascontiguousarray(surface)
    y = 0
    while y < height:
        scale = random.uniform(0.35, 0.8) if random.random() < 0.8 else random.uniform(1.2, 3.5)
        ink = inks() if random.random() < 0.3 else np.full(3, 0.03)
        y += int(scale * 30) + 2
        if random.random() < 0.1:
            x, side = int(random.uniform(0, width)), int(random.uniform(30, 160))
            cv2.rectangle(surface, (x, y), (x + side, y + side // 2), inks().tolist(), -1)
        text = "".join(random.choice(list(_LETTERS + "    "), 120))
        thick = max(1, round(scale * 1.5))
        letters = np.zeros((min(int(scale * 40) + 2, height), width), np.uint8)
        cv2.putText(letters, text, (0, int(scale * 28)), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
        line = surface[max(y - int(scale * 28), 0) :][: len(letters)]
        share = letters[: len(line), :, None].astype(np.float32) / 255
        line += (ink - line) * share
    return surface


FAMILIES: dict[str, Callable[[int, int, Random, Inks], Floats]] = {
    "gingham": gingham,
    "tartan": tartan,
    "floral": floral,
    "bamboo": bamboo,
    "granite": granite,
    "play rug": play_rug,
    "mosaic": mosaic,
    "labyrinth": labyrinth,
    "bricks": bricks,
    "basket": basket,
    "print": print_in_lines,
}


def surface_of(family: str, height: int, width: int, random: Random) -> Floats:
    """A surface of a family, woven or rough, laid at some angle."""
    surface = FAMILIES[family](height, width, random, inks_of(random))
    weave = smooth_noise(height, width, 1.0, random.uniform(1, 12), random)
    surface = surface * np.exp(random.uniform(0.0, 0.12) * weave)[..., None]
    angle = random.choice([0.0, 90.0]) + random.normal(0, 8) if random.random() < 0.6 else random.uniform(-90, 90)
    return turned(surface.astype(np.float32), angle)
