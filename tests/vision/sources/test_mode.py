"""A camera is asked for its modes and measured by what it gives."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from vision.sources.mode import BUDGET_S, Mode, choose_mode


class Camera:
    """Gives, at each width, pictures of some size and rate; time passes by its pictures alone."""

    def __init__(self, rates: dict[int, float], given: dict[int, tuple[int, int]] | None = None) -> None:
        self.rates = rates
        self.given = given or {}
        self.now_s = 0.0
        self.asked = (0, 0)
        self.widths: list[int] = []

    def tick(self) -> float:
        return self.now_s

    def set(self, property_id: int, value: float) -> bool:
        if property_id == cv2.CAP_PROP_FRAME_WIDTH:
            self.asked = (int(value), self.asked[1])
            self.widths.append(int(value))
        if property_id == cv2.CAP_PROP_FRAME_HEIGHT:
            self.asked = (self.asked[0], int(value))
        return True

    def grab(self) -> bool:
        rate = self.rates.get(self.asked[0], 0.0)
        self.now_s += 1 / rate if rate else 0.0
        return rate > 0

    def retrieve(self) -> tuple[bool, Any]:
        width, height = self.given.get(self.asked[0], self.asked)
        return True, np.zeros((height, width, 3), np.uint8)


def test_the_largest_mode_is_taken_where_it_is_fast_enough() -> None:
    camera = Camera({1920: 30, 1600: 30, 1280: 30})
    assert choose_mode(camera, camera.tick) == pytest.approx(Mode(1920, 1080, 30))
    assert camera.widths == [1920]


def test_a_mode_with_fewer_than_five_pictures_a_second_is_passed_over() -> None:
    camera = Camera({1920: 3, 1600: 4.5, 1280: 10, 960: 30})
    assert choose_mode(camera, camera.tick) == pytest.approx(Mode(1280, 720, 10))


def test_just_five_pictures_a_second_are_enough() -> None:
    camera = Camera({1920: 5.0})
    mode = choose_mode(camera, camera.tick)
    assert mode is not None and mode.width_px == 1920


def test_what_it_gives_counts_and_not_what_it_was_asked_for() -> None:
    camera = Camera(dict.fromkeys((1920, 1600, 1280), 25), {1920: (1024, 768)})
    assert choose_mode(camera, camera.tick) == pytest.approx(Mode(1024, 768, 25))


def test_a_mode_that_gives_no_picture_is_passed_over() -> None:
    camera = Camera({1280: 12})
    assert choose_mode(camera, camera.tick) == pytest.approx(Mode(1280, 720, 12))


def test_of_slow_modes_the_fastest_is_taken_and_asked_for_again() -> None:
    camera = Camera({1920: 2, 1600: 2, 1280: 4, 960: 3})
    mode = choose_mode(camera, camera.tick)
    assert mode is not None and (mode.width_px, mode.enough) == (1280, False)
    assert camera.asked == (1280, 720)


def test_a_very_slow_camera_is_not_tried_forever() -> None:
    camera = Camera(dict.fromkeys((1920, 1600, 1280, 960, 640), 0.5))
    mode = choose_mode(camera, camera.tick)
    assert mode is not None and mode.width_px == 1920
    assert camera.now_s < BUDGET_S + 7


def test_a_camera_without_pictures_has_no_mode() -> None:
    camera = Camera({})
    assert choose_mode(camera, camera.tick) is None


def test_a_mode_is_said_in_words() -> None:
    assert str(Mode(1920, 1080, 29.97)) == "1920 x 1080 pixels, 30 pictures a second"
    assert Mode(1280, 720, 12).sentence("camera 0") == "The camera 0 gives 1280 x 720 pixels, 12 pictures a second."
    assert Mode(640, 480, 0.52).sentence("camera 0") == (
        "The camera 0 gives 640 x 480 pixels, 0.5 pictures a second. "
        "That is few: what happens between two is missed. More light may help."
    )
