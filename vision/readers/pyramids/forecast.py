"""How well a table will be read, in words: from its empty picture and from known pieces on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.empty import EmptyTable
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.sampler import Sample
from vision.readers.pyramids.sheet import LIGHT, inputs, sheet_of

Floats = NDArray[Any]

_FINE_PX_PER_MM = 1.1
"""Fewer pixels a millimeter make small pieces hard to read."""
_DARK, _GLARE = 0.02, 0.985
"""Linear light of white paper that is too low, and the share of full light at which details are lost."""
_GLARE_SHARE = 0.03
_NOISY = 0.08
_SURE = 0.8


def table_in_words(empty: EmptyTable) -> Iterator[str]:
    """Yields sentences on the camera, the light and the cloth."""
    sheet = sheet_of(empty.pose, empty.mat, empty.pose.size_px)
    px_per_mm = 1.25 / sheet.scale
    yield f"The empty table is remembered: {px_per_mm:.1f} pixels a millimeter, seen {_view(empty)}."
    if px_per_mm < _FINE_PX_PER_MM:
        yield "The camera is far away: small pieces will be hard to read. Bring it nearer or use more pixels."
    white = float(empty.light.white(np.array([[empty.mat.width_mm / 2, empty.mat.height_mm / 2]])).mean())
    if white < _DARK:
        yield "The picture is dark. More light on the table would help."
    light = inputs(empty.picture, sheet, empty.pose, empty.light)[LIGHT]
    glare = float((empty.picture.min(axis=2) >= 255 * _GLARE).mean())
    if glare > _GLARE_SHARE:
        yield f"A lamp is mirrored in {glare:.0%} of the picture, where pieces cannot be seen well. Move the lamp."
    if empty.noise > _NOISY:
        yield "The picture is noisy. More light on the table would help."
    dark = float(np.median(np.exp(light - 1.5))) - 0.02
    if dark < 0.06:
        yield "The cloth is dark: black and blue pieces stand out little from it. A lighter cloth would help."


def _view(empty: EmptyTable) -> str:
    middle = np.array([empty.mat.width_mm / 2, empty.mat.height_mm / 2, 0.0])
    away = empty.pose.eye_mm() - middle
    tilt = float(np.degrees(np.arctan2(np.hypot(away[0], away[1]), away[2])))
    return "from above" if tilt < 20 else f"from {tilt:.0f} degrees aside"


def colors_in_words(seen: Sequence[Sample], offsets: Sequence[float]) -> Iterator[str]:
    """Yields sentences on the sampler, color by color."""
    by_color: dict[str, list[Sample]] = defaultdict(list)
    for one in seen:
        by_color[one.piece.color].append(one)
    doubtful = []
    for color in (name for name in PYRAMID_COLORS if name in by_color):
        found = [one for one in by_color[color] if one.found is not None]
        mistaken = {name for one in found if (name := _named(one, offsets)) != color}
        sure = [_share(one, offsets) for one in found]
        if len(found) < len(by_color[color]):
            yield f"{color}: {len(found)} of {len(by_color[color])} pieces were seen."
            doubtful.append(color)
        elif mistaken:
            yield f"{color}: taken for {' and '.join(sorted(mistaken))} here."
            doubtful.append(color)
        elif min(sure) < _SURE:
            yield f"{color}: told apart with {min(sure):.0%} certainty at worst."
            doubtful.append(color)
    well = [color for color in PYRAMID_COLORS if color in by_color and color not in doubtful]
    if well:
        yield f"Told apart well: {', '.join(well)}."
    if doubtful:
        yield "Another cloth, more and whiter light or a nearer camera would help with the others."


def _named(one: Sample, offsets: Sequence[float]) -> str:
    """The color that it is taken for now."""
    assert one.found is not None
    return PYRAMID_COLORS[int(np.argmax(one.found.color_logs[0] + np.array(offsets)))]


def _share(one: Sample, offsets: Sequence[float]) -> float:
    assert one.found is not None
    return float(share_of(one.found.color_logs[0] + np.array(offsets))[PYRAMID_COLORS.index(one.piece.color)])
