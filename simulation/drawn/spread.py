"""Places pieces while a game is played: in their zones, apart from each other, and as far as possible not behind
others.

People put pieces where there is room, push them about and set them down a little turned; a `Spread` does the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from random import Random

import cv2
import numpy as np
from msgspec.structs import replace

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import SHAPES, Piece, Pyramid, Stack
from companion.core.plan import Plan, PyramidZone
from simulation.drawn.camera import Camera, Floats
from simulation.drawn.standing import Lying, Stand, Upright

APART_MM = 5.0
"""The distance kept between two pieces where there is room."""
HIDDEN = 0.3
"""The largest share of a piece hidden behind another one where that can be avoided."""
NEAR_HIDDEN = 0.5
"""The largest hidden share of a thing that is set down near the last place of another one."""
NEAR_MM = (5.0, 40.0)
"""The range of the distance between such a thing and that last place."""
_TRIES = 80
_INSET_MM = 14.0

_WIDEST_MM = 60.0
"""Two things farther apart than this never touch; a lying large pyramid is 44.5 mm long."""

Box = tuple[float, float, float, float]


class Spread:
    """The things on one table, by zone."""

    def __init__(self, plan: Plan, rng: Random, camera: Camera | None = None) -> None:
        """Prepares an empty table with the zones of a plan.

        Args:
            camera: The camera from which things may hide each other; None if hiding does not matter.
        """
        self.zones: Mapping[Spot, PyramidZone] = {
            zone.spot: zone for zone in plan.zones if isinstance(zone, PyramidZone)
        }
        self.stands: dict[Spot, list[Stand]] = {spot: [] for spot in self.zones}
        self._rng = rng
        self._camera = camera
        self._outlines: dict[Stand, Floats] = {}
        self._near: Random | None = None
        self._left: list[Stand] = []
        self.set_near = 0
        """The number of things that were set down near the last place of another one, as `begin_picture` asked."""

    def everything(self) -> list[Stand]:
        """Returns all stands on the table."""
        return [stand for stands in self.stands.values() for stand in stands]

    def layout(self) -> Layout:
        """Returns the layout of the visible pieces."""
        heaps: dict[Spot, tuple[Detection, ...]] = {}
        for spot, stands in self.stands.items():
            heap: list[Piece] = []
            for stand in stands:
                heap += [Stack(stand.seen)] if self.zones[spot].kind == "stalks" else stand.seen
            heaps[spot] = tuple(Detection.sure(piece) for piece in heap)
        return Layout(heaps=heaps)

    def begin_picture(self, near: Random | None) -> None:
        """Begins a picture, and forgets the things that were lifted before.

        Args:
            near: If given, things are set down within `NEAR_MM` of the place of another one lifted in the same picture,
                as far as there is room, with these random numbers.
        """
        self._near, self._left = near, []

    def leave(self, stand: Stand) -> None:
        """Records that a thing was lifted; needed if a player removes it from `stands`."""
        self._left.append(stand)

    def put(self, spot: Spot, pieces: Sequence[Pyramid], lying: bool = False) -> Stand:
        """Sets pieces down somewhere in a zone, on each other or the first one on its side; returns the stand."""
        return self._settle(spot, tuple(pieces), lying)

    def take(self, spot: Spot, pieces: Sequence[Pyramid]) -> Stand:
        """Removes and returns a stand of exactly these pieces.

        Raises:
            LookupError: There is no such stand.
        """
        for stand in self.stands[spot]:
            if stand.pieces == tuple(pieces):
                self.stands[spot].remove(stand)
                self.leave(stand)
                return stand
        raise LookupError(f"{spot} holds no {pieces}")

    def exchange(self, spot: Spot, old: Stand, new: Stand) -> None:
        """Replaces one stand by another in its zone."""
        stands = self.stands[spot]
        stands[stands.index(old)] = new

    def nudge(self, share: float) -> None:
        """Pushes and turns a share of the things a little."""
        for spot, stands in self.stands.items():
            for at, stand in enumerate(stands):
                if self._rng.random() < share:
                    x, y = stand.x_mm + self._rng.uniform(-4, 4), stand.y_mm + self._rng.uniform(-4, 4)
                    moved = stand.moved(x, y, _heading(stand) + self._rng.uniform(-15, 15))
                    others = [other for other in self.everything() if other is not stand]
                    if self._room(moved, others, APART_MM / 2) and self._within(spot, moved):
                        stands[at] = moved

    def reorder(self, spot: Spot) -> None:
        """Sets one or two things of a zone down elsewhere in it."""
        for stand in self._rng.sample(self.stands[spot], min(len(self.stands[spot]), self._rng.choice((1, 2)))):
            self.stands[spot].remove(stand)
            self._settle(spot, stand.pieces, isinstance(stand, Lying))

    def _settle(self, spot: Spot, pieces: tuple[Pyramid, ...], lying: bool) -> Stand:
        others = self.everything()
        near = self._near_by(spot, pieces, lying, others)
        if near is not None:
            self.set_near += 1
            self.stands[spot].append(near)
            return near
        found: list[tuple[float, int, Stand]] = []
        for attempt in range(_TRIES):
            stand = self._anywhere(spot, pieces, lying)
            apart_mm = APART_MM * (1 - attempt / _TRIES)
            if not self._within(spot, stand) or not self._room(stand, others, apart_mm):
                continue
            hidden = self._hiding(stand, others)
            found.append((hidden, attempt, stand))
            if hidden <= HIDDEN:
                break
        else:
            found.append((9.0, _TRIES, self._anywhere(spot, pieces, lying)))
        best = min(found)[2]
        self.stands[spot].append(best)
        return best

    def _near_by(self, spot: Spot, pieces: tuple[Pyramid, ...], lying: bool, others: Sequence[Stand]) -> Stand | None:
        """Returns a stand a little beside the place of a lifted thing; None if nothing was lifted, or if there is no
        room.
        """
        rng = self._near
        if rng is None or not self._left:
            return None
        for _ in range(_TRIES):
            x, y = rng.choice(self._left).place_mm
            far, turn = rng.uniform(*NEAR_MM), rng.uniform(0, 2 * math.pi)
            x, y = x + far * math.cos(turn), y + far * math.sin(turn)
            yaw = rng.uniform(0, 360)
            stand: Stand = Lying(pieces[0], x, y, yaw) if lying else Upright(pieces, x, y, yaw % 90)
            clear = self._within(spot, stand) and not any(overlap(stand, other) for other in others)
            if clear and self._behind(stand, others) <= NEAR_HIDDEN:
                return stand
        return None

    def _behind(self, stand: Stand, others: Iterable[Stand]) -> float:
        """Returns the share of a thing that others hide, at most 1."""
        if self._camera is None:
            return 0.0
        eye = self._camera.eye_mm()[:2]
        mine = self._outline(stand)
        far = float(np.hypot(*(eye - stand.place_mm)))
        nearer = [other for other in others if float(np.hypot(*(eye - other.place_mm))) < far]
        hidden = [cv2.intersectConvexConvex(mine, self._outline(other))[0] for other in nearer]
        return min(1.0, sum(hidden) / max(cv2.contourArea(mine), 1.0))

    def _anywhere(self, spot: Spot, pieces: tuple[Pyramid, ...], lying: bool) -> Stand:
        x0, y0, x1, y1 = box_of(self.zones[spot])
        inset = min(_INSET_MM, (x1 - x0) / 4, (y1 - y0) / 4)
        x, y = self._rng.uniform(x0 + inset, x1 - inset), self._rng.uniform(y0 + inset, y1 - inset)
        turn = self._rng.uniform(0, 360)
        return Lying(pieces[0], x, y, turn) if lying else Upright(pieces, x, y, turn % 90)

    def _within(self, spot: Spot, stand: Stand) -> bool:
        x0, y0, x1, y1 = box_of(self.zones[spot])
        x, y = stand.place_mm
        return x0 + 6 <= x <= x1 - 6 and y0 + 6 <= y <= y1 - 6

    def _room(self, stand: Stand, others: Iterable[Stand], apart_mm: float) -> bool:
        """True if a stand keeps its distance from the others."""
        x, y = stand.place_mm
        reach = _reach_mm(stand) + apart_mm
        return all((x - o.place_mm[0]) ** 2 + (y - o.place_mm[1]) ** 2 >= (reach + _reach_mm(o)) ** 2 for o in others)

    def _hiding(self, stand: Stand, others: Iterable[Stand]) -> float:
        """Returns the largest share of another thing that this one hides, or of this one that another hides."""
        if self._camera is None:
            return 0.0
        eye = self._camera.eye_mm()[:2]
        mine = self._outline(stand)
        far = float(np.hypot(*(eye - stand.place_mm)))
        worst = 0.0
        for other in others:
            theirs = self._outline(other)
            if (mine.max(0) < theirs.min(0)).any() or (theirs.max(0) < mine.min(0)).any():
                continue
            area, _ = cv2.intersectConvexConvex(mine, theirs)
            behind = theirs if float(np.hypot(*(eye - other.place_mm))) > far else mine
            worst = max(worst, area / max(cv2.contourArea(behind), 1.0))
        return worst

    def _outline(self, stand: Stand) -> Floats:
        outline = self._outlines.get(stand)
        if outline is None:
            assert self._camera is not None
            seen = self._camera.project(np.concatenate(stand.solids())).astype(np.float32)
            outline = self._outlines[stand] = np.asarray(cv2.convexHull(seen)).reshape(-1, 2)
        return outline


def box_of(zone: PyramidZone) -> Box:
    """Returns the box x0, y0, x1, y1 of a zone in table millimeters."""
    xs, ys = zip(*zone.outline_mm, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(one: Stand, other: Stand) -> bool:
    """True if the areas of two things on the table overlap."""
    x, y = one.place_mm
    a, b = other.place_mm
    if math.hypot(x - a, y - b) > _WIDEST_MM:
        return False
    area, _ = cv2.intersectConvexConvex(_footprint(one), _footprint(other))
    return area > 0


def _footprint(stand: Stand) -> Floats:
    """Returns (N, 1, 2): the outline of a thing from straight above."""
    return cv2.convexHull(np.concatenate(stand.solids())[:, :2].astype(np.float32).reshape(-1, 1, 2))


def raised(stand: Upright, piece: Pyramid) -> Upright:
    """Returns the stack with one more piece on top."""
    return replace(stand, pieces=(*stand.pieces, piece))


def _heading(stand: Stand) -> float:
    return stand.heading_deg if isinstance(stand, Lying) else stand.yaw_deg


def _reach_mm(stand: Stand) -> float:
    """Returns about half the side of a thing's base, with a little for the corners."""
    if isinstance(stand, Lying):
        return SHAPES[stand.piece.size].height_mm * 0.5
    return max(SHAPES[piece.size].base_mm for piece in stand.pieces) * 0.6
