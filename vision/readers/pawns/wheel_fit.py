"""Locates the wheel exactly: a coarse placement is refined by the circles and lines in the picture.

Short pieces of the rim, of the rings and of the lines between paths search for the nearest edge on both sides; all of
them together move, turn and scale the wheel, and those that disagree (a pawn, a shadow) count little.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.foundation.errors import NoBoard
from vision.image.edges import Edges, find_edges
from vision.image.light import LINEAR
from vision.image.pose import Pose, coarse, inside, rectified, rectifying_map
from vision.readers.pawns.wheel import HUB_SHARE, PATHS, RINGS, SECTOR_DEG, THICK_MM, Wheel
from vision.registration.registered_image import RegisteredImage

# Find the wheel on the table, at any place and turn, by what no table has: all colors in a circle.
#
# Every pixel votes with its hue, written as a turn of the color wheel. Around the board's middle hues turn exactly
# once, so a template that turns once answers with its strength where the board is and with its phase which way red
# points.

MM_PER_PX = 5.0
"""The scale of the search in millimeters per pixel."""
MARGIN_MM = 150.0
"""The distance in millimeters beyond the mat's corners that the board may reach."""
_SMALL_PX = 96
"""The side in pixels of the view in which colors give a wheel's rotation."""
_BIAS_DEG = -4.0
"""The usual error in degrees of a heading from colors: inks are not spaced as evenly as paths."""
ENOUGH = 0.6
"""The least agreement of a board."""

_HUES_DEG = np.array([-45.0, 0.0, 14.0, 45.0, 58.0, 85.0, 140.0, 180.0, 215.0, 245.0, 275.0, 320.0, 360.0, 374.0])
"""Hues in the order of HSV, in degrees."""
_TURNS_DEG = np.array([-30.0, 0.0, 30.0, 75.0, 120.0, 150.0, 180.0, 210.0, 240.0, 270.0, 300.0, 330.0, 360.0, 390.0])
"""The places of `_HUES_DEG` on the board's wheel of twelve colors, in degrees."""


class FoundWheel(NamedTuple):
    """A board to within a few millimeters and degrees."""

    wheel: Wheel
    score: float
    """The agreement of hues with a whole wheel; 1 is best."""


def find_wheel(table: RegisteredImage, radius_mm: float) -> FoundWheel:
    """Returns the most wheel-like place on the table.

    Raises:
        NoBoard: No colors in a circle are on the table.
    """
    picture, pose = coarse(table.picture, table.pose, MM_PER_PX)
    longest = max(table.mat.width_mm, table.mat.height_mm) + 2 * MARGIN_MM
    size = cv2.getOptimalDFTSize(int((longest + radius_mm) / MM_PER_PX))
    mapping = rectifying_map(pose, (size, size), THICK_MM, lambda p: p * MM_PER_PX - MARGIN_MM)
    shown = inside(mapping, pose.size_px, 1)
    votes = _votes(rectified(picture, mapping), table) * shown
    template, ring = _templates(size, round(radius_mm / MM_PER_PX, 3))
    answer = np.fft.ifft2(np.fft.fft2(votes) * template)
    energy = np.fft.ifft2(np.fft.fft2(np.abs(votes) ** 2) * ring).real
    seen = np.fft.ifft2(np.fft.fft2(shown.astype(np.float64)) * ring).real
    # Energy below what dull print has does not count: a gray table must not look like a wheel by its noise.
    score = np.abs(answer) / np.sqrt(np.maximum(energy, 0.02) * np.maximum(seen, 0.05))
    score *= np.clip(seen, 0, 1)
    away = np.abs(np.arange(size) * MM_PER_PX - MARGIN_MM)
    for axis, length in ((1, table.mat.width_mm), (0, table.mat.height_mm)):
        outside = (away > length + MARGIN_MM) | (np.arange(size) * MM_PER_PX - MARGIN_MM < -MARGIN_MM)
        score[(slice(None), outside) if axis else (outside,)] = 0
    row, column = (int(k) for k in np.unravel_index(int(score.argmax()), score.shape))
    best = float(score[row, column])
    if best < ENOUGH:
        raise NoBoard(
            "No Spectrum board was found between the markers. "
            "Put the whole wheel on the mat, clear of hands, and light it evenly."
        )
    heading = float(np.degrees(np.angle(answer[row, column]))) - _BIAS_DEG
    x, y = column * MM_PER_PX - MARGIN_MM, row * MM_PER_PX - MARGIN_MM
    return FoundWheel(Wheel(x, y, radius_mm, heading), best)


