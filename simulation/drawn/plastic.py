"""Draws pyramids of plastic: traces rays through hollow shells that absorb, scatter and mirror light.

For every sample of a patch the path through each shell is computed exactly. The background shines through by the
color's transmittance to the power of that path, so ridges are darker and more saturated, and every level of a stack is
visible. The constants follow the light of pyramids in the labeled pictures, by color, on light and on dark tables.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import Pyramid
from simulation.drawn.camera import Camera, Floats
from simulation.drawn.lamp import Lamp
from simulation.drawn.standing import Stand, planes

WALL_MM = 1.9
"""The thickness of the shell in millimeters, which fits between two equal pieces of a stack."""
_PATH_MM = 5.0
"""The path in millimeters through both walls for which `Look.through` is defined."""
_GLOSS = 0.04
"""The reflectance at normal incidence."""
_GRAZING = 0.5
"""The additional reflectance at grazing incidence; less than 1, since steep faces mirror their own shadow."""
FINE = 2
"""The number of samples per pixel each way."""


class Look(NamedTuple):
    """The properties of one color of plastic as B, G, R."""

    through: tuple[float, float, float]
    """The share of light from behind that comes through both walls."""
    body: tuple[float, float, float]
    """The share of ambient light that is scattered back."""
    opaque: bool = False


LOOKS: dict[str, Look] = {
    "red": Look((0.15, 0.14, 0.63), (0.005, 0.005, 0.11)),
    "orange": Look((0.10, 0.33, 0.50), (0.007, 0.042, 0.25)),
    "yellow": Look((0.16, 0.53, 0.55), (0.009, 0.148, 0.200)),
    "green": Look((0.25, 0.50, 0.19), (0.009, 0.055, 0.003)),
    "cyan": Look((0.56, 0.52, 0.18), (0.102, 0.075, 0.007)),
    "blue": Look((0.43, 0.18, 0.12), (0.140, 0.013, 0.005)),
    "purple": Look((0.42, 0.13, 0.33), (0.066, 0.009, 0.040)),
    "clear": Look((0.72, 0.73, 0.74), (0.13, 0.13, 0.12)),
    "black": Look((0.0, 0.0, 0.0), (0.028, 0.026, 0.026), True),
    "white": Look((0.0, 0.0, 0.0), (0.88, 0.90, 0.90), True),
}
"""The plastic of each color. Black and white are opaque."""


class Patch(NamedTuple):
    """The effect of a stack on a box of the picture: picture = picture * `through` + `added`."""

    box_px: tuple[int, int, int, int]
    """The box x0, y0, x1, y1 in pixels; x1 and y1 are exclusive."""
    through: Floats
    """(H, W, 3): the factor."""
    added: Floats
    """(H, W, 3): the added light."""


def patch(stand: Stand, camera: Camera, lamp: Lamp, table: Floats, seed: int = 0) -> Patch | None:
    """Returns the effect of one stack or lying piece on the picture; None if it is outside of the picture.

    Args:
        table: (3,): the light that the table around it sends back, which shells mirror.
    """
    solids = stand.solids()
    box = _box(np.concatenate(solids), camera)
    if box is None:
        return None
    rays = camera.rays(box, FINE)
    through = np.ones(rays.shape, np.float32)
    added = np.zeros(rays.shape, np.float32)
    light = _light(lamp, stand)
    for piece, points in zip(reversed(stand.pieces), reversed(solids), strict=True):
        _lay_under(through, added, piece, points, rays, camera.eye_mm(), light, table)
    mottle = 1 + 0.10 * np.random.default_rng(seed).standard_normal((*rays.shape[:2], 1), dtype=np.float32)
    touched = (through < 1).any(2, keepdims=True)
    added *= np.where(touched, mottle, 1)
    return Patch(box, _coarse(through), _coarse(added))


def _box(points_mm: Floats, camera: Camera) -> tuple[int, int, int, int] | None:
    seen = camera.project(points_mm)
    (x0, y0), (x1, y1) = np.floor(seen.min(0)).astype(int) - 1, np.ceil(seen.max(0)).astype(int) + 2
    width, height = camera.size_px
    box = max(int(x0), 0), max(int(y0), 0), min(int(x1), width), min(int(y1), height)
    return box if box[0] < box[2] and box[1] < box[3] else None


class _Light(NamedTuple):
    """The light at one place."""

    toward: Floats
    lamp: Floats
    around: Floats


def _light(lamp: Lamp, stand: Stand) -> _Light:
    place = np.array(stand.place_mm)
    toward = lamp.toward(stand.place_mm)
    return _Light(toward, np.array(lamp.color) * float(lamp.share(place)) / toward[2], np.array(lamp.around))


def _coarse(values: Floats) -> Floats:
    height, width = values.shape[0] // FINE, values.shape[1] // FINE
    return np.asarray(values.reshape(height, FINE, width, FINE, 3).mean((1, 3)), dtype=np.float32)


def _lay_under(
    through: Floats,
    added: Floats,
    piece: Pyramid,
    points_mm: Floats,
    rays: Floats,
    eye_mm: Floats,
    light: _Light,
    table: Floats,
) -> None:
    """Puts one piece behind those already drawn, which changes `through` and `added`."""
    look = LOOKS[piece.color]
    normals, distances = planes(points_mm)
    slopes = rays @ normals.T.astype(np.float32)
    gaps = (distances - normals @ eye_mm).astype(np.float32)
    near, far, face = _crossing(slopes, gaps)
    hit = near < far
    if not hit.any():
        return
    hollow = gaps - np.array([WALL_MM] * 4 + [0.0], dtype=np.float32)
    inner_near, inner_far, _ = _crossing(slopes, hollow)
    cavity = np.clip(np.minimum(inner_far, far) - np.maximum(inner_near, near), 0, None)
    path = np.clip(far - near - cavity, 0, None)
    facing = np.clip(-np.take_along_axis(slopes, face[..., None], 2)[..., 0], 0, 1)
    shine, open_face = _shine(normals, face, facing, rays, light, table)
    shade = _shades(normals, light, look.opaque)[face]
    shade[open_face] *= 0.55
    if look.opaque:
        seen_through = np.zeros(rays.shape, np.float32)
        scattered = np.array(look.body, np.float32) * shade
    else:
        clear = np.array(LOOKS["clear"].through, dtype=np.float32) ** 0.5
        density = -np.log(np.array(look.through, dtype=np.float32) / clear) / _PATH_MM
        seen_through = clear * np.exp(-path[..., None] * density) * (1 - 0.5 * shine.share[..., None])
        thick = 1 - np.exp(-1.4 * path / _PATH_MM)
        scattered = np.array(look.body, np.float32) * shade * (thick / (1 - np.exp(-1.4)))[..., None]
    inside = hit[..., None]
    # Behind other shells, light has also come in through them.
    added += np.where(inside, through * (scattered * through + shine.light), 0)
    through *= np.where(inside, seen_through, 1)


def _crossing(slopes: Floats, gaps: Floats) -> tuple[Floats, Floats, NDArray[Any]]:
    """Returns the distances at which rays enter and leave a convex solid, and the number of the face by which they
    enter.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        at = gaps / slopes
    entering = np.where(slopes < 0, at, -np.inf)
    leaving = np.where(slopes > 0, at, np.inf)
    face = entering.argmax(2)
    return np.take_along_axis(entering, face[..., None], 2)[..., 0], leaving.min(2), face


