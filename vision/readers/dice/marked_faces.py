"""Reads faces that show a drawing instead of pips: a skull, a badge, the name of a club.

Such a die has the size, body and outline of the other dice in its tray, but no pattern. If people have taught the
drawing, its face is known. Otherwise the other dice give hints: a box has its drawing on one face, nearly always on the
six or the one, and not on a face that another die shows with pips.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision.calibration.taught import LOOK_PX, Look, TaughtDice
from vision.readers.dice.box import Box, body_logs
from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.outline import DiePlace, refined, seeds
from vision.readers.dice.pips import top_patch
from vision.readers.dice.plane import Plane, pixels_of
from vision.readers.dice.solids import Floats, Solid, cube
from vision.registration.registered_image import RegisteredImage

_LEAST_SCORE = 0.4
_AT_MOST = 30
"""The number of places that are looked at beside those of the dice that were read."""
_PLACES_OF_A_DIE = 3
"""The number of places at which the outline of one die is found."""
_APART = 0.8
"""The least distance, in sides, of a face from every die that was read."""
_WEIGHTS = (14.0, -4.0, -9.0)
"""The weights of the outline and of the distance from the box's body, and the constant: log odds that a die lies
there.
"""
_OTHER_BODY = 0.6
"""A face whose body differs from the box's by more than this does not belong to it."""
_GROUND = 0.35
"""Ground that differs from the box's body by less than this does not show the outline of a die."""
_OVERLAP = 0.2
"""If a face overlaps another die or a marker's sheet by more than this share, it is a part of that."""
_RIM_MM = 8.0
"""The width in millimeters of a marker's white rim."""
_AROUND = 0.95
"""The distance, in sides, from a face's middle to the ground beyond each corner."""
_INK = (0.05, 0.45)
"""The least and largest share of ink on a face with a drawing."""
_SHARPNESS = 12.0
"""The decrease of the log odds of a taught face with decreasing correlation."""
_LIKE = 0.62
"""The correlation from which a look is more likely the taught one than another."""
_SURELY_LIKE = 0.8
"""The correlation from which a look is hardly anything but the taught one."""
_USUAL = (0.44, 0.03, 0.03, 0.03, 0.03, 0.44)
"""The prior probability of a drawing on each face, one to six."""
_TAUGHT = 0.1
"""The least prior probability of a face whose drawing was taught."""
_UNREAD = 0.3
"""The prior probability that such a face has pips that were not read."""
_BLANK = 0.02
"""The probability that a die shows pips on a face that has the drawing on others of its tray."""


class MarkedFace(Struct, frozen=True):
    """A top face without pips."""

    solid: Solid
    place: DiePlace
    look: Look
    log_odds: float
    """The log odds that a die is there."""

    @property
    def probability(self) -> float:
        """The probability that a die is there."""
        return 1 / (1 + math.exp(-self.log_odds))


def marked_faces(
    table: RegisteredImage, plane: Plane, box: Box, dice: Sequence[DieCandidate], taught: TaughtDice
) -> list[MarkedFace]:
    """Returns faces without pips that dice of a box would have, the likeliest first, beside the dice that were read.

    A face that looks like a taught one may have little ink, and may lie on ground of its own color.
    """
    solid = cube(box.side_mm)
    (starts,) = seeds(plane, (solid,), _LEAST_SCORE, _AT_MOST + _PLACES_OF_A_DIE * len(dice))
    found: list[MarkedFace] = []
    for start in refined(plane, solid, starts):
        on_plane = table.pose.project(np.array([[start.x_mm, start.y_mm, plane.z_mm]]))
        x, y = (float(v) for v in table.pose.unproject(on_plane, box.side_mm)[0])
        place = DiePlace(x, y, start.yaw_deg, start.score)
        patch = top_patch(table, place, box.side_mm)
        look, share = look_of(patch, box)
        body = float(np.abs(body_logs(np.median(patch.reshape(-1, 3), axis=0)) - box.body).mean())
        if body > _OTHER_BODY or _is_explained(table, solid, place, dice):
            continue
        like = max(taught.match(look).values(), default=0.0)
        if like < _LIKE and not _INK[0] < share < _INK[1]:
            continue
        if like < _SURELY_LIKE and _ground_unlike(table, place, box) < max(_GROUND, body):
            continue
        seen = (start.score, body, 1.0)
        found.append(MarkedFace(solid, place, look, sum(w * v for w, v in zip(_WEIGHTS, seen, strict=True))))
    kept: list[MarkedFace] = []
    for one in sorted(found, key=lambda one: -one.log_odds):
        gaps = (math.hypot(one.place.x_mm - k.place.x_mm, one.place.y_mm - k.place.y_mm) for k in kept)
        if one.log_odds > 0 and all(gap > _APART * box.side_mm for gap in gaps):
            kept.append(one)
    return kept


