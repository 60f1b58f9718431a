"""Finds the board on the table, at any place and rotation.

All edges of a Spectrangle board run in three directions 60 degrees apart: the tray, the engraved lattice, the gaps
between tiles. So the directions of all edges vote for the rotation first. For the few best rotations a template of the
lines is matched over the whole table by Fourier transform. All three sides of the tray must be present.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.foundation.errors import NoBoard
from companion.core.plan import Mat
from vision.image.edges import Field, find_edges
from vision.image.pose import Pose, coarse, inside, rectified, rectifying_map
from vision.readers.tiles.lattice import CELL_MM, CORNERS, FLOOR_MM, RIM_MM, ROW_MM, SIDE_MM, TILE_TOP_MM, Placement

MM_PER_PX = 2.5
"""The scale of the search in millimeters per pixel."""
MARGIN_MM = 75.0
"""The distance in millimeters beyond the mat's corners that the board may reach."""
ENOUGH = 0.62
"""The least score of a board; boards of the open picture set score 0.95 to 1.9."""
TURNS = 3
"""The number of turns that are tried before all get a chance."""

NORMALS_DEG = (90.0, 210.0, 330.0)
"""The directions inward, in board space, of the sides below, right and left."""


class FoundBoard(NamedTuple):
    """A board to within a few millimeters; it is not yet known which corner is the apex."""

    placement: Placement
    score: float


class BoardLine(NamedTuple):
    """A straight line of the board, in board space."""

    kind: str
    """"rim" (the tray's outer edge), "side" (of the triangle) or "lattice"."""
    direction: int
    """The index in `NORMALS_DEG` of the direction across the line."""
    start: tuple[float, float]
    end: tuple[float, float]


def board_lines() -> tuple[BoardLine, ...]:
    """Returns every line, each running counter-clockwise around the middle."""
    apex, left, right = CORNERS
    lines = []
    for direction, (a, b) in enumerate(((left, right), (right, apex), (apex, left))):
        along = (b - a) / SIDE_MM
        inward = np.array([-along[1], along[0]])

        def line(kind: str, start: NDArray[np.float64], end: NDArray[np.float64], across: int = direction) -> BoardLine:
            return BoardLine(kind, across, (float(start[0]), float(start[1])), (float(end[0]), float(end[1])))

        lines.append(line("rim", a - inward * RIM_MM, b - inward * RIM_MM))
        lines.append(line("side", a - inward * 0.5, b - inward * 0.5))
        for j in range(1, 6):
            shift, short = inward * ROW_MM * j, along * CELL_MM / 2 * j
            lines.append(line("lattice", a + shift + short, b + shift - short))
    return tuple(lines)


def find_board(picture: NDArray[np.uint8], pose: Pose, mat: Mat) -> FoundBoard:
    """Returns the most board-like place on the table.

    Raises:
        NoBoard: There is no tray with three sides and a lattice.
    """
    picture, pose = coarse(picture, pose, MM_PER_PX)
    histogram = _turns(picture, pose, mat)
    best = max((_slide(picture, pose, mat, turn) for turn in _peaks(histogram, TURNS)), key=lambda f: f.score)
    if best.score < ENOUGH:
        wide = [_slide(picture, pose, mat, turn) for turn in np.arange(0.0, 60.0, 3.0)]
        best = max([best, *wide], key=lambda f: f.score)
    if best.score < ENOUGH:
        raise NoBoard(
            "No Spectrangle board was found between the markers. "
            "Put the whole board on the mat, clear of hands, and light it evenly."
        )
    return best


def _turns(picture: NDArray[np.uint8], pose: Pose, mat: Mat) -> Field:
    """Returns (120,): for each half degree of rotation, the strength of edges in all three directions."""
    scale, margin = 2.0, 30.0
    size = int((mat.width_mm + 2 * margin) / scale), int((mat.height_mm + 2 * margin) / scale)
    mapping = rectifying_map(pose, size, TILE_TOP_MM, lambda p: p * scale - margin)
    view = cv2.GaussianBlur(rectified(picture, mapping), (0, 0), 0.8)
    edges = find_edges(np.asarray(view, dtype=np.uint8))
    strength = edges.strength
    direction = np.asarray(cv2.phase(edges.along_x, -edges.along_y, angleInDegrees=True))
    strength[~inside(mapping, pose.size_px, 4)] = 0
    strength[strength < 0.17] = 0
    bins = ((direction % 180) * 2).astype(np.int32) % 360
    votes = np.bincount(bins.ravel(), strength.ravel(), 360)
    smooth = np.exp(-0.5 * (((np.arange(360) + 180) % 360 - 180) / 2.4) ** 2)
    votes = np.real(np.fft.ifft(np.fft.fft(votes) * np.fft.fft(smooth)))
    votes = np.maximum(votes - np.median(votes), 1e-3 * votes.max() + 1e-9).reshape(3, 120)
    return np.asarray(np.exp(np.log(votes).mean(0)), dtype=np.float32)


