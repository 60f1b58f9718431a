"""Drawn tables of every family are found, and show what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readers.pyramids.training.drawn.families import FAMILIES, surface_of
from vision.readers.pyramids.training.drawn.surface import surface_size
from vision.readers.pyramids.training.drawn.tables import DrawnTable
from vision.registration.registered_image import find_table


@pytest.mark.parametrize("family", FAMILIES)
def test_every_seed_of_a_family_makes_another_surface(family: str) -> None:
    one, other = (surface_of(family, 300, 400, np.random.default_rng(seed)) for seed in (1, 2))
    assert one.shape == (300, 400, 3)
    assert one.min() >= 0
    assert np.abs(one - other).mean() > 0.01
    assert one.std(axis=(0, 1)).max() > 0.005, "a family has a pattern"


def test_the_same_table_is_shown_empty_and_with_things() -> None:
    table = DrawnTable("floral", np.random.default_rng(3))
    empty, (still, things) = table.empty(), table.still()
    placed = find_table(still, table.mat)
    spots = np.array([(x, y, 0.0) for x in (100.0, 500.0) for y in (80.0, 320.0)])
    assert np.abs(placed.pose.project(spots) - table.camera.project(spots)).max() < 4.0
    apart = np.abs(np.log(still + 8.0) - np.log(empty + 8.0)).max(axis=2)
    at = np.round(table.camera.project(np.array([(t.place.x_mm, t.place.y_mm, 8.0) for t in things]))).astype(int)
    assert np.median(apart[at[:, 1], at[:, 0]]) > 3 * np.median(apart)


def test_a_surface_picture_covers_the_mat_and_what_lies_around_it() -> None:
    table = DrawnTable("granite", np.random.default_rng(1))
    height, width = surface_size(table.mat)
    assert width > height > 2 * table.mat.height_mm
