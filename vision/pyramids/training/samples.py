"""What the nets learn from: pixels of labelled pictures on many tables, and explained blobs with the right guess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.evidence import FEATURES, RINGS, SPOKES, Evidence, contrast_around, features, pad_px, view_at
from vision.pyramids.explain import explain
from vision.pyramids.hypothesis import Hypothesis
from vision.pyramids.naming import level_looks, name_features
from vision.pyramids.perceptron import Perceptron
from vision.pyramids.reader import bounds_of, sheet_evidence
from vision.pyramids.training.labels import Labelled, Silhouettes

Floats = NDArray[Any]
Ints = NDArray[Any]

MIRRORED = np.array(
    [
        *range(14),
        *(
            14 + 3 * (SPOKES * ring + (SPOKES - spoke) % SPOKES) + channel
            for ring in range(len(RINGS))
            for spoke in range(SPOKES)
            for channel in range(3)
        ),
    ]
)
"""Order of the pixel features in a mirrored picture."""


def mirror_half(random: np.random.Generator) -> Any:
    """A `vary` for pixel features: half of the batches are mirrored."""
    return lambda x: x[:, MIRRORED] if random.uniform() < 0.5 else x


def pixel_samples(
    picture: Labelled, mask: Silhouettes, random: np.random.Generator, count: int = 180
) -> tuple[Floats, Ints]:
    """Features (N, F) half floats and classes (N,) of pixels near pieces, of distractors and of bare table."""
    height, width = mask.color.shape
    contrast = contrast_around(picture.table.picture, picture.bare, (0, 0, width, height), 0)
    mat = picture.table.mat
    corners = picture.camera.project(np.column_stack([np.array(mat.corners_mm()), np.zeros(4)]))
    inside = np.zeros(mask.color.shape, np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.round(corners).astype(np.int32).reshape(-1, 1, 2)), 1)
    other = cv2.resize(picture.bare.other, (width, height), interpolation=cv2.INTER_NEAREST)
    away = (mask.near == 0) & (inside > 0)
    spots: list[tuple[Floats, int, float]] = []
    for thing in picture.things:
        middle = picture.camera.project(np.array([(thing.place.x_mm, thing.place.y_mm, 12.0)]))[0]
        spots.append((middle, 46, 1.0))
    for where, most, share in ((away & (other > 0), 10, 0.4), (away, 4, 0.25)):
        places = np.argwhere(where)[:, ::-1].astype(float)
        if len(places):
            chosen = random.choice(len(places), min(most, len(places)), replace=False)
            spots += [(places[i], 30, share) for i in chosen]
    rows, classes = [], []
    for middle, reach, share in spots:
        x0, y0 = max(int(middle[0]) - reach, 0), max(int(middle[1]) - reach - 8, 0)
        x1, y1 = min(int(middle[0]) + reach, width), min(int(middle[1]) + reach - 4, height)
        if x1 - x0 < 20 or y1 - y0 < 20:
            continue
        place = picture.table.pose.unproject(middle.reshape(1, 2))[0]
        view = view_at(picture.table.pose, float(place[0]), float(place[1]))
        pad = pad_px(view)
        part = contrast[max(y0 - pad, 0) : y1 + pad, max(x0 - pad, 0) : x1 + pad]
        part = cv2.copyMakeBorder(
            part,
            max(pad - y0, 0),
            max(y1 + pad - height, 0),
            max(pad - x0, 0),
            max(x1 + pad - width, 0),
            cv2.BORDER_REPLICATE,
        )
        inputs = features(part, view, picture.reflectance_log, picture.bare.grain).reshape(-1, FEATURES)
        color = mask.color[y0:y1, x0:x1].ravel()
        usable = ((mask.border[y0:y1, x0:x1] == 0) & (inside[y0:y1, x0:x1] > 0)).ravel()
        distance = cv2.distanceTransform(
            (color == 0).astype(np.uint8).reshape(y1 - y0, x1 - x0), cv2.DIST_L2, 3
        ).ravel()
        plastic, bare = np.flatnonzero((color > 0) & usable), np.flatnonzero((color == 0) & usable)
        want = int(count * share)
        taken = [random.choice(plastic, min(want // 2, len(plastic)), replace=False)] if len(plastic) else []
        if len(bare):
            weight = np.exp(-distance[bare] / 12) + 0.15
            size = min(want // 2 if len(plastic) else want, len(bare))
            taken.append(random.choice(bare, size, replace=False, p=weight / weight.sum()))
        if taken:
            chosen = np.concatenate(taken)
            rows.append(inputs[chosen].astype(np.float16))
            classes.append(color[chosen])
    return np.concatenate(rows), np.concatenate(classes).astype(np.intp)


class BlobSample(Struct, frozen=True):
    """One blob: features of its guesses, the right one, and inputs for naming if it was among them."""

    features: Floats
    right: int | None
    doubtful: bool
    """A piece is there, but no guess hits it: nothing to learn."""
    names: Floats | None
    colors: tuple[int, ...]


def right_guess(guesses: Sequence[Hypothesis], truth: Sequence[Hypothesis]) -> tuple[int | None, int | None]:
    """The first guess that is true and which thing it is; (None, thing) if one is near but none is right."""
    touched = None
    for k, guess in enumerate(guesses):
        for i, place in enumerate(truth):
            if np.hypot(guess.x_mm - place.x_mm, guess.y_mm - place.y_mm) > (14.0 if place.lies else 8.0):
                continue
            if k < 3:
                touched = i
            turn = (guess.turn_deg - place.turn_deg + 180) % 360 - 180
            if guess.sizes == place.sizes and guess.lies == place.lies and not (place.lies and abs(turn) > 35):
                return k, i
    return None, touched


def blob_samples(picture: Labelled, net: Perceptron) -> list[BlobSample]:
    """Explain a picture as a reader does, but with the labels choosing."""
    table = picture.table
    bounds, mask, view = bounds_of(table.picture, table.pose, table.mat)
    evidence: Evidence = sheet_evidence(
        table.picture, picture.bare, table.pose, picture.reflectance_log, mask, bounds, view, net
    )
    truth = [thing.place for thing in picture.things]

    def choose(guesses: tuple[Hypothesis, ...], _: Floats) -> tuple[int | None, Floats]:
        return right_guess(guesses, truth)[0], np.zeros(len(guesses))

    found = []
    for blob in explain(evidence, picture.bare.grain, view, table.pose, choose):
        choice, thing = right_guess(blob.guesses, truth)
        names: Floats | None = None
        colors: tuple[int, ...] = ()
        if choice is not None and thing is not None:
            guess = blob.guesses[choice]
            looks = level_looks(blob.patch, blob.outlines[choice], guess.lies)
            names = name_features(guess, looks, picture.reflectance_log, blob.patch.view.tilt)
            colors = tuple(PYRAMID_COLORS.index(c) for c in picture.things[thing].colors)
        found.append(BlobSample(blob.features, choice, choice is None and thing is not None, names, colors))
    return found
