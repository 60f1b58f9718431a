"""Pieces of a sampler are known by where they stand, also where some were overlooked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration, EmptyTable
from vision.image.picture import read_picture
from vision.readers.pyramids.sampler import Sample, learned_colors, samples
from vision.readers.pyramids.tones import UNKNOWN
from vision.registration.registered_image import find_table

DATA = Path(__file__).parents[3] / "data" / "calibration"
MAT = Mat(600, 400, 40)
ROWS = [[Pyramid(color, size) for color in PYRAMID_COLORS] for size in PYRAMID_SIZES]


@pytest.fixture(scope="module")
def seen() -> list[Sample]:
    bare = find_table(read_picture(DATA / "marble-empty.jpg"), MAT)
    empty = EmptyTable(bare.picture, bare.pose, bare.light, MAT)
    table = find_table(read_picture(DATA / "marble-sampler.jpg"), MAT, calibration=Calibration("pyramids", empty))
    return samples(table, empty, ROWS)


def test_pieces_are_those_that_were_set_out(seen: list[Sample]) -> None:
    assert [one.piece for one in seen] == [piece for row in ROWS for piece in row]
    found = [one for one in seen if one.found is not None]
    assert len(found) >= 24
    named = [PYRAMID_COLORS[int(np.argmax(one.found.color_logs[0]))] for one in found if one.found is not None]
    assert sum(name == one.piece.color for name, one in zip(named, found, strict=True)) >= 0.8 * len(found)


def test_rows_go_down_and_columns_to_the_right(seen: list[Sample]) -> None:
    places = {one.piece: one.found.place for one in seen if one.found is not None}
    for color in ("green", "blue", "black"):
        ys = [places[Pyramid(color, size)].y_mm for size in PYRAMID_SIZES if Pyramid(color, size) in places]
        assert ys == sorted(ys)
    xs = [places[Pyramid(color, "large")].x_mm for color in PYRAMID_COLORS if Pyramid(color, "large") in places]
    assert xs == sorted(xs)


def test_offsets_stay_small_where_colors_are_read_right(seen: list[Sample]) -> None:
    offsets = learned_colors(seen).offsets
    assert len(offsets) == len(PYRAMID_COLORS)
    assert np.abs(offsets).max() < 3


def test_nothing_found_teaches_nothing() -> None:
    nothing = [Sample(piece, None) for row in ROWS for piece in row]
    learned = learned_colors(nothing)
    assert not learned.offsets.any()
    assert learned.tones == UNKNOWN


def test_lone_pieces_show_their_tones(seen: list[Sample]) -> None:
    tones = learned_colors(seen).tones
    assert sum(one.pieces for one in tones) >= 20
    green, purple = (tones[PYRAMID_COLORS.index(color)].tone for color in ("green", "purple"))
    assert purple[1] - green[1] > 0.4, "purple is bluer than green"
