"""Finds cocked dice: things in a tray that are not flat dice, but have the faces of leaning ones.

A die that leans on the wall or on another die has no face on the level of top faces, so it is not among the candidates.
Where colors vary much and no die explains it, leaning dice are tried in many positions. One is listed only if several
faces are uniform and have colors that are neighbors on a die, or a face shows pips.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import WHEEL, Die
from vision.image.light import LINEAR
from vision.readers.dice.candidates import SOLIDS, DieCandidate, spots
from vision.readers.dice.faces import FLOOR, Face, levels_at, samples_of, spreads_of
from vision.readers.dice.naming import bounds_of_white, colorings
from vision.readers.dice.outline import DiePlace, busy_places
from vision.readers.dice.palette import LearnedDice
from vision.readers.dice.plane import Plane, marker_outline
from vision.readers.dice.solids import CUBE, Floats, Solid
from vision.registration.registered_image import RegisteredImage

_AT_MOST = 3
"""The largest number of places examined; a tray with more unexplained places does not hold dice."""
_FREE_MM = 13.0
"""The least distance in millimeters between the middles of a leaning die and a flat one."""
_TILTS_DEG = (14.0, 24.0, 34.0, 45.0)
_STEPS_MM = (-4.0, 0.0, 4.0)
_FACING = 0.3
_WORTH = 12
"""The number of positions, those with the most uniform faces, whose colors are compared."""
_LEAST_FIT = 3.0
"""The least mean log likelihood of the colors of a face."""
_MOST_SPREAD = 0.3
_BESIDE_MM = 6.0
"""The width in millimeters around a die in which its shadow lies."""
_PLAIN = 0.3
"""The least share of places of a disc that have a plain color if a die lies there."""
_APART_TINTS = 0.8
"""The least difference between neighboring colors of a die, in logarithms of their channels."""
_WHITE = 0.2
"""The share of white's light from which something may be white."""
_MOSTLY = 0.45
_HARDLY = 0.15
"""The least share of white places on a white die, and the largest around it."""
_BRIGHTER = 1.3
"""The factor by which a white die is brighter than its surroundings; a shadow on gray paper is not."""
_MORE_THAN_ONE = 1.5
"""The gain in log likelihood per face by which several colors must explain the faces better than a single one."""
_LEAST_FACES = 3
"""The least number of visible faces: one or two uniform patches may be anything."""
_SURE = 0.5
"""The largest confidence in the uppermost face; a cocked die does not count anyway."""


class Leaning(Struct, frozen=True):
    """A cocked die with its uppermost face."""

    die: Die
    candidate: DieCandidate
    probability: float


@cache
def _rotations(name: str) -> Floats:
    """Returns (positions, 3, 3): ways in which a solid may lean, as a turn and then a tilt to some side."""
    solid = next(one for one in SOLIDS if one.name == name)
    found = []
    for tilt in np.radians(_TILTS_DEG):
        for side in np.radians(np.arange(0.0, 360.0, 30.0)):
            axis = np.array([math.cos(side), math.sin(side), 0.0]) * tilt
            lean = np.asarray(cv2.Rodrigues(axis)[0])
            for yaw in np.radians(np.arange(0.0, solid.turn_deg, solid.turn_deg / 6)):
                found.append(lean @ np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, yaw]))[0]))
    return np.array(found)


def leaning_dice(
    table: RegisteredImage, plane: Plane, dice: Sequence[DieCandidate], numbers: LearnedDice
) -> list[Leaning]:
    """Returns cocked dice beside the flat ones."""
    found: list[Leaning] = []
    dark = spots(plane, light=False)
    for x, y in _unexplained(table, plane, dice)[:_AT_MOST]:
        tried = []
        if _many_colored(table, x, y):
            tried += [one for solid in SOLIDS if (one := _leaning(table, solid, x, y, numbers)) is not None]
        elif _white_with_pips(table, x, y, dark):
            tried.append(_leaning_white(x, y))
        if tried:
            best = max(tried, key=lambda one: one.probability)
            if all(_gap_mm(best.candidate.place, other.candidate.place) > _FREE_MM for other in found):
                found.append(best)
    return found


