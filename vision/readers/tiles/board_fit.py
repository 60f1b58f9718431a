"""Where exactly the board lies: a coarse placement pulled onto the lines that the picture shows.

Short pieces of every line look sideways for the middle of the edges near them; all of them together move and turn the
board, those that disagree count little. The tray's rim and the gaps between tiles are seen at the tiles' height,
engraved lines of empty cells on the board's floor, so each piece of a line picks the height at which it is plainer.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.edges import Field, find_edges
from vision.image.pose import Pose
from vision.image.rectify import rectified, rectifying_map
from vision.readers.tiles.board_finder import NORMALS_DEG, board_lines
from vision.readers.tiles.lattice import FLOOR_MM, TILE_TOP_MM, Placement

Floats = NDArray[np.float64]

PX_PER_MM = 1.2
_MARGIN_MM = 32.0
_SOFT_PX = 0.8
"""Blur that keeps noise from looking like edges."""
_WIDTH_PX = int((300 + 2 * _MARGIN_MM) * PX_PER_MM)
_HEIGHT_PX = int((260 + 2 * _MARGIN_MM) * PX_PER_MM)
_ORIGIN = np.array([_WIDTH_PX / 2, _HEIGHT_PX - (_MARGIN_MM + 86.6) * PX_PER_MM])
"""Pixel of the board's middle in the view that the fit works in."""

WINDOWS_MM = (11.0, 7.0, 4.5, 3.0, 2.2, 2.2)
"""The reach of a piece of a line to either side, round by round."""
CLOSE_MM = (4.5, 2.6, 2.2)
"""The same for a board that lies where it lay a moment ago."""
_NUDGE_MM = 9.0
_PLAIN_RIM = 0.5
"""A side of the tray that is fainter than this may be the wrong line."""
_PIECE_MM = 40.0
"""Length of the pieces that lines are cut into."""
_OFFSET_MM = 0.5
"""Distance of samples across a line; the edges themselves are two or three times as wide."""


class BoardFit(Struct, frozen=True):
    """A placement and how well the lines agree with it."""

    placement: Placement
    rim: tuple[float, float, float]
    """Edge strength (0 to 1) along the tray's sides below, right and left."""
    lattice: float
    """Mean edge strength along the lattice."""
    spread_mm: float
    """Median distance of the lines from where the placement puts them."""

    @property
    def score(self) -> float:
        """One number to compare fits by; the faintest side counts most."""
        sides = sorted(self.rim)
        return sides[0] + 0.7 * sides[1] + 0.5 * sides[2] + self.lattice


class _View(NamedTuple):
    """Edges of the board seen from above at the tiles' height."""

    fields: tuple[Field, ...]
    """Edge strength across each of `NORMALS_DEG`."""
    eye: tuple[float, float]
    """Board place straight under the camera."""
    lift: float
    """The share of its distance by which a thing on the floor appears moved toward that place."""


class _Piece(NamedTuple):
    """Short pieces of lines as arrays: middle (N, 2), normal (N, 2), direction (N,), whether rim (N,)."""

    middle: Floats
    normal: Floats
    direction: NDArray[np.int64]
    rim: NDArray[np.bool_]


@lru_cache(maxsize=1)
def _pieces() -> _Piece:
    middles, normals, directions, rims = [], [], [], []
    for line in board_lines():
        start, end = np.array(line.start), np.array(line.end)
        length = float(np.hypot(*(end - start)))
        along = (end - start) / length
        count = max(round(length / _PIECE_MM), 1)
        for k in range(count):
            middles.append(start + along * length * (k + 0.5) / count)
            angle = math.radians(NORMALS_DEG[line.direction])
            normals.append((math.cos(angle), math.sin(angle)))
            directions.append(line.direction)
            rims.append(line.kind == "rim")
    return _Piece(np.array(middles), np.array(normals), np.array(directions), np.array(rims))


def fit_board(
    picture: NDArray[np.uint8], pose: Pose, coarse: Placement, windows_mm: tuple[float, ...] = WINDOWS_MM
) -> BoardFit:
    """Pull a placement that is a centimeter or less off onto the picture's lines."""
    view = _seen(picture, pose, coarse)
    best = _fitted(view, coarse, np.zeros(3), windows_mm)
    if windows_mm[0] > _NUDGE_MM and min(best.rim) < _PLAIN_RIM:
        tried = [_settle(view, start, windows_mm[:2])[0] for start in _nudges()]
        shift = max(tried, key=lambda shift: _fit(view, coarse, shift, 0.0).score)
        best = max(best, _fitted(view, coarse, shift, windows_mm[2:]), key=lambda fit: fit.score)
    return best


def _fitted(view: _View, coarse: Placement, start: Floats, windows_mm: tuple[float, ...]) -> BoardFit:
    shift, spread = _settle(view, start, windows_mm)
    return _fit(view, coarse, shift, spread)


def _nudges() -> list[Floats]:
    """Other starts: a rim's outer and inner edges are a centimeter apart and easily swapped."""
    angles = np.radians(np.arange(30, 390, 60))
    return [np.array([_NUDGE_MM * math.cos(a), _NUDGE_MM * math.sin(a), 0.0]) for a in angles]


