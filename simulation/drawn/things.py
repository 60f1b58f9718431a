"""Draws things that lie on tables beside a game: a mug, a phone, a printed sheet, a pencil, a cloth bag."""

from __future__ import annotations

from random import Random

import numpy as np
from msgspec import Struct

from companion.core.plan import Mat
from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas

THINGS = ("mug", "phone", "sheet", "pencil", "bag")
_REACH_MM = {"mug": 60.0, "phone": 85.0, "sheet": 135.0, "pencil": 95.0, "bag": 70.0}
"""Half of the longest side of each thing."""


class Thing(Struct, frozen=True):
    """A thing beside the mat; x and y are its middle on the table."""

    name: str
    x_mm: float
    y_mm: float
    heading_deg: float
    color: tuple[float, float, float] = (0.3, 0.3, 0.3)
    """The linear reflectance, B, G, R, of things that may have any color."""


def random_thing(rng: Random, mat: Mat, name: str | None = None) -> Thing:
    """Returns a thing beside the mat; a mug is never on the lower side, where it would stand before the camera."""
    name = name or rng.choice(THINGS)
    reach = _REACH_MM[name]
    side = rng.choice((0, 1, 3)) if name == "mug" else rng.randrange(4)
    out = reach * rng.uniform(0.95, 1.4)
    along = rng.random()
    x, y = (
        (along * mat.width_mm, -out),
        (mat.width_mm + out, along * mat.height_mm),
        (along * mat.width_mm, mat.height_mm + out),
        (-out, along * mat.height_mm),
    )[side]
    color = tuple(rng.uniform(0.02, 0.75) for _ in range(3))
    return Thing(name, x, y, rng.uniform(0, 360), (color[0], color[1], color[2]))


def draw_thing(canvas: Canvas, thing: Thing) -> None:
    """Draws one thing and its shadow."""
    {"mug": _mug, "phone": _phone, "sheet": _sheet, "pencil": _pencil, "bag": _bag}[thing.name](canvas, thing)


def _placed(thing: Thing, points: Floats) -> Floats:
    """Returns points (N, 3) of the thing's own space in table space."""
    turn = np.radians(thing.heading_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    x, y, z = np.asarray(points, dtype=np.float64).T
    return np.column_stack([thing.x_mm + x * cos + y * sin, thing.y_mm - x * sin + y * cos, z])


def _slab(half_x: float, half_y: float, z: float) -> Floats:
    return np.array([(-half_x, -half_y, z), (half_x, -half_y, z), (half_x, half_y, z), (-half_x, half_y, z)])


def _ring(radius: float, z: float, lobes: float = 0.0) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    out = radius * (1 + lobes * np.cos(9 * angles))
    return np.column_stack([out * np.cos(angles), out * np.sin(angles), np.full(48, z)])


def _mug(canvas: Canvas, thing: Thing) -> None:
    body = np.concatenate([_placed(thing, _ring(38, 0)), _placed(thing, _ring(41, 92))])
    handle = _placed(thing, np.add(np.concatenate([_slab(10, 6, 25), _slab(10, 6, 75)]), (50, 0, 0)))
    canvas.darken(canvas.shadow(body))
    canvas.fill_hull(handle, thing.color, 0.8)
    canvas.fill_hull(body, thing.color, 0.85)
    canvas.fill(_placed(thing, _ring(41, 92)), thing.color, 1.1)
    canvas.fill(_placed(thing, _ring(37, 90)), thing.color, 0.45)
    canvas.fill(_placed(thing, _ring(36, 80)), (0.012, 0.022, 0.05))


def _phone(canvas: Canvas, thing: Thing) -> None:
    canvas.darken(canvas.shadow(_placed(thing, _slab(37, 77, 9))))
    canvas.fill_hull(_placed(thing, np.concatenate([_slab(37, 77, 0), _slab(37, 77, 9)])), (0.2, 0.2, 0.2))
    canvas.fill(_placed(thing, _slab(36, 76, 9)), (0.02, 0.016, 0.016))


def _sheet(canvas: Canvas, thing: Thing) -> None:
    canvas.fill(_placed(thing, _slab(74, 105, 0.2)), (0.83, 0.84, 0.84))
    for row in range(28):
        y = -85 + 6.2 * row
        half = 58 if row % 6 else 40
        canvas.stroke(_placed(thing, np.array([(-58, y, 0.2), (-58 + 2 * half, y, 0.2)])), 1.6, (0.09, 0.09, 0.09))


def _pencil(canvas: Canvas, thing: Thing) -> None:
    shaft = np.concatenate([_slab(80, 3.5, 0), _slab(80, 3.0, 7)])
    canvas.darken(canvas.shadow(_placed(thing, shaft)))
    canvas.fill_hull(_placed(thing, shaft), thing.color)
    tip = np.array([(80, -3.5, 3), (80, 3.5, 3), (97, 0, 3), (80, 0, 7)])
    canvas.fill_hull(_placed(thing, tip), (0.25, 0.45, 0.65))


def _bag(canvas: Canvas, thing: Thing) -> None:
    levels = [(62 * (1 - level**2 / 20) * (1 - 0.02 * level), 9.0 * level) for level in range(5)]
    canvas.darken(canvas.shadow(np.concatenate([_placed(thing, _ring(radius, z)) for radius, z in levels])))
    for step, (radius, z) in enumerate(levels):
        canvas.fill(_placed(thing, _ring(radius, z, 0.05)), thing.color, 0.5 + 0.13 * step)