def _gap_mm(one: DiePlace, other: DiePlace) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _unexplained(table: RegisteredImage, plane: Plane, dice: Sequence[DieCandidate]) -> Floats:
    """Returns (N, 2): table places where colors vary much without a die or a marker, the busiest first."""
    small = plane.halved()
    shapes = [die.corners_mm() for die in dice]
    outlines = [table.pose.unproject(table.pose.project(shape), plane.z_mm) for shape in shapes]
    outlines += [marker_outline(table, number, plane.z_mm, 9.0) for number in range(4)]
    mask = np.zeros(small.tensor.shape[:2], np.uint8)
    for outline in outlines:
        pixels = small.pixels(outline).astype(np.float32).reshape(-1, 1, 2)
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(pixels)).astype(np.int32), (1.0,))
    reach = round(2 * _BESIDE_MM * small.scale) | 1
    free = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))) == 0
    places = busy_places(replace(small, tensor=small.tensor * free[..., None].astype(np.float32)))
    width, height = table.mat.width_mm, table.mat.height_mm
    inside = (places > 0).all(axis=1) & (places < (width, height)).all(axis=1)
    return np.asarray(places[inside])


def _lights(table: RegisteredImage, x: float, y: float, radii_mm: tuple[float, float]) -> Floats:
    """Returns (N, 3): light relative to white on a ring around a place, at half the height of a die."""
    steps = np.arange(-radii_mm[1], radii_mm[1] + 0.1, 1.5)
    ring = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    away = np.hypot(*ring.T)
    ring = ring[(away >= radii_mm[0]) & (away <= radii_mm[1])] + (x, y)
    levels = levels_at(table, np.column_stack([ring, np.full(len(ring), 9.0)]))
    return np.asarray(LINEAR[levels] / table.light.white(np.array([[x, y]]))[0])


def _many_colored(table: RegisteredImage, x: float, y: float) -> bool:
    """True if at least two plain colors lie close together at a place; wood, cloth and shadows have one."""
    lights = _lights(table, x, y, (0.0, 6.5))
    plain = (lights.max(axis=1) > 0.08) & (lights.min(axis=1) < 0.45 * lights.max(axis=1))
    if plain.mean() < _PLAIN:
        return False
    logs = np.log(lights[plain] + FLOOR)
    tints = logs - logs.mean(axis=1, keepdims=True)
    return bool(np.percentile(np.linalg.norm(tints - np.median(tints, axis=0), axis=1), 70) > _APART_TINTS)


def _white_with_pips(table: RegisteredImage, x: float, y: float, dark: Floats) -> bool:
    """True if a white thing no larger than a die, with at least one dark spot, lies at a place."""
    there, around = _lights(table, x, y, (0.0, 6.5)), _lights(table, x, y, (19.0, 22.0))
    if _white_share(there) < _MOSTLY or _white_share(around) > _HARDLY:
        return False
    if np.median(there.min(axis=1)) < _BRIGHTER * np.median(around.min(axis=1)):
        return False
    return bool(len(dark) and (np.hypot(*(dark - (x, y)).T) < 9.0).any())


def _white_share(lights: Floats) -> float:
    low, high = lights.min(axis=1), lights.max(axis=1)
    return float(((low > _WHITE) & (low > 0.7 * high)).mean())


def _leaning_white(x: float, y: float) -> Leaning:
    """Returns a leaning white die without its number."""
    candidate = DieCandidate(CUBE, DiePlace(x, y, 0.0, 0.0), (), None)
    return Leaning(Die("pips-d6", 1), candidate, 1 / 6)


