"""Detects leaning dice among those that look flat: compares all edges and faces in flat and tilted positions.

The top face of a die that leans on a wall by twenty degrees passes for a flat one. But its other edges are elsewhere.
So the solid is tilted in all directions with its lowest corner on the tray; if that makes edges clearer and faces more
uniform by a good margin, the die leans.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.light import LINEAR
from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.faces import FLOOR, samples_of, spreads_of
from vision.readers.dice.plane import pixels_of
from vision.readers.dice.solids import Floats, Solid
from vision.registration.registered_image import RegisteredImage

Images = NDArray[np.float32]

LEAST_DEG = 10.0
"""The least tilt in degrees; dice on a crumb lean less."""
MOST_DEG = 45.0
MARGIN = 0.12
"""The least gain in fit of a leaning die. Flat dice stay below: see `docs/accuracy.md`."""
_TILTS_DEG = (16.0, 30.0)
_SIDES = 8
_HOPELESS = -0.12
"""If the first tries fit so much worse than the flat die, refinement is useless."""
_STARTS = 2
_STEPS = ((1.5, 6.0, 6.0), (1.0, 4.0, 4.0), (0.6, 2.5, 2.5), (0.3, 1.5, 1.5))
"""The steps of refinement, ever finer: millimeters, degrees of yaw and degrees of tilt."""
_FLAT_STEPS = ((0.7, 3.0), (0.4, 2.0), (0.2, 1.0))
_REACH_MM = 24.0
_HIGH_MM = 24.0
_BLUR_PX = 1.0
_QUIET = 0.02
_ALONG_EDGE = np.linspace(-0.36, 0.36, 4)
"""The places along an edge; its ends are left out because corners are rounded."""
_MORE = 0.3
"""The weight of the number of clear edges, in top faces, beside their mean: explaining more of the picture is
better.
"""
_FACING = 0.15
_EVERY = 3
"""The stride of the samples of a face."""


class Lean(Struct, frozen=True):
    """The leaning of a die."""

    tilt_deg: float
    """The tilt in degrees of the best leaning position."""
    gain: float
    """The gain over the best flat fit; negative if it fits worse."""
    cocked: bool


class _Shape(Struct, frozen=True):
    """A solid with its center at the origin."""

    corners: Floats
    edges: NDArray[np.int64]
    """(edges, 2): the corners of each edge."""
    beside: NDArray[np.int64]
    """(edges, 2): the faces that meet at each edge."""
    middles: Floats
    normals: Floats
    samples: Floats
    """(faces, samples, 3)."""


def _shape(solid: Solid) -> _Shape:
    meet: dict[tuple[int, int], list[int]] = {}
    for number, face in enumerate(solid.faces):
        for a, b in zip(face, (*face[1:], face[0]), strict=True):
            meet.setdefault((min(a, b), max(a, b)), []).append(number)
    half = np.array([0.0, 0.0, solid.height_mm / 2])
    return _Shape(
        solid.corners - half,
        np.array(sorted(meet)),
        np.array([meet[edge] for edge in sorted(meet)]),
        solid.middles - half,
        solid.normals,
        samples_of(solid)[:, ::_EVERY] - half,
    )


def rotations(positions: Floats) -> Floats:
    """Returns (N, 3, 3): rotations of positions (N, 5), which are x, y, yaw and tilt axis times angle, in mm and
    degrees.
    """
    yaw = np.radians(positions[:, 2])
    turn = np.zeros((len(positions), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = np.cos(yaw)
    turn[:, 0, 1], turn[:, 1, 0] = np.sin(yaw), -np.sin(yaw)
    turn[:, 2, 2] = 1.0
    angle = np.radians(np.hypot(positions[:, 3], positions[:, 4]))
    axis = np.radians(positions[:, 3:5]) / np.maximum(angle, 1e-9)[:, None]
    x, y, cos, sin = axis[:, 0], axis[:, 1], np.cos(angle), np.sin(angle)
    lean = np.zeros_like(turn)
    lean[:, 0, 0], lean[:, 1, 1] = cos + x * x * (1 - cos), cos + y * y * (1 - cos)
    lean[:, 0, 1] = lean[:, 1, 0] = x * y * (1 - cos)
    lean[:, 0, 2], lean[:, 1, 2] = y * sin, -x * sin
    lean[:, 2, 0], lean[:, 2, 1], lean[:, 2, 2] = -y * sin, x * sin, cos
    return lean @ turn


class _Look:
    """The picture around some dice of one solid, as one atlas, for rating positions."""

    def __init__(self, table: RegisteredImage, dice: Sequence[DieCandidate]) -> None:
        self._pose = table.pose
        self._eye = table.pose.eye_mm()
        self._shape = _shape(dice[0].solid)
        self._even = dice[0].pips is None
        parts = [_part(table, die) for die in dice]
        height = max(levels.shape[0] for _, levels in parts) + 2
        width = max(levels.shape[1] for _, levels in parts) + 2
        tensors = np.zeros((len(parts) * height, width, 3), np.float32)
        logs = np.zeros_like(tensors)
        shifts = []
        for k, (corner, levels) in enumerate(parts):
            rows, columns = levels.shape[:2]
            at = np.s_[k * height : k * height + rows, :columns]
            tensors[at] = _tensor(levels)
            place = dice[k].place
            white = table.light.white(np.array([[place.x_mm, place.y_mm]]))[0]
            logs[at] = np.log(LINEAR[levels] * (1 / white).astype(np.float32) + np.float32(FLOOR))
            shifts.append(corner - (0, k * height))
        self._tensors, self._logs = tensors, logs
        self._shifts = np.array(shifts, dtype=np.float32)
        rims = [table.pose.project(die.top_mm()) for die in dice]
        self._rims_px = np.array([np.linalg.norm(rim - np.roll(rim, 1, axis=0), axis=1).sum() for rim in rims])

    def fits(self, which: NDArray[np.int64], positions: Floats) -> Floats:
        """Returns (N,): the fit of positions (N, 5) of the dice `which` (N,), clear edges minus uneven faces."""
        shape = self._shape
        turns = rotations(positions).transpose(0, 2, 1)
        corners = shape.corners @ turns
        center = np.column_stack([positions[:, :2], -corners[..., 2].min(axis=1)])[:, None]
        ahead = self._eye - (shape.middles @ turns + center)
        facing = (ahead * (shape.normals @ turns)).sum(axis=2) / np.linalg.norm(ahead, axis=2)
        shift = self._shifts[which][:, None]
        score = self._clear(which, pixels_of(self._pose, corners + center) - shift, facing)
        if self._even:
            score = score - self._uneven(turns, center, shift, facing)
        return score

    def _clear(self, which: NDArray[np.int64], pixels: Images, facing: Floats) -> Floats:
        """Returns (N,): the mean clearness of the visible edges, weighted by their length."""
        shape = self._shape
        shown = (facing[:, shape.beside] > _FACING).any(axis=2)
        # The visible edges come first; there are never more than `most`.
        most = int(shown.sum(axis=1).max())
        order = np.argsort(~shown, axis=1, kind="stable")[:, :most]
        rows = np.arange(len(order))[:, None]
        one, other = pixels[rows, shape.edges[order, 0]], pixels[rows, shape.edges[order, 1]]
        along = other - one
        length = np.linalg.norm(along, axis=2)
        across = np.stack([-along[..., 1], along[..., 0]], axis=-1) / np.maximum(length, 1e-6)[..., None]
        at = ((one + other)[:, :, None] / 2 + _ALONG_EDGE[:, None] * along[:, :, None]).astype(np.float32)
        at = at.reshape(len(order), -1, 2)
        seen = cv2.remap(self._tensors, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        seen = seen.reshape(*order.shape, len(_ALONG_EDGE), 3)
        x, y = across[..., :1], across[..., 1:]
        change = np.sqrt(np.maximum(seen[..., 0] * x * x + 2 * seen[..., 1] * x * y + seen[..., 2] * y * y, 0))
        clear = (change / (change + _QUIET)).mean(axis=2)
        weight = length * np.take_along_axis(shown, order, axis=1)
        total = (clear * weight).sum(axis=1)
        return np.asarray(total / np.maximum(weight.sum(axis=1), 1e-6) + _MORE * total / self._rims_px[which])

    def _uneven(self, turns: Floats, center: Floats, shift: Floats, facing: Floats) -> Floats:
        """Returns (N,): the mean unevenness of the visible faces, weighted by the directness of the view."""
        samples = self._shape.samples
        most = int((facing > _FACING).sum(axis=1).max())
        order = np.argsort(-facing, axis=1)[:, :most]
        points = samples[order].reshape(len(order), -1, 3) @ turns + center
        at = (pixels_of(self._pose, points) - shift).astype(np.float32)
        seen = cv2.remap(self._logs, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = seen.reshape(*order.shape, samples.shape[1], 3)
        spread = spreads_of(seen)
        weight = np.maximum(np.take_along_axis(facing, order, axis=1) - _FACING, 0.0)
        return np.asarray((spread * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6))


def _part(table: RegisteredImage, die: DieCandidate) -> tuple[Floats, NDArray[np.uint8]]:
    """Returns the first pixel (2,) and the levels of a die's surroundings."""
    x, y = die.place.x_mm, die.place.y_mm
    box = [(x + i, y + j, z) for i in (-_REACH_MM, _REACH_MM) for j in (-_REACH_MM, _REACH_MM) for z in (0.0, _HIGH_MM)]
    pixels = table.pose.project(np.array(box))
    height, width = table.picture.shape[:2]
    left, top = np.clip(np.floor(pixels.min(axis=0)), 0, (width - 2, height - 2)).astype(int)
    right, bottom = np.clip(np.ceil(pixels.max(axis=0)), (left + 2, top + 2), (width, height)).astype(int)
    return np.array([left, top], dtype=np.float64), table.picture[top:bottom, left:right]


