"""A cloth on a free part of a heap's zone obscures that heap, of pyramids and of tiles."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.core.plan import Plan, Point, PyramidZone, TileBoard, TileHeap
from companion.games import PLANS
from tests.vision.labeled import MAT, load
from tests.vision.staged_table import THREE, marble, staged, under_lamp
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture
from vision.table_reader import TableReader

PLAN = PLANS["spectra"](2)
SUPPLY, OTHER = "seat0.supply", "seat1.supply"
CLOTH = (70, 84, 120)


def laid(picture: Picture, place_px: Point, radius_px: int) -> Picture:
    """The picture with a round cloth on the table."""
    x, y = round(place_px[0]), round(place_px[1])
    return np.asarray(cv2.circle(picture.copy(), (x, y), radius_px, CLOTH, -1, cv2.LINE_AA), np.uint8)


def over(spot: str, picture: Picture) -> Picture:
    """The picture with a cloth of 60 mm on the far end of a zone, where no piece stands."""
    zone = next(zone for zone in PLAN.zones if isinstance(zone, PyramidZone) and zone.spot == spot)
    x, y = np.array(zone.outline_mm).min(axis=0) * (0.75, 0.5) + np.array(zone.outline_mm).max(axis=0) * (0.25, 0.5)
    calibrated = marble().empty
    place = calibrated.pose.project(np.array([[x, y, 0.0]]))[0] * picture.shape[1] / calibrated.pose.size_px[0]
    return laid(picture, (float(place[0]), float(place[1])), round(30 * picture.shape[1] / 1000))


@pytest.mark.parametrize("calibration", [None, marble()], ids=["never shown empty", "shown empty"])
def test_a_cloth_that_is_laid_on_a_zone_obscures_it_until_it_is_lifted(calibration: Calibration | None) -> None:
    reader = TableReader(PLAN, calibration)
    assert not reader.read(staged(THREE[0])).layout.obscured
    covered = over(SUPPLY, staged(THREE[0]))
    assert reader.read(covered).layout.obscured == {SUPPLY}
    assert reader.read_again(covered).layout.obscured == {SUPPLY}
    assert reader.read(covered).layout.obscured == {SUPPLY}
    assert not reader.read(staged(THREE[0])).layout.obscured


def test_where_the_empty_table_is_known_the_first_picture_shows_what_is_foreign() -> None:
    assert TableReader(PLAN, marble()).read(over(OTHER, staged(THREE[0]))).layout.obscured == {OTHER}


@pytest.mark.parametrize("change", [lambda one: one, lambda one: under_lamp(one, 0.5, 0.6, 0.7)])
@pytest.mark.parametrize("calibration", [None, marble()], ids=["never shown empty", "shown empty"])
def test_pieces_that_come_and_go_and_a_dimmed_lamp_obscure_nothing(
    calibration: Calibration | None, change: Callable[[Picture], Picture]
) -> None:
    reader = TableReader(PLAN, calibration)
    for boxes in ((THREE[0],), THREE, (), (THREE[1],)):
        assert not reader.read(change(staged(*boxes))).layout.obscured


def test_a_cloth_on_a_hand_of_tiles_obscures_it() -> None:
    picture, _ = load("spectrangle-0037")
    left = TileHeap("left", ((-90.0, 150.0), (0.0, 150.0), (0.0, 385.0), (-90.0, 385.0)))
    right = TileHeap("right", ((400.0, 60.0), (500.0, 60.0), (500.0, 320.0), (400.0, 320.0)))
    reader = TableReader(Plan(MAT, (TileBoard(None), left, right)))
    assert not reader.read(picture).layout.obscured
    assert reader.table is not None
    free = reader.table.pose.project(np.array([[450.0, 180.0, 0.0]]))[0] / reader.table.factor
    assert reader.read(laid(picture, (float(free[0]), float(free[1])), 40)).layout.obscured == {"right"}
