"""Labeled pictures as crops of all spaces, larger than the reader's so that training can move in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PRIMARIES
from companion.core.plan import Mat
from vision.image.picture import Picture, read_picture
from vision.readers.pawns.backdrop import find_backdrop
from vision.readers.pawns.crops import SIDE_PX, cut
from vision.readers.pawns.reader import place_wheel
from vision.readers.pawns.wheel import SPACES
from vision.registration.registered_image import RegisteredImage, find_table

_CONTRAST = 0.35
"""The largest logarithm of the exponent applied to levels."""
_BRIGHT = (0.7, 1.15)
_WHITE = 0.05
"""The standard deviation of the logarithm of each channel's gain."""
_SOFT_PX = (0.4, 1.3)
_NOISE = 5.0
"""The largest standard deviation of noise, in levels of 255."""
_QUALITY = (40, 95)


def exposed(picture: Picture, random: np.random.Generator) -> Picture:
    """Returns another exposure, (H, W, 3) uint8 as B, G, R; places in the picture stay unchanged."""
    levels = (picture.astype(np.float32) / 255) ** np.float32(np.exp(random.uniform(-_CONTRAST, _CONTRAST)))
    levels *= np.exp(random.normal(0, _WHITE, 3)).astype(np.float32) * np.float32(random.uniform(*_BRIGHT))
    if random.random() < 0.5:
        levels = np.asarray(cv2.GaussianBlur(levels, (0, 0), random.uniform(*_SOFT_PX)))
    noise = random.standard_normal(levels.shape, dtype=np.float32) * np.float32(random.uniform(0, _NOISE))
    taken = np.clip(levels * 255 + noise, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(random.uniform(*_QUALITY))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


Floats = NDArray[Any]
Ints = NDArray[Any]

MARGIN_PX = 9
"""The margin in pixels on each side beyond the reader's crops, so that a pawn's whole shadow is inside."""
WIDE_PX = SIDE_PX + 2 * MARGIN_PX


class Samples(Struct, frozen=True):
    """Crops of P pictures, 108 spaces each, in the order of `SPACES`."""

    light: Floats
    """(P, 108, WIDE_PX, WIDE_PX, 3) half floats, as in `Crops`."""
    change: Floats
    steepness: Floats
    """(P, 108): the sine of the eye's elevation."""
    classes: Ints
    """(P, 108): 0 for no pawn, 1 to 6 for a pawn of that primary."""
    tables: tuple[str, ...]
    lights: tuple[str, ...]
    names: tuple[str, ...]


def labeled_table(picture: Picture, label: dict[str, Any]) -> RegisteredImage:
    """Returns the table of a labeled picture; clicked corners are used where a marker is hidden."""
    mat = label["mat"]
    corners = mat["corners_px"] if len(mat["visible_ids"]) < 4 else None
    return find_table(picture, Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]), corners)


def classes_of(label: dict[str, Any]) -> list[int]:
    """Returns the contents of each space of `SPACES`, as classes."""
    there = {(pawn["path"], pawn["space"]): 1 + PRIMARIES.index(pawn["color"]) for pawn in label["truth"]["pawns"]}
    return [there.get((space.color, space.ring), 0) for space in SPACES]


def read_samples(folders: Sequence[Path], exposures: int = 0, seed: int = 0) -> Samples:
    """Returns all labeled pictures of some folders, or `exposures` other exposures of each instead.

    Raises:
        SeeError: The table or the board of one was not found.
    """
    random = np.random.default_rng(seed)
    light, change, steepness, classes = [], [], [], []
    tables, lights, names = [], [], []
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        label = json.loads(path.read_text())
        picture = read_picture(path.with_name(label["image"]))
        wheel = place_wheel(labeled_table(picture, label)).wheel
        for one in [exposed(picture, random) for _ in range(exposures)] or [picture]:
            table = labeled_table(one, label)
            crops = cut(table, find_backdrop(table, wheel), wheel.to_table(wheel.middles()), WIDE_PX)
            light.append(crops.light.astype(np.float16))
            change.append(crops.change.astype(np.float16))
            steepness.append(crops.steepness)
            classes.append(classes_of(label))
            tables.append(label["table"])
            lights.append(label["light"])
            names.append(path.stem)
    return Samples(
        np.array(light),
        np.array(change),
        np.array(steepness),
        np.array(classes),
        tuple(tables),
        tuple(lights),
        tuple(names),
    )


def joined(one: Samples, other: Samples) -> Samples:
    """Returns the pictures of both."""
    return Samples(
        np.concatenate([one.light, other.light]),
        np.concatenate([one.change, other.change]),
        np.concatenate([one.steepness, other.steepness]),
        np.concatenate([one.classes, other.classes]),
        one.tables + other.tables,
        one.lights + other.lights,
        one.names + other.names,
    )


def chosen(samples: Samples, pictures: Sequence[int]) -> Samples:
    """Returns only some of the pictures."""
    at = list(pictures)
    return Samples(
        samples.light[at],
        samples.change[at],
        samples.steepness[at],
        samples.classes[at],
        tuple(samples.tables[i] for i in at),
        tuple(samples.lights[i] for i in at),
        tuple(samples.names[i] for i in at),
    )