def _peaks(histogram: Field, count: int) -> list[float]:
    """Returns the strongest turns in degrees, 0 to 60, at least 4 degrees apart."""
    left, turns = histogram.copy(), []
    for _ in range(count):
        k = int(left.argmax())
        turns.append((k + 0.5) / 2)
        left[(np.arange(-8, 9) + k) % 120] = -1
    return turns


@lru_cache(maxsize=4)
def _templates(size: int) -> dict[tuple[int, str, int], NDArray[np.complex128]]:
    """Returns the conjugate transforms of the lines, by orientation (1 or -1), kind and direction."""
    out: dict[tuple[int, str, int], NDArray[np.complex128]] = {}
    for way in (1, -1):
        for kinds in (("rim",), ("side", "lattice")):
            for direction in range(3):
                image = np.zeros((size, size), np.float32)
                for line in board_lines():
                    if line.kind in kinds and line.direction == direction:
                        ends = [
                            (round(8 * (size / 2 + way * u / MM_PER_PX)), round(8 * (size / 2 - way * v / MM_PER_PX)))
                            for u, v in (line.start, line.end)
                        ]
                        cv2.line(image, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 3)
                soft = cv2.GaussianBlur(image, (0, 0), 1.2)
                spectrum = np.fft.rfft2(np.fft.ifftshift(soft / soft.sum()))
                out[way, kinds[0], direction] = np.conj(spectrum)
    return out


