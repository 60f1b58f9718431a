"""Nets of Spectrum dice to fold and glue: cubes of 16 mm, and dodecahedra of 18 mm between faces (BRD-6).

A net is the solid unfolded over its edges from one face, so its faces have the same neighbors as those of real dice.
Letters are small and at one side of a face, because the reader compares the middles of faces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.app.printing.pen import BLACK, Pen, against, between
from companion.app.printing.sheets import Part, Run
from companion.app.printing.wheel import INKS, letters
from companion.core.plan import Point
from vision.readers.dice.naming import faces_of
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Solid

_FLAP_MM = {"cube": 5.0, "dodecahedron": 2.6}
_LETTER_MM = {"cube": 2.6, "dodecahedron": 1.7}
_EDGE_MM = 0.8
"""The width of the light rim that faces have, as real dice do."""

Flat = dict[int, NDArray[np.float64]]
"""By face: its corners (N, 2) on paper."""


def dice_run(cubes: int, dodecahedra: int) -> Run:
    """Returns the nets of these numbers of dice."""
    parts = [net_part(CUBE)] * cubes + [net_part(DODECAHEDRON)] * dodecahedra
    return Run(
        "Print on heavy paper, cut along the outer lines, fold the dashed ones, glue the flaps under the faces.",
        tuple(parts),
        4.0,
    )


def unfolded(solid: Solid) -> tuple[Flat, list[tuple[int, int]]]:
    """Returns the faces of a solid flat on paper, seen from outside, and the pairs of faces that are connected."""
    flat: Flat = {}
    hinges: list[tuple[int, int]] = []
    first = solid.corners[list(solid.faces[0])]
    flat[0] = np.asarray(first[:, :2], dtype=np.float64)
    waiting = [0]
    while waiting:
        known = waiting.pop(0)
        for other, corners in enumerate(solid.faces):
            shared = [corner for corner in solid.faces[known] if corner in corners]
            if other in flat or len(shared) != 2:
                continue
            flat[other] = _hinged(solid, known, other, shared, flat[known])
            if _overlaps(flat, other):
                del flat[other]
                continue
            hinges.append((known, other))
            waiting.append(other)
    return flat, hinges


def _hinged(solid: Solid, known: int, other: int, shared: list[int], there: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the corners of a face that is unfolded beside a flat one."""
    a, b = (there[solid.faces[known].index(corner)] for corner in shared)
    along = (b - a) / np.linalg.norm(b - a)
    away = np.array([along[1], -along[0]])
    if (there.mean(0) - a) @ away > 0:
        away = -away
    one, two = solid.corners[shared[0]], solid.corners[shared[1]]
    edge = (two - one) / np.linalg.norm(two - one)
    points = solid.corners[list(solid.faces[other])] - one
    run = points @ edge
    rise = np.linalg.norm(points - run[:, None] * edge, axis=1)
    return np.asarray(a + run[:, None] * along + rise[:, None] * away)


def _overlaps(flat: Flat, face: int) -> bool:
    """True if a face overlaps another one, judged by their middles."""
    middle = flat[face].mean(0)
    reach = float(np.linalg.norm(flat[face][0] - middle))
    return any(
        other != face and float(np.linalg.norm(points.mean(0) - middle)) < reach for other, points in flat.items()
    )


def net_part(solid: Solid) -> Part:
    """Returns the net of one die."""
    flat, hinges = unfolded(solid)
    flap_mm = _FLAP_MM[solid.name]
    low = net_offset_mm(solid)
    size = np.concatenate(list(flat.values())).max(0) + flap_mm - low
    colors = faces_of(solid)
    held = {frozenset(pair) for pair in hinges}

    def draw(pen: Pen) -> None:
        for face, points in flat.items():
            _flaps(pen, solid, face, points - low, held, flap_mm)
        for face, points in flat.items():
            corners = points - low
            middle = corners.mean(0)
            pen.polygon(_points(corners), fill=(0.86, 0.86, 0.86))
            inner = middle + (corners - middle) * (1 - _EDGE_MM / solid.inradius_mm)
            ink = INKS[colors[face]]
            pen.polygon(_points(inner), fill=ink)
            foot = (inner[0] + inner[1]) / 2
            at = between((float(foot[0]), float(foot[1])), (float(middle[0]), float(middle[1])), 0.24)
            heading = float(np.degrees(np.arctan2(-(middle - foot)[1], (middle - foot)[0])))
            pen.text(letters(colors[face]), at, _LETTER_MM[solid.name], ink=against(ink), turn_deg=heading - 90)
            pen.polygon(_points(corners), line=BLACK, width_mm=0.1, dashed=True)

    return Part(solid.name, (float(size[0]), float(size[1])), draw)


def net_offset_mm(solid: Solid) -> NDArray[np.float64]:
    """Returns the top left corner of the part in the net's own coordinates."""
    flat, _ = unfolded(solid)
    return np.asarray(np.concatenate(list(flat.values())).min(0) - _FLAP_MM[solid.name])


def _flaps(
    pen: Pen, solid: Solid, face: int, corners: NDArray[np.float64], held: set[frozenset[int]], flap_mm: float
) -> None:
    """Draws a flap at each open edge whose other half is drawn later."""
    order = solid.faces[face]
    for k in range(len(order)):
        pair = {order[k], order[(k + 1) % len(order)]}
        other = next(f for f, ring in enumerate(solid.faces) if f != face and pair <= set(ring))
        if frozenset((face, other)) in held or other < face:
            continue
        a, b = corners[k], corners[(k + 1) % len(order)]
        along = (b - a) / np.linalg.norm(b - a)
        out = np.array([along[1], -along[0]])
        if (corners.mean(0) - a) @ out > 0:
            out = -out
        slope = flap_mm * 0.8
        pen.polygon(
            _points(np.array([a, a + along * slope + out * flap_mm, b - along * slope + out * flap_mm, b])),
            line=BLACK,
            width_mm=0.15,
        )


def _points(corners: NDArray[np.float64]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)