def _seen(picture: NDArray[np.uint8], pose: Pose, placement: Placement) -> _View:
    """The board from above, along its own axes, at the tiles' height."""

    def place(pixels: Floats) -> Floats:
        return placement.to_table((pixels - _ORIGIN) / PX_PER_MM * (1, -1))

    view = rectified(picture, rectifying_map(pose, (_WIDTH_PX, _HEIGHT_PX), TILE_TOP_MM, place))
    edges = find_edges(np.asarray(cv2.GaussianBlur(view, (0, 0), _SOFT_PX), dtype=np.uint8))
    eye = pose.eye_mm()
    u, v = placement.to_board(eye[None, :2])[0]
    lift = (TILE_TOP_MM - FLOOR_MM) / max(float(eye[2]) - FLOOR_MM, 50.0)
    return _View(tuple(edges.across(normal) for normal in NORMALS_DEG), (float(u), float(v)), lift)


def _offsets(reach_mm: float) -> Floats:
    """Distances across a line, in millimeters."""
    count = math.ceil(reach_mm / _OFFSET_MM)
    return np.asarray(np.arange(-count, count + 1) * _OFFSET_MM, dtype=np.float64)


def _profiles(view: _View, pieces: _Piece, shift: Floats, offsets: Floats, floor: bool) -> Floats:
    """(pieces, offsets): edge strength beside each piece, averaged along it, for a board moved by (u, v, turn)."""
    cos, sin = math.cos(shift[2]), math.sin(shift[2])
    turn = np.array([[cos, sin], [-sin, cos]])
    middle = pieces.middle @ turn + shift[:2]
    normal = pieces.normal @ turn
    along = np.column_stack([normal[:, 1], -normal[:, 0]])
    steps = np.linspace(-0.4, 0.4, 7) * _PIECE_MM
    spots = (
        middle[:, None, None]
        + offsets[None, :, None, None] * normal[:, None, None]
        + steps[None, None, :, None] * along[:, None, None]
    )
    if floor:
        spots = spots + view.lift * (np.array(view.eye) - spots)
    pixels = (spots * (PX_PER_MM, -PX_PER_MM) + _ORIGIN).astype(np.float32)
    out = np.zeros((len(middle), len(offsets)))
    for direction in range(3):
        mine = pieces.direction == direction
        chosen = pixels[mine].reshape(-1, len(offsets) * len(steps), 2)
        seen = cv2.remap(view.fields[direction], chosen[..., 0], chosen[..., 1], cv2.INTER_LINEAR)
        out[mine] = seen.reshape(-1, len(offsets), len(steps)).mean(2)
    return out


def _settle(view: _View, shift: Floats, windows_mm: tuple[float, ...]) -> tuple[Floats, float]:
    """Rounds of weighted least squares over (u, v, turn) from one start; where they end, and their spread."""
    pieces = _pieces()
    spread = 0.0
    for window in windows_mm:
        offsets = _offsets(window)
        top, floor = (_profiles(view, pieces, shift, offsets, low) for low in (False, True))
        kernel = np.exp(-0.5 * (offsets / (window / 2)) ** 2)
        use_floor = ((floor * kernel).sum(1) > (top * kernel).sum(1)) & ~pieces.rim
        profile = np.where(use_floor[:, None], floor, top)
        profile = np.maximum(profile - np.median(profile, axis=1, keepdims=True), 0)
        mass = profile.sum(1)
        offset = (profile * offsets).sum(1) / np.maximum(mass, 1e-6)
        weight = np.minimum(mass, 2.0)
        lever = pieces.normal[:, 1] * pieces.middle[:, 0] - pieces.normal[:, 0] * pieces.middle[:, 1]
        design = np.column_stack([pieces.normal, lever])
        step = np.zeros(3)
        for _ in range(4):
            residual = offset - design @ step
            scale = max(1.5 * float(np.median(np.abs(residual))), 0.3)
            robust = weight / (1 + (residual / scale) ** 2)
            normal_matrix = design.T @ (design * robust[:, None]) + np.diag([1e-6, 1e-6, 1e-2])
            step = np.linalg.solve(normal_matrix, design.T @ (offset * robust))
        shift = shift + step
        spread = float(np.median(np.abs(offset - design @ step)[mass > 0.15])) if (mass > 0.15).any() else window
    return shift, spread


def _fit(view: _View, coarse: Placement, shift: Floats, spread: float) -> BoardFit:
    pieces = _pieces()
    offsets = _offsets(2.0)
    top, floor = (_profiles(view, pieces, shift, offsets, low) for low in (False, True))
    strength = np.maximum(top, np.where(pieces.rim[:, None], 0, floor)).max(1)
    rim = [float(strength[pieces.rim & (pieces.direction == k)].mean()) for k in range(3)]
    lattice = float(strength[~pieces.rim].mean())
    x, y = coarse.to_table(np.array([[shift[0], shift[1]]]))[0]
    placement = Placement(float(x), float(y), coarse.heading_deg + math.degrees(shift[2]))
    return BoardFit(placement, (rim[0], rim[1], rim[2]), lattice, spread)
