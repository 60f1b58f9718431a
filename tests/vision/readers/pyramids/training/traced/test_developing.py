"""From light to sheets, and what is said if there is no tracer."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from msgspec import structs

from companion.core.pieces import STACK_STEP_MM
from vision.readers.pyramids.hypothesis import standing
from vision.readers.pyramids.training.drawn.camera import HEIGHT, WIDTH
from vision.readers.pyramids.training.drawn.surface import to_px
from vision.readers.pyramids.training.traced.developing import (
    TURNED,
    Order,
    TracedTruth,
    TracingError,
    command,
    developed,
    random_order,
    shell,
    traced_sheets,
)


@pytest.fixture(scope="module")
def ordered() -> tuple[Order, TracedTruth]:
    """An order of some seed."""
    return random_order(7)


def test_the_camera_of_the_order_sees_every_tip_where_the_labels_have_it(ordered: tuple[Order, TracedTruth]) -> None:
    order, truth = ordered
    points = np.array([one.points[4] for one in order.shells])
    away = points - np.array(order.eye)
    right, down, ahead = (away @ np.array(axis) for axis in (order.right, order.down, order.ahead))
    middle = np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    seen = np.column_stack([right, down]) / ahead[:, None] * order.focal_px + middle
    assert np.abs(seen - truth.camera.project(points * TURNED)).max() < 1e-6
    assert len(order.shells) == sum(len(thing.colors) for thing in truth.things) > 20


def test_walls_are_plastic_all_around_and_another_piece_fits_below() -> None:
    hollow = shell(standing(10, 20, 30.0, "medium"), 3, STACK_STEP_MM)
    points = np.array(hollow.points)
    volume = 0.0
    for face in hollow.faces:
        for b, c in itertools.pairwise(face[1:]):
            volume += float(points[face[0]] @ np.cross(points[b], points[c])) / 6
    outer, height = 19.8**2 * 34.7 / 3, 34.7 - STACK_STEP_MM
    inner = outer * (height / 34.7) ** 3
    assert math.isclose(volume, outer - inner, rel_tol=1e-6), "faces look out of the plastic, and it is closed"
    assert math.isclose(points[4, 2] - points[9, 2], STACK_STEP_MM), "the next tip goes so far below this one"


def test_an_order_is_the_same_each_time_and_survives_its_file(ordered: tuple[Order, TracedTruth]) -> None:
    order, _ = ordered
    again = msgspec.json.decode(msgspec.json.encode(random_order(7)[0]), type=Order)
    assert again == order
    assert {dye.density is None for dye in order.dyes} == {True, False}, "some plastic is opaque"


def test_light_becomes_a_sheet_on_which_everything_is_where_the_order_put_it() -> None:
    """A tracer that sees the bare table: its markers place the sheet, and its light is the paper's reflectance."""
    _, truth = random_order(7)
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH]
    table = truth.camera.unproject(np.column_stack([xs.ravel(), ys.ravel()]))
    at = to_px(table).reshape(HEIGHT, WIDTH, 2).astype(np.float32)
    bare = cv2.remap(truth.surface, at[..., 0], at[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    sheet, scene = developed(np.clip(bare / 2 * 65535, 0, 65535).astype(np.uint16), truth, 1)
    assert len(scene.places) == len(truth.things)
    assert len(sheet.colors) == sum(len(thing.colors) for thing in truth.things)
    height, width = scene.light.shape[:2]
    inside = [0 < one.x_px < width and 0 < one.y_px < height for one in scene.places]
    assert np.mean(inside) > 0.95
    hit = [
        scene.piece[int(one.y_px) // 2, int(one.x_px) // 2] >= 0
        for one, i in zip(scene.places, inside, strict=True)
        if i
    ]
    assert np.mean(hit) > 0.8, "where something stands, plastic is seen"


def test_a_missing_tracer_is_named(tmp_path: Path) -> None:
    with pytest.raises(TracingError, match=r"There is no no-blender here\. Install Blender, or name it with --blender"):
        list(traced_sheets(tmp_path, 1, "no-blender", 1))


def test_a_tracer_that_fails_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(TracingError, match=r"false did not trace .*00000\.json"):
        list(traced_sheets(tmp_path, 1, "false", 1))


def test_a_kept_picture_serves_only_the_order_that_it_was_traced_by(tmp_path: Path) -> None:
    order, truth = random_order(900_000)
    path, traced = tmp_path / "00000.json", tmp_path / "00000.traced.png"
    cv2.imwrite(str(traced), np.full((HEIGHT, WIDTH, 3), 20_000, np.uint16))
    path.write_bytes(msgspec.json.encode(order))
    ((_, scene),) = traced_sheets(tmp_path, 1, "false", 1)
    assert len(scene.places) == len(truth.things), "nothing had to be traced"
    path.write_bytes(msgspec.json.encode(structs.replace(order, room=order.room + 0.1)))
    with pytest.raises(TracingError, match="did not trace"):
        list(traced_sheets(tmp_path, 1, "false", 1))
    assert not traced.exists(), "labels of one table never meet the picture of another"


def test_blender_and_a_python_with_bpy_are_called_each_in_its_way() -> None:
    order = Path("a.json")
    assert command("/opt/blender", order)[1:3] == ["--background", "--python"]
    assert command("/venv/bin/python3", order)[1].endswith("blender.py")
