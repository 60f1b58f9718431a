"""Chooses the pictures to read from any source: a recording, the demo, or a camera.

A film or a camera shows a steady table many times, so the reader gets the mean of a stretch of pictures, and a further
look is the mean of a later stretch. If a table has only one picture, a resampled copy of it stands in for another look,
so that "seen twice" still removes readings that depend on a few pixels. `SteadyTables` decides all of this for every
source; `moments` draws looks from it in a loop, and `vision.gate.watcher.Watcher` on a thread.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.foundation.errors import CameraError
from companion.core.plan import Plan, Point
from vision.gate.change import Map, fit_exposure, predicted, thumbnail
from vision.gate.steadiness import Gate, Report
from vision.image.picture import Picture
from vision.sources.source import Shot, Source

# Fills in the table under things that reach in with its last visible contents.
#
# A resting arm hides only a part of the table. Readers get a picture in which that part shows its earlier
# contents in the present light, and a mask of it, so that they read the rest as usual.

SOFT_PX = 3.0
"""The width in thumb pixels of the transition between earlier and present contents."""


class UncoveredTable:
    """The last picture of one camera without the things that reached in."""

    def __init__(self) -> None:
        self._kept: Picture | None = None

    def take(self, picture: Picture, covered: Map | None, *, moved: bool) -> Picture:
        """Returns a steady picture (H, W, 3), completed by its earlier contents where it is covered.

        Args:
            covered: (h, w) of its thumb, 1 where something reaches in.
            moved: True if the camera was moved.
        """
        kept = self._kept
        if moved or kept is None or covered is None or kept.shape != picture.shape:
            self._kept = picture
            return picture
        light = fit_exposure(thumbnail(kept), thumbnail(picture))
        size = picture.shape[1], picture.shape[0]
        soft: NDArray[Any] = cv2.GaussianBlur(covered.astype(np.float32), (0, 0), SOFT_PX / 2)
        share = cv2.resize(np.maximum(soft, covered), size, interpolation=cv2.INTER_LINEAR)[..., None]
        self._kept = np.asarray(picture * (1 - share) + predicted(kept, light) * share + 0.5).astype(np.uint8)
        return self._kept


ASK_S = 0.5
"""The number of seconds of one wait for a picture."""
PATIENCE_S = 15.0
"""The number of seconds without pictures after which a live recording counts as over."""
SHIFTS_PX = ((0.5, 0.5), (-0.5, 0.5), (0.5, -0.5))
"""The shift in pixels for each further look."""
BLUR_PX = 0.6
"""The standard deviation in pixels of the blur of a further look."""
LONGEST = 30
"""The number of pictures after which a quiet stretch begins anew, two seconds: older pictures may differ a little."""
FURTHER_LOOKS = 5
"""The largest number of further looks at one picture: three looks make a verdict sure, and what a corrected record
leaves unexplained takes three more."""
AGAIN_S = 0.4
"""The least number of seconds, after the look before, over which a further look is averaged."""


class Moment(NamedTuple):
    """A picture without motion and without a hand in view."""

    number: int
    """The picture's number at its source."""
    name: str
    """The file name of the picture, or "picture 12" if it has none."""
    t_s: float
    """The number of seconds since the source's first picture."""
    picture: Picture
    bumped: bool
    """True if the camera was moved before this picture, so that the markers must be found again."""
    look: int = 0
    """The number of looks at this table before this one, without motion in between; 0 for the first look."""
    covered: Map | None = None
    """(h, w) of its thumb, 1 where a thing reaches in and rests; the picture shows the earlier contents there. None
    without one.
    """
    stirred: Map | None = None
    """(h, w) of its thumb, the number of visits since the previous moment; None if nothing moved."""


class QuietStretch:
    """The mean of the pictures since the last motion or the last `take`.

    Averaging removes noise. One picture of 1920x1080 takes about a millisecond.
    """

    def __init__(self) -> None:
        self._sum: NDArray[np.float32] | None = None
        self._count = 0

    def add(self, picture: Picture, report: Report) -> None:
        """Adds a picture (H, W, 3); starts a new mean if the gate reports motion."""
        moves = report.hand or report.state == "moving"
        if moves or report.bumped or report.exposed or self._count >= LONGEST:
            self._count = 0
        if moves:
            return
        if self._sum is None or self._sum.shape != picture.shape:
            self._sum, self._count = np.zeros(picture.shape, np.float32), 0
        if self._count == 0:
            self._sum[:] = picture
        else:
            cv2.accumulate(picture, self._sum)
        self._count += 1

    def take(self) -> Picture:
        """Returns the mean of the stretch, which needs at least one picture, and starts a new stretch."""
        assert self._sum is not None and self._count
        mean = cv2.convertScaleAbs(self._sum, alpha=1 / self._count)
        self._count = 0
        return np.asarray(mean, np.uint8)


class AimedReading(Protocol):
    """The part of `vision.table_reader.Reading` that is used here."""

    @property
    def corners_px(self) -> tuple[Point, Point, Point, Point]: ...
    @property
    def zones_px(self) -> tuple[tuple[Point, ...], ...]: ...


def aim(gate: Gate, reading: AimedReading, plan: Plan) -> None:
    """Sets the size of the table in the picture and the place of the game for the gate."""
    corners_px = reading.corners_px
    lengths_px = sum(math.dist(corners_px[i], corners_px[(i + 1) % 4]) for i in range(4))
    scale = lengths_px / (2 * (plan.mat.width_mm + plan.mat.height_mm))
    if scale > 0:
        gate.set_scale(scale)
        gate.set_zones([np.array(outline) for outline in reading.zones_px])


