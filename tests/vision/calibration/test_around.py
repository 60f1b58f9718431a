"""A table learned with pieces on it: bare where it is free, as before or unknown under them."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.staged_table import THREE, empty, marble, staged, under_lamp
from vision.calibration.around import around_pieces
from vision.calibration.empty import EmptyTable
from vision.readers.pyramids.reader import read_pyramids
from vision.registration.registered_image import find_table


@pytest.fixture(scope="module")
def shown() -> EmptyTable:
    """The table as it looks with three pieces on it."""
    return replace(marble().empty, picture=staged(*THREE))


@pytest.fixture(scope="module")
def outlines() -> list[np.ndarray]:
    found = read_pyramids(find_table(staged(*THREE), marble().mat, calibration=marble())).scene.found
    assert len(found) == 3
    return [one.outline_px for one in found]


def test_without_pieces_it_is_the_picture_itself(shown: EmptyTable) -> None:
    assert around_pieces(shown, [], None) is shown


def test_under_pieces_it_stays_unknown(shown: EmptyTable, outlines: list[np.ndarray]) -> None:
    found = around_pieces(shown, outlines, None)
    assert found.free is not None
    assert 0.9 < found.free.mean() < 0.99
    x, y = outlines[0].reshape(-1, 2).mean(axis=0).astype(int)
    assert found.free[y, x] == 0
    bare = found.free > 0
    assert (found.picture[bare] == shown.picture[bare]).all()


def test_nothing_that_looks_like_a_piece_is_left_in_it(shown: EmptyTable, outlines: list[np.ndarray]) -> None:
    found = around_pieces(shown, outlines, None)
    apart = np.abs(found.picture.astype(int) - empty()).max(axis=2)
    assert np.abs(shown.picture.astype(int) - empty()).max() > 100
    assert apart.max() < 60


def test_under_pieces_it_stays_as_it_was_known_in_the_light_of_today(outlines: list[np.ndarray]) -> None:
    today = replace(marble().empty, picture=under_lamp(staged(*THREE), 0.8, 1.0, 1.1))
    found = around_pieces(today, outlines, marble().empty)
    assert found.free is None
    wanted = under_lamp(empty(), 0.8, 1.0, 1.1).astype(int)
    assert np.abs(found.picture.astype(int) - wanted).mean() < 1.5
    x, y = outlines[0].reshape(-1, 2).mean(axis=0).astype(int)
    assert (
        np.abs(found.picture[y - 9 : y + 9, x - 9 : x + 9].astype(int) - wanted[y - 9 : y + 9, x - 9 : x + 9]).max()
        < 12
    )


def test_what_is_learned_around_pieces_serves_to_read_them_and_others(shown: EmptyTable, outlines: list) -> None:
    known = replace(marble(), empty=around_pieces(shown, outlines, None))
    more = staged(*THREE, (250, 50, 350, 160))
    found = read_pyramids(find_table(more, known.mat, calibration=known)).scene.found
    assert len(found) == 5
