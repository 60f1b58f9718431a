"""The net sees contours of plastic and not those of a table, at any place of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.contours import FILE, KINDS, STEP_PX, ContourNet, Contours, middle_log
from vision.readers.pyramids.shape_lines import OUTLINE
from vision.readers.pyramids.training.contours import ContourScene, contour_scene
from vision.readers.pyramids.training.drawn.painter import random_picture

NET = ContourNet(WEIGHTS / FILE)


@pytest.fixture(scope="module")
def scene() -> ContourScene:
    drawn = random_picture(np.random.default_rng(12345))
    return contour_scene(drawn.picture, [thing.place for thing in drawn.things], drawn.camera)


def test_outlines_of_a_table_that_was_never_seen_are_told_from_its_own_edges(scene: ContourScene) -> None:
    odds, first = Contours(scene.picture, NET).around(np.array([320, 180]), np.array([960, 540]))
    part = np.s_[first[1] : first[1] + odds.shape[1], first[0] : first[0] + odds.shape[2]]
    true, inside = scene.kinds[part] == OUTLINE, scene.inside[part] == 1
    assert true.sum() > 500
    assert odds[0][true].mean() > odds[0][~true].mean() + 3
    assert odds[-1][inside].mean() > 1 and odds[-1][~inside].mean() < -3


@pytest.mark.parametrize(
    ("low", "high"), [((-50, -20), (40, 30)), ((1250, 700), (1400, 900)), ((600.4, 300.7), (601, 302))]
)
def test_any_part_can_be_asked_for(scene: ContourScene, low: tuple[float, float], high: tuple[float, float]) -> None:
    odds, first = Contours(scene.picture, NET).around(np.array(low), np.array(high))
    assert odds.shape[0] == KINDS and odds.shape[1] % STEP_PX == odds.shape[2] % STEP_PX == 0
    within = np.clip(low, 0, (1279, 719)), np.clip(high, 1, (1280, 720))
    assert (first >= 0).all() and (first <= within[0]).all()
    assert (first + odds.shape[:0:-1] >= within[1]).all()


def test_a_small_picture_is_seen_too() -> None:
    odds, first = Contours(np.full((20, 45, 3), 120, np.uint8), NET).around(np.array([3, 3]), np.array([40, 18]))
    assert odds.shape == (KINDS, 32, 64) and first.tolist() == [0, 0]


def test_a_part_reads_as_in_a_larger_part(scene: ContourScene) -> None:
    contours = Contours(scene.picture, NET)
    large, first = contours.around(np.array([416, 224]), np.array([671, 479]))
    small, then = contours.around(np.array([480, 288]), np.array([607, 415]))
    x, y = then - first
    inner = np.s_[:, 32:-32, 32:-32]
    same = large[:, y : y + small.shape[1], x : x + small.shape[2]][inner] - small[inner]
    assert np.abs(same).mean() < 0.1


def test_the_middle_of_a_picture_is_what_most_of_it_shows() -> None:
    picture = np.full((64, 64, 3), (20, 80, 160), np.uint8)
    picture[:16] = 255
    assert middle_log(picture) == pytest.approx(np.log([32, 92, 172]))
