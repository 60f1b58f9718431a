"""Traced pictures by the hundred, kept in a folder, and the sheets that all nets learn from.

A folder can be continued: pictures are not traced again, unless their order has changed since.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.core.foundation.errors import CompanionError
from vision.readers.pyramids.sheet import inputs, sheet_of
from vision.readers.pyramids.training.closeups import CloseupScene, scene_of
from vision.readers.pyramids.training.drawn.arrangement import colors_of
from vision.readers.pyramids.training.drawn.painter import webcam
from vision.readers.pyramids.training.sheets import LearnedSheet, learned, targets
from vision.readers.pyramids.training.traced.order import TracedTruth, random_order
from vision.registration.registered_image import find_table

SCRIPT = Path(__file__).parent / "blender.py"
_FULL = 65535
_DARKENED = 2.0
"""Traced pictures hold light of up to so much."""
_FIRST_SEED = 900_000


class TracingError(CompanionError):
    """Blender is missing or did not trace."""


def traced_sheets(
    folder: Path, count: int, blender: str, processes: int
) -> Iterator[tuple[LearnedSheet, CloseupScene]]:
    """Sheets of `count` pictures; those that the folder lacks are traced first, half a minute to a minute each.

    Args:
        blender: Blender 4.2 or later, or a Python that has its module bpy.

    Raises:
        TracingError: Blender cannot be run, or stops before a picture is done; or a kept picture cannot be read.
    """
    if shutil.which(blender) is None:
        raise TracingError(f"There is no {blender} here. Install Blender, or name it with --blender.")
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(processes) as pool:
        yield from pool.map(lambda number: _sheet(folder, number, blender), range(count))


def developed(light: np.ndarray, truth: TracedTruth, seed: int) -> tuple[LearnedSheet, CloseupScene]:
    """The training data of all nets from light (720, 1280, 3) B, G, R as Blender wrote it, seen through a random
    webcam.
    """
    picture, _ = webcam(light.astype(np.float32) * np.float32(_DARKENED / _FULL), np.random.default_rng(seed))
    table = find_table(picture, truth.mat, _corners(truth))
    sheet = sheet_of(table.pose, table.mat, (table.picture.shape[1], table.picture.shape[0]))
    seen = inputs(table.picture, sheet, table.pose, table.light)
    whole = learned(seen, targets(truth.things, sheet, truth.camera), colors_of(truth.things), "traced")
    return whole, scene_of(whole, truth.things, sheet, truth.camera)


def command(blender: str, order: Path) -> list[str]:
    """How the script is run by Blender, or by a Python that has bpy."""
    alone = "python" in Path(blender).name
    return [blender, *([] if alone else ["--background", "--python"]), str(SCRIPT), "--", str(order)]


def _corners(truth: TracedTruth) -> tuple[tuple[float, float], ...]:
    corners = np.column_stack([np.array(truth.mat.corners_mm()), np.zeros(4)])
    return tuple((float(x), float(y)) for x, y in truth.camera.project(corners))


def _sheet(folder: Path, number: int, blender: str) -> tuple[LearnedSheet, CloseupScene]:
    """One picture's sheet; it is traced unless the folder keeps the result of the same order."""
    order, truth = random_order(_FIRST_SEED + number)
    path, words = folder / f"{number:05d}.json", msgspec.json.encode(order)
    traced = path.with_suffix(".traced.png")
    if not (traced.is_file() and path.is_file() and path.read_bytes() == words):
        traced.unlink(missing_ok=True)
        path.write_bytes(words)
        _trace(path, truth.surface, blender)
    light = cv2.imread(str(traced), cv2.IMREAD_UNCHANGED)
    if light is None:
        raise TracingError(f"{traced} is no picture. Delete it, then train again.")
    return developed(np.asarray(light, np.uint16), truth, number)


def _trace(order: Path, surface: np.ndarray, blender: str) -> None:
    """Let Blender trace an order; the table's surface lies beside it meanwhile."""
    beside = order.with_suffix(".png")
    cv2.imwrite(str(beside), np.clip(surface * _FULL, 0, _FULL).astype(np.uint16))
    done = subprocess.run(command(blender, order), capture_output=True, text=True, check=False)
    beside.unlink()
    if not order.with_suffix(".traced.png").is_file():
        raise TracingError(f"{blender} did not trace {order}: {(done.stderr or done.stdout).strip()[-300:]}")
