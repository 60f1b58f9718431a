"""What is a hand and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.scenes import GLOVE, MM, SIZE, SKIN, SLEEVE, hand, lit, noisy, shade_of_a_head, table
from vision.gate.change import fit_exposure, thumbnail
from vision.gate.hand import Region, border_regions
from vision.image.picture import Picture, read_picture

DATA = Path(__file__).parents[2] / "data" / "gate"
MM_PER_PX = 1100 / 320


def regions(before: Picture, now: Picture) -> tuple[Region, ...]:
    old, new = thumbnail(noisy(before, 1)), thumbnail(noisy(now, 2))
    return border_regions(old, new, fit_exposure(old, new), MM_PER_PX)


@pytest.mark.parametrize("color", [SKIN, (50, 70, 105), (190, 205, 235), GLOVE, SLEEVE])
@pytest.mark.parametrize("tip_mm", [(550.0, 300.0), (300.0, 480.0), (900.0, 150.0)])
@pytest.mark.parametrize("gain", [1.0, 0.8])
def test_any_hand_is_a_hand(color: tuple[int, int, int], tip_mm: tuple[float, float], gain: float) -> None:
    found = regions(table(), lit(hand(table(), tip_mm, color), gain))
    assert found[0].kind == "hand" and found[0].reach_mm > 100


@pytest.mark.parametrize("color", [(50, 70, 105), (190, 205, 235), GLOVE, SLEEVE])
def test_a_hand_in_the_earlier_picture_only_is_gone(color: tuple[int, int, int]) -> None:
    found = regions(hand(table(), (550, 300), color), table())
    assert [region.kind for region in found] == ["gone"]


def test_a_hand_at_two_places_is_there() -> None:
    found = regions(hand(table(), (300, 350)), hand(table(), (800, 250)))
    assert "hand" in [region.kind for region in found]


def test_pieces_inside_are_no_regions_of_the_border() -> None:
    assert regions(table([(400, 300)]), table([(500, 250), (600, 300), (540, 350)])) == ()


def test_a_tile_exchanged_at_the_border_is_no_hand() -> None:
    before, now = table(), table()
    y = SIZE[1] - round(30 * MM)
    for picture, color in ((before, (30, 30, 200)), (now, (30, 200, 230))):
        for x_mm in (400.0, 452.0):
            x = round(x_mm * MM)
            cv2.fillPoly(picture, [np.array([(x, SIZE[1]), (x + 29, SIZE[1]), (x + 15, y)])], color)
    assert all(region.kind == "piece" for region in regions(before, now))


def test_the_shadow_of_a_head_is_no_hand() -> None:
    found = regions(table(), shade_of_a_head(table()))
    assert [region.kind for region in found] == ["light"]


@pytest.mark.parametrize("scene", ["tiles", "pyramids"])
def test_in_pictures_of_a_table(scene: str) -> None:
    before, held, after = (read_picture(DATA / f"{scene}-{name}.jpg") for name in ("before", "hand", "after"))
    assert "hand" in [region.kind for region in regions(before, held)]
    assert "hand" not in [region.kind for region in regions(before, after)]


def test_without_change_there_is_nothing() -> None:
    assert regions(table(), table()) == ()
