"""How wide edges are, and in which directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.fuzz.diagnoses import scene, shaken, unfocused
from vision.image.picture import read_picture
from vision.registration.checkup import WIDE_PX, sharpness
from vision.registration.markers import find_markers

DATA = Path(__file__).parents[2] / "data"
PICTURES = sorted(path for path in DATA.glob("*/*.jpg"))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_pictures_of_the_tests_are_sharp(path: Path) -> None:
    found = sharpness(read_picture(path))
    assert found.kind == "sharp" and found.narrow_px < WIDE_PX


@pytest.mark.parametrize("deg", [0, 30, 45, 80, 120])
def test_a_movement_widens_the_edges_across_it(deg: float) -> None:
    found = sharpness(shaken(scene("stripes").picture, 12.0, deg))
    assert found.kind == "shaken" and found.wide_px > 1.8 * found.narrow_px


def test_a_camera_that_turned_smears_each_part_another_way() -> None:
    assert sharpness(shaken(scene("board").picture, 16.0, 10.0, bend_deg=90.0)).kind == "shaken"


def test_a_lens_out_of_focus_widens_them_all() -> None:
    found = sharpness(unfocused(scene("board").picture, 7.0))
    assert found.kind == "unfocused" and found.narrow_px > WIDE_PX and found.wide_px < 1.8 * found.narrow_px


def test_a_stronger_blur_is_wider() -> None:
    widths = [sharpness(unfocused(scene("board").picture, radius)).narrow_px for radius in (1, 3, 6, 9)]
    assert widths == sorted(widths)


def test_a_plain_surface_tells_nothing() -> None:
    assert sharpness(np.full((360, 640, 3), 99, np.uint8)).kind == "unknown"


def test_markers_whose_sides_are_sharp_outweigh_soft_surroundings() -> None:
    picture = unfocused(scene("stripes").picture, 8.0)
    markers = [corners for sightings in find_markers(scene("stripes").picture).values() for corners in sightings]
    for corners in markers:
        (x0, y0), (x1, y1) = corners.min(0).astype(int) - 8, corners.max(0).astype(int) + 8
        picture[y0:y1, x0:x1] = scene("stripes").picture[y0:y1, x0:x1]
    assert sharpness(picture, markers).kind == "sharp"


def test_a_small_picture_is_measured_as_a_large_one() -> None:
    whole = scene("board").picture
    half = np.ascontiguousarray(whole[::2, ::2])
    assert sharpness(half).kind == sharpness(whole).kind == "sharp"
