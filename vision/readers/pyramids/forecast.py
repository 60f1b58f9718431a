"""How well a table will be read: from its empty picture, and from known pieces on it.

What counts most is from where the camera looks: from above, the levels of a stack of one color hardly differ, and
whether they do can be foreseen for any other view. The share of readings that come true is a logistic model of the
view, the print of the cloth and the light, by kind of thing, which `python -m bench.pyramid_forecast` fits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.foundation.kept_file import decode_json
from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.calibration import EmptyTable
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.sampler import Sample
from vision.readers.pyramids.sheet import FLOOR, LIGHT, MIDDLE, PX_PER_MM, bare_light, inputs, sheet_of
from vision.readers.pyramids.unprinted import print_of

Floats = NDArray[Any]

FILE = WEIGHTS / "forecast.json"
KINDS = ("alone", "lying", "stack of several colors", "stack of one color")
"""Things of equal difficulty; the last has neighbors of one color."""
CONDITIONS = 3
"""The number of a table's measurements that a share depends on; see `conditions_of`."""
GOOD = 0.9
"""A table of which less will be read right gets advice."""
_WORTH = 0.05
"""Another view is advised if so much more of the stacks of one color is read right from there."""
_LOWER_DEG = (10, 20, 30, 40)
"""How much lower a camera may be put, ..."""
_LOWEST_DEG = 35.0
"""... but no lower than this above the table: pieces hide each other."""
_ENOUGH = 0.9
"""The least of these ways is advised that reaches so much of the gain."""
_FINE_PX_PER_MM = 1.1
"""Fewer pixels a millimeter make small pieces hard to read."""
_DARK, _GLARE = 0.02, 0.985
"""Linear light of white paper that is too low, and the share of full light at which details are lost."""
_GLARE_SHARE = 0.03
_NOISY = 0.08
_SURE = 0.8


class Forecast(Struct, frozen=True, forbid_unknown_fields=True):
    """A logistic model of the share of things that are read right."""

    weights: dict[str, tuple[float, ...]]
    """By kind: one number, and one for each condition."""
    mix: dict[str, float]
    """The share of each kind among the things on a table."""

    def share_of_kind(self, kind: str, conditions: Floats) -> float:
        """The share of a kind's things that are read right."""
        return float(1 / (1 + np.exp(-np.array(self.weights[kind]) @ [1.0, *conditions])))

    def share(self, conditions: Floats) -> float:
        """The share of all things that are read right."""
        return sum(part * self.share_of_kind(kind, conditions) for kind, part in self.mix.items())


class CameraAdvice(Struct, frozen=True):
    """From where the camera looks, and from where it would see more."""

    now_deg: float
    """The angle above the table's plane at which the middle of the mat is seen; 90 is straight from above."""
    better_deg: float | None = None
    """A lower one from which stacks of one color are told apart better; None: it is good as it is."""
    share: float = 0.0
    """The share of stacks of one color that is read right."""
    better_share: float = 0.0
    """The same from there."""


@cache
def load_forecast(path: Path = FILE) -> Forecast:
    """Loads the fitted model."""
    return decode_json(path.read_bytes(), Forecast)


def conditions_of(empty: EmptyTable) -> Floats:
    """(CONDITIONS,) of a table: view, print and light."""
    sheet = sheet_of(empty.pose, empty.mat, empty.pose.size_px)
    bare, known = bare_light(sheet, empty.pose, empty)
    return conditions(height_deg(empty), print_of(bare, known), _white(empty))


def conditions(above_deg: float, printed: float, white: float) -> Floats:
    """The same of these measurements."""
    steep = max(np.sin(np.radians(above_deg)) - 0.5, 0.0)
    return np.array([steep, min(printed, 1.0), np.log(np.clip(white, 0.01, 1.0))])


def height_deg(empty: EmptyTable) -> float:
    """The angle in degrees above the table's plane at which the middle of the mat is seen."""
    away = empty.pose.eye_mm() - (empty.mat.width_mm / 2, empty.mat.height_mm / 2, 0.0)
    return float(np.degrees(np.arctan2(away[2], np.hypot(away[0], away[1]))))


def camera_advice(empty: EmptyTable, forecast: Forecast | None = None) -> CameraAdvice:
    """Returns where the camera is, and where it would see more."""
    model, now_deg = forecast or load_forecast(), height_deg(empty)
    _, *others = conditions_of(empty)

    def told_apart(above_deg: float) -> float:
        steep = conditions(above_deg, 0.0, 1.0)[0]
        return model.share_of_kind(KINDS[-1], np.array([steep, *others]))

    here = told_apart(now_deg)
    ways = [now_deg - lower for lower in _LOWER_DEG if now_deg - lower >= _LOWEST_DEG]
    shares = [told_apart(way) for way in ways]
    gain = max(shares, default=here) - here
    if gain < _WORTH:
        return CameraAdvice(now_deg, None, here, here)
    k = next(k for k, share in enumerate(shares) if share - here >= _ENOUGH * gain)
    return CameraAdvice(now_deg, ways[k], here, shares[k])


def table_in_words(empty: EmptyTable) -> Iterator[str]:
    """Yields sentences on the camera, the light and the cloth, and on how much will be read right."""
    sheet = sheet_of(empty.pose, empty.mat, empty.pose.size_px)
    px_per_mm = PX_PER_MM / sheet.scale
    advice, share = camera_advice(empty), load_forecast().share(conditions_of(empty))
    degrees = f"{advice.now_deg:.0f}"
    yield f"The empty table is remembered: {px_per_mm:.1f} pixels a millimeter, seen from {degrees} degrees above it."
    yield f"About {share:.0%} of the pieces will be read right at first sight."
    if advice.better_deg is not None:
        lower, then, now = advice.now_deg - advice.better_deg, advice.better_share, advice.share
        yield (
            f"Put the camera {lower:.0f} degrees lower: stacks of one color are told apart in {then:.0%} then, not in "
            f"{now:.0%}."
        )
    if share < GOOD:
        yield "Lay a plain cloth or the printed mat under the pieces before the evening begins."
    if px_per_mm < _FINE_PX_PER_MM:
        yield "The camera is far away: small pieces will be hard to read. Bring it nearer or use more pixels."
    if _white(empty) < _DARK:
        yield "The picture is dark. More light on the table would help."
    light = inputs(empty.picture, sheet, empty.pose, empty.light)[LIGHT]
    glare = float((empty.picture.min(axis=2) >= 255 * _GLARE).mean())
    if glare > _GLARE_SHARE:
        yield f"A lamp is mirrored in {glare:.0%} of the picture, where pieces cannot be seen well. Move the lamp."
    if empty.noise > _NOISY:
        yield "The picture is noisy. More light on the table would help."
    dark = float(np.median(np.exp(light - MIDDLE))) - FLOOR
    if dark < 0.06:
        yield "The cloth is dark: black and blue pieces stand out little from it. A lighter cloth would help."


def _white(empty: EmptyTable) -> float:
    """Linear light of white paper in the middle of the mat."""
    return float(empty.light.white(np.array([[empty.mat.width_mm / 2, empty.mat.height_mm / 2]])).mean())


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
