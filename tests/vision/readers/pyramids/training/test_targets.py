"""What a net should answer where pieces are known."""

from __future__ import annotations

import numpy as np

from companion.core.pieces import PYRAMID_COLORS
from tests.vision.readers.pyramids.ideal import MAT, SIZE_PX, camera, standing
from vision.readers.pyramids.sheet import STRIDE, sheet_of
from vision.readers.pyramids.training.sheets import targets


def test_the_nearer_piece_hides_the_farther_one() -> None:
    eye = camera(48.0)
    sheet = sheet_of(eye, MAT, SIZE_PX)
    near, far = standing(300, 220, "red large"), standing(300, 190, "blue large")
    alone, both = targets([far], sheet, eye), targets([near, far], sheet, eye)
    blue = PYRAMID_COLORS.index("blue") + 1
    assert 0 < (both.color == blue).sum() < (alone.color == blue).sum()
    assert set(np.unique(both.piece)) == {-1, 0, 1}


def test_cells_point_at_the_place_below_their_stack() -> None:
    eye = camera(40.0)
    sheet = sheet_of(eye, MAT, SIZE_PX)
    truth = targets([standing(250, 200, "green large", "green small")], sheet, eye)
    rows, columns = np.nonzero(truth.piece == 1)
    base = sheet.to_sheet(eye.project(np.array([(250, 200, 0.0)])))[0]
    x = columns * STRIDE + 0.5 + truth.offset[0, rows, columns].astype(float) * 16
    y = rows * STRIDE + 0.5 + truth.offset[1, rows, columns].astype(float) * 16
    assert np.allclose(x, base[0], atol=0.1)
    assert np.allclose(y, base[1], atol=0.1)
    assert np.allclose(truth.lift[rows, columns].astype(float) * 20, 27.0, atol=0.1)


def test_a_bare_table_is_all_table() -> None:
    eye = camera()
    truth = targets([], sheet_of(eye, MAT, SIZE_PX), eye)
    assert (truth.piece == -1).all()
    assert not truth.edge.any()
