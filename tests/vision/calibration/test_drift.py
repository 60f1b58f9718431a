"""A cloth that was moved and a lamp that was switched are noticed; pieces that come and go are neither."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.staged_table import MAT, ROW, THREE, empty, marble, shifted, staged, under_lamp
from vision.calibration.drift import Drift, drift
from vision.image.picture import Picture
from vision.readers.pyramids.reader import read_pyramids
from vision.registration.registered_image import find_table
from vision.setup.known_table import MOVED, MOVED_PLAINLY, TINT


def drifted(picture: Picture, pieces: Picture | None = None) -> Drift:
    """The drift of a picture; `pieces` is one in which the same pieces are read well."""
    table = find_table(picture, MAT)
    found = read_pyramids(find_table(picture if pieces is None else pieces, MAT, calibration=marble())).scene.found
    seen = drift(table.picture, table.pose, table.light, marble().empty, [one.outline_px for one in found])
    assert seen is not None
    return seen


@pytest.mark.parametrize("boxes", [(), THREE, (ROW,)])
def test_pieces_are_no_drift(boxes: tuple) -> None:
    seen = drifted(staged(*boxes))
    assert seen.moved < MOVED / 2 and seen.tint < TINT / 2


def test_a_moved_cloth_is() -> None:
    assert drifted(shifted(staged(*THREE), 25), staged(*THREE)).moved > MOVED


def test_a_tablecloth_over_half_of_it_is_plainly() -> None:
    covered = empty().copy()
    covered[:, 640:] = covered[:, 640:] // 3
    assert drifted(covered, empty()).moved > MOVED_PLAINLY


def test_a_tablecloth_that_touches_pieces_is_no_shadow() -> None:
    pieces = staged(*THREE)
    covered = pieces.copy()
    covered[:, 400:] = covered[:, 400:] // 3
    assert drifted(covered, pieces).moved > MOVED_PLAINLY


def test_another_lamp_is_a_tint_and_no_motion() -> None:
    seen = drifted(under_lamp(staged(*THREE), 0.7, 1.0, 1.3), staged(*THREE))
    assert seen.tint > TINT and seen.moved < MOVED


def test_a_lamp_that_is_only_dimmed_is_neither() -> None:
    seen = drifted(under_lamp(staged(*THREE), 0.6, 0.6, 0.6), staged(*THREE))
    assert seen.tint < TINT and seen.moved < MOVED


def test_of_a_table_that_is_full_nothing_is_said() -> None:
    table = find_table(empty(), MAT)
    everywhere = np.array([(0, 0), (1279, 0), (1279, 719), (0, 719)], float)
    assert drift(table.picture, table.pose, table.light, marble().empty, [everywhere]) is None
