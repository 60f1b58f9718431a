"""From a scene to a picture: shadows on the table, walls in front of it, and what a webcam makes of that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import Mat
from vision.image.light import srgb_levels
from vision.readers.pyramids.training.drawn.arrangement import Thing, random_things
from vision.readers.pyramids.training.drawn.camera import (
    HEIGHT,
    WIDTH,
    DrawnCamera,
    TracedSolid,
    crossings,
    random_camera,
    solid,
)
from vision.readers.pyramids.training.drawn.lamps import RoomLights, random_lamps
from vision.readers.pyramids.training.drawn.plastic import Plastic, random_plastics
from vision.readers.pyramids.training.drawn.surface import MARGIN_MM, PX_PER_MM, random_surface

Floats = NDArray[Any]

LIGHT_PX_PER_MM = 1.25
"""Pixels a millimeter of the shadow map."""
_FINE = 2
"""Rays a pixel and direction inside of boxes that hold pieces."""
_FINE_CAMERAS = 0.35
_OTHER_EXPOSURE = 0.06
"""One sigma of the logarithm by which the empty table was exposed differently."""


class DrawnPicture(Struct, frozen=True):
    """A drawn picture and all that is true of it."""

    picture: NDArray[np.uint8]
    """(720, 1280, 3) BGR."""
    empty: NDArray[np.uint8]
    """(720, 1280, 3) BGR, the same table under the same lamps before anything stood on it."""
    camera: DrawnCamera
    mat: Mat
    things: tuple[Thing, ...]
    white: Floats
    """(4, 3) linear B, G, R of white paper at the four markers."""
    empty_white: Floats
    """The same in the picture of the empty table, whose exposure may differ."""


def random_picture(random: np.random.Generator) -> DrawnPicture:
    """One picture of a random table."""
    mat = Mat(600.0, 400.0, 40.0)
    camera = random_camera(mat, random)
    middle = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    lamps = random_lamps(middle, random)
    things = random_things(mat, random)
    plastics = random_plastics(random)
    surface = random_surface(mat, random)
    pieces = pieces_of(things, random)
    bare, light = table_light(pieces, plastics, lamps, mat, random)
    image, empty = seen_table(surface, light, camera), seen_table(surface, bare, camera)
    cover_with(image, pieces, plastics, lamps, camera, random)
    corners = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)])
    white = sum(lamps.irradiance(corners, k) for k in range(len(lamps.places_mm)))
    one = random_webcam(image, random)
    # A camera that meters by itself exposes the empty table a little differently.
    before = one._replace(gain=one.gain * np.exp(random.normal(0, _OTHER_EXPOSURE) + random.normal(0, 0.02, 3)))
    return DrawnPicture(
        one.take(image, random),
        before.take(empty, random),
        camera,
        mat,
        things,
        np.asarray(white * 0.8 * one.gain),
        np.asarray(white * 0.8 * before.gain),
    )


class Piece(Struct, frozen=True):
    """One pyramid."""

    points: Floats
    """(5, 3) as `models.standing` and `models.lying` order them."""
    color: int


def pieces_of(things: Sequence[Thing], random: np.random.Generator) -> list[Piece]:
    """All pieces of things; upper levels sit a little askew."""
    found = []
    for thing in things:
        points = thing.place.points()
        for level, (corners, name) in enumerate(zip(points, thing.colors, strict=True)):
            if level:
                corners = _twisted(corners, random.normal(0, 1.5))
            found.append(Piece(corners, PYRAMID_COLORS.index(name)))
    return found


def _twisted(corners: Floats, angle_deg: float) -> Floats:
    """A level that sits a little askew."""
    turn, middle = math.radians(angle_deg), corners[4].copy()
    matrix = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    return np.asarray((corners - middle) @ matrix.T + middle)


def table_light(
    pieces: Sequence[Piece],
    plastics: Sequence[Plastic],
    lamps: RoomLights,
    mat: Mat,
    random: np.random.Generator,
    blind: Floats | None = None,
) -> tuple[Floats, Floats]:
    """(h, w, 3) light on the bare table at `LIGHT_PX_PER_MM`, and with the colored shadows of pieces.

    Args:
        blind: (h, w) share of a lamp's or window's light that gets through what hangs before it; None: all.
    """
    width, height = light_size(mat)
    small_y, small_x = np.mgrid[0:height:16, 0:width:16]
    coarse = np.stack(
        [small_x / LIGHT_PX_PER_MM - MARGIN_MM, small_y / LIGHT_PX_PER_MM - MARGIN_MM, np.zeros(small_x.shape)], -1
    )
    bare, total = np.zeros((height, width, 3), np.float32), np.zeros((height, width, 3), np.float32)
    big = _occluders(mat, random)
    for k in range(len(lamps.places_mm)):
        plain = cv2.resize(lamps.irradiance(coarse, k).astype(np.float32), (width, height))
        for points in big:
            _shade(plain, points, lamps.places_mm[k], np.full(3, 0.02))
        if blind is not None and lamps.sharp[k]:
            plain *= blind[..., None]
        bare += plain
        for piece in pieces:
            _shade(plain, piece.points, lamps.places_mm[k], np.exp(-np.minimum(plastics[piece.color].density, 9) * 2.4))
        total += plain
    return bare, total


def light_size(mat: Mat) -> tuple[int, int]:
    """Width and height of a map of the light on a table."""
    width, height = ((side + 2 * MARGIN_MM) * LIGHT_PX_PER_MM for side in (mat.width_mm, mat.height_mm))
    return int(width), int(height)


def _occluders(mat: Mat, random: np.random.Generator) -> list[Floats]:
    """Things outside of the picture or at its border that throw a large shadow."""
    if random.random() < 0.75:
        return []
    x, y = random.choice([-60.0, mat.width_mm + 60]), random.uniform(0, mat.height_mm)
    wide, tall = random.uniform(20, 60), random.uniform(60, 200)
    corners = [(x + sx * wide, y + sy * wide, z) for sx in (-1, 1) for sy in (-1, 1) for z in (0, tall)]
    return [np.array(corners)]


def _shade(light: Floats, points: Floats, lamp: Floats, through: Floats) -> None:
    """Multiply the shadow of a convex body into a light map, in place."""
    top = np.maximum(points[:, 2], 0)
    share = lamp[2] / np.maximum(lamp[2] - top, 1.0)
    ground = lamp[:2] + (points[:, :2] - lamp[:2]) * share[:, None]
    pixels = (ground + MARGIN_MM) * LIGHT_PX_PER_MM
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, (light.shape[1], light.shape[0]))
    if (low >= high).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    hull = cv2.convexHull(np.int32(np.round((pixels - low) * 16)).reshape(-1, 1, 2))
    cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA, 4)
    part = light[low[1] : high[1], low[0] : high[0]]
    part *= 1 - mask[..., None] * (1 - through.astype(np.float32))


def seen_table(surface: Floats, light: Floats, camera: DrawnCamera) -> Floats:
    """(720, 1280, 3) linear light of the bare table with its shadows."""
    ys, xs = np.mgrid[0:HEIGHT:8, 0:WIDTH:8]
    rays = camera.rays(np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64))
    ground = camera.place_mm + rays * (-camera.place_mm[2] / rays[:, 2:])
    small = ground[:, :2].reshape(*xs.shape, 2).astype(np.float32)
    # One more pixel to the right and below, so that enlarging maps corners to corners.
    matrix = np.array([[1 / 8, 0, 0], [0, 1 / 8, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    wide = cv2.warpAffine(small, matrix, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    at = (wide + MARGIN_MM) * np.float32(PX_PER_MM)
    albedo = cv2.remap(surface, at[..., 0], at[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    at *= np.float32(LIGHT_PX_PER_MM / PX_PER_MM)
    seen = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(albedo * seen)


def cover_with(
    image: Floats,
    pieces: Sequence[Piece],
    plastics: Sequence[Plastic],
    lamps: RoomLights,
    camera: DrawnCamera,
    random: np.random.Generator,
) -> None:
    """Paint the pieces over the table, box by box of those that overlap, in place."""
    rough = random.uniform(0.05, 0.16)
    gloss = random.uniform(0.4, 1.6)
    speckle = random.uniform(0.0, 0.12)
    edge = random.uniform(0.3, 2.6)
    glow = random.uniform(0.2, 0.75)
    for group, (x0, y0, x1, y1) in _groups(pieces, camera):
        count_x, count_y = (x1 - x0) * _FINE, (y1 - y0) * _FINE
        ys, xs = np.mgrid[0:count_y, 0:count_x]
        pixels = np.column_stack([xs.ravel(), ys.ravel()]) / _FINE + np.array([x0, y0]) + (0.5 / _FINE - 0.5)
        rays = camera.rays(pixels)
        back = np.repeat(np.repeat(image[y0:y1, x0:x1], _FINE, 0), _FINE, 1).reshape(-1, 3)
        solids = [solid(piece.points) for piece in group]
        paint = [plastics[piece.color] for piece in group]
        front = _through(solids, paint, lamps, camera.place_mm, rays, back, (rough, gloss, speckle, edge, glow), random)
        block = front.reshape(y1 - y0, _FINE, x1 - x0, _FINE, 3).mean(axis=(1, 3))
        image[y0:y1, x0:x1] = block


def _groups(pieces: Sequence[Piece], camera: DrawnCamera) -> list[tuple[list[Piece], tuple[int, int, int, int]]]:
    """Pieces whose boxes overlap, and the box around them."""
    groups: list[tuple[list[Piece], tuple[int, int, int, int]]] = []
    for piece in pieces:
        pixels = camera.project(piece.points)
        low, high = np.floor(pixels.min(axis=0)).astype(int) - 1, np.ceil(pixels.max(axis=0)).astype(int) + 2
        box = max(low[0], 0), max(low[1], 0), min(high[0], WIDTH), min(high[1], HEIGHT)
        if box[0] >= box[2] or box[1] >= box[3]:
            continue
        members = [piece]
        rest = []
        for other, area in groups:
            if area[0] < box[2] and box[0] < area[2] and area[1] < box[3] and box[1] < area[3]:
                members = [*other, *members]
                box = min(box[0], area[0]), min(box[1], area[1]), max(box[2], area[2]), max(box[3], area[3])
            else:
                rest.append((other, area))
        groups = [*rest, (members, (int(box[0]), int(box[1]), int(box[2]), int(box[3])))]
    return groups


def _through(
    solids: Sequence[TracedSolid],
    paint: Sequence[Plastic],
    lamps: RoomLights,
    origin: Floats,
    rays: Floats,
    back: Floats,
    look: tuple[float, float, float, float, float],
    random: np.random.Generator,
) -> Floats:
    """(N, 3) light along rays, walls in front of `back`."""
    rough, gloss, speckle, edge, glow = look
    walls = crossings(solids, origin, rays)
    normals = np.stack([s.normals for s in solids])
    offsets = np.stack([s.offsets for s in solids])
    density = np.stack([p.density for p in paint])
    scatter = np.stack([p.scatter for p in paint])
    lit_front, lit_back = _face_light(normals, solids, lamps)
    out = np.zeros_like(back, dtype=np.float64)
    left = np.ones_like(out)
    for k in range(walls.distance.shape[1]):
        alive = np.isfinite(walls.distance[:, k]) & (left.max(axis=1) > 0.003)
        if not alive.any():
            break
        piece, face = walls.piece[alive, k], walls.face[alive, k]
        ray = rays[alive]
        spot = origin + ray * walls.distance[alive, k, None]
        normal = normals[piece, face]
        cosine = (ray * normal).sum(axis=1)
        outside = cosine < 0
        slant = np.clip(np.abs(cosine), 0.05, 1)
        gap = offsets[piece] - (normals[piece] @ spot[..., None])[..., 0]
        ridge = np.partition(gap[:, :4], 1, axis=1)[:, 1]
        rim = np.minimum(ridge, gap[:, 4])
        thick = np.minimum(1 / slant, 3.2) * (1 + edge * np.exp(-((rim / 0.8) ** 2)))
        through = np.exp(-density[piece] * thick[:, None])
        fresnel = 0.04 + 0.96 * (1 - slant) ** 5
        seen_side = np.where(outside[:, None], lit_front[piece, face], lit_back[piece, face])
        other_side = np.where(outside[:, None], lit_back[piece, face], lit_front[piece, face])
        clear_through = np.isfinite(density[piece]).all(axis=1)[:, None]
        body = scatter[piece] * (seen_side + np.where(clear_through, glow * other_side, 0.0))
        body *= 1 + speckle * random.standard_normal((len(body), 1))
        mirror = ray - 2 * cosine[:, None] * normal
        shine = _mirrored(mirror, spot, lamps, rough) * (fresnel * gloss)[:, None]
        # What lies behind walls gets its light through walls like them.
        out[alive] += left[alive] * ((1 - fresnel)[:, None] * body * left[alive] + shine)
        left[alive] *= through * (1 - fresnel)[:, None]
    return np.asarray(out + left * back)


def _face_light(normals: Floats, solids: Sequence[TracedSolid], lamps: RoomLights) -> tuple[Floats, Floats]:
    """(pieces, 5, 3) light that falls on each face from outside, and from inside."""
    middle = np.array([300.0, 200.0, 15.0])
    away = lamps.places_mm - middle
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    cosine = np.einsum("pfc,lc->pfl", normals, away / distance)
    level = lamps.power * (lamps.reach_mm[:, None] / distance) ** 2
    bounce = 0.2 * level.sum(axis=0)
    return np.maximum(cosine, 0) @ level + bounce, np.maximum(-cosine, 0) @ level + bounce


def _mirrored(mirror: Floats, spot: Floats, lamps: RoomLights, rough: float) -> Floats:
    """(N, 3) light that a glossy wall throws to the camera."""
    rise = np.clip(mirror[:, 2], 0, 1)
    room = lamps.power[~lamps.sharp].sum(axis=0)
    out = (0.4 + 0.8 * rise)[:, None] * room
    for k in np.flatnonzero(lamps.sharp)[::3]:
        away = lamps.places_mm[k] - spot
        away /= np.linalg.norm(away, axis=1, keepdims=True)
        near = (mirror * away).sum(axis=1)
        lobe = np.exp((near - 1) / rough**2) / (rough**2) * 0.2
        out = out + lobe[:, None] * lamps.power[k] * 3
    return np.asarray(out)


class Webcam(NamedTuple):
    """One camera with its settings."""

    gain: Floats
    """(3,) what exposure and white balance put on linear light."""
    falloff: float
    blur_px: float
    noise: tuple[float, float]
    """Variance of the dark, and for one unit of light."""
    quality: int
    """Of its JPEG."""

    def take(self, image: Floats, random: np.random.Generator) -> NDArray[np.uint8]:
        """The 8-bit picture of linear light."""
        light = image * self.gain
        ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH]
        away = ((xs - WIDTH / 2) ** 2 + (ys - HEIGHT / 2) ** 2) / (WIDTH / 2) ** 2
        light = light * (1 - self.falloff * away)[..., None]
        light = cv2.GaussianBlur(light.astype(np.float32), (0, 0), self.blur_px)
        noise = np.sqrt(self.noise[0] + self.noise[1] * np.maximum(light, 0))
        light = light + noise * random.standard_normal(light.shape).astype(np.float32)
        light = np.clip(light, 0, 1)
        code = srgb_levels(light) * 255
        picture = np.clip(np.round(code), 0, 255).astype(np.uint8)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def random_webcam(image: Floats, random: np.random.Generator) -> Webcam:
    """A camera that has metered some linear light; some have pixels to spare, so that noise and blur are small."""
    middle = np.median(image[100:-100:8, 200:-200:8].reshape(-1, 3).mean(axis=1))
    exposure = np.exp(random.normal(0, 0.3)) * min(0.75, 0.16 / max(float(middle), 0.02) ** 0.55)
    gain = exposure * np.exp(random.normal(0, 0.07, 3))
    fine = 0.4 if random.random() < _FINE_CAMERAS else 1.0
    blur_px = random.uniform(0.3, 0.5) if fine < 1 else random.uniform(0.35, 0.95)
    noise = random.uniform(1e-6, 3e-5) * fine, random.uniform(1e-5, 3e-4) * fine
    return Webcam(gain, random.uniform(0, 0.18), blur_px, noise, int(random.uniform(70, 96)))


def webcam(image: Floats, random: np.random.Generator) -> tuple[NDArray[np.uint8], Floats]:
    """8-bit picture of linear light by some webcam, and its gain (3,)."""
    camera = random_webcam(image, random)
    return camera.take(image, random), camera.gain
