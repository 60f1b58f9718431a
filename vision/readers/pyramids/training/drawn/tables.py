"""One drawn table from first to last: shown empty several times, with a sampler, and with other things each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.core.plan import Mat
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.training.drawn.arrangement import Thing, random_things
from vision.readers.pyramids.training.drawn.camera import DrawnCamera, random_camera
from vision.readers.pyramids.training.drawn.families import FAMILIES, surface_of
from vision.readers.pyramids.training.drawn.lamps import RoomLights, random_lamps
from vision.readers.pyramids.training.drawn.painter import (
    LIGHT_PX_PER_MM,
    cover_with,
    light_size,
    pieces_of,
    random_webcam,
    seen_table,
    table_light,
)
from vision.readers.pyramids.training.drawn.plastic import random_plastics
from vision.readers.pyramids.training.drawn.surface import lay_markers, random_surface, surface_size

Floats = NDArray[Any]
Picture = NDArray[np.uint8]

ORDINARY = "ordinary"
"""The family of the surfaces that nets learn from: wood, cloth, laminate, paper and simple patterns."""
NAMES = (*FAMILIES, ORDINARY)
"""All families."""
_BLINDS = 0.3
"""The share of tables on which blinds throw their stripes."""
_TINTED = 0.25
"""The share of tables whose lamps are of other colors than lamps mostly are."""
_DRIFT = 0.05
"""One sigma of the logarithm by which a camera exposes each picture otherwise."""


class Development(NamedTuple):
    """The processing of a picture by a camera or a phone before it is sent."""

    sharpening: float
    contrast: float
    """Exponent of the tone curve around middle gray."""
    quality: int
    """Of a second JPEG, with colors at half the resolution."""

    def of(self, picture: Picture) -> Picture:
        """The picture as it arrives."""
        values: Floats = picture.astype(np.float32)
        values += self.sharpening * (values - cv2.GaussianBlur(values, (0, 0), 1.2))
        values = 255 * np.clip(values / 255, 0, 1) ** self.contrast
        options = [cv2.IMWRITE_JPEG_QUALITY, self.quality]
        packed = cv2.imencode(".jpg", np.clip(np.round(values), 0, 255).astype(np.uint8), options)[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


class DrawnTable:
    """A table with a cloth of some family, under lamps that stay, before a camera that stays."""

    def __init__(self, family: str, random: np.random.Generator) -> None:
        self.mat = Mat(600.0, 400.0, 40.0)
        self.camera: DrawnCamera = random_camera(self.mat, random)
        self._random = random
        self._lamps = _lamps(self.mat, random)
        self._plastics = random_plastics(random)
        surface: Floats
        if family == ORDINARY:
            surface = random_surface(self.mat, random)
        else:
            surface = surface_of(family, *surface_size(self.mat), random)
            lay_markers(surface, self.mat)
        self._surface = surface
        self._blind = _blind(self.mat, random) if random.random() < _BLINDS else None
        self._shadows = int(random.integers(2**31))
        self._empty = self._light(())
        self._webcam = random_webcam(self._empty, random)
        sharpening = random.uniform(0, 0.8) if random.random() < 0.6 else 0.0
        self._development = Development(sharpening, random.uniform(0.85, 1.15), int(random.uniform(72, 95)))

    def empty(self) -> Picture:
        """One picture of the table with its markers alone."""
        return self._taken(self._empty)

    def sampler(self) -> tuple[Picture, list[list[Pyramid]]]:
        """One piece of each color and size, in rows, and what they are."""
        rows = [[Pyramid(color, size) for color in PYRAMID_COLORS] for size in PYRAMID_SIZES]
        things = [
            Thing(
                StackHypothesis(75.0 + 50.0 * x, 100.0 + 100.0 * y, float(self._random.uniform(0, 90)), (piece.size,)),
                (piece.color,),
            )
            for y, row in enumerate(rows)
            for x, piece in enumerate(row)
        ]
        return self.with_things(things), rows

    def still(self) -> tuple[Picture, tuple[Thing, ...]]:
        """Random things on it."""
        things = random_things(self.mat, self._random)
        return self.with_things(things), things

    def with_things(self, things: Sequence[Thing]) -> Picture:
        """One picture of the table with these things on it."""
        return self._taken(self._light(things))

    def _light(self, things: Sequence[Thing]) -> Floats:
        """(720, 1280, 3) linear light."""
        pieces = pieces_of(things, self._random)
        # The same seed throws the same shadows from what stands beside the table.
        beside = np.random.default_rng(self._shadows)
        _, light = table_light(pieces, self._plastics, self._lamps, self.mat, beside, self._blind)
        image = seen_table(self._surface, light, self.camera)
        cover_with(image, pieces, self._plastics, self._lamps, self.camera, np.random.default_rng(self._shadows))
        return image

    def _taken(self, light: Floats) -> Picture:
        drift = np.exp(self._random.normal(0, _DRIFT) + self._random.normal(0, 0.015, 3))
        webcam = self._webcam._replace(gain=self._webcam.gain * drift)
        return self._development.of(webcam.take(light, self._random))


def _lamps(mat: Mat, random: np.random.Generator) -> RoomLights:
    """One to four lamps, some of them colored."""
    middle = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    lamps = random_lamps(middle, random)
    if random.random() < 0.4:
        more = random_lamps(middle, random)
        share = random.uniform(0.3, 0.7)
        both = (np.concatenate(pair) for pair in zip(lamps, more, strict=True))
        places, power, reach, sharp = both
        power = power * np.repeat([share, 1 - share], [len(lamps.power), len(more.power)])[:, None]
        lamps = RoomLights(places, power, reach, sharp)
    if random.random() < _TINTED:
        tint = np.exp(random.normal(0, 0.25, 3))
        lamps = lamps._replace(power=np.where(lamps.sharp[:, None], lamps.power * tint, lamps.power))
    return lamps


def _blind(mat: Mat, random: np.random.Generator) -> Floats:
    """(h, w) share of a lamp's light between the slats of a blind, at the scale of the painter's map of light."""
    width, height = light_size(mat)
    angle, step = random.uniform(0, np.pi), random.uniform(14, 70) * LIGHT_PX_PER_MM
    ys, xs = np.mgrid[0:height, 0:width]
    wave = np.sin((xs * np.cos(angle) + ys * np.sin(angle)) * 2 * np.pi / step)
    open_share = random.uniform(-0.5, 0.5)
    stripes = 1 / (1 + np.exp(-(wave - open_share) * random.uniform(3, 14)))
    least = random.uniform(0.1, 0.5)
    return np.asarray(least + (1 - least) * stripes, np.float32)
