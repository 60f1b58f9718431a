"""Checks the quality of a table's picture before a game depends on it: light, sharpness, markers.

White is measured at the markers, because only their white and black are known; without markers, the whole picture must
do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from vision.image.picture import Picture
from vision.image.pose import Floats
from vision.registration.markers import find_markers, looks_mirrored
from vision.registration.pose_estimate import usual_lens

# Measures how wide the edges of a picture are in each direction: a shaken camera smears only edges across its
# movement, a camera that is out of focus blurs all of them.

SIDE_PX = 1280
"""Pictures are scaled to this longer side, in pixels, before they are measured."""
WIDE_PX = 4.5
"""The width of edges in pixels at which markers begin to be missed; a webcam's are 2 to 3."""
STRETCH = 1.8
"""The least ratio of the width of edges across a movement to that of the sharpest ones."""
_SOME_STRETCH = 1.35
"""The ratio from which a blur may come from a movement and the lens together."""
_SURE_PX = 6.0
"""The least width of edges in pixels in a smeared part of a picture whose rest is sharp."""
_SHAPED = 0.6
"""The share of the differences between directions that one movement must explain."""
_DIRECTIONS = 12
_APART = _DIRECTIONS // 4
"""The sides of markers show every movement if their directions differ by at least this number of direction steps."""
_RIM = 0.1
"""The margin around a marker that is examined, too, as a share of its size."""
_REACH_PX = 12
"""The distance in pixels to which an edge is followed on both sides."""
_MOST = 30_000
"""The largest number of edges that are measured; OpenCV samples fewer than 32,768 lines at once."""
_LEAST = 15
"""The least number of edges for a direction to count."""
_SHARPEST = 15.0
"""The percentile of the widths that stands for a direction: shadows and round things are soft in every picture."""
_CONTRAST = 0.25
"""The share of the picture's range of grays that an edge must bridge."""
_FLAT = 0.12
"""An edge ends where its slope falls below this share of its steepest slope."""

Kind = Literal["sharp", "shaken", "unfocused", "either", "unknown"]


class Sharpness(Struct, frozen=True):
    """The widths of a picture's edges, in pixels of a picture of 1280 across."""

    kind: Kind
    """"either": blurred, with too few directions to distinguish shaken from unfocused; "unknown": without edges."""
    narrow_px: float
    """The width in the direction with the sharpest edges; 0 if unknown."""
    wide_px: float
    """The width in the direction with the widest edges; 0 if unknown."""


def sharpness(picture: Picture, markers: Sequence[Floats] = ()) -> Sharpness:
    """Measures a picture (H, W, 3) BGR.

    Args:
        markers: Corners (4, 2) in pixels of markers in it: their edges are sharp unless the picture is not.
    """
    edges = _edges(picture)
    size = (picture.shape[1], picture.shape[0])
    near = edges.of(_inside(edges.middle, [np.asarray(corners) / size for corners in markers]))
    widths = _by_direction(near, 50.0)
    across = np.flatnonzero(np.isfinite(widths))
    if len(across) and np.ptp(across) >= _APART and np.nanmax(widths) < WIDE_PX:
        return Sharpness("sharp", float(np.nanmin(widths)), float(np.nanmax(widths)))
    whole = _judged(edges)
    if whole.kind == "shaken":
        return whole
    # A camera that turns smears each part of its picture another way.
    left, upper = edges.middle[:, 0] < 0.5, edges.middle[:, 1] < 0.5
    parts = [_judged(edges.of(a & b)) for a in (left, ~left) for b in (upper, ~upper)]
    smeared = [part for part in parts if part.kind == "shaken" and part.wide_px >= _SURE_PX]
    if smeared:
        kind: Kind = "shaken" if whole.kind in ("sharp", "unknown") else "either"
        return Sharpness(kind, whole.narrow_px, max(part.wide_px for part in smeared))
    return whole


