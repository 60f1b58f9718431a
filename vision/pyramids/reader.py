"""Reading the pyramids of one picture, and of the next one with less work.

The order: the bare table, the boxes that differ from it, the evidence of their pixels, blobs explained by guesses, and
at last colors, named together if the set is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.layout import Candidate, Sighting
from companion.pieces import PYRAMID_COLORS, Pyramid
from companion.plan import Mat
from vision.light import Light
from vision.pose import Pose
from vision.pyramids.assignment import Limits, assign, with_prior
from vision.pyramids.cells.confirmed import ConfirmedColors
from vision.pyramids.evidence import Box, Evidence, View, contrast_around, look, view_at
from vision.pyramids.explain import Blob, explain, ranked_by
from vision.pyramids.naming import level_looks, log_likelihoods
from vision.pyramids.perceptron import FOLDER, Perceptron, load
from vision.pyramids.reference import SHRINK, Picture, Table, estimate, reflectance
from vision.pyramids.regions import boxes, mat_mask
from vision.pyramids.scene import Found, PyramidScene

Floats = NDArray[Any]

_OUTSIDE = -6.0
"""Log odds of plastic where nothing was looked at."""


class Nets(Struct, frozen=True):
    """The three trained parts."""

    pixels: Perceptron
    guesses: Perceptron
    names: Perceptron


def trained(folder: Path = FOLDER) -> Nets:
    """Nets from a folder that training wrote; by default those that come with the project."""
    return Nets(load(folder / "pixels.npz"), load(folder / "guesses.npz"), load(folder / "names.npz"))


class Memory(Struct, frozen=True):
    """What the next reading may begin with."""

    scene: PyramidScene
    small: NDArray[np.uint8]
    """The picture at a quarter of its size, BGR."""
    pose: Pose
    boxes: tuple[Box, ...]


def gather(
    picture: Picture,
    table: Table,
    pose: Pose,
    reflectance_log: Floats,
    where: Sequence[Box],
    bounds: Box,
    net: Perceptron,
) -> Evidence:
    """Evidence of all boxes on one sheet that covers `bounds`."""
    x0, y0, x1, y1 = bounds
    clipped = [(max(b[0], x0), max(b[1], y0), min(b[2], x1), min(b[3], y1)) for b in where]
    plastic = np.full((y1 - y0, x1 - x0), _OUTSIDE, np.float32)
    colors = np.zeros((y1 - y0, x1 - x0, len(PYRAMID_COLORS)), np.float32)
    contrast = np.zeros((y1 - y0, x1 - x0, 3), np.float32)
    for box in clipped:
        if box[0] >= box[2] or box[1] >= box[3]:
            continue
        middle = pose.unproject(np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]]))[0]
        seen = look(picture, table, box, view_at(pose, float(middle[0]), float(middle[1])), reflectance_log, net)
        part = np.s_[box[1] - y0 : box[3] - y0, box[0] - x0 : box[2] - x0]
        plastic[part] = seen.plastic
        colors[part] = seen.colors
        margin = 12
        around = (
            max(box[0] - margin, x0),
            max(box[1] - margin, y0),
            min(box[2] + margin, x1),
            min(box[3] + margin, y1),
        )
        wide = np.s_[around[1] - y0 : around[3] - y0, around[0] - x0 : around[2] - x0]
        contrast[wide] = contrast_around(picture, table, around, 0)
    return Evidence(bounds, contrast, plastic, colors)


def bounds_of(picture: Picture, pose: Pose, mat: Mat) -> tuple[Box, NDArray[np.uint8], View]:
    """The part of the picture that the mat takes up, its mask at a quarter of the size, and the view of its middle."""
    height, width = picture.shape[:2]
    mask = mat_mask(pose, mat, (width, height), SHRINK)
    x, y, w, h = cv2.boundingRect(mask)
    bounds = x * SHRINK, y * SHRINK, min((x + w) * SHRINK, width), min((y + h) * SHRINK, height)
    return bounds, mask, view_at(pose, mat.width_mm / 2, mat.height_mm / 2)


def hide_outside(evidence: Evidence, mask: NDArray[np.uint8]) -> None:
    """Make everything outside of the mat, and its markers, no plastic."""
    x0, y0, x1, y1 = evidence.box
    sheet = cv2.resize(mask, (mask.shape[1] * SHRINK, mask.shape[0] * SHRINK), interpolation=cv2.INTER_NEAREST)
    evidence.plastic[sheet[y0:y1, x0:x1] == 0] = _OUTSIDE


def sheet_evidence(
    picture: Picture,
    table: Table,
    pose: Pose,
    reflectance_log: Floats,
    mask: NDArray[np.uint8],
    bounds: Box,
    view: View,
    net: Perceptron,
) -> Evidence:
    """Evidence of all boxes of a picture, nothing kept from an earlier one."""
    where = boxes(table.other, mask, view.px_per_mm, (picture.shape[1], picture.shape[0]))
    evidence = gather(picture, table, pose, reflectance_log, where, bounds, net)
    hide_outside(evidence, mask)
    return evidence


def _found(blob: Blob, bare_log: Floats, net: Perceptron) -> Found:
    """The chosen guess of a blob with its colors."""
    assert blob.choice is not None
    place = blob.guesses[blob.choice]
    outline = blob.outlines[blob.choice]
    looks = level_looks(blob.patch, outline, place.lies)
    logs = log_likelihoods(place, looks, bare_log, blob.patch.view.tilt, net)
    weights = np.exp(np.append(blob.log_odds, 0.0) - max(float(blob.log_odds.max()), 0.0))
    weights /= weights.sum()
    order = [int(i) for i in np.argsort(-weights) if i != blob.choice and i < len(blob.guesses)]
    flat = outline.reshape(-1, 2)
    low, high = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int)
    return Found(
        place,
        float(weights[blob.choice]),
        blob.guesses[order[0]] if order else None,
        float(weights[order[0]]) if order else 0.0,
        (),
        logs,
        outline,
        (int(low[0]), int(low[1]), int(high[0]), int(high[1])),
    )


def _named(found: Sequence[Found], limits: Limits | None, colors: ConfirmedColors | None) -> tuple[Found, ...]:
    """Colors for all pieces, together if `limits` are known."""
    sizes = [size for f in found for size in f.place.sizes]
    logs = np.concatenate([f.tones for f in found]) if found else np.zeros((0, len(PYRAMID_COLORS)))
    if colors is not None:
        logs = logs + colors.offsets
    names = logs.argmax(axis=1).tolist() if limits is None else assign(logs, sizes, limits)
    if limits is not None:
        logs = with_prior(logs, sizes, limits)
    out, at = [], 0
    for f in found:
        levels = []
        for size in f.place.sizes:
            share = np.exp(logs[at] - logs[at].max())
            share /= share.sum()
            order = [names[at], *(int(i) for i in np.argsort(-share) if i != names[at])][:4]
            levels.append(
                Sighting(
                    tuple(Candidate(Pyramid(PYRAMID_COLORS[i], size), float(share[i]) * f.confidence) for i in order)
                )
            )
            at += 1
        out.append(
            Found(f.place, f.confidence, f.rival, f.rival_confidence, tuple(levels), f.tones, f.outline_px, f.box)
        )
    return tuple(out)


def _without_doubles(found: Sequence[Found]) -> list[Found]:
    """Of two things closer than any two pieces can stand, the surer one."""
    kept: list[Found] = []
    for f in sorted(found, key=lambda f: -f.confidence):
        if all(
            np.hypot(f.place.x_mm - k.place.x_mm, f.place.y_mm - k.place.y_mm) > 7.0 or f.place.lies != k.place.lies
            for k in kept
        ):
            kept.append(f)
    return kept


def _unchanged(small: NDArray[np.uint8], previous: Memory) -> NDArray[np.uint8]:
    """(H / 4, W / 4) 1 where the picture is as it was, after evening out the exposure."""
    now, before = small.astype(np.float32) + 4, previous.small.astype(np.float32) + 4
    ratio = np.log(now / before)
    ratio -= np.median(ratio[::4, ::4], axis=(0, 1))
    moved = (np.abs(cv2.blur(ratio, (3, 3))).max(axis=2) > 0.08).astype(np.uint8)
    moved = cv2.morphologyEx(moved, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(1 - cv2.dilate(moved, np.ones((5, 5), np.uint8)), np.uint8)


def _same_view(a: Pose, b: Pose, mat: Mat) -> bool:
    corners = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)])
    return bool(np.abs(a.project(corners) - b.project(corners)).max() < 1.5)


def read(
    picture: Picture,
    pose: Pose,
    light: Light,
    mat: Mat,
    previous: Memory | None = None,
    limits: Limits | None = None,
    nets: Nets | None = None,
    colors: ConfirmedColors | None = None,
) -> Memory:
    """Read a steady picture (H, W, 3) BGR; the scene is `Memory.scene`.

    `previous` is the answer for an earlier picture of the same table: where nothing has changed, its pieces are kept.
    `limits` say how many of each piece can be there, `colors` what this table has taught about its colors.
    """
    use = nets or trained()
    small = np.asarray(cv2.resize(picture, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA), np.uint8)
    bounds, mask, view = bounds_of(picture, pose, mat)
    table = estimate(picture, view.px_per_mm, mask)
    where = boxes(table.other, mask, view.px_per_mm, (picture.shape[1], picture.shape[0]))
    kept: list[Found] = []
    fresh = where
    if previous is not None and previous.small.shape == small.shape and _same_view(pose, previous.pose, mat):
        same = _unchanged(small, previous)
        fresh = [box for box in where if not _all_same(box, same)]
        kept = [f for f in previous.scene.found if _all_same(f.box, same) and not _touches(f.box, fresh)]
    bare = reflectance(table, pose, light, mat)
    evidence = gather(picture, table, pose, bare, fresh, bounds, use.pixels)
    hide_outside(evidence, mask)
    blobs = explain(evidence, table.grain, view, pose, ranked_by(use.guesses))
    found = [_found(blob, bare, use.names) for blob in blobs if blob.choice is not None]
    scene = PyramidScene(_named([*kept, *_without_doubles(found)], limits, colors))
    return Memory(scene, small, pose, tuple(where))


def _all_same(box: Box, same: NDArray[np.uint8]) -> bool:
    part = same[max(box[1], 0) // SHRINK : -(-box[3] // SHRINK), max(box[0], 0) // SHRINK : -(-box[2] // SHRINK)]
    return bool(part.all()) if part.size else True


def _touches(box: Box, others: Sequence[Box]) -> bool:
    middle_x, middle_y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(b[0] <= middle_x < b[2] and b[1] <= middle_y < b[3] for b in others)
