"""Changes the light in pictures of a real table during a game: dusk, blinds, shadows, lamps and the sun.

`lit` gives each light the form of the functions in `simulation.changed.intruders`. Light is multiplied in approximately
linear space, like that of lamps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.changed.intruders import Intruder, MatInPicture, nothing
from vision.image.picture import Picture

Floats = NDArray[Any]
Light = Callable[[tuple[int, int], float, float], Floats]
"""Returns factors of linear light (h, w, 3) or (1, 1, 3), from a picture's size (w, h) in coarse pixels, the passed
share of the evening (0 to 1), and the time in seconds.
"""

COARSE = 8
"""The factor by which light is computed more coarsely, since it varies slowly; edges of sunlight are blurred by the
same factor.
"""


def dusk(size: tuple[int, int], share: float, t_s: float) -> Floats:
    """Returns daylight that fades while a warm lamp takes over during the evening."""
    day = np.float32((1.0, 0.95, 0.9)) * (1 - share)
    lamp = np.float32((0.35, 0.6, 0.85)) * share
    return (day + lamp).reshape(1, 1, 3)


def blinds(size: tuple[int, int], share: float, t_s: float) -> Floats:
    """Returns the light through blinds: stripes that wander as the sun sets."""
    width, height = size
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32) / width
    phase = (columns * 0.35 + rows + 0.15 * share) * 11
    stripes = 1 / (1 + np.exp(-6 * np.sin(2 * np.pi * phase)))
    return 0.75 + stripes[..., None] * np.float32((0.3, 0.42, 0.5)) * _ramp(share, 0.1, 0.14)


def shadow_of_an_arm(size: tuple[int, int], share: float, t_s: float) -> Floats:
    """Returns the moving shadow of a person who is out of view and leans over the table now and then."""
    width, height = size
    if t_s % 14.0 > 7.0:
        return np.ones((1, 1, 3), np.float32)
    shade = np.zeros((height, width), np.float32)
    sway = 0.02 * np.sin(0.8 * t_s)
    tip = (round((0.45 + sway) * width), round((0.5 + sway) * height))
    cv2.line(shade, (round(0.9 * width), -5), tip, 1.0, round(0.12 * width))
    soft = cv2.GaussianBlur(shade, (0, 0), 0.02 * width)
    return 1 - soft[..., None] * np.float32((0.38, 0.4, 0.42))


def lamp(size: tuple[int, int], share: float, t_s: float) -> Floats:
    """Returns the light of a warm lamp at one side that is switched on during the game."""
    width, height = size
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    near = np.exp(-(((columns / width - 0.05) / 0.6) ** 2 + ((rows / height - 0.3) / 0.8) ** 2))
    return 1 + (share > 0.4) * near[..., None] * np.float32((0.25, 0.6, 0.9))


def sun(size: tuple[int, int], share: float, t_s: float) -> Floats:
    """Returns sunlight between passing clouds, which brightens the room and most of all the patch under a window."""
    width, height = size
    out = max(0.0, np.sin(2 * np.pi * t_s / 60)) ** 0.5
    patch = np.zeros((height, width), np.float32)
    corners = np.array([(0.1, -0.1), (0.5, -0.1), (0.75, 1.1), (0.35, 1.1)]) * (width, height)
    cv2.fillPoly(patch, [np.round(corners).astype(np.int32)], 1.0)
    patch = cv2.GaussianBlur(patch, (0, 0), 1.5)
    return 1 + out * (0.15 + 0.45 * patch[..., None]) * np.float32((0.9, 1.0, 1.05))


def colored(size: tuple[int, int], share: float, t_s: float) -> Floats:
    """Returns the colored light of a screen across the room, which changes from scene to scene."""
    width, _ = size
    tints = np.float32(((1.25, 0.95, 0.85), (0.85, 1.0, 1.2), (0.95, 1.15, 0.95), (1.15, 0.9, 1.1)))
    scene = t_s / 9.0
    one, other = tints[int(scene) % 4], tints[int(scene + 1) % 4]
    mix = one + (other - one) * np.float32(min(1.0, 4 * (scene % 1)))
    across = np.linspace(1.0, 0.3, width, dtype=np.float32)[None, :, None]
    return 1 + (mix - 1) * across


def _ramp(share: float, begins: float, ends: float) -> float:
    return float(np.clip((share - begins) / (ends - begins), 0, 1))


def lit(light: Light) -> Intruder:
    """Returns a light in the form of an intruder."""

    def over(picture: Picture, ground: MatInPicture, share: float, t_s: float) -> Picture:
        width, height = ground.size_px
        factor = np.asarray(light((width // COARSE, height // COARSE), share, t_s), np.float32)
        if factor.size > 3:
            factor = cv2.resize(factor, (width, height), interpolation=cv2.INTER_LINEAR)
        lit_up = picture * factor ** np.float32(1 / 2.2)
        return np.asarray(np.clip(lit_up + 0.5, 0, 255), np.uint8)

    return over


LIGHTS: dict[str, Intruder] = {
    "control": nothing,
    "dusk": lit(dusk),
    "blinds": lit(blinds),
    "shadow of an arm": lit(shadow_of_an_arm),
    "lamp": lit(lamp),
    "sun": lit(sun),
    "colored light": lit(colored),
}
