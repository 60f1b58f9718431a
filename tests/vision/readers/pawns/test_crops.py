"""In every crop a pawn would stand upright in the middle, whatever the camera."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tests.vision.readers.pawns.boards import drawn, oblique
from vision.readers.pawns.backdrop import find_backdrop
from vision.readers.pawns.crops import MM_PER_PX, SIDE_PX, cut
from vision.readers.pawns.wheel import PAWN_HEIGHT_MM, THICK_MM, Wheel


def test_up_in_a_crop_is_up_a_pawn() -> None:
    wheel, pose = Wheel(280, 280, 240, 90), oblique()
    table = drawn(wheel, pose)
    places = wheel.to_table(wheel.middles())[[0, 30, 60, 100]]
    picture = np.full_like(table.picture, 255)
    for z, ink in ((0.0, (0, 0, 255)), (PAWN_HEIGHT_MM, (255, 0, 0))):
        for x, y in pose.project(np.column_stack([places, np.full(4, THICK_MM + z)])):
            picture[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2] = ink
    crops = cut(replace(table, picture=picture), find_backdrop(table, wheel), places)
    assert crops.shown.all()
    middle = (SIDE_PX - 1) / 2
    for light, steepness in zip(crops.light, crops.steepness, strict=True):
        high = PAWN_HEIGHT_MM / 2 * np.sqrt(1 - steepness**2) / MM_PER_PX
        for channel, row in ((0, middle - high), (2, middle + high)):
            others = [k for k in range(3) if k != channel]
            spots = np.argwhere(light[..., channel] - light[..., others].max(-1) > 0.5)
            assert np.abs(spots.mean(0) - (row, middle)).max() < 1.0


def test_the_bare_board_hardly_changes_against_itself() -> None:
    wheel, pose = Wheel(280, 280, 240, 10), oblique()
    table = drawn(wheel, pose)
    crops = cut(table, find_backdrop(table, wheel), wheel.to_table(wheel.middles()))
    assert np.abs(np.median(crops.change, axis=(1, 2))).max() < 0.1


def test_what_the_picture_does_not_show_is_said_and_changes_nothing() -> None:
    wheel, pose = Wheel(280, 280, 240, 10), oblique()
    table = drawn(wheel, pose)
    crops = cut(table, find_backdrop(table, wheel), np.array([[280.0, 280.0], [2000.0, 280.0]]))
    assert crops.shown[0].all() and not crops.shown[1].any()
    assert (crops.change[1] == 0).all()