def _is_explained(table: RegisteredImage, solid: Solid, place: DiePlace, dice: Sequence[DieCandidate]) -> bool:
    """True if a face lies over another die or over the sheet of a marker, whether or not that was read."""
    top = solid.placed(solid.corners[list(solid.faces[0])], place.x_mm, place.y_mm, place.yaw_deg)
    here = table.pose.project(top).astype(np.float32)
    others = [table.pose.project(die.corners_mm()).astype(np.float32) for die in dice]
    for x, y in table.mat.corners_mm():
        half = table.mat.marker_mm / 2 + _RIM_MM
        square = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
        others.append(table.pose.project(np.column_stack([square, np.zeros(4)])).astype(np.float32))
    area = cv2.contourArea(here)
    hulls = (cv2.convexHull(other).reshape(-1, 2) for other in others)
    return any(cv2.intersectConvexConvex(here, hull)[0] > _OVERLAP * area for hull in hulls)


def _ground_unlike(table: RegisteredImage, place: DiePlace, box: Box) -> float:
    """Returns how far most of the ground around a face is from the box's body."""
    turns = np.radians(np.arange(0.0, 360.0, 30.0) - place.yaw_deg)
    ring = _AROUND * box.side_mm * np.column_stack([np.cos(turns), np.sin(turns)]) + (place.x_mm, place.y_mm)
    pixels = pixels_of(table.pose, np.column_stack([ring, np.full(len(ring), box.side_mm)]))[None]
    seen = cv2.remap(table.picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return float(np.median([np.abs(body_logs(one) - box.body).mean() for one in seen[0]]))


def look_of(patch: Floats, box: Box) -> tuple[Look, float]:
    """Returns the ink of a top face laid flat, and the share of the face that it covers."""
    small = cv2.resize(patch, (LOOK_PX, LOOK_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    body = np.median(small[3:-3, 3:-3].reshape(-1, 3), axis=0)
    strength = max(float(np.linalg.norm(box.tint)), 1.0)
    toward = (box.tint / strength).astype(np.float32)
    look = np.clip((small - body) @ toward / (0.8 * strength), 0.0, 1.0)
    inner = look[4:-4, 4:-4]
    return np.asarray(look, np.float32), float((inner > 0.5).mean())


def face_odds(look: Look, shown: Sequence[int], taught: TaughtDice) -> tuple[float, ...]:
    """Returns the probability of each face 1 to 6.

    :param shown: faces that other dice of the box show with pips.
    """
    chances = np.array(_USUAL) * np.where(np.isin(np.arange(1, 7), shown), _BLANK, 1.0)
    chances = (1 - _UNREAD) * chances / chances.sum() + _UNREAD / 6
    for face, like in taught.match(look).items():
        chances[face - 1] = max(chances[face - 1], _TAUGHT) * math.exp(_SHARPNESS * (like - _LIKE))
    return tuple(float(chance) for chance in chances / chances.sum())
