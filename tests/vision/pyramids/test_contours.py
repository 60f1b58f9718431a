"""The net sees contours of plastic and not those of a table, at any place of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pyramids.answers import WEIGHTS
from vision.pyramids.contours import EDGE_PX, FILE, KINDS, LINES, STEP_PX, ContourNet, Contours, middle_log
from vision.pyramids.shape_lines import OUTLINE
from vision.pyramids.training.contours import ContourScene, contour_scene
from vision.pyramids.training.drawn.painter import random_picture

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


class CountedNet(ContourNet):
    """Counts the pixels that it looks at."""

    pixels: int

    def __call__(self, part: np.ndarray, middle: np.ndarray) -> np.ndarray:
        self.pixels += part.shape[0] * part.shape[1]
        return super().__call__(part, middle)


def counted() -> CountedNet:
    net = CountedNet(WEIGHTS / FILE)
    net.pixels = 0
    return net


def box(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([(left, top), (right, bottom)])


def test_maps_hold_what_was_asked_for_and_nothing_elsewhere(scene: ContourScene) -> None:
    maps = Contours(scene.picture, NET).seen_in([box(320.0, 180.0, 640.0, 420.0)])
    odds, first = Contours(scene.picture, NET).around(np.array([320, 180]), np.array([640, 420]))
    assert np.array_equal(maps.odds[:, 180:420, 320:640], odds[:, 180 - first[1] :, 320 - first[0] :][:, :240, :320])
    assert maps.missed.shape == (LINES, 720, 1280)
    assert not any(one[..., :150, :].any() or one[..., 460:, :].any() for one in maps)
    assert maps.lines.min() >= 0 and maps.lines.max() <= 1


def test_what_overlaps_is_looked_at_together_and_only_once(scene: ContourScene) -> None:
    net = counted()
    contours = Contours(scene.picture, net)
    near = [box(300.0 + 8 * k, 200.0, 396.0 + 8 * k, 296.0) for k in range(8)]
    contours.seen_in([*near, box(900.0, 500.0, 960.0, 560.0)])
    once = net.pixels
    assert once < 160 * 128 + 96 * 96 + 1
    contours.seen_in([box(310.0, 210.0, 440.0, 290.0)])
    assert net.pixels == once, "all of it is known"
    contours.seen_in([box(310.0, 210.0, 440.0, 400.0)])
    assert net.pixels > once


def test_the_edge_of_a_part_replaces_nothing_that_was_seen_from_inside(scene: ContourScene) -> None:
    contours = Contours(scene.picture, NET)
    before = contours.seen_in([box(320.0, 192.0, 448.0, 320.0)]).odds.copy()
    after = contours.seen_in([box(400.0, 192.0, 560.0, 320.0)]).odds
    edge = np.s_[:, 200:312, 400 : 400 + EDGE_PX]
    assert np.array_equal(before[edge], after[edge])
    assert (after[:, 192:320, 448:540] != 0).any()


def test_parts_of_a_small_picture_end_where_it_does() -> None:
    maps = Contours(np.full((20, 45, 3), 120, np.uint8), NET).seen_in([box(3.0, 3.0, 400.0, 180.0)])
    assert maps.lines.shape == (20, 45) and np.isfinite(maps.missed).all()


def test_the_middle_of_a_picture_is_what_most_of_it_shows() -> None:
    picture = np.full((64, 64, 3), (20, 80, 160), np.uint8)
    picture[:16] = 255
    assert middle_log(picture) == pytest.approx(np.log([32, 92, 172]))
