"""Traced pictures by the hundred, kept in a folder, and the sheets that both nets learn from.

A folder goes on where it was left: what is traced already is not traced again.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.errors import CompanionError
from vision.picture import Picture
from vision.pyramids.sheet import inputs, sheet_of
from vision.pyramids.training.closeups import Scene, scene_of
from vision.pyramids.training.drawn.arrangement import colors_of
from vision.pyramids.training.drawn.painter import webcam
from vision.pyramids.training.sheets import LearnedSheet, learned
from vision.pyramids.training.targets import targets
from vision.pyramids.training.traced.order import Truth, random_order
from vision.table import find_table

SCRIPT = Path(__file__).parent / "blender.py"
_FULL = 65535
_DARKENED = 2.0
"""Traced pictures hold light of up to so much."""
_FIRST_SEED = 900_000


class TracingError(CompanionError):
    """Blender is missing or did not trace."""


def traced_sheets(folder: Path, count: int, blender: str, processes: int) -> Iterator[tuple[LearnedSheet, Scene]]:
    """Sheets of `count` pictures; those that the folder lacks are traced first, half a minute to a minute each.

    :param blender: Blender 4.2 or later, or a Python that has its module bpy.
    :raises TracingError: Blender cannot be run, or stops before a picture is done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [k for k in range(count) if not _traced(folder, k).is_file()]
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(lambda number: _trace(folder, number, blender), missing))
    for number in range(count):
        _, truth = random_order(_FIRST_SEED + number)
        light = cv2.imread(str(_traced(folder, number)), cv2.IMREAD_UNCHANGED)
        if light is None:
            raise TracingError(f"{_traced(folder, number)} is no picture. Delete it, then train again.")
        yield developed(np.asarray(light, np.uint16), truth, number)


def developed(light: np.ndarray, truth: Truth, seed: int) -> tuple[LearnedSheet, Scene]:
    """What both nets learn from light (720, 1280, 3) B, G, R as Blender wrote it, seen through some webcam."""
    picture, _ = webcam(light.astype(np.float32) * np.float32(_DARKENED / _FULL), np.random.default_rng(seed))
    table = find_table(picture, truth.mat, _corners(truth))
    seen: Picture = table.picture
    sheet = sheet_of(table.pose, table.mat, (seen.shape[1], seen.shape[0]))
    shown = targets(truth.things, sheet, truth.camera)
    whole = learned(inputs(seen, sheet, table.pose, table.light), shown, colors_of(truth.things), "traced")
    return whole, scene_of(whole, truth.things, sheet, truth.camera)


def command(blender: str, orders: Sequence[Path]) -> list[str]:
    """How the script is run by Blender, or by a Python that has bpy."""
    alone = "python" in Path(blender).name
    return [blender, *([] if alone else ["--background", "--python"]), str(SCRIPT), "--", *map(str, orders)]


def _corners(truth: Truth) -> tuple[tuple[float, float], ...]:
    corners = np.column_stack([np.array(truth.mat.corners_mm()), np.zeros(4)])
    return tuple((float(x), float(y)) for x, y in truth.camera.project(corners))


def _traced(folder: Path, number: int) -> Path:
    return folder / f"{number:05d}.traced.png"


def _trace(folder: Path, number: int, blender: str) -> None:
    order, truth = random_order(_FIRST_SEED + number)
    path = folder / f"{number:05d}.json"
    path.write_bytes(msgspec.json.encode(order))
    surface = path.with_suffix(".png")
    cv2.imwrite(str(surface), np.clip(truth.surface * _FULL, 0, _FULL).astype(np.uint16))
    if shutil.which(blender) is None:
        raise TracingError(f"There is no {blender} here. Install Blender, or name it with --blender.")
    done = subprocess.run(command(blender, [path]), capture_output=True, text=True, check=False)
    if not _traced(folder, number).is_file():
        raise TracingError(f"{blender} did not trace {path}: {(done.stderr or done.stdout).strip()[-300:]}")
    surface.unlink()
