"""Predicts in words, from the picture of the empty table, how well flat pieces, tiles and dice will be read on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.calibration.empty import EmptyTable
from vision.image.light import LINEAR
from vision.image.pose import inside, rectified, rectifying_map

Floats = NDArray[Any]

_MM_PER_PX = 4.0
_FINE_PX_PER_MM = 1.1
"""The least number of pixels per millimeter at which digits and pips are easy to read."""
_DARK, _GLARE = 0.02, 0.985
"""The linear light of white paper that is too low, and the share of full light from which details are lost."""
_GLARE_SHARE = 0.03
_HAZE = 0.012
_SHADES = (0.5, 0.7, 1.0, 1.3)
"""The light on a piece relative to the cloth beside it."""
_ALIKE = 0.1
"""A piece is hard to see if its largest difference to the cloth, in cube roots of reflectance, is below this."""
_SHARE = 0.1
"""A color is named if it resembles at least this share of the cloth."""


def flat_in_words(empty: EmptyTable, colors: Mapping[str, Floats]) -> Iterator[str]:
    """Yields sentences on the camera, the light and the cloth.

    Args:
        colors: Reflectance (3,) B, G, R relative to white paper of the pieces' colors, by name; empty: they do not lie
            on the table itself.
    """
    width, height = (round(side / _MM_PER_PX) for side in (empty.mat.width_mm, empty.mat.height_mm))

    def place(pixels: Floats) -> Floats:
        return (pixels + 0.5) * _MM_PER_PX

    mapping = rectifying_map(empty.pose, (width, height), 0.0, place)
    steps = np.hypot(*np.moveaxis(np.diff(mapping, axis=1), -1, 0))
    px_per_mm = float(np.median(steps)) / _MM_PER_PX
    yield f"The empty table is remembered: {px_per_mm:.1f} pixels a millimeter."
    if px_per_mm < _FINE_PX_PER_MM:
        yield "The camera is far away: digits and pips will be hard to read. Bring it nearer or use more pixels."
    ys, xs = np.mgrid[0:height, 0:width]
    white = empty.light.white(place(np.column_stack([xs.ravel(), ys.ravel()]))).reshape(height, width, 3)
    if float(np.median(white)) < _DARK:
        yield "The picture is dark. More light on the table would help."
    seen = rectified(empty.picture, mapping)
    known = inside(mapping, empty.pose.size_px)
    glare = float((seen[known].min(axis=1) >= 255 * _GLARE).mean()) if known.any() else 0.0
    if glare > _GLARE_SHARE:
        yield f"A lamp is mirrored in {glare:.0%} of the table, where pieces cannot be seen well. Move the lamp."
    if not colors:
        return
    cloth = np.cbrt(LINEAR[seen][known] / white[known] + _HAZE)
    alike = [name for name, color in colors.items() if (_apart(cloth, color) < _ALIKE).mean() > _SHARE]
    if alike:
        yield f"This table is much like {' and '.join(alike)}: such pieces may be overlooked. Another cloth would help."
    else:
        yield "All colors stand out from this table."


def _apart(cloth: Floats, color: Floats) -> Floats:
    """Returns (N,): the distance of places of a cloth (N, 3), in cube roots of reflectance, to a piece's color in any
    shade.
    """
    shaded = [np.abs(cloth - np.cbrt(color * shade + _HAZE)).max(axis=1) for shade in _SHADES]
    return np.asarray(np.min(shaded, axis=0))
