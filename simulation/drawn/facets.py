"""Draws opaque bodies of flat facets: they are painted from far to near at a fine scale, and averaged to pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas

FINE = 4
"""The number of samples per pixel each way."""
_SHIFT = 4


class Gloss(NamedTuple):
    """The reflection of the lamp by a surface, in the Blinn-Phong model."""

    strength: float = 0.0
    sharpness: float = 1.0


MATT = Gloss()


class Facet(NamedTuple):
    """A flat piece of a surface."""

    points_mm: Floats
    """(N, 3): the corners of a convex polygon."""
    normal: Floats
    """(3,): the outward normal."""
    color: tuple[float, float, float]
    """The linear reflectance as B, G, R."""
    gloss: Gloss = MATT


def paint(canvas: Canvas, facets: Sequence[Facet]) -> None:
    """Paints the facets that face the camera from far to near; of equally distant ones, the later covers the earlier."""
    camera, eye = canvas.camera, canvas.camera.eye_mm()
    seen = [facet for facet in facets if float(facet.normal @ (eye - facet.points_mm.mean(0))) > 0]
    if not seen:
        return
    outlines = [camera.project(facet.points_mm) for facet in seen]
    everything = np.concatenate(outlines)
    height, width = canvas.light.shape[:2]
    low = np.clip(np.floor(everything.min(0)).astype(int) - 1, 0, (width, height))
    high = np.clip(np.ceil(everything.max(0)).astype(int) + 2, 0, (width, height))
    if (low >= high).any():
        return
    (x0, y0), (x1, y1) = low, high
    light = np.zeros(((y1 - y0) * FINE, (x1 - x0) * FINE, 3), np.float32)
    cover = np.zeros(light.shape[:2], np.float32)
    distance = [round(float(np.linalg.norm(facet.points_mm.mean(0) - eye)), 1) for facet in seen]
    for at in sorted(range(len(seen)), key=lambda at: -distance[at]):
        shape = np.round(((outlines[at] - low + 0.5) * FINE - 0.5) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(light, shape, tuple(map(float, lit(canvas, seen[at]))), cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(cover, shape, (1.0,), cv2.LINE_8, _SHIFT)
    size = (int(x1 - x0), int(y1 - y0))
    alpha = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA))[..., None]
    mean = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA))
    part = canvas.light[y0:y1, x0:x1]
    part *= 1 - alpha
    part += mean


def lit(canvas: Canvas, facet: Facet) -> Floats:
    """Returns (3,): the light that a facet sends back, from the lamp by its slant, from the room, and from gloss."""
    place = facet.points_mm.mean(0)
    lamp = canvas.lamp
    toward = lamp.toward((float(place[0]), float(place[1])))
    direct = max(0.0, float(facet.normal @ toward)) / float(toward[2])
    share = float(lamp.share(place[:2]))
    room = 0.55 + 0.45 * float(facet.normal[2])
    matt = np.asarray(facet.color) * (np.array(lamp.color) * share * direct + np.array(lamp.around) * room)
    if facet.gloss.strength <= 0:
        return matt
    to_eye = canvas.camera.eye_mm() - place
    half = toward + to_eye / np.linalg.norm(to_eye)
    mirrored = max(0.0, float(facet.normal @ half) / float(np.linalg.norm(half))) ** facet.gloss.sharpness
    return np.asarray(matt + np.array(lamp.color) * (share * facet.gloss.strength * mirrored))
