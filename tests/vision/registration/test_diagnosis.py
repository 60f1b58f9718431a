"""If a table cannot be placed, the message names the cause that its picture was made with, and none of its neighbors."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest
from msgspec import structs

from companion.core.foundation.errors import NoTable
from tests.fuzz.diagnoses import (
    CAUSES,
    SCENES,
    covered,
    judge,
    lit,
    noisy,
    one,
    said,
    scene,
    shaken,
    spoiled,
    unfocused,
)
from vision.image.picture import Picture
from vision.registration.diagnosis import BY_HAND, why_missing
from vision.registration.registered_image import find_table

STRENGTHS = range(2)


def message(picture: Picture, **other: float) -> str:
    """Returns the message about a picture of the board when the mat is given wrongly."""
    with pytest.raises(NoTable) as caught:
        find_table(picture, structs.replace(scene("board").mat, **other))
    return str(caught.value)


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("name", sorted(SCENES))
@pytest.mark.parametrize("cause", sorted(CAUSES))
def test_a_cause_is_named_and_no_other(cause: str, name: str, strength: int) -> None:
    for chance in range(strength * 20, strength * 20 + 20):  # a weak one leaves the table where it can be placed
        if judge(spoiled(name, cause, Random(f"{name} {cause} {chance}"))) is not None:
            return
    pytest.fail("every table was placed")


@pytest.mark.parametrize(
    "number", [1883031805624657, 1883031805624810, 1883034971275985, 1883036768534790, 1883124306805027]
)
def test_cases_that_a_long_search_found(number: int) -> None:
    one(Random(number))


def test_a_mat_two_percent_off_is_refused_with_the_shape_that_it_has() -> None:
    text = message(scene("board").picture, width_mm=448.8)
    assert "The mat is 1.10" in text and "not 1.122 times: 440 x 400 mm would fit, or 449 x 408 mm." in text
    assert text.endswith(BY_HAND)


def test_width_and_height_in_each_other_s_places_may_be_markers_in_another_order() -> None:
    text = message(scene("board").picture, width_mm=400, height_mm=440)
    assert said(text) == {"order", "shape"} and "Another cause fits, too." in text


def test_bad_light_that_hides_nothing_yet_leaves_room_for_what_lies_over_the_markers() -> None:
    dim = noisy(lit(covered(scene("board"), (0, 1, 2, 3)), 0.35), Random(1))
    assert said(message(dim)) == {"dark", "covered"}
    lamp = covered(scene("board"), (0, 1, 2, 3))
    cv2.circle(lamp, (640, 360), 150, (255, 255, 255), -1)
    assert said(message(lamp)) == {"bright", "covered"}


def test_darkness_in_which_markers_are_missed_leaves_none() -> None:
    assert said(message(noisy(lit(covered(scene("board"), (0, 1, 2, 3)), 0.1), Random(1)))) == {"dark"}


def test_a_lens_out_of_focus_on_a_shaking_stand_may_be_either() -> None:
    both = shaken(unfocused(scene("board").picture, 7.0), 12.0, 20.0)
    assert {"shaken", "unfocused"} >= said(message(both)) > set()


def test_a_picture_that_shows_no_edges_is_called_so() -> None:
    assert "The picture shows no edges." in message(np.full((720, 1280, 3), 120, np.uint8))


def test_markers_that_are_missing_are_told_apart() -> None:
    table = scene("board")
    x, y = table.corners_px()[2]
    under = covered(table, (1,))
    lamp = table.picture.copy()
    cv2.circle(lamp, (round(x), round(y)), 70, (255, 255, 255), -1)
    blurred = unfocused(table.picture, 9.0)
    assert why_missing(under, table.pose, table.mat, [1]) == "Not seen: marker 1. Uncover it."
    two = why_missing(covered(table, (0, 1)), table.pose, table.mat, [0, 1])
    assert two == "Not seen: markers 0 and 1. Uncover them."
    shone = why_missing(lamp, table.pose, table.mat, [2])
    assert shone == "Outshone by a lamp that is mirrored there: marker 2. Move the lamp."
    assert why_missing(blurred, table.pose, table.mat, [3]).startswith(
        "Not seen: marker 3. The picture is out of focus"
    )
    rim = table.picture.shape[0] - round(y) + 10
    cut = table.picture[rim:-rim]
    pose = structs.replace(table.pose, size_px=(cut.shape[1], cut.shape[0]))
    assert why_missing(cut, pose, table.mat, [2]) == "Out of the picture: marker 2. Turn the camera or move the mat."
