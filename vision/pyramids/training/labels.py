"""Labelled pictures with what training needs of them: the table found as a reader finds it, and true silhouettes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from companion.plan import Mat
from vision.picture import read_picture
from vision.pyramids.evidence import view_at
from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines
from vision.pyramids.reference import SHRINK, estimate, reflectance
from vision.pyramids.reference import Table as Bare
from vision.pyramids.regions import mat_mask
from vision.table import Table, find_table

Floats = NDArray[Any]


class LabelCamera:
    """The true camera of a label; `vision.pose.Pose` is what a reader solves instead."""

    def __init__(self, camera: dict[str, Any]) -> None:
        self._rvec, self._tvec = np.array(camera["rvec"]), np.array(camera["tvec"])
        self._matrix, self._dist = np.array(camera["K"]), np.array(camera["dist"])

    def project(self, points_mm: Floats) -> Floats:
        """Table millimetres (N, 3) to pixels (N, 2)."""
        flipped = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) * (1, 1, -1)
        pixels, _ = cv2.projectPoints(flipped, self._rvec, self._tvec, self._matrix, self._dist)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def distance_mm(self, x_mm: float, y_mm: float) -> float:
        """From the camera to a table point."""
        rotation, _ = cv2.Rodrigues(self._rvec)
        return float(np.linalg.norm(rotation @ np.array([x_mm, y_mm, 0.0]) + self._tvec))


class Thing(Struct, frozen=True):
    """A labelled stack or lying piece. `place.turn_deg` of a stack is not labelled and is fitted later."""

    place: Hypothesis
    colors: tuple[str, ...]


class Labelled(Struct, frozen=True):
    """One picture."""

    name: str
    group: str
    """Pictures of one group share a table's surface and are held out together."""
    scene: str
    """Pictures of one sequence share the scene; a lone picture is its own."""
    table: Table
    bare: Bare
    reflectance_log: Floats
    camera: LabelCamera
    things: tuple[Thing, ...]


def _things(truth: dict[str, Any]) -> tuple[Thing, ...]:
    found = [
        Thing(
            Hypothesis(s["x"], s["y"], 0.0, tuple(p["size"] for p in s["pieces"])),
            tuple(p["color"] for p in s["pieces"]),
        )
        for s in truth["stacks"]
    ]
    found += [
        Thing(Hypothesis(p["x"], p["y"], p["heading"], (p["size"],), True), (p["color"],)) for p in truth["lying"]
    ]
    return tuple(found)


def bare_table(table: Table) -> Bare:
    """The bare table as a reader estimates it."""
    height, width = table.picture.shape[:2]
    middle = view_at(table.pose, table.mat.width_mm / 2, table.mat.height_mm / 2)
    mask = mat_mask(table.pose, table.mat, (width, height), SHRINK)
    return estimate(table.picture, middle.px_per_mm, mask)


def _labelled(path: Path, label: dict[str, Any], truth: dict[str, Any], scene: str) -> Labelled:
    mat = label["mat"]
    corners = [(float(x), float(y)) for x, y in mat["corners_px"]] if len(mat["visible_ids"]) < 4 else None
    table = find_table(read_picture(path), Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]), corners)
    bare = bare_table(table)
    return Labelled(
        path.stem,
        label["table"],
        scene,
        table,
        bare,
        reflectance(bare, table.pose, table.light, table.mat),
        LabelCamera(label["camera"]),
        _things(truth),
    )


def load(folders: Sequence[Path], every: int = 3) -> Iterator[Labelled]:
    """All labelled pyramid pictures of some folders.

    A folder holds pictures with a JSON label each, or is a sequence (`sequence.json`), of which every `every`-th still
    picture is taken, since they differ little.
    """
    for folder in folders:
        sequence = folder / "sequence.json"
        if sequence.is_file():
            whole = json.loads(sequence.read_text())
            still = [f for f in whole["frames"] if f["stable"]]
            for frame in still[::every]:
                yield _labelled(folder / frame["file"], whole, frame["truth"], folder.name)
        else:
            for path in sorted(folder.glob("*.json")):
                label = json.loads(path.read_text())
                if label["domain"] == "pyramids":
                    yield _labelled(folder / label["image"], label, label["truth"], path.stem)


class Silhouettes(Struct, frozen=True):
    """Who is where in a picture, by the labels."""

    color: NDArray[np.uint8]
    """(H, W) 0 table, else 1 + number of the color."""
    border: NDArray[np.uint8]
    """(H, W) 1 where a pixel may belong to either side."""
    near: NDArray[np.uint8]
    """(H, W) 1 on and around pieces."""


def silhouettes(labelled: Labelled, turns: Sequence[float]) -> Silhouettes:
    """Draw all things, the farthest first; `turns` are the yaws of the stacks (lying pieces keep their headings)."""
    shape = labelled.table.picture.shape[:2]
    color, border, near = (np.zeros(shape, np.uint8) for _ in range(3))
    order = sorted(
        range(len(labelled.things)),
        key=lambda i: -labelled.camera.distance_mm(labelled.things[i].place.x_mm, labelled.things[i].place.y_mm),
    )
    for i in order:
        thing = labelled.things[i]
        place = turned(thing.place, turns[i])
        mask = np.zeros(shape, np.uint8)
        for piece, name in zip(outlines([place], labelled.camera)[0], thing.colors, strict=True):
            hull = cv2.convexHull(np.round(piece * 16).astype(np.int32).reshape(-1, 1, 2))
            cv2.fillConvexPoly(mask, hull, 1, shift=4)
            cv2.fillConvexPoly(color, hull, 1 + PYRAMID_COLORS.index(name), shift=4)
        edge = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        border = np.maximum(border, np.asarray(edge, np.uint8))
        near = np.maximum(near, np.asarray(cv2.dilate(mask, np.ones((41, 41), np.uint8)), np.uint8))
    return Silhouettes(color, border, near)


def turned(place: Hypothesis, turn_deg: float) -> Hypothesis:
    """A stack at a fitted yaw; a lying piece as it is."""
    if place.lies:
        return place
    return Hypothesis(place.x_mm, place.y_mm, turn_deg, place.sizes)


def fit_turns(labelled: Labelled, odds: Floats) -> list[float]:
    """The yaw of each stack that covers the most of `odds` (H, W); 0 for lying pieces."""
    height, width = odds.shape
    found = []
    for thing in labelled.things:
        if thing.place.lies:
            found.append(0.0)
            continue
        guesses = [turned(thing.place, float(yaw)) for yaw in range(0, 90, 3)]
        drawn = outlines(guesses, labelled.camera)
        every = np.concatenate([d.reshape(-1, 2) for d in drawn])
        x0, y0 = np.maximum(np.floor(every.min(axis=0)).astype(int) - 2, 0)
        x1, y1 = np.minimum(np.ceil(every.max(axis=0)).astype(int) + 3, (width, height))
        if x1 - x0 < 4 or y1 - y0 < 4:
            found.append(0.0)
            continue
        canvas = Canvas(odds[y0:y1, x0:x1], (int(x0), int(y0)), 2)
        scores = [canvas.weigh(d) for d in drawn]
        found.append(3.0 * int(np.argmax(scores)))
    return found
