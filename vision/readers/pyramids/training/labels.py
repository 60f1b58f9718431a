"""Labeled photographs with what training needs of them: the table found as a reader finds it, and the true camera."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.foundation.errors import BadFile
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration, EmptyTable
from vision.image.picture import read_picture
from vision.readers.pyramids.contours import ContourFit, ContourNet, Contours
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.training.drawn.camera import DrawnCamera
from vision.registration.registered_image import RegisteredImage, find_table

Floats = NDArray[Any]


class Labeled(Struct, frozen=True):
    """One picture."""

    name: str
    group: str
    """Pictures of one group share a table's surface and are held out together."""
    table: RegisteredImage
    """With a calibration, if the table was shown empty."""
    camera: DrawnCamera
    things: tuple[Thing, ...]
    """Stacks have no turn in labels; `turned` fits it."""


def label_camera(camera: dict[str, Any], factor: float = 1.0) -> DrawnCamera:
    """The true camera of a label, for its picture resized by a factor."""
    rotation = cv2.Rodrigues(np.array(camera["rvec"], dtype=np.float64))[0]
    place = -rotation.T @ np.array(camera["tvec"], dtype=np.float64).ravel()
    # Pixels count from their middles, so that the picture's corner is at half a pixel before the first.
    shift = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]])
    return DrawnCamera(shift @ np.array(camera["K"]), np.array(camera["dist"]).ravel(), rotation, place * (1, 1, -1))


def _things(truth: dict[str, Any]) -> tuple[Thing, ...]:
    found = [
        Thing(
            StackHypothesis(s["x"], s["y"], 0.0, tuple(p["size"] for p in s["pieces"])),
            tuple(p["color"] for p in s["pieces"]),
        )
        for s in truth["stacks"]
    ]
    found += [
        Thing(StackHypothesis(p["x"], p["y"], p["heading"], (p["size"],), True), (p["color"],)) for p in truth["lying"]
    ]
    return tuple(found)


def _labeled(
    path: Path, label: dict[str, Any], truth: dict[str, Any], calibration: Calibration | None = None
) -> Labeled:
    mat = label["mat"]
    corners = [(float(x), float(y)) for x, y in mat["corners_px"]] if len(mat["visible_ids"]) < 4 else None
    table = find_table(read_picture(path), _mat(mat), corners, calibration=calibration)
    return Labeled(path.stem, label["table"], table, label_camera(label["camera"], table.factor), _things(truth))


def load(folders: Sequence[Path]) -> Iterator[Labeled]:
    """All labeled pyramid pictures of some folders.

    A folder holds pictures with a JSON label each, or is a sequence (`sequence.json`), of which still pictures count.
    Where it names a picture of the empty table, all are seen beside it.

    Raises:
        BadFile: A folder holds none.
    """
    for folder in folders:
        sequence, shown = folder / "sequence.json", folder / "table.json"
        if sequence.is_file():
            whole = json.loads(sequence.read_text())
            calibration = _calibration(folder, whole)
            for frame in whole["frames"]:
                if frame["stable"]:
                    yield _labeled(folder / frame["file"], whole, frame["truth"], calibration)
            sampler = whole.get("calibration", {}).get("sampler", {})
            if "truth" in sampler:
                yield _labeled(folder / sampler["file"], whole, sampler["truth"], calibration)
        elif shown.is_file():
            calibration = _calibration(folder, json.loads(shown.read_text()))
            for path in sorted(folder.glob("still-*.json")):
                label = json.loads(path.read_text())
                yield _labeled(folder / label["image"], label, label["truth"], calibration)
        else:
            labels = [(path, json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))]
            ours = [(path, label) for path, label in labels if label["domain"] == "pyramids"]
            if not ours:
                raise BadFile(
                    f"{folder} holds no labeled picture of pyramids. Name each folder that holds pictures with a JSON "
                    "label each, a table.json or a sequence.json."
                )
            for path, label in ours:
                yield _labeled(path.with_name(label["image"]), label, label["truth"])


def _calibration(folder: Path, about: dict[str, Any]) -> Calibration | None:
    """The calibration from the picture of the empty table, if there is one."""
    if "calibration" not in about:
        return None
    table = find_table(read_picture(folder / about["calibration"]["empty"]), _mat(about["mat"]))
    return Calibration("pyramids", EmptyTable(table.picture, table.pose, table.light, table.mat))


def _mat(mat: dict[str, Any]) -> Mat:
    return Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"])


def turned(labeled: Labeled, net: ContourNet) -> tuple[Thing, ...]:
    """The labeled things with the turns in which their outlines have most contours under them."""
    contours = Contours(labeled.table.picture, net)
    found = []
    for thing in labeled.things:
        place = thing.place
        if not place.lies:
            place = replace(place, turn_deg=ContourFit(contours, [place], labeled.camera).best_turn(place))
        found.append(Thing(place, thing.colors))
    return tuple(found)
