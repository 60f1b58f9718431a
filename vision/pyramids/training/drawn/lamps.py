"""Random lamps and skies: a set of directions or points that light comes from, each with its color."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]


class Lamps(NamedTuple):
    """Point lights that stand for windows, lamps and the room."""

    places_mm: Floats
    """(L, 3) in table space."""
    power: Floats
    """(L, 3) B, G, R, such that a flat white sheet below at the reference distance gets about 1 in all."""
    reach_mm: Floats
    """(L,) distance at which `power` holds; light falls off with the square."""
    sharp: NDArray[np.bool_]
    """(L,) a lamp or window that plastic can mirror; the room is not."""

    def irradiance(self, points_mm: Floats, lamp: int) -> Floats:
        """(N, 3) of unshadowed light on level places (N, 3)."""
        away = self.places_mm[lamp] - points_mm
        distance = np.linalg.norm(away, axis=-1)
        fall = (self.reach_mm[lamp] / distance) ** 2 * np.maximum(away[..., 2] / distance, 0)
        return np.asarray(fall[..., None] * self.power[lamp])


def random_lamps(middle_mm: Floats, random: np.random.Generator) -> Lamps:
    """One or two windows or lamps, and the room's own light."""
    places, power, reach, sharp = [], [], [], []
    kinds = random.choice(
        ["window", "ceiling", "desk"], size=random.choice([1, 2], p=[0.65, 0.35]), p=[0.45, 0.3, 0.25]
    )
    room = random.uniform(0.15, 0.55)
    shares = random.dirichlet(np.full(len(kinds), 3.0)) * (1 - room)
    for kind, share in zip(kinds, shares, strict=True):
        bearing = random.uniform(0, 2 * math.pi)
        if kind == "window":
            height, away, wide, tall = random.uniform(500, 1300), random.uniform(900, 2000), 500.0, 400.0
            warm = random.uniform(-0.18, 0.12)
        elif kind == "ceiling":
            height, away, wide, tall = random.uniform(1300, 1900), random.uniform(0, 900), 160.0, 160.0
            warm = random.uniform(-0.05, 0.45)
        else:
            height, away, wide, tall = random.uniform(320, 600), random.uniform(250, 550), 45.0, 45.0
            warm = random.uniform(0.0, 0.4)
        center = middle_mm + np.array([away * math.cos(bearing), away * math.sin(bearing), height])
        facing = (middle_mm - center) / np.linalg.norm(middle_mm - center)
        side = np.cross(facing, [0, 0, 1.0])
        side = side / max(np.linalg.norm(side), 1e-6) if np.linalg.norm(side) > 1e-3 else np.array([1.0, 0, 0])
        rise = np.cross(side, facing)
        samples = 12
        grid = (np.arange(samples) + random.random(samples)) / samples
        other = (random.permutation(samples) + random.random(samples)) / samples
        tint = np.exp(np.array([-warm, 0.0, warm * 0.8]))
        distance = float(np.linalg.norm(center - middle_mm))
        slope = max(-facing[2], 0.15)
        for u, v in zip(grid, other, strict=True):
            places.append(center + side * wide * (u - 0.5) * 2 + rise * tall * (v - 0.5) * 2)
            power.append(tint * share / samples / slope)
            reach.append(distance)
            sharp.append(True)
    tint = np.exp(random.normal(0, 0.06, 3))
    for k in range(10):
        bearing, rise_angle = 2 * math.pi * (k + random.random()) / 10, math.asin(math.sqrt(random.uniform(0.15, 1.0)))
        direction = np.array(
            [math.cos(rise_angle) * math.cos(bearing), math.cos(rise_angle) * math.sin(bearing), math.sin(rise_angle)]
        )
        places.append(middle_mm + direction * 6000)
        power.append(tint * room / 10 / max(direction[2], 0.2))
        reach.append(6000.0)
        sharp.append(False)
    return Lamps(np.array(places), np.array(power), np.array(reach), np.array(sharp))
