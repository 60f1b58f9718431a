"""Traced pictures by the hundred, kept in a folder, and the sheets that all nets learn from.

A folder can be continued: pictures are not traced again, unless their order has changed since. The order
of a picture is written in full detail: shells, dyes, lamps, a camera. Room space is the table space of the project with
y turned away from the viewer: x right, y away, z up, millimeters.
"""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.foundation.errors import CompanionError
from companion.core.pieces import STACK_STEP_MM
from companion.core.plan import Mat
from vision.readers.pyramids.sheet import inputs, sheet_of
from vision.readers.pyramids.training.closeups import CloseupScene, scene_of
from vision.readers.pyramids.training.drawn.arrangement import CROWD, Thing, colors_of, random_things
from vision.readers.pyramids.training.drawn.camera import HEIGHT, WIDTH, DrawnCamera, random_camera
from vision.readers.pyramids.training.drawn.lamps import LightSource, random_room
from vision.readers.pyramids.training.drawn.painter import pieces_of, webcam
from vision.readers.pyramids.training.drawn.plastic import Plastic, random_plastics
from vision.readers.pyramids.training.drawn.surface import MARGIN_MM, random_surface
from vision.readers.pyramids.training.sheets import LearnedSheet, learned, targets
from vision.registration.registered_image import find_table

Floats = NDArray[Any]
Vector = tuple[float, float, float]

TURNED = np.array([1.0, -1.0, 1.0])
"""Table space to room space."""
_BESIDE = 0.35
"""The share of pictures with other things beside the mat."""
_DENSER, _WHITER = 1.6, 1.35
"""Drawn plastic was measured for straight rays; so changed, lone traced pieces reflect about what labeled ones do."""
_ROOM = (0.3, 0.75)
"""More than drawn rooms have: steep sides of white pieces are nearly as bright as paper in labeled pictures."""


class Shell(Struct, frozen=True):
    """One hollow pyramid: corners and tip outside (0 to 4), the same inside (5 to 9)."""

    points: tuple[Vector, ...]
    faces: tuple[tuple[int, ...], ...]
    """Point numbers, counter-clockwise seen from outside of the plastic."""
    dye: int


class Dye(Struct, frozen=True):
    """One color's plastic, channels R, G, B."""

    density: Vector | None
    """Optical density of a wall that is crossed straight on; None if it is opaque."""
    scatter: Vector
    """Share of the light on it that it scatters."""


class Panel(Struct, frozen=True):
    """A shining rectangle that faces the middle of the table."""

    center: Vector
    width: float
    height: float
    power: float
    """Watts, where millimeters are meters."""
    tint: Vector


class Block(Struct, frozen=True):
    """A mug or a box beside the mat."""

    round: bool
    middle: Vector
    size: Vector
    turn: float
    """Radians."""
    color: Vector


class Look(Struct, frozen=True):
    """How all plastic of a picture behaves, and how finely it is traced."""

    index: float
    """Of refraction."""
    roughness: float
    body: float
    """Share of light that a surface scatters instead of letting it through."""
    brightness: float
    shade: float
    """How dark shadows are."""
    table_roughness: float
    table_gloss: float
    smooth: bool
    """True if the noise of tracing is removed; else plastic sparkles."""
    samples: int


class Order(Struct, frozen=True):
    """Everything that is traced."""

    seed: int
    size_px: tuple[int, int]
    focal_px: float
    eye: Vector
    right: Vector
    down: Vector
    ahead: Vector
    shells: tuple[Shell, ...]
    dyes: tuple[Dye, ...]
    panels: tuple[Panel, ...]
    room: float
    """Light of the room on the table, of about 1 in all."""
    room_tint: Vector
    blocks: tuple[Block, ...]
    look: Look
    margin: float
    """The margin of the surface picture beyond the mat's first corner."""
    extent: tuple[float, float]
    """Of the surface picture."""
    middle: Vector


class TracedTruth(Struct, frozen=True):
    """The contents of a traced picture."""

    camera: DrawnCamera
    mat: Mat
    things: tuple[Thing, ...]
    surface: Floats
    """(h, w, 3) linear B, G, R of the table top."""


