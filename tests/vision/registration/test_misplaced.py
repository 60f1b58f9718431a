"""Why markers do not lie at the corners of the mat."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.plan import Mat
from tests.vision.image.test_pose import MAT, SIZE, seen
from vision.image.pose import Pose
from vision.registration.diagnosis import why_misplaced

Seen = dict[int, list[np.ndarray]]
STEEP = Pose(SIZE, 960.0, -0.06, (-1.0, 0.05, 0.4), (-215.0, -190.0, 900.0), 0.0)


def measured(corners: Seen) -> Seen:
    """As corners are found, a quarter of a pixel off."""
    random = np.random.default_rng(4)
    return {i: [one + random.normal(0, 0.25, one.shape) for one in found] for i, found in corners.items()}


def without(corners: Seen, *ids: int) -> Seen:
    return {i: found for i, found in corners.items() if i not in ids}


@pytest.mark.parametrize("pair", [(0, 1), (1, 2), (2, 3), (0, 3)])
def test_two_in_each_other_s_places(pair: tuple[int, int]) -> None:
    """A mat is the same when it is turned by half, so the other two may be named as well."""
    others = tuple(i for i in range(4) if i not in pair)
    text = why_misplaced(measured(seen(swapped=pair)), MAT, SIZE, None)
    assert any(
        text == f"Markers {a} and {b} lie in each other's places: put 0, 1, 2, 3 clockwise." for a, b in (pair, others)
    )


def test_all_the_other_way_around() -> None:
    corners = measured(seen())
    text = why_misplaced({3 - i: found for i, found in corners.items()}, MAT, SIZE, None)
    assert text == "They lie in another order: put 0, 1, 2, 3 clockwise from the top left."


@pytest.mark.parametrize("camera", [None, STEEP])
@pytest.mark.parametrize(("width_mm", "height_mm"), [(462, 400), (418, 400), (600, 400), (440, 300)])
def test_the_shape_that_the_mat_has(width_mm: float, height_mm: float, camera: Pose | None) -> None:
    corners = measured(seen() if camera is None else seen(camera))
    text = why_misplaced(corners, Mat(width_mm, height_mm, 40), SIZE, None)
    ratio = float(text.removeprefix("The mat is ").split()[0])
    assert ratio == pytest.approx(1.1, rel=0.01)
    assert f"not {width_mm / height_mm:.3f} times" in text and "center of one marker" in text


@pytest.mark.parametrize("hidden", [(2,), (1, 2)])
@pytest.mark.parametrize(("marker_mm", "mat"), [(30, "330 x 300"), (50, "550 x 500")])
def test_markers_of_another_size_may_be_a_mat_of_another_size(
    hidden: tuple[int, ...], marker_mm: float, mat: str
) -> None:
    text = why_misplaced(without(measured(seen()), *hidden), Mat(440, 400, marker_mm), SIZE, None)
    assert text.startswith("The sides of the markers are about 40 mm, or the mat is about ")
    width, height = (float(part) for part in text.split("the mat is about ")[1].split(" mm")[0].split(" x "))
    wanted = [float(part) for part in mat.split(" x ")]
    assert [width, height] == pytest.approx(wanted, rel=0.01)


def test_three_that_were_moved_a_little_look_like_a_mat_of_another_size_or_shape() -> None:
    """So both are said; four markers, or a greater difference, leave one cause."""
    three = without(measured(seen()), 3)
    both = why_misplaced(three, Mat(460, 418, 40), SIZE, None)
    assert both.startswith("The sides of the markers are about 42 mm, or the mat is about 440 x 400 mm")
    assert "Another cause fits, too. Two or more of them were moved" in both
    assert "moved" not in why_misplaced(three, Mat(440, 400, 30), SIZE, None)
    shape = why_misplaced(three, Mat(484, 400, 40), SIZE, None)
    assert shape.startswith("The mat is 1.09") and "Another cause fits, too. Two or more of them were moved" in shape
    assert "moved" not in why_misplaced(measured(seen()), Mat(500, 455, 40), SIZE, None)


def test_two_that_were_moved() -> None:
    corners = measured(seen())
    corners[1] = [corners[1][0] + (31.0, -22.0)]
    corners[2] = [corners[2][0] + (-27.0, -30.0)]
    text = why_misplaced(corners, MAT, SIZE, None)
    assert text.startswith("Two or more of them were moved, or the camera shook")
