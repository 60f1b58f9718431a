"""What the first step of the set-up says of markers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.plan import Mat
from tests.fuzz.diagnoses import shaken
from tests.vision.labeled import load
from tests.vision.staged_table import MAT, empty, marble
from vision.image.picture import Picture
from vision.registration.registered_image import find_table
from vision.setup.setup_steps import markers_step

CORNERS = tuple(
    (float(x), float(y))
    for x, y in marble().empty.pose.project(np.column_stack([np.array(MAT.corners_mm()), np.zeros(4)]))
)


def covered(*markers: int) -> Picture:
    """The empty table with something over these markers."""
    picture = empty().copy()
    for i in markers:
        cv2.circle(picture, (round(CORNERS[i][0]), round(CORNERS[i][1])), 45, (90, 110, 120), -1)
    return picture


def test_all_four() -> None:
    step, ids = markers_step(empty(), MAT, None)
    assert (step.done, step.text, ids) == (True, "All four markers are seen.", (0, 1, 2, 3))


def test_one_that_is_missing_is_named_with_what_to_do() -> None:
    step, ids = markers_step(covered(2), MAT, None)
    assert step.done and ids == (0, 1, 3)
    assert step.text.startswith("Not seen: marker 2. Uncover it. ")
    assert step.text.endswith("less exactly.")


def test_three_that_are_missing_stop_the_set_up() -> None:
    step, ids = markers_step(covered(0, 1, 3), MAT, None)
    assert not step.done and ids == (2,)
    assert "only marker 2 was found" in step.text and "Not seen: markers 0, 1 and 3. They are covered, " in step.text


@pytest.mark.parametrize("corners", [CORNERS, None])
def test_none_at_all_needs_corners_by_hand(corners: tuple | None) -> None:
    step, ids = markers_step(covered(0, 1, 2, 3), MAT, corners)
    assert ids == ()
    assert step.done == (corners is not None)
    assert ("set by hand" in step.text) if corners else ("cannot be placed" in step.text)


def test_a_mirrored_picture_is_said() -> None:
    step, _ = markers_step(np.asarray(cv2.flip(empty(), 1), np.uint8), MAT, None)
    assert not step.done and "mirrored" in step.text


def test_markers_that_seem_to_lie_elsewhere_in_a_shaken_picture_are_not_said_to() -> None:
    picture, label = load("spectrangle-0030")
    mat = Mat(label["mat"]["width_mm"], label["mat"]["height_mm"], label["mat"]["marker_mm"])
    assert find_table(shaken(picture, 14.0, 45.0), mat).moved
    step, _ = markers_step(shaken(picture, 14.0, 45.0), mat, None)
    assert step.done and step.text.startswith("The picture is shaken: ")
