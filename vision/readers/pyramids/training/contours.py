"""Parts of pictures to learn contours from, with the lines of all that stands and lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.edges import LOGS
from vision.image.picture import Picture
from vision.readers.pyramids.contours import KINDS, middle_log
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.shape_lines import OUTLINE, RIDGE, RIM, shape_lines
from vision.readers.pyramids.training.targets import Tracer

Floats = NDArray[Any]

SIDE_PX = 112
_BARE = 0.1
"""Share of parts from anywhere; the others show something."""
_BESIDE_PX = 18.0
"""One sigma of how far something is from the middle of its part."""
_SCALE, _TURN_RAD = 0.15, 0.15
"""One sigma of how a part is scaled, in logarithms, and turned."""
_NOISY, _NOISE = 0.5, 0.1
"""So many parts get more noise, up to one sigma in logarithms: dark cloths have ten times the noise of light ones."""
_HEIGHT_MM = 10.0
_AROUND_PX = 4


class ContourScene(Struct, frozen=True):
    """A picture and the lines in it."""

    picture: Picture
    middle: Floats
    """(3,) see `contours.middle_log`."""
    kinds: NDArray[np.uint8]
    """(H, W) as `shape_lines.ShapeLines`."""
    inside: NDArray[np.uint8]
    """(H, W) 1 where a piece is seen."""
    places_px: Floats
    """(N, 2) where things are seen."""


class ContourExample(NamedTuple):
    """One part of a picture."""

    seen: Floats
    """(3, SIDE_PX, SIDE_PX) logarithms of light, as `contours.ContourNet` sees them."""
    true: NDArray[np.uint8]
    """(KINDS, SIDE_PX, SIDE_PX) 1 where a line runs, or a piece is."""


def contour_scene(picture: Picture, places: Sequence[StackHypothesis], camera: Tracer) -> ContourScene:
    """The lines of known things as a camera sees them, nearer ones in front."""
    height, width = picture.shape[:2]
    kinds, inside = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    far = sorted(places, key=lambda one: -float(np.hypot(one.x_mm - camera.place_mm[0], one.y_mm - camera.place_mm[1])))
    for place, outline in zip(far, outlines(far, camera) if far else (), strict=True):
        flat = outline.reshape(-1, 2)
        low = np.clip(np.floor(flat.min(axis=0)).astype(int) - _AROUND_PX, 0, (width, height))
        high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + _AROUND_PX, low, (width, height))
        if (high <= low).any():
            continue
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        lines = shape_lines(outline - low, (int(high[0] - low[0]), int(high[1] - low[1])), place.lies)
        painted = (lines.inside > 0) | (lines.kinds > 0)
        kinds[part][painted] = lines.kinds[painted]
        inside[part][lines.inside > 0] = 1
    middles = np.array([(one.x_mm, one.y_mm, _HEIGHT_MM) for one in places])
    seen = camera.project(middles) if len(middles) else np.zeros((0, 2))
    return ContourScene(picture, middle_log(picture), kinds, inside, seen)


def random_contours(scene: ContourScene, random: np.random.Generator, _: object = None) -> ContourExample:
    """A part of a scene in other light, scaled, turned and mirrored by chance."""
    if len(scene.places_px) and random.random() > _BARE:
        middle = scene.places_px[int(random.integers(len(scene.places_px)))] + random.normal(0, _BESIDE_PX, 2)
    else:
        middle = random.uniform((0, 0), scene.picture.shape[1::-1])
    scale, angle = np.exp(random.normal(0, _SCALE)), random.normal(0, _TURN_RAD)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if random.random() < 0.5:
        turn[:, 0] *= -1
    matrix = np.column_stack([turn, SIDE_PX / 2 - turn @ middle])

    def part(whole: NDArray[np.uint8], how: int) -> NDArray[np.uint8]:
        cut = cv2.warpAffine(whole, matrix, (SIDE_PX, SIDE_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cut, np.uint8)

    logs = (LOGS[part(scene.picture, cv2.INTER_LINEAR)] - scene.middle) * random.uniform(0.85, 1.15)
    logs += random.normal(0, 0.1) + random.normal(0, 0.06, 3)
    if random.random() < _NOISY:
        logs += random.normal(0, random.uniform(0, _NOISE), logs.shape)
    kinds, inside = (part(whole, cv2.INTER_NEAREST) for whole in (scene.kinds, scene.inside))
    true = np.stack([*(kinds == kind for kind in (OUTLINE, RIM, RIDGE)), inside == 1])
    assert len(true) == KINDS
    return ContourExample(np.ascontiguousarray(logs.transpose(2, 0, 1), np.float32), true.astype(np.uint8))
