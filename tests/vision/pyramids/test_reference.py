"""The bare table is found under pieces, under lamps and in crowds."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pyramids.reference import LOG_LIGHT, estimate

SHAPE = (480, 640)
WOOD = np.array([90, 140, 190], float)
"""A pine table, B, G, R."""


def table(lamp: bool) -> np.ndarray:
    """An empty table, brighter towards a lamp on the right."""
    picture = np.tile(WOOD, (*SHAPE, 1))
    if lamp:
        picture *= np.linspace(0.6, 1.1, SHAPE[1])[None, :, None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def everywhere() -> np.ndarray:
    return np.ones((SHAPE[0] // 4, SHAPE[1] // 4), np.uint8)


@pytest.mark.parametrize("lamp", [False, True])
def test_the_table_is_seen_through_its_pieces(lamp: bool) -> None:
    bare = table(lamp)
    covered = bare.copy()
    for x in range(60, 600, 90):
        covered[200:236, x : x + 36] = (30, 160, 40)
    found = estimate(covered, 1.5, everywhere()).at((0, 0, SHAPE[1], SHAPE[0]))
    assert np.abs(found - LOG_LIGHT[bare]).max() < 0.12


def test_a_crowd_of_one_color_does_not_become_the_table() -> None:
    bare = table(False)
    covered = bare.copy()
    covered[180:320, 250:390] = (40, 190, 200)
    found = estimate(covered, 1.5, everywhere()).at((0, 0, SHAPE[1], SHAPE[0]))
    assert np.abs(found - LOG_LIGHT[bare])[200:300, 270:370].max() < 0.15


def test_what_is_not_table_is_marked() -> None:
    covered = table(False)
    covered[200:240, 300:340] = (30, 160, 40)
    other = estimate(covered, 1.5, everywhere()).other
    assert other[52:58, 77:83].all()
    assert other[:40].sum() == 0


def test_a_cut_of_the_table_is_the_same_as_the_whole() -> None:
    found = estimate(table(True), 1.5, everywhere())
    whole = found.at((0, 0, SHAPE[1], SHAPE[0]))
    assert found.at((101, 53, 180, 120)) == pytest.approx(whole[53:120, 101:180], abs=1e-3)
