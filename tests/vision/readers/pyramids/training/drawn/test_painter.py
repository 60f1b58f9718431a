"""Drawn pictures show what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.plan import Mat
from vision.readers.pyramids.hypothesis import standing
from vision.readers.pyramids.training.drawn.camera import BASE, crossings, solid
from vision.readers.pyramids.training.drawn.painter import DrawnPicture, random_picture
from vision.registration.registered_image import find_table


def test_a_ray_from_the_side_crosses_two_walls_and_one_from_below_one() -> None:
    body = solid(standing(0, 0, 0.0, "large"))
    side = crossings([body], np.array([-100.0, 0.0, 10.0]), np.array([[1.0, 0, 0], [0, 1.0, 0]]))
    assert np.isfinite(side.distance).sum(axis=1).tolist() == [2, 0]
    below = crossings([body], np.array([5.0, 1.0, -50.0]), np.array([[0, 0, 1.0]]))
    assert np.isfinite(below.distance).sum() == 1
    assert below.face[0, 0] != BASE


@pytest.fixture(scope="module")
def drawn() -> DrawnPicture:
    """A picture of some seed."""
    return random_picture(np.random.default_rng(4))


def test_a_drawn_table_is_found_where_it_was_drawn(drawn: DrawnPicture) -> None:
    """The eyes' own marker and pose code finds the drawn table within a pixel or two, and things stand on it."""
    table = find_table(drawn.picture, Mat(600.0, 400.0, 40.0), None)
    spots = np.array([(x, y, z) for x in (100.0, 500.0) for y in (80.0, 320.0) for z in (0.0, 40.0)])
    assert np.abs(table.pose.project(spots) - drawn.camera.project(spots)).max() < 4.0
    assert len(drawn.things) > 3


def test_the_same_seed_draws_the_same_picture(drawn: DrawnPicture) -> None:
    assert np.array_equal(random_picture(np.random.default_rng(4)).picture, drawn.picture)