def _leaning(table: RegisteredImage, solid: Solid, x: float, y: float, numbers: LearnedDice) -> Leaning | None:
    """Returns the best leaning position of a solid about a place, if any is good."""
    rotations = _rotations(solid.name)
    shifts = [(dx, dy) for dx in _STEPS_MM for dy in _STEPS_MM]
    spread, colors, facing, corners = (
        np.concatenate(part)
        for part in zip(*(_looked_at(table, solid, rotations, x + dx, y + dy) for dx, dy in shifts), strict=True)
    )
    weights = np.where(facing > _FACING, facing, 0.0)
    enough = (weights > 0).sum(axis=1) >= _LEAST_FACES
    uneven = np.where(enough, (spread * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-3), 1.0)
    ways = colorings(solid.name)
    best: tuple[float, int, int] | None = None
    for k in np.argsort(uneven)[:_WORTH]:
        if uneven[k] > _MOST_SPREAD:
            break
        total, way = _color_fit(table, (x, y), colors[k], weights[k], ways, numbers)
        if best is None or total - 4 * uneven[k] > best[0]:
            best = float(total - 4 * uneven[k]), int(k), way
    if best is None or best[0] < _LEAST_FIT - 4 * 0.15:
        return None
    _, k, way = best
    rotation = rotations[k % len(rotations)]
    up = int(np.argmax((solid.normals @ rotation.T)[:, 2]))
    kind = "spectrum-d6" if solid.sides == 4 else "spectrum-d12"
    middle = corners[k].mean(axis=0)
    place = DiePlace(float(middle[0]), float(middle[1]), 0.0, 0.0)
    candidate = DieCandidate(replace(solid, corners=corners[k] - (middle[0], middle[1], 0.0)), place, (), None)
    return Leaning(Die(kind, WHEEL[ways[way, up]]), candidate, _SURE * (1 - float(uneven[k])))


def _looked_at(
    table: RegisteredImage, solid: Solid, rotations: Floats, x: float, y: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Returns for each position: spread (P, faces), color (P, faces, 3), facing (P, faces) and corners (P, corners,
    3).
    """
    half = np.array([0.0, 0.0, solid.height_mm / 2])
    corners = (solid.corners - half) @ rotations.transpose(0, 2, 1)
    lift = np.column_stack([np.full(len(rotations), x), np.full(len(rotations), y), -corners[..., 2].min(axis=1)])
    grids = samples_of(solid)[:, ::2]
    points = (grids.reshape(-1, 3) - half) @ rotations.transpose(0, 2, 1) + lift[:, None]
    levels = levels_at(table, points.reshape(-1, 3)).reshape(len(rotations), *grids.shape)
    logs = np.log(LINEAR[levels] / table.light.white(np.array([[x, y]]))[0] + FLOOR)
    middles = (solid.middles - half) @ rotations.transpose(0, 2, 1) + lift[:, None]
    ahead = table.pose.eye_mm() - middles
    normals = solid.normals @ rotations.transpose(0, 2, 1)
    facing = (ahead * normals).sum(axis=2) / np.linalg.norm(ahead, axis=2)
    return spreads_of(logs), np.exp(np.median(logs, axis=2)) - FLOOR, facing, corners + lift[:, None]


def _color_fit(
    table: RegisteredImage,
    at: tuple[float, float],
    colors: Floats,
    weights: Floats,
    ways: NDArray[np.int64],
    numbers: LearnedDice,
) -> tuple[float, int]:
    """Returns the mean log likelihood of a position's faces for the way of coloring that fits best, and that way."""
    clip = bounds_of_white(table, at)
    total, single = np.zeros(len(ways)), np.zeros(len(WHEEL))
    for number in np.nonzero(weights > 0)[0]:
        face = Face(int(number), float(weights[number]), colors[number][None], colors[number], 0.0, 0.0)
        likely = numbers.palette.side(face, clip)[1]
        single += weights[number] * np.maximum(likely, -6.0)
        total += weights[number] * np.maximum(likely, -6.0)[ways[:, number]]
    way = int(total.argmax())
    if total[way] - single.max() < _MORE_THAN_ONE * weights.sum():
        return -math.inf, way
    return float(total[way] / weights.sum()), way
