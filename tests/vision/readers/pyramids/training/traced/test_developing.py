"""From light to sheets, and what is said if there is no tracer."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from msgspec import structs

from vision.readers.pyramids.training.drawn.camera import HEIGHT, WIDTH
from vision.readers.pyramids.training.drawn.surface import to_px
from vision.readers.pyramids.training.traced.developing import TracingError, command, developed, traced_sheets
from vision.readers.pyramids.training.traced.order import random_order


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