def _shades(normals: Floats, light: _Light, opaque: bool) -> Floats:
    """Returns (5, 3): the light on each face; translucent plastic passes some light on from the other faces."""
    faced = np.clip(normals @ light.toward, 0, None)[:, None] * light.lamp
    sky = light.around * (0.65 + 0.35 * normals[:, 2:])
    direct = faced + sky
    if opaque:
        return direct
    flat = light.lamp * light.toward[2] + light.around
    return np.asarray(0.6 * direct + 0.4 * flat)


class _Shine(NamedTuple):
    share: Floats
    light: Floats


def _shine(
    normals: Floats, face: NDArray[Any], facing: Floats, rays: Floats, light: _Light, table: Floats
) -> tuple[_Shine, NDArray[Any]]:
    """Returns the reflections of the outer faces (room, table, lamp), and the samples that enter by the open base."""
    open_face = face == 4
    share = _GLOSS + _GRAZING * (1 - facing) ** 5
    share = np.where(open_face, 0, share)
    mirrored = rays + 2 * facing[..., None] * normals[face]
    up = mirrored[..., 2:]
    room = np.where(up > 0, light.around * 0.4, table)
    lamp = np.clip(mirrored @ light.toward, 0, 1) ** 250
    bright = share[..., None] * (room + 25 * lamp[..., None] * light.lamp)
    return _Shine(share, bright), open_face
