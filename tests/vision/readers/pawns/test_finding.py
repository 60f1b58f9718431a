"""A wheel is found at any place and any turn, and nothing else is taken for one."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import NoBoard
from tests.vision.readers.pawns.boards import NAMES, drawn, load, oblique, table_of
from vision.readers.pawns.reader import follow_wheel, place_wheel
from vision.readers.pawns.wheel import Wheel
from vision.readers.pawns.wheel_fit import find_wheel, turned_by_color
from vision.registration.registered_image import RegisteredImage


def gap(wheel: Wheel, other: Wheel) -> tuple[float, float]:
    """Distance of the middles in millimeters and of the headings in degrees."""
    turn = (wheel.heading_deg - other.heading_deg + 180) % 360 - 180
    return float(np.hypot(wheel.x_mm - other.x_mm, wheel.y_mm - other.y_mm)), abs(turn)


@pytest.mark.parametrize("heading", [3, 64, 141, 200, -75])
def test_a_wheel_is_found_at_any_turn(heading: float) -> None:
    there = Wheel(268, 291, 240, heading)
    away, turn = gap(place_wheel(drawn(there, oblique())).wheel, there)
    assert away < 0.7 and turn < 0.2


@pytest.mark.parametrize("name", NAMES)
def test_the_board_of_a_photograph_is_where_its_label_says(name: str) -> None:
    board = load(name)[1]["truth"]["board"]
    there = Wheel(board["cx"], board["cy"], board["radius"], board["red_heading"])
    fit = place_wheel(table_of(name))
    away, turn = gap(fit.wheel, there)
    assert away < 1.5 and turn < 0.4
    assert abs(fit.wheel.radius_mm - 240) < 3


def test_a_small_board_is_found_by_its_radius() -> None:
    there = Wheel(300, 250, 170, 20)
    away, turn = gap(place_wheel(drawn(there, oblique()), radius_mm=170).wheel, there)
    assert away < 1.0 and turn < 0.4


def test_colors_put_a_turn_by_whole_paths_right() -> None:
    there = Wheel(280, 280, 240, 47)
    table = drawn(there, oblique())
    for paths in (-5, 1, 6):
        wrong = replace(there, heading_deg=47.0 + 30 * paths)
        assert turned_by_color(table, wrong).heading_deg == pytest.approx(47)


def test_a_board_that_was_turned_or_taken_is_not_followed() -> None:
    pose = oblique()
    fit = place_wheel(drawn(Wheel(280, 280, 240, 47), pose))
    assert follow_wheel(drawn(Wheel(280, 280, 240, 47), pose, seed=1), fit) is not None
    assert follow_wheel(drawn(Wheel(280, 280, 240, 77), pose), fit) is None
    assert follow_wheel(bare(drawn(fit.wheel, pose)), fit) is None


def test_a_bare_table_has_no_board() -> None:
    with pytest.raises(NoBoard, match="No Spectrum board"):
        find_wheel(bare(drawn(Wheel(280, 280, 240, 0), oblique())), 240)


def bare(table: RegisteredImage) -> RegisteredImage:
    """The same table with nothing on it."""
    noise = np.random.default_rng(3).normal((85, 125, 165), 4, table.picture.shape)
    return replace(table, picture=np.clip(noise, 0, 255).astype(np.uint8))
