"""The gate chooses the pictures to read: those without motion and without a hand in view.

Every picture passes here, so it works on thumbs and costs about a millisecond. Live pictures must stay quiet for a
while; a picture that stands alone (a folder's, or the first after a gap) is judged by itself against the last one
without a hand, because the time in between is unknown.

Once the zones are known in which the game lies, only they count: motion elsewhere is ignored. A thing that reaches in
over a zone and rests there covers that place, and all else is read.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.gate.change import (
    FLOOR,
    THUMB_PX,
    Exposure,
    Map,
    Thumb,
    changed,
    difference,
    find_shift,
    fit_exposure,
    laid_over,
    predicted,
    quick_exposure,
    relit,
    threshold,
    thumbnail,
)
from vision.gate.hand import Visits, border_regions, is_gone
from vision.gate.resting_things import CoveredPart, RestingThings, cover_of, grown, is_at_work
from vision.sources.source import Shot, Source

State = Literal["idle", "moving", "settling", "steady"]
"""The state of the picture. `steady` is reported once, for the picture to read; until motion, `idle` follows."""

VIEW_MM = 1100.0
"""The assumed length in millimeters of the table along the longer side of a picture, before the pose is known."""
UNEVEN_SHARE = 0.25
"""The share of changed picture from which the light may have changed unevenly."""
NEW_VIEW_SHARE = 0.6
"""The share of changed picture, without a motion that explains it, from which the camera looks elsewhere."""
DRIFT_EVERY = 5
"""Every time this number of idle pictures has passed, one is compared with the last steady one, to find slow
changes.
"""
REFUSED_KEPT = 6
"""The number of remembered pictures with a hand, kept to find out that it is not a hand."""
RESTING_MM2 = 900.0
"""The table area in square millimeters that a resting hand stirs at least in the time after which a thing is
furniture.
"""
BESIDE_MM = 30.0
"""The distance in millimeters from a zone within which a change may be a hand on its way to it."""
BARED_MM2 = 400.0
"""The area of zones in square millimeters that a resting thing must uncover before they are read again."""
ALIGN_PX = 0.1
"""The least common motion in thumb pixels that is undone before pictures are compared."""


class Settings(Struct, frozen=True):
    """The thresholds of the gate."""

    stills: bool = False
    """True if each picture is the only one of its table."""
    quiet_frames: int = 3
    """The least number of consecutive pictures without motion."""
    quiet_s: float = 0.25
    """The least number of seconds without motion."""
    motion_mm2: float = 90.0
    """The table area in square millimeters that may change between pictures as noise; a small pyramid covers 200."""
    grace: float = 1.35
    """The factor by which more change is tolerated while the table settles, so that one noisy picture does not restart
    it.
    """
    sparse_gap_s: float = 0.4
    """The gap in seconds after which a live picture is judged alone."""
    bump_px: float = 1.2
    """The common motion, in pixels of a picture 1280 wide, from which the camera counts as moved."""
    recheck_s: float = 0.15
    """The number of seconds between searches for a hand that rests in view."""
    rest_s: float = 2.0
    """The number of seconds after which a large thing at the border counts as resting, even if it stirs."""
    rest_pictures: int = 3
    """The number of pictures after which a large thing at the border counts as resting, if each picture is judged
    alone.
    """
    stir_s: float = 0.4
    """The number of seconds between searches for resting things beside a motion."""
    absorb_s: float = 60.0
    """The number of seconds after which a thing that does not stir at all belongs to the table, such as a box or a
    book.
    """
    absorb_pictures: int = 8
    """The number of pictures after which an unchanged thing belongs to the table, if each picture is judged alone."""


LIVE = Settings()
STILLS = Settings(stills=True)


class Report(Struct, frozen=True):
    """The gate's report on one picture."""

    state: State
    hand: bool = False
    """True if a hand, or something similar, reaches into the picture."""
    exposed: bool = False
    """True if light or exposure changed, which is not motion."""
    bumped: bool = False
    """True if the camera was moved since the last steady picture, so that the markers must be found again."""
    mended: bool = False
    """True if the last steady picture turned out to show a hand."""
    moved_mm2: float = 0.0
    """The table area in square millimeters that changed since the picture before, near the zones if they are known."""
    covered: Map | None = None
    """For a steady picture, (h, w) of its thumb with 1 where a thing that reaches in rests; None without one."""

    @property
    def steady(self) -> bool:
        """Returns true if this picture should be read."""
        return self.state == "steady"


class _Verdict(Struct, frozen=True):
    """The result of comparing a quiet picture with the last hand-free one."""

    hand: bool = False
    cover: CoveredPart | None = None
    """The part covered by things that reach in and rest."""
    free: Thumb | None = None
    """The last hand-free picture in the light of this one; only together with a cover."""
    bumped: bool = False
    mended: bool = False
    exposed: bool = False


