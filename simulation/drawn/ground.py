"""Draws the empty table: surface, light, mirrored lamp, printed mat, markers and things beside the mat."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.plan import Mat, Point
from simulation.drawn.camera import Camera, Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.lamp import Lamp
from simulation.drawn.tabletop import SURFACES, TEXEL_MM, Surface, texture
from simulation.drawn.things import Thing, draw_thing

PAPER = (0.82, 0.84, 0.84)
INK = (0.035, 0.035, 0.035)
_MARKER_PX = 16
"""The number of pixels per cell in a marker's drawing."""
_QUIET_MM = 8.0
_COARSE = 16
_LINE = (0.45, 0.38, 0.36)


def ground(
    camera: Camera,
    lamp: Lamp,
    mat: Mat,
    table: str,
    seed: int = 0,
    *,
    things: Sequence[Thing] = (),
    outlines: Sequence[Sequence[Point]] = (),
    hidden: Sequence[int] = (),
) -> Canvas:
    """Returns an empty table in linear light.

    Args:
        things: Things that lie beside the mat.
        outlines: Outlines in table millimeters of the zones that are printed on a paper mat.
        hidden: The ids of missing markers.
    """
    surface = SURFACES[table]
    places = camera.ground()
    on_paper = surface.kind == "paper"
    reflectance = _reflectance("oak" if on_paper else table, seed, places)
    canvas = Canvas(_lit(reflectance, surface, camera, lamp, places), camera, lamp)
    if on_paper:
        _sheet(canvas, mat, outlines, places)
    for number, (x, y) in enumerate(mat.corners_mm()):
        if number not in hidden:
            _marker(canvas, mat, number, (x, y), np.random.default_rng((seed, number)).uniform(-4, 4), on_paper)
    for thing in things:
        draw_thing(canvas, thing)
    return canvas


def _reflectance(table: str, seed: int, places_mm: Floats) -> Floats:
    """Returns (H, W, 3): the linear reflectance of the bare table, whose grain runs in a random direction."""
    turn = float(np.random.default_rng(seed).uniform(-0.4, 0.4))
    cos, sin = np.cos(turn), np.sin(turn)
    x = (places_mm[..., 0] * cos + places_mm[..., 1] * sin) / TEXEL_MM + 250
    y = (places_mm[..., 1] * cos - places_mm[..., 0] * sin) / TEXEL_MM + 180
    return np.asarray(
        cv2.remap(
            texture(table, seed),
            x.astype(np.float32),
            y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        )
    )


def _lit(reflectance: Floats, surface: Surface, camera: Camera, lamp: Lamp, places_mm: Floats) -> Floats:
    """Returns (H, W, 3): the table's light with the lamp mirrored in a glossy surface, before vignetting."""
    height, width = reflectance.shape[:2]
    few = places_mm[::_COARSE, ::_COARSE].astype(np.float64)
    eye = camera.eye_mm()
    down = np.concatenate([few - eye[:2], np.full((*few.shape[:2], 1), -eye[2])], axis=-1)
    mirrored = down / np.linalg.norm(down, axis=-1, keepdims=True) * (1, 1, -1)
    toward = np.array(lamp.place_mm) - np.concatenate([few, np.zeros((*few.shape[:2], 1))], axis=-1)
    toward /= np.linalg.norm(toward, axis=-1, keepdims=True)
    lobe = np.clip((mirrored * toward).sum(-1), 0, 1) ** (8 + 30 * (1 - lamp.softness))
    sheen = surface.gloss * lobe[..., None] * np.array(lamp.color)
    light = np.concatenate([lamp.white(few), sheen], axis=-1).astype(np.float32)
    # The coarse places are the middles of pixels 0, 16, 32, ...; resizing needs them at the middles of its cells.
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / _COARSE, np.arange(height, dtype=np.float32) / _COARSE)
    full = [
        cv2.remap(np.ascontiguousarray(light[..., part]), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in (slice(0, 3), slice(3, 6))
    ]
    return np.asarray(reflectance * full[0] + full[1], dtype=np.float32)


def _sheet(canvas: Canvas, mat: Mat, outlines: Sequence[Sequence[Point]], places_mm: Floats) -> None:
    """Draws a printed play mat."""
    w, h, edge = mat.width_mm, mat.height_mm, 42.0
    corners = np.array([(-edge, -edge, 0), (w + edge, -edge, 0), (w + edge, h + edge, 0), (-edge, h + edge, 0)])
    (x0, y0, x1, y1), alpha = canvas.mask(canvas.camera.project(corners))
    part = canvas.light[y0:y1, x0:x1]
    light = np.array(PAPER, np.float32) * canvas.lamp.white(places_mm[y0:y1, x0:x1])
    part += (light - part) * alpha[..., None]
    for outline in outlines:
        corners = np.array([(x, y, 0.0) for x, y in (*outline, outline[0])])
        canvas.stroke(corners, 0.8, _LINE)


def _marker(canvas: Canvas, mat: Mat, number: int, place_mm: Point, turn_deg: float, on_paper: bool) -> None:
    """Draws one marker; a loose one is a piece of paper that a hand laid down, a little turned."""
    cells = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6 * _MARKER_PX
    )
    margin = round(_QUIET_MM / mat.marker_mm * 6 * _MARKER_PX)
    sheet = np.full((cells.shape[0] + 2 * margin,) * 2, 255, np.uint8)
    sheet[margin:-margin, margin:-margin] = cells
    half = mat.marker_mm / 2 * sheet.shape[0] / cells.shape[0]
    turn = np.radians(0.0 if on_paper else turn_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    corners = np.column_stack([square @ np.array([[cos, sin], [-sin, cos]]) + place_mm, np.zeros(4)])
    seen = canvas.camera.project(corners)
    (x0, y0, x1, y1), _ = canvas.mask(seen)
    if x0 >= x1 or y0 >= y1:
        return
    fine = 4
    side = sheet.shape[0]
    drawn = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    target = ((seen - (x0, y0) + 0.5) * fine - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(drawn, target)
    size = ((x1 - x0) * fine, (y1 - y0) * fine)
    value = cv2.warpPerspective(sheet, matrix, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.full_like(sheet, 255), matrix, size, flags=cv2.INTER_LINEAR)
    small = (x1 - x0, y1 - y0)
    alpha = np.asarray(cv2.resize(cover, small, interpolation=cv2.INTER_AREA), np.float32)[..., None] / 255
    bright = np.asarray(cv2.resize(value, small, interpolation=cv2.INTER_AREA), np.float32)[..., None] / 255
    ink = bright / np.maximum(alpha, 1e-3)
    color = np.array(INK, np.float32) + (np.array(PAPER, np.float32) - np.array(INK, np.float32)) * ink
    light = color * canvas.lamp.white(np.array(place_mm))
    part = canvas.light[y0:y1, x0:x1]
    part += (light - part) * alpha