class _Edges(NamedTuple):
    """The strong edges of a picture."""

    middle: NDArray[np.float64]
    """(N, 2): their places, as shares of width and height."""
    direction: NDArray[np.int64]
    """(N,): the index of the direction in which each of them rises."""
    width_px: NDArray[np.float64]
    """(N,): their widths in pixels."""

    def of(self, chosen: NDArray[np.bool_]) -> _Edges:
        """Returns the chosen ones."""
        return _Edges(self.middle[chosen], self.direction[chosen], self.width_px[chosen])


def _inside(places: Floats, boxes: Sequence[Floats]) -> NDArray[np.bool_]:
    """Returns (N,) True for each place (N, 2) in or close to one of the boxes around points (M, 2)."""
    found = np.zeros(len(places), bool)
    for points in boxes:
        low, high = points.min(0), points.max(0)
        rim = _RIM * (high - low)
        found |= ((places >= low - rim) & (places <= high + rim)).all(1)
    return found


def _by_direction(edges: _Edges, percentile: float) -> Floats:
    """Returns (directions,) the width of edges; NaN where there are few."""
    mine = [edges.width_px[edges.direction == i] for i in range(_DIRECTIONS)]
    return np.array([np.percentile(one, percentile) if len(one) >= _LEAST else np.nan for one in mine])


def _judged(edges: _Edges) -> Sharpness:
    widths = _by_direction(edges, _SHARPEST)
    known = np.isfinite(widths)
    if not known.any():
        return Sharpness("unknown", 0.0, 0.0)
    ordered = np.sort(widths[known])
    few = max(1, len(ordered) // 6)
    narrow, wide = float(ordered[:few].mean()), float(ordered[-few:].mean())
    one_way = _explained(widths) >= _SHAPED
    kind: Kind = "sharp"
    if one_way and wide >= max(WIDE_PX, STRETCH * narrow):
        kind = "shaken"
    elif narrow >= WIDE_PX:
        everywhere = known.reshape(-1, _DIRECTIONS // 4).any(1).all()
        kind = "unfocused" if everywhere and not (one_way and wide >= _SOME_STRETCH * narrow) else "either"
    return Sharpness(kind, narrow, wide)


def _explained(widths: NDArray[np.float64]) -> float:
    """Returns the share of the variance of squared widths that one movement explains.

    Args:
        widths: (directions,), NaN where unknown.
    """
    known = np.isfinite(widths)
    if known.sum() < 5:
        return 0.0
    angles = np.arange(len(widths))[known] * 2 * np.pi / len(widths)
    squares = widths[known] ** 2
    terms = np.column_stack([np.ones(len(angles)), np.cos(angles), np.sin(angles)])
    rest = squares - terms @ np.linalg.lstsq(terms, squares, rcond=None)[0]
    spread = float(((squares - squares.mean()) ** 2).sum())
    return 1 - float((rest**2).sum()) / spread if spread > 0 else 0.0


def _edges(picture: Picture) -> _Edges:
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    scale = SIDE_PX / max(gray.shape)
    if scale != 1:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=way)
    low, high = np.percentile(gray, (2, 98))
    soft = np.asarray(cv2.GaussianBlur(gray, (0, 0), 0.7), dtype=np.float32)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = np.asarray(cv2.magnitude(across, down), dtype=np.float32)
    rim = _REACH_PX + 1
    inner = steep[rim:-rim, rim:-rim]
    y, x = np.nonzero(inner > max(1.5, 0.02 * float(high - low)))
    if len(y) > _MOST:
        chosen = np.random.default_rng(0).choice(len(y), _MOST, replace=False)
        y, x = y[chosen], x[chosen]
    y, x = y + rim, x + rim
    here = steep[y, x]
    along = np.column_stack([across[y, x], down[y, x]]) / here[:, None]

    def sampled(image: NDArray[np.float32], steps: NDArray[np.float32]) -> NDArray[np.float32]:
        at = (x[:, None] + along[:, :1] * steps, y[:, None] + along[:, 1:] * steps)
        return np.asarray(cv2.remap(image, at[0].astype(np.float32), at[1].astype(np.float32), cv2.INTER_LINEAR))

    if not len(here):
        return _Edges(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0))
    crest = (here[:, None] >= sampled(steep, np.array([-1.0, 1.0], np.float32))).all(1)
    profile = sampled(soft, np.arange(-_REACH_PX, _REACH_PX + 1, dtype=np.float32))
    slopes = np.diff(profile, axis=1)
    top = slopes[:, _REACH_PX - 2 : _REACH_PX + 2].max(1)
    number = np.arange(len(top))
    ahead = _run(slopes[:, _REACH_PX:], top)
    behind = _run(slopes[:, :_REACH_PX][:, ::-1], top)
    rise = profile[number, _REACH_PX + ahead] - profile[number, _REACH_PX - behind]
    strong = crest & (rise > _CONTRAST * float(high - low))
    width = rise / np.maximum(top, 1e-3)
    turn = np.arctan2(along[:, 1], along[:, 0]) % np.pi
    place = np.round(turn / np.pi * _DIRECTIONS).astype(int) % _DIRECTIONS
    middle = np.column_stack([x, y])[strong] / (gray.shape[1], gray.shape[0])
    return _Edges(middle, place[strong], width[strong].astype(np.float64))