class SteadyTables:
    """Makes looks at steady tables from the pictures of one source. Called from one thread."""

    def __init__(self, source: Source, gate: Gate | None = None) -> None:
        """
        Args:
            gate: None: one that fits the source.
        """
        self.gate = gate or Gate.for_source(source)
        self.alone = source.stills
        """True if the last picture is the only one of its table, so that a further look resamples it."""
        self._stills = source.stills
        self._stretch, self._uncovered = QuietStretch(), UncoveredTable()
        self._asked = False
        self._last: Moment | None = None
        """The last look with a picture of its own."""
        self._sampled = 0
        """The number of times `_last` was resampled; -1 if it must be read again from the beginning."""

    def add(self, shot: Shot) -> tuple[Report, Moment | None]:
        """Returns the gate's report on the next picture, and the look that it makes possible, if any."""
        self.alone = self.stands_alone(shot)
        report = self.gate.step(shot)
        if self.alone:
            self._stretch = QuietStretch()
        self._stretch.add(shot.picture, report)
        self._asked = self._asked and not (self.alone or report.hand or report.state in ("moving", "settling"))
        if not report.steady:
            return report, None
        look = self._last.look + 1 if self._asked and self._last is not None else 0
        picture = self._uncovered.take(self._stretch.take(), report.covered, moved=report.bumped)
        stirred = None if look else self.gate.take_stirred()
        self._last = Moment(shot.number, shot.name, shot.t_s, picture, report.bumped, look, report.covered, stirred)
        self._asked, self._sampled = False, 0
        return report, self._last

    def stands_alone(self, shot: Shot) -> bool:
        """True if no other picture shows the same table."""
        return self._stills or shot.gap_s >= self.gate.settings.sparse_gap_s

    def ask_again(self) -> None:
        """Requests a further look at the same table, if nothing moves before it."""
        self._asked = True

    def look_again(self) -> None:
        """Makes the next steady picture a further look at the same table, even if nothing has moved."""
        self._asked = True
        self.gate.look_again()

    def read_afresh(self) -> None:
        """Makes the next look at the last picture a first look, because it must be read in another way."""
        self._sampled = -1

    def sampled_anew(self) -> Moment | None:
        """Returns the next further look at the last picture; None without one, and after `FURTHER_LOOKS`."""
        if self._last is None or self._sampled >= FURTHER_LOOKS:
            return None
        self._sampled += 1
        return sampled(self._last, self._sampled)


def moments(
    source: Source,
    gate: Gate | None = None,
    *,
    again: Callable[[], bool] = lambda: False,
    broken: Callable[[CameraError], None] | None = None,
    tick: Callable[[], float] = time.monotonic,
) -> Iterator[Moment]:
    """Yields the steady pictures of a source, until it ends.

    The first picture of a recording is taken as hand-free; if the second one shows that it was not, it is left out.

    Args:
        gate: None: one that fits the source.
        again: Asked after each moment: returns true if a further look at this table is needed. It comes from later
            pictures if there are any before something moves, else from the last one, sampled anew.
        broken: Called for a picture of a recording that cannot be read, which is then left out; None: raise.

    Raises:
        CameraError: A picture cannot be read, or a live source gave nothing for 15 s.
    """
    tables = SteadyTables(source, gate)
    held: Moment | None = None
    looked: Moment | None = None
    """The last look at a table that needs a further one."""
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
        if looked is not None and not tables.stands_alone(shot):
            if shot.t_s - looked.t_s >= AGAIN_S:
                tables.look_again()
            else:
                tables.ask_again()
        report, moment = tables.add(shot)
        if held is not None:
            if not report.mended:
                yield held
                yield from further_looks(held, again)
            held = None
        if looked is not None and (tables.alone or report.hand or report.state in ("moving", "settling")):
            yield from further_looks(looked, again)
            looked = None
        if moment is None:
            continue
        if first and source.stills:
            held = moment
        else:
            yield moment
            looked = moment if again() else None
        first = False
    if held is not None:
        yield held
    unfinished = held or looked
    if unfinished is not None:
        yield from further_looks(unfinished, again)


def further_looks(moment: Moment, again: Callable[[], bool]) -> Iterator[Moment]:
    """Yields further looks at a table that has no other picture, as long as they are needed."""
    for nth in range(1, FURTHER_LOOKS + 1):
        if not again():
            return
        yield sampled(moment, nth)


def sampled(moment: Moment, nth: int) -> Moment:
    """Returns the same table, resampled for the `nth` time; 0 leaves the picture unchanged."""
    if nth == 0:
        return moment._replace(look=0)
    return moment._replace(picture=second_look(moment.picture, nth), look=moment.look + nth)


def second_look(picture: Picture, look: int = 1) -> Picture:
    """Returns the picture resampled: moved by half a pixel and blurred a little.

    Args:
        look: 1, 2, 3, ...: the number of the look, which selects the direction of the shift.
    """
    x, y = SHIFTS_PX[(look - 1) % len(SHIFTS_PX)]
    matrix = np.array([[1, 0, x], [0, 1, y]], dtype=np.float64)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), BLUR_PX), dtype=np.uint8)
