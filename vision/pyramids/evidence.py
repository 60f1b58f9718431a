"""What each pixel says: plastic or table, and which color.

A tiny network looks at how a pixel and a rosette of neighbors differ from the bare table in log light, beside the
table's own reflectance. The rosette is turned so that it always begins where "up" points in the picture: a shadow lies
on the table and a piece rises from it. It was trained with the tables exchanged (see `training`), so it judges plastic
and not the tables it knew.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.models import Projector
from vision.pyramids.perceptron import Perceptron
from vision.pyramids.reference import LOG_LIGHT, Picture, Table

Floats = NDArray[Any]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the picture, ends excluded."""

RINGS: tuple[tuple[float, float], ...] = ((3.5, 0.8), (7.0, 1.6), (13.0, 4.0))
"""Radius of each ring of the rosette (mm on the table) and the blur of what it samples (pixels at the usual scale)."""
SPOKES = 8
"""Samples a ring, evenly turned, the first one upwards."""
STEP = 2
"""Every so many pixels are judged; those between are interpolated, since the inputs are smooth."""
PAD_MM = 15.0
"""How far around a box its neighborhood reaches."""
USUAL_PX_PER_MM = 1.5
FEATURES = 9 + 3 + 2 + 3 * SPOKES * len(RINGS)


class View(Struct, frozen=True):
    """How a spot of the table is seen."""

    px_per_mm: float
    """Scale on the table, the mean over all directions."""
    up: tuple[float, float]
    """Unit vector in the picture along which things rise."""
    tilt: float
    """Length of a standing millimetre in the picture over that of a lying one: 0 from straight above."""


def view_at(pose: Projector, x_mm: float, y_mm: float) -> View:
    """The view of a table point."""
    x, y = x_mm, y_mm
    points = pose.project(np.array([(x, y, 0.0), (x + 5, y, 0.0), (x, y + 5, 0.0), (x, y, 15.0)]))
    right, down, rise = (points[1] - points[0]) / 5, (points[2] - points[0]) / 5, (points[3] - points[0]) / 15
    scale = math.sqrt(abs(right[0] * down[1] - right[1] * down[0]))
    length = math.hypot(rise[0], rise[1])
    up = (rise[0] / length, rise[1] / length) if length > 1e-6 else (0.0, -1.0)
    return View(scale, up, length / scale)


class Evidence(Struct, frozen=True):
    """Pixels of a box."""

    box: Box
    contrast: Floats
    """(h, w, 3) log light less the bare table's, BGR."""
    plastic: Floats
    """(h, w) log odds that a pixel shows a piece."""
    colors: Floats
    """(h, w, 10) log probability of each color, given that it is a piece."""


def contrast_around(picture: Picture, table: Table, box: Box, pad: int) -> Floats:
    """(h + 2 pad, w + 2 pad, 3) log light less the table's; what is outside of the picture repeats its edge."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad
    inside = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    light = LOG_LIGHT[picture[inside[1] : inside[3], inside[0] : inside[2]]] - table.at(inside)
    margins = inside[1] - y0, y1 - inside[3], inside[0] - x0, x1 - inside[2]
    return light if not any(margins) else np.asarray(cv2.copyMakeBorder(light, *margins, cv2.BORDER_REPLICATE))


def pad_px(view: View) -> int:
    """Pixels of neighborhood that `features` needs around a box."""
    return math.ceil(PAD_MM * view.px_per_mm)


def features(contrast: Floats, view: View, reflectance_log: Floats, grain: float, step: int = 1) -> Floats:
    """(h / step, w / step, FEATURES) inputs of the network for a contrast (h + 2 pad, w + 2 pad, 3).

    `reflectance_log` (3,) is the bare table's log light less that of white paper.
    """
    scale = view.px_per_mm / USUAL_PX_PER_MM
    pad = pad_px(view)
    height, width = contrast.shape[0] - 2 * pad, contrast.shape[1] - 2 * pad
    rows, columns = -(-height // step), -(-width // step)
    out = np.empty((rows, columns, FEATURES), np.float32)
    base = math.atan2(view.up[1], view.up[0])
    at = 14
    for ring, (radius_mm, sigma) in enumerate(RINGS):
        blurred = cv2.GaussianBlur(contrast, (0, 0), sigma * scale)
        out[..., 3 * ring : 3 * ring + 3] = blurred[pad : pad + height : step, pad : pad + width : step]
        for spoke in range(SPOKES):
            angle = base + 2 * math.pi * spoke / SPOKES
            dx = pad + round(radius_mm * view.px_per_mm * math.cos(angle))
            dy = pad + round(radius_mm * view.px_per_mm * math.sin(angle))
            out[..., at : at + 3] = blurred[dy : dy + height : step, dx : dx + width : step]
            at += 3
    out[..., 9:12] = reflectance_log
    out[..., 12] = grain * 10
    out[..., 13] = view.tilt
    return out


def _spread_out(values: Floats, height: int, width: int) -> Floats:
    """(height, width) linear interpolation of values known at every `STEP`-th pixel."""
    matrix = np.array([[1 / STEP, 0, 0], [0, 1 / STEP, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    wide = cv2.warpAffine(
        values.astype(np.float32), matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(wide)


def look(picture: Picture, table: Table, box: Box, view: View, reflectance_log: Floats, net: Perceptron) -> Evidence:
    """Judge the pixels of a box, which must lie inside the picture."""
    pad = pad_px(view)
    contrast = contrast_around(picture, table, box, pad)
    inputs = features(contrast, view, reflectance_log, table.grain, STEP)
    log = net.log_probabilities(inputs.reshape(-1, FEATURES))
    rows, columns = inputs.shape[:2]
    height, width = box[3] - box[1], box[2] - box[0]
    rest = np.log(np.maximum(1 - np.exp(log[:, 0]), 1e-6))
    colors = (log[:, 1:] - rest[:, None]).reshape(rows, columns, -1)
    colors = colors.repeat(STEP, axis=0).repeat(STEP, axis=1)[:height, :width]
    return Evidence(
        box,
        contrast[pad : pad + height, pad : pad + width],
        _spread_out((rest - log[:, 0]).reshape(rows, columns), height, width),
        colors,
    )