class Gate:
    """Decides for each picture whether the table is steady.

    Args:
        settings: `LIVE`, `STILLS`, or others.
        px_per_mm: Picture pixels per table millimeter; with None it is guessed from the picture's size.
    """

    def __init__(self, settings: Settings = LIVE, px_per_mm: float | None = None) -> None:
        self.settings = settings
        self._px_per_mm = px_per_mm
        self._state: State = "moving"
        self._before: Thumb | None = None
        self._free: Thumb | None = None
        self._quiet = 0
        self._quiet_since_s = 0.0
        self._again = False
        self._decided_s = -math.inf
        self._refused: deque[Thumb] = deque(maxlen=REFUSED_KEPT)
        self._refused_s = 0.0
        self._covering: deque[Thumb] = deque(maxlen=settings.absorb_pictures)
        """Pictures with the resting thing, oldest first; of live ones only the first."""
        self._covering_s = 0.0
        self._resting = RestingThings()
        self._compared_s = -math.inf
        self._cover: CoveredPart | None = None
        self._zones_px: tuple[NDArray[Any], ...] = ()
        self._zones: Map | None = None
        """(h, w) of the thumbs, 1 near the zones; None if they are unknown or not drawn yet."""
        self._visits = Visits()
        self._picture_px = THUMB_PX

    @classmethod
    def for_source(cls, source: Source) -> Gate:
        """Returns a gate with the settings that fit a source."""
        return cls(STILLS if source.stills else LIVE)

    def set_scale(self, px_per_mm: float) -> None:
        """Sets the scale of the table in the picture, once a pose is known."""
        self._px_per_mm = px_per_mm

    def set_zones(self, zones_px: Sequence[NDArray[Any]]) -> None:
        """Sets the place of the game in the picture: outlines (N, 2) in its pixels; without any, the whole picture
        counts.
        """
        known = len(zones_px) == len(self._zones_px)
        if known and all(np.allclose(new, old, atol=1) for new, old in zip(zones_px, self._zones_px, strict=True)):
            return
        self._zones_px, self._zones = tuple(zones_px), None

    def look_again(self) -> None:
        """Makes the next quiet picture without a hand steady, even if nothing moved since the last one."""
        self._again = True

    def step(self, shot: Shot) -> Report:
        """Judges one picture; pictures must come in the order of their times."""
        report = self._judged(shot)
        if report.state == "moving" and self._before is not None:
            self._stir(self._before, shot.t_s)
        return report

    def take_stirred(self) -> Map | None:
        """Returns, for each pixel of a thumb, the number of visits since the last call; None if there were none."""
        counts, self._visits = self._visits.counts, Visits()
        return counts

    def _stir(self, thumb: Thumb, t_s: float) -> None:
        """Records the part of the table that something over it hides in a picture."""
        free = self._free
        if free is None or free.shape != thumb.shape:
            return
        apart = difference(free, thumb, quick_exposure(free, thumb))
        self._visits.add(changed(apart, threshold(apart)), t_s)

    def _judged(self, shot: Shot) -> Report:
        thumb = thumbnail(shot.picture)
        self._picture_px = max(shot.picture.shape[:2])
        before, self._before = self._before, thumb
        if before is None or before.shape != thumb.shape:
            self._forget()
            before = None
        if self.settings.stills:
            return self._alone(thumb, shot.t_s)
        if before is not None and shot.gap_s >= self.settings.sparse_gap_s:
            if self._free is None:
                self._free = before
            elif not self._again and self._cover is None and self._apart_mm2(self._free, thumb)[0] == 0:
                self._state = "idle"
                return Report("idle")
            return self._alone(thumb, shot.t_s)
        return self._following(before, thumb, shot.t_s)

    def _forget(self) -> None:
        """Starts over, because another picture size means another camera mode."""
        self._free = self._cover = self._zones = None
        self._refused.clear()
        self._covering.clear()
        self._resting.forget()
        self._quiet, self._state = 0, "moving"

    def _following(self, before: Thumb | None, thumb: Thumb, t_s: float) -> Report:
        """Judges a picture that closely follows another."""
        if before is None:
            self._quiet, self._quiet_since_s, self._state = 1, t_s, "settling"
            return Report("settling")
        moved_mm2, exposure = self._apart_mm2(before, thumb)
        limit = self.settings.motion_mm2 * (self.settings.grace if self._quiet else 1.0)
        if moved_mm2 > limit:
            self._quiet, self._state = 0, "moving"
            if self._free is not None and t_s - self._compared_s >= self.settings.stir_s:
                # Perhaps only an arm stirs: once it counts as resting, its stirring is not motion.
                self._cover = self._decide(thumb, self._passed_s(t_s)).cover
            return Report("moving", hand=bool(self._refused), exposed=exposure.event, moved_mm2=moved_mm2)
        if self._quiet == 0:
            self._quiet_since_s = t_s
        self._quiet += 1
        resting = self._state == "idle" and not self._again
        if resting and (self._quiet % DRIFT_EVERY or not self._outdated(thumb, t_s, limit)):
            return Report("idle", exposed=exposure.event, moved_mm2=moved_mm2)
        settings = self.settings
        if self._quiet < settings.quiet_frames or t_s - self._quiet_since_s < settings.quiet_s:
            self._state, self._decided_s = "settling", -math.inf
            return Report("settling", exposed=exposure.event, moved_mm2=moved_mm2)
        if self._state == "moving" and t_s - self._decided_s < settings.recheck_s:
            return Report("moving", hand=True, exposed=exposure.event, moved_mm2=moved_mm2)
        self._decided_s = t_s
        verdict = self._decide(thumb, self._passed_s(t_s))
        if verdict.hand and not self._rested(thumb, t_s):
            self._state = "moving"
            return Report("moving", hand=True, exposed=exposure.event, moved_mm2=moved_mm2)
        return self._accept(thumb, verdict, moved_mm2, belongs=verdict.cover is not None and self._belongs(thumb, t_s))

    def _outdated(self, thumb: Thumb, t_s: float, limit_mm2: float) -> bool:
        """True if a quiet picture differs from the last steady one, or a thing no longer covers its place."""
        if self._free is None:
            return False
        if self._cover is not None:
            verdict = self._decide(thumb, self._passed_s(t_s))
            now = np.zeros_like(self._cover.place) if verdict.cover is None else verdict.cover.near
            bared = self._cover.place & (1 - now)
            if self._zones is not None:
                bared &= self._zones
            if verdict.hand or cv2.countNonZero(bared) * self._mm_per_px(thumb) ** 2 > BARED_MM2:
                return True
            if self._belongs(thumb, t_s):
                return True
        return self._apart_mm2(self._free, thumb)[0] > limit_mm2

    def _passed_s(self, t_s: float) -> float:
        """Returns the number of seconds since the last comparison of pictures that count as quiet."""
        before_s, self._compared_s = self._compared_s, t_s
        return min(max(0.0, t_s - before_s), 2 * self.settings.quiet_s)

    def _alone(self, thumb: Thumb, t_s: float) -> Report:
        """Judges a picture that is the only one of its table."""
        settings = self.settings
        verdict = self._decide(thumb, settings.rest_s / settings.rest_pictures)
        self._quiet, self._quiet_since_s = 1, t_s
        if verdict.hand and not self._outvoted(thumb):
            self._state = "moving"
            return Report("moving", hand=True, exposed=verdict.exposed)
        if verdict.cover is not None:
            self._covering.append(thumb)
        alike = sum(not self._reaches(other, thumb) for other in self._covering)
        return self._accept(thumb, verdict, 0.0, belongs=alike >= settings.absorb_pictures)

    def _accept(self, thumb: Thumb, verdict: _Verdict, moved_mm2: float, *, belongs: bool) -> Report:
        """Reports a picture as steady and remembers it as hand-free.

        Args:
            belongs: True if the resting things belong to the table from now on.
        """
        self._cover = None if verdict.hand or belongs else verdict.cover
        if self._cover is None or verdict.free is None:
            self._free = thumb
            self._resting.forget()
            self._covering.clear()
        else:
            self._free = np.where(self._cover.place[..., None] > 0, verdict.free, thumb)
        self._state, self._again = "idle", False
        self._refused.clear()
        return Report(
            "steady",
            exposed=verdict.exposed,
            bumped=verdict.bumped,
            mended=verdict.mended,
            moved_mm2=moved_mm2,
            covered=None if self._cover is None else self._cover.place,
        )

    def _decide(self, thumb: Thumb, passed_s: float) -> _Verdict:
        """Compares a quiet picture with the last hand-free one.

        Args:
            passed_s: The number of seconds since the last comparison.
        """
        free = self._free
        if free is None:
            return _Verdict()
        exposure = fit_exposure(free, thumb)
        event = exposure.event
        apart = difference(free, thumb, exposure)
        level = threshold(apart)
        share = float(cv2.countNonZero(changed(apart, FLOOR))) / apart.size
        if level > FLOOR + 4 or share > UNEVEN_SHARE:
            free = relit(free, thumb)
            exposure = fit_exposure(free, thumb)
            event = True
        shift = find_shift(predicted(free, exposure), thumb)
        if shift is None and share > NEW_VIEW_SHARE:
            return _Verdict(bumped=True, exposed=event)
        bumped = shift is not None and shift.px > self.settings.bump_px * THUMB_PX / 1280
        if shift is not None and shift.px > ALIGN_PX:
            free = laid_over(free, shift)
            exposure = fit_exposure(free, thumb)
        scale = self._mm_per_px(thumb)
        regions = border_regions(free, thumb, exposure, scale)
        mended = any(region.kind == "gone" for region in regions)
        places: Map = np.zeros(thumb.shape[:2], np.uint8)
        for region in regions:
            if region.kind == "hand":
                places |= region.place
        self._resting.take(places, passed_s)
        if not places.any():
            return _Verdict(bumped=bumped, mended=mended, exposed=event)
        zones, resting = self._near_zones(thumb), self._resting.resting(self.settings.rest_s)
        if is_at_work(places, resting, zones, scale):
            return _Verdict(hand=True, bumped=bumped, exposed=event)
        if resting.any() and is_gone(free, thumb, exposure, resting):
            return _Verdict(bumped=bumped, mended=True, exposed=event)
        cover, lit = cover_of(places, resting, scale), predicted(free, exposure)
        return _Verdict(cover=cover, free=lit, bumped=bumped, mended=mended, exposed=event)

    def _rested(self, thumb: Thumb, t_s: float) -> bool:
        """True if the thing that reaches in has rested for so long that it belongs to the table."""
        resting = self._refused[-1] if self._refused else None
        if resting is None or self._stirs(resting, thumb):
            self._refused.append(thumb)
            self._refused_s = t_s
            return False
        return t_s - self._refused_s >= self.settings.absorb_s

    def _belongs(self, thumb: Thumb, t_s: float) -> bool:
        """True if the resting thing has not stirred at all for so long that it belongs to the table."""
        if not self._covering or self._stirs(self._covering[-1], thumb):
            self._covering.clear()
            self._covering.append(thumb)
            self._covering_s = t_s
            return False
        return t_s - self._covering_s >= self.settings.absorb_s

    def _stirs(self, before: Thumb, thumb: Thumb) -> bool:
        """True if something stirred between two pictures, wherever."""
        return self._reaches(before, thumb) or self._apart_mm2(before, thumb, everywhere=True)[0] > RESTING_MM2

    def _outvoted(self, thumb: Thumb) -> bool:
        """Returns true if single pictures agree that the supposed hand is the table.

        Hands never lie twice in the same place; so if several refused pictures agree at the border, they show the
        table as it is, and the picture that they were compared with had a hand in it.
        """
        alike = sum(not self._reaches(other, thumb) for other in self._refused)
        self._refused.append(thumb)
        return alike + 1 >= self.settings.rest_pictures

    def _reaches(self, before: Thumb, thumb: Thumb) -> bool:
        """Returns true if a change larger than a piece reaches the border."""
        return bool(border_regions(before, thumb, fit_exposure(before, thumb), self._mm_per_px(thumb)))

    def _apart_mm2(self, before: Thumb, thumb: Thumb, *, everywhere: bool = False) -> tuple[float, Exposure]:
        """Returns the table area in square millimeters that differs between two pictures beyond light and noise, and
        the exposure.

        Args:
            everywhere: True to count places away from the zones and at resting things, too.
        """
        exposure = quick_exposure(before, thumb)
        apart = difference(before, thumb, exposure)
        moved = changed(apart, threshold(apart))
        if not everywhere:
            zones = self._near_zones(thumb)
            if zones is not None:
                moved &= zones
            if self._cover is not None:
                moved &= 1 - self._cover.near
        return cv2.countNonZero(moved) * self._mm_per_px(thumb) ** 2, exposure

    def _near_zones(self, thumb: Thumb) -> Map | None:
        """Returns (h, w) with 1 near the zones; None if they are unknown."""
        if self._zones is None and self._zones_px:
            factor = max(thumb.shape[:2]) / self._picture_px
            zones = np.zeros(thumb.shape[:2], np.uint8)
            for outline in self._zones_px:
                cv2.fillPoly(zones, [np.round(outline * factor).astype(np.int32)], 1)
            self._zones = grown(zones, BESIDE_MM / self._mm_per_px(thumb))
        return self._zones

    def _mm_per_px(self, thumb: Thumb) -> float:
        """Returns the number of table millimeters per thumb pixel."""
        if self._px_per_mm is None:
            return VIEW_MM / THUMB_PX
        return float(self._picture_px / max(thumb.shape[:2]) / self._px_per_mm)