def _run(slopes: NDArray[np.float32], top: NDArray[np.float32]) -> NDArray[np.int64]:
    """Returns (N,): the number of steps for which each line rises, from its edge outward."""
    rising = slopes > _FLAT * top[:, None]
    return np.asarray(np.where(rising.all(1), slopes.shape[1], np.argmin(rising, axis=1)), dtype=np.int64)


CLIPPED = 252
"""The gray level from which a picture is white."""
WHITE_LEAST = 90.0
"""The gray level of white paper below which colors cannot be read."""
WHITE_BLIND = 45.0
"""The gray level of white paper below which markers are missed."""
CLIPPED_MOST = 0.04
"""The largest acceptable share of overexposed pixels."""
CLIPPED_BLIND = 0.4
"""The share of overexposed pixels above which markers are missed."""
_BRIGHTEST = 99.5
"""The percentile of a picture's grays that stands for its white paper: four markers cover a hundredth of it."""


class TableHealth(Struct, frozen=True):
    """The measurements of one picture."""

    size_px: tuple[int, int]
    """Width and height."""
    white: float
    """The gray level, 0 to 255, of white paper, or of the picture's bright parts if there is no marker."""
    clipped: float
    """The share of overexposed pixels."""
    uneven: float
    """The brightest marker's white divided by the darkest one's; 1 without markers."""
    sharpness: Sharpness
    markers: tuple[int, ...]
    """The ids of the visible markers."""
    mirrored: bool
    """True if the picture is mirrored: markers appear only when it is flipped."""
    above_deg: float | None = None
    """The angle in degrees above the table's plane from which a usual webcam would show the markers like this; 90 is
    straight from above, None if unknown.
    """


class Fault(Struct, frozen=True):
    """A fault of a picture."""

    seen: str
    """A sentence about the observation."""
    advice: str
    """A sentence of advice."""
    blinding: bool
    """True if this fault alone hides markers; otherwise another cause is possible, too."""


