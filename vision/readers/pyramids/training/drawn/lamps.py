"""Random lamps and skies: a set of directions or points that light comes from, each with its color."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]


class RoomLights(NamedTuple):
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


class LightSource(NamedTuple):
    """A window or lamp that shines on the middle of the table."""

    center_mm: Floats
    """(3,)"""
    side: Floats
    """(3,) unit vector along its width."""
    rise: Floats
    """(3,) unit vector along its height."""
    size_mm: tuple[float, float]
    """Half its width and half its height."""
    tint: Floats
    """(3,) B, G, R."""
    share: float
    """Of the light on the middle of the table."""
    distance_mm: float
    slope: float
    """Cosine of the angle at which its light falls there, at least 0.15."""


class Room(NamedTuple):
    """All light there is."""

    sources: tuple[LightSource, ...]
    share: float
    """Of the light on the table that comes from the room itself."""


_KINDS = ("window", "ceiling", "desk")


def random_room(middle_mm: Floats, random: np.random.Generator) -> Room:
    """One or two windows or lamps, and the room's own light."""
    kinds = random.choice(_KINDS, size=random.choice([1, 2], p=[0.65, 0.35]), p=[0.45, 0.3, 0.25])
    room = random.uniform(0.15, 0.55)
    shares = random.dirichlet(np.full(len(kinds), 3.0)) * (1 - room)
    sources = []
    for kind, share in zip(kinds, shares, strict=True):
        bearing = random.uniform(0, 2 * math.pi)
        if kind == "window":
            height, away, size = random.uniform(500, 1300), random.uniform(900, 2000), (500.0, 400.0)
            warm = random.uniform(-0.18, 0.12)
        elif kind == "ceiling":
            height, away, size = random.uniform(1300, 1900), random.uniform(0, 900), (160.0, 160.0)
            warm = random.uniform(-0.05, 0.45)
        else:
            height, away, size = random.uniform(320, 600), random.uniform(250, 550), (45.0, 45.0)
            warm = random.uniform(0.0, 0.4)
        center = middle_mm + np.array([away * math.cos(bearing), away * math.sin(bearing), height])
        distance = float(np.linalg.norm(center - middle_mm))
        facing = (middle_mm - center) / distance
        side = np.cross(facing, [0, 0, 1.0])
        side = side / max(np.linalg.norm(side), 1e-6) if np.linalg.norm(side) > 1e-3 else np.array([1.0, 0, 0])
        tint = np.exp(np.array([-warm, 0.0, warm * 0.8]))
        slope = max(-float(facing[2]), 0.15)
        sources.append(
            LightSource(center, np.asarray(side), np.cross(side, facing), size, tint, float(share), distance, slope)
        )
    return Room(tuple(sources), float(room))


def random_lamps(middle_mm: Floats, random: np.random.Generator) -> RoomLights:
    """A random room as points that light comes from."""
    sources, room = random_room(middle_mm, random)
    places, power, reach, sharp = [], [], [], []
    samples = 12
    for one in sources:
        grid = (np.arange(samples) + random.random(samples)) / samples
        other = (random.permutation(samples) + random.random(samples)) / samples
        wide, tall = one.size_mm
        for u, v in zip(grid, other, strict=True):
            places.append(one.center_mm + one.side * wide * (u - 0.5) * 2 + one.rise * tall * (v - 0.5) * 2)
            power.append(one.tint * one.share / samples / one.slope)
            reach.append(one.distance_mm)
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
    return RoomLights(np.array(places), np.array(power), np.array(reach), np.array(sharp))
