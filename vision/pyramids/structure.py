"""How well a guess explains what is inside its outline: faces, levels, edges.

Silhouettes alone cannot tell a large piece from a tree of three seen from above. Inside, they differ: bands of another
depth of color, and the lower edge of each level. This module turns a guess into numbers that a small ranker weighs.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_SIZES
from vision.pyramids.evidence import View
from vision.pyramids.hypothesis import Hypothesis
from vision.pyramids.models import FACES, Projector, lifts_mm, standing

Floats = NDArray[Any]
Mask = NDArray[np.uint8]

CLIP = 3.0
"""Log odds of a pixel are trusted no further than this."""
SAMPLES = 8
"""Points along an edge."""


class Patch(Struct, frozen=True):
    """A box of the picture, prepared for looking inside."""

    origin_px: tuple[int, int]
    contrast: Floats
    """(h, w, 3)."""
    odds: Floats
    """(h, w) log odds of plastic, clipped."""
    colors: Floats
    """(h, w, 10) log probabilities."""
    slope: Floats
    """(h, w, 6) derivatives of the smoothed contrast along x (3) and y (3)."""
    grain: float
    view: View


def patch(
    origin_px: tuple[int, int], contrast: Floats, odds: Floats, colors: Floats, grain: float, view: View
) -> Patch:
    """Prepare a box."""
    held = np.clip(contrast, -3.0, 2.0).astype(np.float32)
    smooth = cv2.GaussianBlur(held, (0, 0), 0.9 * view.px_per_mm / 1.5)
    slope = np.concatenate(
        [cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) / 8], axis=2
    )
    return Patch(origin_px, held, odds, colors, slope, grain, view)


def _signed(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def visible_faces(outline: Floats, lies: bool) -> list[int]:
    """Numbers of the faces of one piece (5, 2) that look at the camera."""
    o = outline
    if lies:
        sign = _signed(o[2], o[3], o[4])
        found = [f for f in (1, 2, 3) if _signed(*(o[i] for i in FACES[f])) * sign > 0]
        # The open base is seen from its outside when the loop runs against the sides.
        return found + ([4] if _signed(o[0], o[1], o[2]) * sign < 0 else [])
    sign = _signed(o[0], o[1], o[2])
    return [f for f in range(4) if _signed(*(o[i] for i in FACES[f])) * sign > 0]


def regions(patch: Patch, outline: Floats, lies: bool) -> NDArray[np.uint8]:
    """(h, w) 0 outside, else 1 + 5 * level + face of what is seen there; upper levels cover lower ones."""
    label = np.zeros(patch.odds.shape, np.uint8)
    fixed = np.round((outline - np.array(patch.origin_px)) * 16).astype(np.int32)
    for level, piece in enumerate(fixed):
        for face in visible_faces(outline[level], lies):
            cv2.fillConvexPoly(label, piece[list(FACES[face])].reshape(-1, 1, 2), 1 + 5 * level + face, shift=4)
    return label


def _edge_strength(patch: Patch, segments: Floats) -> Floats:
    """(E, 2) for segments (E, 2, 2): change of the contrast across each, and how much that is above both sides."""
    starts, ends = segments[:, 0], segments[:, 1]
    t = (np.arange(SAMPLES) + 0.5) / SAMPLES
    along = ends - starts
    points = starts[:, None] + along[:, None] * t[None, :, None] - np.array(patch.origin_px)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / (np.hypot(along[:, 0], along[:, 1])[:, None] + 1e-6)
    height, width = patch.odds.shape
    at = points[None] + _SIDES[:, None, None, None] * normal[None, :, None]
    x = np.clip(np.rint(at[..., 0]).astype(np.intp), 0, width - 1)
    y = np.clip(np.rint(at[..., 1]).astype(np.intp), 0, height - 1)
    slope = patch.slope[y, x]
    across = slope[..., :3] * normal[:, None, :1] + slope[..., 3:] * normal[:, None, 1:]
    strength = np.sqrt((across**2).sum(axis=3)).mean(axis=2)
    return np.stack([strength[0], strength[0] - 0.5 * (strength[1] + strength[2])], axis=1)


_SIDES = np.array([0.0, 2.5, -2.5])
"""Pixels beside an edge where the slope is compared."""


def _lower_edges(piece: Floats) -> list[Floats]:
    """Segments (2, 2) of the base of a standing piece (5, 2) that are in view."""
    return [piece[list(FACES[f][:2])] for f in visible_faces(piece, False)]


def _ridges(piece: Floats, lies: bool) -> list[Floats]:
    """Segments from the base to the tip between two faces that are in view."""
    faces = [f for f in visible_faces(piece, lies) if f < 4]
    return [piece[[corner, 4]] for corner in range(4) if sum(corner in FACES[f] for f in faces) == 2]


def _one_more(guess: Hypothesis, pose: Projector) -> list[list[Floats]]:
    """For each size that may stand on top: the middles of the lower edges that such a piece would show."""
    top = PYRAMID_SIZES.index(guess.sizes[-1])
    shapes = [
        standing(guess.x_mm, guess.y_mm, guess.turn_deg, size, lifts_mm((*guess.sizes, size))[-1])
        for size in PYRAMID_SIZES[top:]
    ]
    pixels = pose.project(np.concatenate(shapes)).reshape(-1, 5, 2)
    # Only the middle of such an edge lies inside the outline that is there.
    shrunk = [[0.8 * e + 0.2 * e[::-1] for e in _lower_edges(piece)] for piece in pixels]
    return [[]] * top + shrunk


FEATURES = 54
"""Numbers that `describe` gives for one guess."""


def describe(guess: Hypothesis, outline: Floats, score: float, best: float, pose: Projector, patch: Patch) -> Floats:
    """(FEATURES,) what a ranker needs to know of a guess; `outline` (pieces, 5, 2) are its projected points.

    `best` is the best score of all guesses for the blob.
    """
    label = regions(patch, outline, guess.lies)
    solid = (label > 0).astype(np.uint8)
    inside = solid > 0
    count = max(int(np.count_nonzero(inside)), 1)
    ring = (cv2.dilate(solid, np.ones((5, 5), np.uint8)) > 0) & ~inside
    core = cv2.erode(solid, np.ones((3, 3), np.uint8)) > 0
    here, around, deep = patch.odds[inside], patch.odds[ring], patch.odds[core]
    all_plastic = float(np.maximum(patch.odds, 0).sum()) + 1e-6
    out: list[float] = [
        score / 300,
        score / count / CLIP,
        float((here < 0).mean()) if here.size else 1.0,
        float((deep < 0).mean()) if deep.size else 1.0,
        float((around > 0).mean()) if around.size else 0.0,
        float(around.mean()) / CLIP if around.size else 0.0,
        score / max(best, 1.0),
        float(np.maximum(here, 0).sum()) / all_plastic,
    ]
    out += _spreads(patch, label, inside, count, len(guess.sizes))
    out += _color_bands(patch, label, inside, count, len(guess.sizes))
    out += _edges(guess, outline, pose, patch)
    levels = len(guess.sizes)
    out += [float(guess.lies), patch.view.tilt, patch.view.px_per_mm, patch.grain * 10, np.log(count) / 3]
    out += [float(guess.sizes[-1] == size) for size in PYRAMID_SIZES]
    out += [float(guess.sizes[0] == size) for size in PYRAMID_SIZES]
    out += [levels / 3, float(levels == 1), float(levels == 2), float(levels > 3)]
    out += [float(len(set(guess.sizes)) == levels)]
    return np.array(out)


def _spreads(patch: Patch, label: Mask, inside: NDArray[np.bool_], count: int, levels: int) -> list[float]:
    """Spread of the contrast within the outline, within levels, within faces; and how levels differ from each other."""
    flat = label[inside].astype(np.intp)
    values = patch.contrast[inside].astype(np.float64)
    squares = float((values**2).sum())
    spreads, means = [], np.zeros((1, 3))
    for groups in (np.zeros_like(flat), (flat - 1) // 5, flat):
        size = np.bincount(groups, minlength=levels) + 1e-9
        sums = np.stack([np.bincount(groups, values[:, c], minlength=levels) for c in range(3)], axis=1)
        # Sum of squares about the groups' means.
        spreads.append(max(squares - float((sums**2 / size[:, None]).sum()), 0.0) / count + patch.grain**2 + 1e-4)
        if len(means) == 1:
            means = sums / size[:, None] if len(spreads) == 2 else means
    steps = np.linalg.norm(np.diff(means, axis=0), axis=1) if levels > 1 and len(means) > 1 else np.zeros(0)
    return [
        float(np.log(spreads[0])),
        float(np.log(spreads[1] / spreads[0])),
        float(np.log(spreads[2] / spreads[1])),
        float(np.log(spreads[2])),
        float(steps.min()) if steps.size else 0.0,
        float(steps.mean()) if steps.size else 0.0,
    ]


def _color_bands(patch: Patch, label: Mask, inside: NDArray[np.bool_], count: int, levels: int) -> list[float]:
    """How well one color a level explains the pixels, and how much worse two neighboring levels fare with one color.

    The second tells a tree of several colors from a tall piece, and a level too many from a true one.
    """
    level = ((label[inside] - 1) // 5)[None] == np.arange(levels, dtype=np.uint8)[:, None]
    tones = np.maximum(patch.colors[inside], -6.0)
    sums = level.astype(np.float32) @ tones
    sizes = level.sum(axis=1)
    alone = sums.max(axis=1)
    whole = float(sums.sum(axis=0).max())
    if levels == 1:
        return [whole / count, 0.0, 0.0, 0.0]
    together = (sums[1:] + sums[:-1]).max(axis=1)
    gains = (alone[1:] + alone[:-1] - together) / (sizes[1:] + sizes[:-1] + 1)
    each = float(alone.sum())
    return [each / count, (each - whole) / count, float(gains.min()), float(gains.mean())]


def _edges(guess: Hypothesis, outline: Floats, pose: Projector, patch: Patch) -> list[float]:
    """Edges: the outline, ridges, lower edges of each level, and where one more level would begin."""
    hull = cv2.convexHull(outline.reshape(-1, 1, 2).astype(np.float32)).reshape(-1, 2).astype(float)
    contour = list(np.stack([hull, np.roll(hull, -1, axis=0)], axis=1))
    ridges = _ridges(outline[-1], guess.lies)
    levels = [] if guess.lies else [_lower_edges(piece) for piece in outline]
    more: list[list[Floats]] = [[], [], []] if guess.lies else _one_more(guess, pose)
    groups = [contour, ridges, *levels, *more]
    strength = _edge_strength(patch, np.array([segment for group in groups for segment in group]))
    ends = np.cumsum([len(group) for group in groups]).tolist()
    parts = [strength[end - len(group) : end] for end, group in zip(ends, groups, strict=True)]
    means = [part.sum(axis=0) / len(part) if len(part) else np.zeros(2) for part in parts]
    length = np.linalg.norm(hull - np.roll(hull, -1, axis=0), axis=1)
    long = length > 0.15 * length.max()
    out = [*(parts[0] * (length / length.sum())[:, None]).sum(axis=0), *parts[0][long].min(axis=0), *means[1]]
    steps = np.array(means[2 : 2 + len(levels)]).reshape(-1, 2)
    inner = steps[1:]
    out += [*steps[0]] if len(steps) else [0.0, 0.0]
    out += [*inner.min(axis=0), *inner.mean(axis=0), *inner[-1]] if len(inner) else [0.0] * 6
    out += [float(value) for mean in means[2 + len(levels) :] for value in mean]
    return [float(value) for value in out]