def checked(picture: Picture) -> TableHealth:
    """Measures a picture."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_markers(picture)
    mirrored = not found and looks_mirrored(picture)
    if mirrored:
        # The markers of a mirrored picture are equally good for measuring; only their ids cannot be read.
        return structs.replace(checked(np.asarray(cv2.flip(picture, 1), np.uint8)), markers=(), mirrored=True)
    crops = [_crop(gray, corners) for sightings in found.values() for corners in sightings]
    whites = [float(np.percentile(crop, 90)) for crop in crops] or [float(np.percentile(gray, _BRIGHTEST))]
    return TableHealth(
        size_px=(gray.shape[1], gray.shape[0]),
        white=float(np.median(whites)),
        clipped=float(np.mean(gray >= CLIPPED)),
        uneven=max(whites) / max(1.0, min(whites)),
        sharpness=sharpness(picture, [corners for sightings in found.values() for corners in sightings]),
        markers=tuple(sorted(found)),
        mirrored=False,
        above_deg=seen_from_deg([corners for sightings in found.values() for corners in sightings], gray.shape[::-1]),
    )


def seen_from_deg(markers: Sequence[NDArray[np.float64]], size_px: Sequence[int]) -> float | None:
    """Returns the angle in degrees above the table's plane at which the middle of some markers (4, 2) is seen.

    None without any.
    """
    if not markers:
        return None
    middle_px = np.array(size_px) / 2
    focal = usual_lens((size_px[0], size_px[1])).focal_px
    camera = np.array([[focal, 0, middle_px[0]], [0, focal, middle_px[1]], [0, 0, 1]])
    square = np.array([(-0.5, 0.5, 0), (0.5, 0.5, 0), (0.5, -0.5, 0), (-0.5, -0.5, 0)])
    normals = []
    for corners in markers:
        _, turns, _, _ = cv2.solvePnPGeneric(square, corners, camera, None, flags=cv2.SOLVEPNP_IPPE_SQUARE)
        normals.append(cv2.Rodrigues(turns[0])[0][:, 2])
    normal = np.median(normals, axis=0)
    ray = np.array([*(np.mean([corners.mean(axis=0) for corners in markers], axis=0) - middle_px), focal])
    sine = abs(float(normal @ ray)) / float(np.linalg.norm(ray) * np.linalg.norm(normal))
    return math.degrees(math.asin(min(sine, 1.0)))


def light_fault(health: TableHealth) -> Fault | None:
    """Returns the fault of the light; None if the light is good."""
    if health.white < WHITE_LEAST:
        what = "white paper" if health.markers else "the brightest part"
        seen = f"Too dark: {what} has gray level {health.white:.0f} of 255."
        return Fault(seen, "Switch a lamp on.", health.white < WHITE_BLIND)
    if health.clipped > CLIPPED_MOST:
        seen = f"{health.clipped:.0%} of the picture is brighter than the camera can say."
        advice = "Move the lamp so that it is not mirrored, or lower the exposure."
        return Fault(seen, advice, health.clipped > CLIPPED_BLIND)
    return None


def blur_fault(health: TableHealth) -> Fault | None:
    """Returns the kind of blur; None if the picture is sharp."""
    narrow, wide = health.sharpness.narrow_px, health.sharpness.wide_px
    match health.sharpness.kind:
        case "sharp":
            return None
        case "shaken":
            seen = f"The picture is shaken: edges are {wide:.0f} pixels wide in one direction, {narrow:.0f} in others."
            advice = (
                "Fix the camera and the table so that they stand still, and give more light: then it exposes shorter."
            )
        case "unfocused":
            seen = f"The picture is out of focus: its sharpest edges are {narrow:.0f} pixels wide."
            advice = "Focus the camera on the table, or wipe its lens."
        case "either":
            seen = f"The picture is out of focus or shaken: its edges are {max(wide, WIDE_PX):.0f} pixels wide."
            advice = "Focus the camera on the table or wipe its lens, and see that it stands still in more light."
        case "unknown":
            seen = "The picture shows no edges."
            advice = "Take the cap off the lens, wipe it, and point it at the table."
    return Fault(seen, advice, True)


def _crop(gray: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Returns the part of the picture with a marker and some of its white border."""
    low, high = corners.min(0), corners.max(0)
    margin = 0.15 * (high - low)
    x0, y0 = np.maximum(low - margin, 0).astype(int)
    x1, y1 = (high + margin).astype(int) + 1
    return gray[y0:y1, x0:x1]
