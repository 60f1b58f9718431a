"""Folds printed nets: dice, pyramids and pawns whose faces are the paper's own ink."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.app.printing.counters import PAWN_BASE_MM, PAWN_HEIGHT_MM
from companion.app.printing.dice_nets import net_offset_mm, unfolded
from companion.app.printing.sheets import Part
from companion.core.pieces import SHAPES, PyramidSize
from companion.core.plan import Point
from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.facets import Facet, lit
from simulation.printed.laid import reflectance
from simulation.printed.paper import PX_PER_MM
from vision.image.picture import Picture
from vision.readers.dice.solids import Solid, turned

_FINE = 3


class Face(NamedTuple):
    """A flat face, by its corners on the paper and on the table."""

    paper_mm: Floats
    """The corners (N, 2) on the paper in millimeters from the part's corner."""
    table_mm: Floats
    """The corners (N, 3) in table millimeters."""


def folded_die(solid: Solid, up: int, x_mm: float, y_mm: float, yaw_deg: float) -> list[Face]:
    """Returns the faces of a die with the face of number `up` on top."""
    flat, _ = unfolded(solid)
    normals = solid.normals
    front = next(k for k in range(len(normals)) if abs(float(normals[0] @ normals[k])) < 0.999)
    ahead = next(
        k
        for k in range(len(normals))
        if abs(float(normals[up] @ normals[k]) - float(normals[0] @ normals[front])) < 1e-6
    )
    old, new = _frame(normals[up], normals[ahead]), _frame(normals[0], normals[front])
    points = (solid.corners - (0, 0, solid.height_mm / 2)) @ (new @ old.T).T + (0, 0, solid.height_mm / 2)
    there = turned(points, yaw_deg) + np.array([x_mm, y_mm, 0.0])
    return [
        Face(corners - net_offset_mm(solid), there[list(solid.faces[face])]) for face, corners in sorted(flat.items())
    ]


def folded_pyramid(part: Part, size: PyramidSize, x_mm: float, y_mm: float, yaw_deg: float) -> list[Face]:
    """Returns the faces of an upright pyramid."""
    shape = SHAPES[size]
    return _folded_fan(part.outline_mm[:6], (x_mm, y_mm, shape.height_mm), shape.base_mm / math.sqrt(2), yaw_deg)


def folded_pawn(part: Part, x_mm: float, y_mm: float) -> list[Face]:
    """Returns the faces of a paper pawn, which is a cone."""
    return _folded_fan(part.outline_mm[:-2], (x_mm, y_mm, PAWN_HEIGHT_MM), PAWN_BASE_MM / 2, 0.0)


def _folded_fan(
    paper_mm: Sequence[Point], tip_mm: tuple[float, float, float], reach_mm: float, yaw_deg: float
) -> list[Face]:
    """Returns the sides that meet at a tip; on paper the tip comes first, then the points along the fan's rim."""
    tip, *rim = (np.array(point) for point in paper_mm)
    top = np.array(tip_mm)
    angles = np.radians(yaw_deg + np.linspace(0, 360, len(rim)))
    foot = np.column_stack([top[0] + reach_mm * np.cos(angles), top[1] - reach_mm * np.sin(angles), np.zeros(len(rim))])
    return [
        Face(np.array([tip, rim[k], rim[k + 1]]), np.array([top, foot[k], foot[k + 1]])) for k in range(len(rim) - 1)
    ]


def stand(canvas: Canvas, ink: Picture, faces: Sequence[Face]) -> None:
    """Draws a folded part on the table, with its shadow."""
    everything = np.concatenate([face.table_mm for face in faces])
    middle = everything.mean(0)
    canvas.darken(canvas.shadow(everything))
    eye = canvas.camera.eye_mm()
    seen = []
    for face in faces:
        normal = np.cross(face.table_mm[1] - face.table_mm[0], face.table_mm[2] - face.table_mm[0])
        normal /= np.linalg.norm(normal)
        if float(normal @ (face.table_mm.mean(0) - middle)) < 0:
            normal = -normal
        if float(normal @ (eye - face.table_mm.mean(0))) > 0:
            seen.append((face, normal))
    for face, normal in sorted(seen, key=lambda one: -float(np.linalg.norm(one[0].table_mm.mean(0) - eye))):
        _glue(canvas, ink, face, normal)


def _glue(canvas: Canvas, ink: Picture, face: Face, normal: Floats) -> None:
    outline = canvas.camera.project(face.table_mm)
    (x0, y0, x1, y1), alpha = canvas.mask(outline)
    if x0 >= x1 or y0 >= y1:
        return
    drawn = (face.paper_mm * PX_PER_MM - 0.5).astype(np.float32)
    target = ((outline - (x0, y0) + 0.5) * _FINE - 0.5).astype(np.float32)
    if len(drawn) == 3:
        matrix = np.vstack([cv2.getAffineTransform(drawn, target), (0, 0, 1)])
    else:
        matrix, _ = cv2.findHomography(drawn, target)
    size = (int(x1 - x0), int(y1 - y0))
    large = cv2.warpPerspective(
        ink, matrix, (size[0] * _FINE, size[1] * _FINE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    color = reflectance(np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA)))
    light = lit(canvas, Facet(face.table_mm, normal, (1.0, 1.0, 1.0))).astype(np.float32)
    view = canvas.light[y0:y1, x0:x1]
    view += (color * light - view) * alpha[..., None]


def _frame(up: Floats, ahead: Floats) -> Floats:
    """Returns (3, 3): perpendicular unit vectors as columns; the first is `up`."""
    across = np.cross(up, ahead)
    across /= np.linalg.norm(across)
    return np.column_stack([up, across, np.cross(across, up)])