def _tensor(levels: NDArray[np.uint8]) -> Images:
    """Returns (H, W, 3): xx, xy, yy of the gradient's outer product, summed over colors."""
    soft = cv2.GaussianBlur(levels.astype(np.float32) / 255, (0, 0), _BLUR_PX)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    products = (one * other for one, other in ((across, across), (across, down), (down, down)))
    return np.stack([each[..., 0] + each[..., 1] + each[..., 2] for each in products], axis=2)


def leans(table: RegisteredImage, dice: Sequence[DieCandidate]) -> list[Lean]:
    """Returns, for each die that looks flat, the way it leans; None if it is flat."""
    found: dict[int, Lean] = {}
    groups: dict[tuple[int, float, bool], list[int]] = {}
    for k, die in enumerate(dice):
        groups.setdefault((die.solid.sides, die.solid.height_mm, die.pips is not None), []).append(k)
    for some in groups.values():
        told = _leans(table, dice[some[0]].solid, [dice[k] for k in some])
        found.update(zip(some, told, strict=True))
    return [found[k] for k in range(len(dice))]


def _leans(table: RegisteredImage, solid: Solid, dice: Sequence[DieCandidate]) -> list[Lean]:
    look = _Look(table, dice)
    places = np.array([[die.place.x_mm, die.place.y_mm, die.place.yaw_deg, 0.0, 0.0] for die in dice])
    flat, level = _climbed(look, np.arange(len(dice)), places, [(mm, deg, 0.0) for mm, deg in _FLAT_STEPS])
    tries = np.stack([_tilted(solid, place) for place in flat])
    which = np.repeat(np.arange(len(dice)), tries.shape[1])
    first = look.fits(which, tries.reshape(-1, 5)).reshape(len(dice), -1)
    best = np.argsort(-first, axis=1)[:, :_STARTS]
    hopeful = first.max(axis=1) > level + _HOPELESS
    told = [Lean(0.0, float(gain), False) for gain in first.max(axis=1) - level]
    numbers = np.flatnonzero(hopeful)
    if not len(numbers):
        return told
    starts = tries[numbers[:, None], best[numbers]].reshape(-1, 5)
    positions, fits = _climbed(look, np.repeat(numbers, _STARTS), starts, _STEPS)
    for k, number in enumerate(numbers):
        part = slice(k * _STARTS, (k + 1) * _STARTS)
        top = k * _STARTS + int(fits[part].argmax())
        gain = float(fits[top] - level[number])
        tilt_deg = math.hypot(positions[top, 3], positions[top, 4])
        told[number] = Lean(tilt_deg, gain, gain > MARGIN)
    return told