def random_order(seed: int) -> tuple[Order, TracedTruth]:
    """A full table, so that much is learned from a picture that takes long."""
    random = np.random.default_rng(seed)
    mat = Mat(600.0, 400.0, 40.0)
    camera = random_camera(mat, random)
    camera = DrawnCamera(camera.matrix, np.zeros(5), camera.rotation, camera.place_mm)
    things = random_things(mat, random, CROWD)
    middle = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    room = random_room(middle, random)
    surface = random_surface(mat, random)
    wall = STACK_STEP_MM * random.uniform(0.83, 0.99)
    right, down, ahead = (_vector(axis * (1, -1, -1)) for axis in camera.rotation)
    order = Order(
        seed=seed,
        size_px=(WIDTH, HEIGHT),
        focal_px=float(camera.matrix[0, 0]),
        eye=_vector(camera.place_mm * TURNED),
        right=right,
        down=down,
        ahead=ahead,
        shells=tuple(shell(piece.points, piece.color, wall) for piece in pieces_of(things, random)),
        dyes=tuple(_dye(plastic) for plastic in random_plastics(random)),
        panels=tuple(_panel(source) for source in room.sources),
        room=random.uniform(*_ROOM),
        room_tint=_vector(np.exp(random.normal(0, 0.06, 3))),
        blocks=_blocks(mat, random),
        look=_look(random),
        margin=MARGIN_MM,
        extent=(mat.width_mm + 2 * MARGIN_MM, mat.height_mm + 2 * MARGIN_MM),
        middle=_vector(middle * TURNED),
    )
    return order, TracedTruth(camera, mat, things, surface)


def shell(points_mm: Floats, dye: int, wall_mm: float) -> Shell:
    """A pyramid (5, 3) in table space with walls; `wall_mm` is the height of plastic between the two tips."""
    outer = np.asarray(points_mm) * TURNED
    base, tip = outer[:4].mean(axis=0), outer[4]
    inner = base + (outer - base) * (1 - wall_mm / float(np.linalg.norm(tip - base)))
    points = np.concatenate([outer, inner])
    faces: list[tuple[int, ...]] = []
    for i in range(4):
        j = (i + 1) % 4
        faces.append(_facing(points, (i, j, 4), points[[i, j, 4]].mean(axis=0) - (base * 3 + tip) / 4))
        faces.append(_facing(points, (5 + i, 5 + j, 9), (base * 4 + tip) / 5 - points[[5 + i, 5 + j, 9]].mean(axis=0)))
        faces.append(_facing(points, (i, j, 5 + j, 5 + i), base - tip))
    return Shell(tuple(_vector(point) for point in points), tuple(faces), dye)


def _facing(points: Floats, face: tuple[int, ...], outward: Floats) -> tuple[int, ...]:
    a, b, c = points[list(face[:3])]
    return face if float(np.cross(b - a, c - a) @ outward) > 0 else face[::-1]


def _vector(values: Floats) -> Vector:
    x, y, z = (float(v) for v in values)
    return x, y, z


def _dye(plastic: Plastic) -> Dye:
    density, scatter = plastic.density[::-1], plastic.scatter[::-1]
    if np.isfinite(density).all():
        return Dye(_vector(density * _DENSER), _vector(scatter))
    return Dye(None, _vector(np.minimum(scatter * _WHITER, 0.95)))


def _panel(source: LightSource) -> Panel:
    wide, tall = source.size_mm
    power = math.pi**2 * source.share * source.distance_mm**2 / source.slope
    return Panel(_vector(source.center_mm * TURNED), 2 * wide, 2 * tall, power, _vector(source.tint[::-1]))


def _blocks(mat: Mat, random: np.random.Generator) -> tuple[Block, ...]:
    if random.random() > _BESIDE:
        return ()
    found = []
    for _ in range(int(random.integers(1, 3))):
        x = random.uniform(-80, mat.width_mm + 80)
        y = random.choice([random.uniform(30, 90), -mat.height_mm - random.uniform(30, 100)])
        if random.random() < 0.5:
            wide, tall = 2 * random.uniform(20, 45), random.uniform(40, 95)
            size = (wide, wide, tall)
        else:
            size = (random.uniform(40, 90), random.uniform(20, 120), random.uniform(4, 48))
        middle = (float(x), float(y), size[2] / 2)
        turn = float(random.uniform(0, math.pi))
        found.append(Block(size[0] == size[1], middle, size, turn, _vector(random.uniform(0.02, 0.85, 3))))
    return tuple(found)


def _look(random: np.random.Generator) -> Look:
    return Look(
        index=float(random.uniform(1.15, 1.5)),
        roughness=float(random.uniform(0, 0.22)),
        body=float(random.uniform(0.14, 0.3)),
        brightness=float(random.uniform(1.0, 2.0)),
        shade=float(random.uniform(0.75, 1.1)),
        table_roughness=float(random.uniform(0.5, 1)),
        table_gloss=float(random.uniform(0, 0.5)),
        smooth=bool(random.random() < 0.5),
        samples=int(random.choice([8, 10, 12])),
    )


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
