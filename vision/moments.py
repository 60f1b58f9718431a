"""The steady pictures of a source, one after the other, for who reads a recording without a page.

Also the second look: where a moment has only one picture, a reading of its pixels sampled anew stands in for a second
picture, so that "seen twice" still weeds out what hangs on a few pixels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import cv2
import numpy as np

from companion.errors import CameraError
from vision.camera.source import Source
from vision.picture import Picture
from vision.steadiness import Gate

ASK_S = 0.5
"""How long one wait for a picture lasts."""
PATIENCE_S = 15.0
"""How long a live source may give nothing before the recording counts as over."""
SHIFTS_PX = ((0.5, 0.5), (-0.5, 0.5), (0.5, -0.5))
"""How far each further look moves the picture, in its pixels."""
BLUR_PX = 0.6
"""Standard deviation of the blur of a further look."""


class Moment(NamedTuple):
    """A picture on which nothing moves and no hand is in view."""

    number: int
    """The picture's number at its source."""
    name: str
    """File name of the picture, or "picture 12" where it has none."""
    t_s: float
    """Seconds since the source's first picture."""
    picture: Picture
    bumped: bool
    """The camera was moved before it: look for the markers again."""


def moments(
    source: Source,
    gate: Gate | None = None,
    *,
    broken: Callable[[CameraError], None] | None = None,
    tick: Callable[[], float] = time.monotonic,
) -> Iterator[Moment]:
    """The steady pictures of a source, until it ends.

    The first picture of a recording is taken as hand-free; if the second one shows that it was not, it is left out.

    :param gate: None: one that fits the source.
    :param broken: called for a picture of a recording that cannot be read, which is then left out; None: raise.
    :raises CameraError: a picture cannot be read, or a live source gave nothing for 15 s.
    """
    gate = gate or Gate.for_source(source)
    held: Moment | None = None
    first = True
    heard_s = tick()
    while not source.ended:
        try:
            shot = source.next(ASK_S)
        except CameraError as error:
            if broken is None:
                raise
            broken(error)
            continue
        if shot is None:
            if source.live and tick() - heard_s > PATIENCE_S:
                raise CameraError(source.trouble() or f"The {source.label} gives no pictures any more.")
            continue
        heard_s = tick()
        report = gate.step(shot)
        if held is not None:
            if not report.mended:
                yield held
            held = None
        if not report.steady:
            continue
        moment = Moment(shot.number, shot.name, shot.t_s, shot.picture, report.bumped)
        if first and source.stills:
            held = moment
        else:
            yield moment
        first = False
    if held is not None:
        yield held


def second_look(picture: Picture, look: int = 1) -> Picture:
    """The same picture sampled anew: moved by half a pixel and blurred a little.

    :param look: 1, 2, 3, ...: each moves it another way.
    """
    x, y = SHIFTS_PX[(look - 1) % len(SHIFTS_PX)]
    matrix = np.array([[1, 0, x], [0, 1, y]], dtype=np.float64)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), BLUR_PX), dtype=np.uint8)
