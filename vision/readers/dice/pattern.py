"""Squares of a cloth that look like dice: the cloth repeats them, at like distances and turned alike.

Around a die lies the tray, which has another color, or the die's own color everywhere. Around a square of a cloth lie
others of its color with another one between them. So from each candidate the ground is looked at along both of its
sides: a row in which its color comes and goes, or goes on, is a cloth's. What else has that color, is turned alike and
lies in line with such a square is another one: dice fall as they like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.light import LINEAR
from vision.readers.dice.choice import FaceChance
from vision.readers.dice.faces import FLOOR
from vision.readers.dice.lens import pixels_of
from vision.readers.dice.solids import CUBE, turned
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

_LIKELY = -2.0
"""Log odds from which on a candidate is worth the question."""
_PITCHES_MM = np.arange(26.0, 102.0, 4.0)
"""Distances at which a cloth may repeat itself; nearer ones are the candidate's own."""
_STEPS = np.array([-2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0])
"""Where a row is looked at, in pitches: in whole ones the color comes again, in half ones another one lies between."""
_WHOLE = np.array([0, 2, 5, 7])
_BETWEEN = np.array([1, 3, 4, 6])
_SOFT_PX = 5
_ALIKE, _OTHER = 0.3, 0.4
"""Differences of logarithms of light up to which a color comes again, and from which on it is another one."""
_TURNED_DEG, _IN_LINE_MM, _HERE_MM, _ROW_MM = 6.0, 2.5, 8.0, 140.0
"""Two squares of one row are turned alike up to so much, and so far beside each other; nearer ones are the same place,
and over longer rows places and lens add up."""
_AGAIN = 3
"""Of four places at which a color should come again, or be another one, so many must agree."""
_OF_EIGHT = 7
"""Of all eight, where it comes and goes: around a die on a cloth of its color other dice and shadows lie between."""


def squares_of_cloth(table: RegisteredImage, ranked: Sequence[FaceChance]) -> list[FaceChance]:
    """Candidates that lie where the cloth repeats just that color."""
    cubes = [one for one in ranked if one.colors is not None and one.candidate.solid is CUBE]
    asked = [one for one in cubes if one.log_odds > _LIKELY]
    if not asked:
        return []
    tops = np.array([one.candidate.top_mm().mean(axis=0) for one in asked])
    middles = table.pose.unproject(table.pose.project(tops))
    axes = np.array([turned(np.eye(3)[:2], one.candidate.place.yaw_deg)[:, :2] for one in asked])
    reach = _PITCHES_MM[:, None] * _STEPS
    spots = middles[:, None, None, None] + axes[:, :, None, None] * reach[None, None, :, :, None]
    away = np.abs(_seen(table, spots) - _seen(table, middles)[:, None, None, None]).max(axis=-1)
    alike, other = away < _ALIKE, away > _OTHER
    again = alike[..., _WHOLE].sum(axis=-1) >= _AGAIN
    between = other[..., _BETWEEN].sum(axis=-1)
    comes = (again & (between >= _AGAIN) & (alike[..., _WHOLE].sum(axis=-1) + between >= _OF_EIGHT)).any(axis=-1)
    goes_on = (again & (alike[..., _BETWEEN].sum(axis=-1) >= _AGAIN)).any(axis=-1)
    repeats = comes.any(axis=1) & (comes | goes_on).all(axis=1)
    found = repeats | _in_rows(asked, axes)[:, repeats].any(axis=1)
    return [one for one, is_one in zip(asked, found, strict=True) if is_one]


def _in_rows(asked: Sequence[FaceChance], axes: Floats) -> NDArray[np.bool_]:
    """(N, N) which candidates have one color, are turned alike and lie in line; `axes` (N, 2, 2) are their sides."""
    places = [one.candidate.place for one in asked]
    color = np.array([np.logaddexp.reduce(one.colors.top, axis=0).argmax() for one in asked if one.colors is not None])
    yaw = np.array([place.yaw_deg for place in places])
    apart = np.abs((yaw[None] - yaw[:, None] + CUBE.turn_deg / 2) % CUBE.turn_deg - CUBE.turn_deg / 2)
    at = np.array([(place.x_mm, place.y_mm) for place in places])
    away = np.abs(np.einsum("nmk,nak->nma", at[None] - at[:, None], axes))
    far = np.hypot(away[..., 0], away[..., 1])
    in_line = (away.min(axis=2) < _IN_LINE_MM) & (far > _HERE_MM) & (far < _ROW_MM)
    return np.asarray(in_line & (apart < _TURNED_DEG) & (color[None] == color[:, None]))


def _seen(table: RegisteredImage, places_mm: Floats) -> Floats:
    """(..., 3) logarithms of light over white's on the ground at places (..., 2); NaN outside of the picture."""
    flat = places_mm.reshape(-1, 2)
    pixels = pixels_of(table.pose, np.column_stack([flat, np.zeros(len(flat))]))[None]
    soft = cv2.blur(table.picture, (_SOFT_PX, _SOFT_PX))
    levels = cv2.remap(soft, pixels[..., 0], pixels[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)[0]
    logs = np.log(LINEAR[levels] / table.light.white(flat) + FLOOR)
    logs[(pixels[0] < 0).any(axis=-1) | (pixels[0] >= table.pose.size_px).any(axis=-1)] = np.nan
    return np.asarray(logs.reshape(*places_mm.shape[:-1], 3))