def turned_by_color(table: RegisteredImage, wheel: Wheel) -> Wheel:
    """Returns the wheel with its heading corrected by whole paths: lines repeat every 30 degrees, colors do not."""
    half = wheel.radius_mm
    mm_per_px = 2 * half / _SMALL_PX
    picture, pose = coarse(table.picture, table.pose, mm_per_px)
    mapping = rectifying_map(
        pose, (_SMALL_PX, _SMALL_PX), THICK_MM, lambda p: wheel.to_table((p + 0.5) * mm_per_px - half)
    )
    votes = _votes(rectified(picture, mapping), table) * inside(mapping, pose.size_px, 1)
    axis = (np.arange(_SMALL_PX) + 0.5) / (_SMALL_PX / 2) - 1
    x, y = np.meshgrid(axis, axis)
    away = np.hypot(x, y)
    ring = (away < 1) & (away > HUB_SHARE)
    off = float(np.degrees(np.angle((votes * np.exp(-1j * np.arctan2(y, x)))[ring].sum())))
    paths = round((off - _BIAS_DEG) / SECTOR_DEG)
    return replace(wheel, heading_deg=(wheel.heading_deg + paths * SECTOR_DEG + 180) % 360 - 180)


def _votes(view: NDArray[np.uint8], table: RegisteredImage) -> NDArray[np.complex128]:
    """Returns (H, W): each pixel's hue as a rotation on the unit circle, times its saturation."""
    white = np.exp(np.array(table.light.offset))
    levels = LINEAR[view] / white
    rooted = np.cbrt(np.clip(levels, 0, 4)).astype(np.float32)
    hsv = cv2.cvtColor(rooted, cv2.COLOR_BGR2HSV)
    turn = np.radians(np.interp(hsv[..., 0], _HUES_DEG, _TURNS_DEG))
    strength = np.clip(hsv[..., 1] * 1.6, 0, 1) * np.clip(hsv[..., 2] * 4, 0, 1)
    return np.asarray(strength * np.exp(1j * turn))


