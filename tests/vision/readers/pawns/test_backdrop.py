"""The bare board is predicted where pawns hide it, under a lamp that is brighter on one side."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec.structs import replace

from tests.vision.readers.pawns.boards import drawn, oblique
from vision.image.light import LINEAR
from vision.readers.pawns.backdrop import HAZE, find_backdrop
from vision.readers.pawns.wheel import THICK_MM, Wheel


def test_what_a_pawn_hides_is_predicted_from_its_path() -> None:
    wheel, pose = Wheel(280, 280, 240, 90), oblique()
    table = drawn(wheel, pose)
    shaded = table.picture * np.linspace(0.7, 1.0, table.picture.shape[1])[None, :, None]
    places = wheel.to_table(wheel.middles())
    pixels = pose.project(np.column_stack([places, np.full(108, THICK_MM)]))
    covered = np.clip(shaded, 0, 255).astype(np.uint8)
    bare = covered.copy()
    for x, y in pixels[::4]:
        cv2.circle(covered, (round(x), round(y)), 8, (200, 60, 20), -1)
    table = replace(table, picture=covered)
    expected = find_backdrop(table, wheel).at(wheel.middles())
    at = np.rint(pixels).astype(int)
    white = table.light.white(places)
    blurred = cv2.medianBlur(bare, 5)
    there = np.log(LINEAR[blurred[at[:, 1], at[:, 0]]] / white + HAZE)
    assert np.abs(expected - there).max() < 0.2
    assert np.abs(expected - there).mean() < 0.04