def _slide(picture: NDArray[np.uint8], pose: Pose, mat: Mat, turn_deg: float) -> FoundBoard:
    """Returns the best place for one turn, either way up."""
    middle = Placement(mat.width_mm / 2, mat.height_mm / 2, turn_deg)
    size = cv2.getOptimalDFTSize(int((max(mat.width_mm, mat.height_mm) + 2 * MARGIN_MM) / MM_PER_PX))
    size += size % 2

    def place(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        return middle.to_table((pixels - size / 2) * (MM_PER_PX, -MM_PER_PX))

    mapping = rectifying_map(pose, (size, size), TILE_TOP_MM, place)
    mask = cv2.erode(inside(mapping, pose.size_px, 4).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    edges = find_edges(rectified(picture, mapping))
    edges.strength[~mask] = 0
    templates = _templates(size)
    spectra = []
    for normal in NORMALS_DEG:
        field = edges.across(normal)
        field -= np.float32(field[mask].mean() if mask.any() else 0.0) * mask
        spectra.append(np.fft.rfft2(field))
    best = FoundBoard(middle, -1.0)
    for way in (1, -1):
        sides = np.stack([np.fft.irfft2(spectra[k] * templates[way, "rim", k], (size, size)) for k in range(3)])
        inner = np.fft.irfft2(sum(spectra[k] * templates[way, "side", k] for k in range(3)), (size, size)) / 3
        sides.sort(axis=0)
        # The faintest side counts most: a row of tiles or a sheet of paper has one or two such edges, a tray has three.
        score = sides[0] + 0.7 * sides[1] + 0.5 * sides[2] + 0.7 * inner
        k = int(score.argmax())
        value = float(score.flat[k])
        if value > best.score:
            x, y = place(np.array([[k % size, k // size]], dtype=np.float64))[0]
            best = FoundBoard(Placement(float(x), float(y), turn_deg if way == 1 else turn_deg - 180), value)
    return best


# Refines a coarse placement of the board by the lines that the picture shows.
#
# Short pieces of every line look sideways for the middle of the edges near them; all of them together move and turn the
# board, those that disagree count little. The tray's rim and the gaps between tiles are seen at the tiles' height,
# engraved lines of empty cells on the board's floor, so each piece of a line picks the height at which it is plainer.

Floats = NDArray[np.float64]

PX_PER_MM = 1.2
_MARGIN_MM = 32.0
_SOFT_PX = 0.8
"""The blur in pixels that keeps noise from looking like edges."""
_WIDTH_PX = int((300 + 2 * _MARGIN_MM) * PX_PER_MM)
_HEIGHT_PX = int((260 + 2 * _MARGIN_MM) * PX_PER_MM)
_ORIGIN = np.array([_WIDTH_PX / 2, _HEIGHT_PX - (_MARGIN_MM + 86.6) * PX_PER_MM])
"""The pixel of the board's middle in the view that the fit uses."""

WINDOWS_MM = (11.0, 7.0, 4.5, 3.0, 2.2, 2.2)
"""The search distance in millimeters on both sides of a line piece, round by round."""
CLOSE_MM = (4.5, 2.6, 2.2)
"""The search distances for a board that was there a moment ago."""
_NUDGE_MM = 9.0
_PLAIN_RIM = 0.5
"""A side of the tray with a lower edge strength may be the wrong line."""
_PIECE_MM = 40.0
"""The length in millimeters of the pieces into which lines are cut."""
_OFFSET_MM = 0.5
"""The distance in millimeters of samples across a line; the edges themselves are two or three times as wide."""


class BoardFit(Struct, frozen=True):
    """A placement, and the agreement of the lines with it."""

    placement: Placement
    rim: tuple[float, float, float]
    """The edge strength, 0 to 1, along the tray's sides below, right and left."""
    lattice: float
    """The mean edge strength along the lattice."""
    spread_mm: float
    """The median distance of the lines from their predicted places."""

    @property
    def score(self) -> float:
        """A number to compare fits; the faintest side counts most."""
        sides = sorted(self.rim)
        return sides[0] + 0.7 * sides[1] + 0.5 * sides[2] + self.lattice


class _View(NamedTuple):
    """The edges of the board seen from above at the tiles' height."""

    fields: tuple[Field, ...]
    """The edge strength across each of `NORMALS_DEG`."""
    eye: tuple[float, float]
    """The board place directly under the camera."""
    lift: float
    """The share of its distance by which a thing on the floor appears shifted toward that place."""


class _Piece(NamedTuple):
    """Short pieces of lines as arrays: middle (N, 2), normal (N, 2), direction (N,), whether they belong to the rim
    (N,).
    """

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
    """Returns the fit of a placement, which is off by a centimeter or less, to the picture's lines."""
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
    """Returns other starts: a rim's outer and inner edges are a centimeter apart and easily confused."""
    angles = np.radians(np.arange(30, 390, 60))
    return [np.array([_NUDGE_MM * math.cos(a), _NUDGE_MM * math.sin(a), 0.0]) for a in angles]


def _seen(picture: NDArray[np.uint8], pose: Pose, placement: Placement) -> _View:
    """Returns the board from above, along its own axes, at the tiles' height."""

    def place(pixels: Floats) -> Floats:
        return placement.to_table((pixels - _ORIGIN) / PX_PER_MM * (1, -1))

    view = rectified(picture, rectifying_map(pose, (_WIDTH_PX, _HEIGHT_PX), TILE_TOP_MM, place))
    edges = find_edges(np.asarray(cv2.GaussianBlur(view, (0, 0), _SOFT_PX), dtype=np.uint8))
    eye = pose.eye_mm()
    u, v = placement.to_board(eye[None, :2])[0]
    lift = (TILE_TOP_MM - FLOOR_MM) / max(float(eye[2]) - FLOOR_MM, 50.0)
    return _View(tuple(edges.across(normal) for normal in NORMALS_DEG), (float(u), float(v)), lift)


def _offsets(reach_mm: float) -> Floats:
    """Returns distances across a line, in millimeters."""
    count = math.ceil(reach_mm / _OFFSET_MM)
    return np.asarray(np.arange(-count, count + 1) * _OFFSET_MM, dtype=np.float64)


def _profiles(view: _View, pieces: _Piece, shift: Floats, offsets: Floats, floor: bool) -> Floats:
    """Returns (pieces, offsets): the mean edge strength beside each piece, for a board moved by (u, v, turn)."""
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
    """Returns the result and spread of weighted least squares over (u, v, turn) from one start, in several rounds."""
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


class LineOffsets(NamedTuple):
    """The pieces of the board's lines as a picture shows them."""

    middle: Floats
    """(N, 2): their predicted places in board space."""
    normal: Floats
    """(N, 2): unit vectors across the lines."""
    offset: Floats
    """(N,): the distance in millimeters along the normal at which they are seen."""
    weight: Floats
    """(N,): their clearness, 0 to 2."""
    z_mm: Floats
    """(N,): the height in millimeters at which they are seen."""


def line_offsets(picture: NDArray[np.uint8], pose: Pose, placement: Placement, reach_mm: float) -> LineOffsets:
    """Returns the offsets found by searching on both sides of every piece of a board's lines."""
    view, pieces, offsets = _seen(picture, pose, placement), _pieces(), _offsets(reach_mm)
    top, floor = (_profiles(view, pieces, np.zeros(3), offsets, low) for low in (False, True))
    kernel = np.exp(-0.5 * (offsets / (reach_mm / 2)) ** 2)
    use_floor = ((floor * kernel).sum(1) > (top * kernel).sum(1)) & ~pieces.rim
    profile = np.where(use_floor[:, None], floor, top)
    profile = np.maximum(profile - np.median(profile, axis=1, keepdims=True), 0)
    mass = profile.sum(1)
    offset = (profile * offsets).sum(1) / np.maximum(mass, 1e-6)
    return LineOffsets(
        pieces.middle, pieces.normal, offset, np.minimum(mass, 2.0), np.where(use_floor, FLOOR_MM, TILE_TOP_MM)
    )
