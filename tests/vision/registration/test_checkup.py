"""How good a picture is."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.image.picture import Picture, read_picture
from vision.registration.checkup import WIDE_PX, blur_fault, checked, light_fault, seen_from_deg
from vision.registration.pose_estimate import usual_lens

DATA = Path(__file__).parents[2] / "data" / "gate"


@pytest.fixture
def tiles() -> Picture:
    picture = cv2.resize(read_picture(DATA / "tiles-before.jpg"), (1280, 720), interpolation=cv2.INTER_CUBIC)
    return np.asarray(picture, dtype=np.uint8)


def test_a_good_picture(tiles: Picture) -> None:
    health = checked(tiles)
    assert health.markers == (0, 1, 2, 3) and health.size_px == (1280, 720)
    assert 150 < health.white < 250 and health.clipped < 0.01 and health.uneven < 1.6 and not health.mirrored


def test_a_dark_picture_has_dark_whites(tiles: Picture) -> None:
    assert checked((tiles * 0.2).astype(np.uint8)).white < 60


def test_a_bright_picture_is_clipped(tiles: Picture) -> None:
    assert checked(np.clip(tiles * 2.5, 0, 255).astype(np.uint8)).clipped > 0.3


def test_a_lamp_at_one_side_is_uneven(tiles: Picture) -> None:
    ramp = np.linspace(1.0, 0.2, tiles.shape[1])[None, :, None]
    assert checked((tiles * ramp).astype(np.uint8)).uneven > 1.5


def test_a_blur_widens_edges(tiles: Picture) -> None:
    sharp, blurred = checked(tiles), checked(np.asarray(cv2.GaussianBlur(tiles, (0, 0), 2.5), np.uint8))
    assert sharp.sharpness.narrow_px < WIDE_PX < blurred.sharpness.narrow_px
    assert blur_fault(sharp) is None
    fault = blur_fault(blurred)
    assert fault is not None and "out of focus" in fault.seen and fault.blinding


def test_light_has_a_fault_only_where_it_is_one(tiles: Picture) -> None:
    assert light_fault(checked(tiles)) is None
    dim, dark = (light_fault(checked((tiles * gain).astype(np.uint8))) for gain in (0.4, 0.12))
    assert dim is not None and not dim.blinding
    assert dark is not None and dark.blinding and dark.seen.startswith("Too dark: white paper")


def test_a_mirrored_picture_is_found_out(tiles: Picture) -> None:
    health = checked(np.ascontiguousarray(tiles[:, ::-1]))
    assert health.mirrored and health.markers == ()
    assert health.sharpness.kind == "sharp", "its markers show that, as they do the right way around"


def test_a_table_without_markers_is_measured_as_a_whole() -> None:
    health = checked(np.full((360, 640, 3), 120, dtype=np.uint8))
    assert health.markers == () and health.white == 120 and health.uneven == 1.0 and not health.mirrored
    fault = blur_fault(health)
    assert fault is not None and fault.seen == "The picture shows no edges."


@pytest.mark.parametrize("above_deg", [85.0, 65.0, 45.0])
def test_from_how_steeply_above_the_table_is_seen(above_deg: float) -> None:
    focal, up = usual_lens((1280, 720)).focal_px, np.radians(above_deg)
    eye = 800 * np.array([0.0, np.cos(up), np.sin(up)])
    ahead = -eye / np.linalg.norm(eye)
    across = np.array([1.0, 0.0, 0.0])
    camera = np.stack([across, np.cross(ahead, across), ahead])
    square = np.array([(-20, -20, 0), (20, -20, 0), (20, 20, 0), (-20, 20, 0)], np.float64)
    markers = []
    for x, y in ((-300, -200), (300, -200), (300, 200), (-300, 200)):
        seen = (square + np.array([x, y, 0]) - eye) @ camera.T
        markers.append(seen[:, :2] / seen[:, 2:] * focal + (640, 360))
    assert seen_from_deg(markers, (1280, 720)) == pytest.approx(above_deg, abs=3)


def test_without_markers_the_view_is_unknown() -> None:
    assert seen_from_deg([], (1280, 720)) is None