@lru_cache(maxsize=2)
def _templates(size: int, radius_px: float) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Returns the conjugate transforms of the turning ring and of the plain ring, each with absolute values of sum
    1.
    """
    axis = (np.arange(size) + size // 2) % size - size // 2
    x, y = np.meshgrid(axis, axis)
    away = np.hypot(x, y)
    ring = (np.clip(radius_px - away, 0, 1) * np.clip(away - radius_px * HUB_SHARE, 0, 1)).astype(np.float64)
    ring /= ring.sum()
    turning = ring * np.exp(1j * np.arctan2(y, x))
    return np.conj(np.fft.fft2(turning)), np.conj(np.fft.fft2(ring))


Floats = NDArray[np.float64]

VIEW_PX = 512
"""The side in pixels of the view that the fit uses."""
_VIEW_SHARE = 1.13
"""Half the view's side over the wheel's radius."""
_SOFT_PX = 0.8
_PIECE_SHARE = 0.03
"""Half the length of a line piece over the radius."""
_STEPS = np.linspace(-1.0, 1.0, 7)
_OFFSETS_SHARE = 1 / 320
"""The step across a line over the radius."""
_TURN_REACH_DEG = 10.0
"""The largest error in degrees of a coarse heading."""


class WheelFit(Struct, frozen=True):
    """A wheel fitted to its lines."""

    wheel: Wheel
    rim: float
    """The mean edge strength along the rim, 0 to 1."""
    lines: float
    """The mean edge strength along the lines between paths, 0 to 1."""
    spread_mm: float
    """The median distance of the pieces from their places in the fit."""

    @property
    def score(self) -> float:
        """The clearness of the board in the picture."""
        return self.rim + self.lines


class _Pieces(NamedTuple):
    """Short pieces of lines in units of the radius."""

    middle: Floats
    """(N, 2): the middles of the pieces."""
    normal: Floats
    """(N, 2): the unit vectors across the pieces."""
    kind: NDArray[np.int64]
    """(N,): 0 for the rim, 1 for lines between paths, 2 for rings."""


@lru_cache(maxsize=1)
def _pieces() -> _Pieces:
    middles, normals, kinds = [], [], []
    ring_share = (1 - HUB_SHARE) / RINGS
    for ring in range(RINGS):
        away = 1 - ring * ring_share
        count = max(round(away * 72), 12)
        for k in range(count):
            angle = 2 * math.pi * (k + 0.5) / count
            normals.append((math.cos(angle), math.sin(angle)))
            middles.append((away * math.cos(angle), away * math.sin(angle)))
            kinds.append(0 if ring == 0 else 2)
    for path in range(PATHS):
        angle = math.radians((path + 0.5) * SECTOR_DEG)
        for away in np.arange(HUB_SHARE + 0.07, 0.97, 2 * _PIECE_SHARE):
            middles.append((away * math.cos(angle), away * math.sin(angle)))
            normals.append((-math.sin(angle), math.cos(angle)))
            kinds.append(1)
    return _Pieces(np.array(middles), np.array(normals), np.array(kinds))


class _Move(NamedTuple):
    """The remaining correction of a placement, in units of its radius and in radians."""

    shift: Floats
    turn: float
    scale: float


_STILL = _Move(np.zeros(2), 0.0, 0.0)


def fit_wheel(picture: NDArray[np.uint8], pose: Pose, start: Wheel, near: bool = False) -> WheelFit:
    """Returns the fit of a placement, which is off by up to two centimeters and a few degrees, to the picture's lines.

    Args:
        near: True if `start` is off by two millimeters at most.
    """
    rough = start
    if not near:
        edges = _seen(picture, pose, start)
        move = _settle(edges, _STILL, 0.07, rim_only=True)[0]
        move = _settle(edges, move, 0.04, rim_only=True)[0]
        move = _turned(edges, move)
        move = _settle(edges, move, 0.03)[0]
        rough = _moved(start, move)
    edges = _seen(picture, pose, rough)
    move, spread = _STILL, 0.0
    for window in (0.02, 0.015) if near else (0.025, 0.015, 0.015):
        move, spread = _settle(edges, move, window)
    wheel = _moved(rough, move)
    profile = _profiles(edges, _pieces(), move, _offsets(0.01)).max(1)
    kind = _pieces().kind
    return WheelFit(wheel, float(profile[kind == 0].mean()), float(profile[kind == 1].mean()), spread * wheel.radius_mm)


def _moved(wheel: Wheel, move: _Move) -> Wheel:
    x, y = wheel.to_table(move.shift[None] * wheel.radius_mm)[0]
    heading = (wheel.heading_deg - math.degrees(move.turn) + 180) % 360 - 180
    return Wheel(float(x), float(y), wheel.radius_mm * math.exp(move.scale), heading)


def _seen(picture: NDArray[np.uint8], pose: Pose, wheel: Wheel) -> Edges:
    """Returns the edges of the board seen from above along its own axes."""
    half = _VIEW_SHARE * wheel.radius_mm
    mm_per_px = 2 * half / VIEW_PX
    small, camera = coarse(picture, pose, mm_per_px)
    mapping = rectifying_map(camera, (VIEW_PX, VIEW_PX), THICK_MM, lambda p: wheel.to_table(p * mm_per_px - half))
    view = rectified(small, mapping)
    return find_edges(np.asarray(cv2.GaussianBlur(view, (0, 0), _SOFT_PX), dtype=np.uint8))


def _offsets(reach: float) -> Floats:
    count = math.ceil(reach / _OFFSETS_SHARE)
    return np.asarray(np.arange(-count, count + 1) * _OFFSETS_SHARE)


def _placed(pieces: _Pieces, move: _Move) -> tuple[Floats, Floats]:
    """Returns middles and normals after a move."""
    cos, sin = math.cos(move.turn), math.sin(move.turn)
    turn = np.array([[cos, sin], [-sin, cos]])
    return pieces.middle @ turn * math.exp(move.scale) + move.shift, pieces.normal @ turn


def _profiles(edges: Edges, pieces: _Pieces, move: _Move, offsets: Floats) -> Floats:
    """Returns (N, offsets): the mean strength of edges across each piece at each distance from it."""
    middle, normal = _placed(pieces, move)
    along = np.column_stack([-normal[:, 1], normal[:, 0]]) * _PIECE_SHARE
    spots = (
        middle[:, None, None]
        + offsets[None, :, None, None] * normal[:, None, None]
        + _STEPS[None, None, :, None] * along[:, None, None]
    )
    px_per_radius = VIEW_PX / (2 * _VIEW_SHARE)
    pixels = (spots * px_per_radius + VIEW_PX / 2).astype(np.float32).reshape(len(middle), -1, 2)
    seen = [
        cv2.remap(field, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
        for field in (edges.strength, edges.along_x, edges.along_y)
    ]
    cosine = seen[1] * normal[:, 0, None] + seen[2] * normal[:, 1, None]
    strength = seen[0] * np.maximum(cosine * cosine - 0.75, 0) * 4
    return np.asarray(strength.reshape(len(middle), len(offsets), len(_STEPS)).mean(2), dtype=np.float64)


def _turned(edges: Edges, move: _Move) -> _Move:
    """Returns the turn near `move` at which the lines between paths are plainest."""
    pieces = _pieces()
    lines = _Pieces(*(part[pieces.kind == 1] for part in pieces))
    turns = np.radians(np.arange(-_TURN_REACH_DEG, _TURN_REACH_DEG + 0.1, 0.5))
    sums = [float(_profiles(edges, lines, _Move(move.shift, t, move.scale), np.zeros(1)).sum()) for t in turns]
    return _Move(move.shift, float(turns[int(np.argmax(np.convolve(sums, [0.5, 1.0, 0.5], "same")))]), move.scale)


def _settle(edges: Edges, move: _Move, window: float, rim_only: bool = False) -> tuple[_Move, float]:
    """Returns one round of robust least squares over shift, turn and scale; the new move and the pieces' spread."""
    pieces = _pieces()
    if rim_only:
        pieces = _Pieces(*(part[pieces.kind == 0] for part in pieces))
    offsets = _offsets(window)
    profile = _profiles(edges, pieces, move, offsets)
    profile = np.maximum(profile - np.median(profile, axis=1, keepdims=True), 0)
    mass = profile.sum(1)
    offset = (profile * offsets).sum(1) / np.maximum(mass, 1e-6)
    weight = np.minimum(mass, 1.5)
    middle, normal = _placed(pieces, move)
    away = middle - move.shift
    lever = normal[:, 1] * away[:, 0] - normal[:, 0] * away[:, 1]
    design = np.column_stack([normal, lever, (normal * away).sum(1)])
    prior = np.diag([1e-6, 1e-6, 1e-2, 0.0])
    # The pull toward the size that was said: as strong as a whole rim that is a tenth of a millimeter sure.
    pull = 0.02 * weight.sum()
    prior[3, 3] = pull
    step = np.zeros(4)
    for _ in range(4):
        residual = offset - design @ step
        scale = max(1.5 * float(np.median(np.abs(residual))), 1e-3)
        robust = weight / (1 + (residual / scale) ** 2)
        right = design.T @ (offset * robust) - np.array([0, 0, 0, pull * move.scale])
        step = np.linalg.solve(design.T @ (design * robust[:, None]) + prior, right)
    plain = mass > 0.15
    spread = float(np.median(np.abs(offset - design @ step)[plain])) if plain.any() else window
    return _Move(move.shift + step[:2], move.turn + float(step[2]), move.scale + float(step[3])), spread