def _tilted(solid: Solid, place: Floats) -> Floats:
    """Returns (N, 5): leaning positions in which the top face stays approximately at its place."""
    found = []
    for tilt in _TILTS_DEG:
        away = solid.height_mm / 2 * math.sin(math.radians(tilt))
        for side in np.arange(_SIDES) * 2 * math.pi / _SIDES:
            x, y = math.cos(side), math.sin(side)
            # Tilted about the axis (x, y) the top moves along (y, -x); the center goes back by as much.
            found.append((place[0] - away * y, place[1] + away * x, place[2], tilt * x, tilt * y))
    return np.array(found)


def _climbed(
    look: _Look, which: NDArray[np.int64], positions: Floats, steps: Sequence[tuple[float, float, float]]
) -> tuple[Floats, Floats]:
    """Returns positions (N, 5), each moved to its best fit nearby, and the fits; flat ones stay flat."""
    here = positions.copy()
    leaning = bool(np.hypot(here[:, 3], here[:, 4]).any())
    fits = look.fits(which, here)
    for step_mm, step_deg, step_tilt in steps:
        sizes = np.diag([step_mm, step_mm, step_deg, step_tilt, step_tilt])[: 5 if leaning else 3]
        moves = np.concatenate([sizes, -sizes])
        tried = here[:, None] + moves
        if leaning:
            tilt = np.hypot(tried[..., 3], tried[..., 4])
            tried[..., 3:] *= (np.clip(tilt, LEAST_DEG, MOST_DEG) / np.maximum(tilt, 1e-6))[..., None]
        scores = look.fits(np.repeat(which, len(moves)), tried.reshape(-1, 5)).reshape(len(here), -1)
        k = scores.argmax(axis=1)
        rows = np.arange(len(here))
        better = scores[rows, k] > fits
        here[better], fits[better] = tried[rows, k][better], scores[rows, k][better]
    return here, fits
