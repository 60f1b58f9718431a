"""Drawn pictures are what they say: the table can be placed, plastic has its color, nests hide, hands are hands."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from companion.core.pieces import Pyramid
from companion.core.plan import Mat
from simulation.drawn.camera import camera_over
from simulation.drawn.hand import random_hand
from simulation.drawn.scene import Scene, random_scene
from simulation.drawn.standing import Lying, Stand, Upright, planes
from vision.gate.steadiness import STILLS, Gate
from vision.image.light import LINEAR
from vision.registration.registered_image import find_table
from vision.sources.source import Shot

MAT = Mat(600.0, 400.0, 40.0)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return random_scene(Random(3), MAT, table="grey cloth", tilt_deg=35, lamp="window", things=0)


def alone(color: str, size: str, x_mm: float, y_mm: float) -> Upright:
    return Upright((Pyramid(color, size),), x_mm, y_mm, 20.0)


def test_the_table_is_found_where_it_was_drawn(scene: Scene) -> None:
    table = find_table(scene.picture([]), MAT)
    assert table.markers == (0, 1, 2, 3)
    places = np.array([(x, y, 0.0) for x in (50, 300, 550) for y in (50, 200, 350)] + [(300.0, 200.0, 44.5)])
    assert np.abs(table.pose.project(places) - scene.camera.project(places)).max() < 1.5


def test_rays_of_a_patch_are_those_of_its_pixels() -> None:
    camera = camera_over(MAT, 40, 20, 3, distortion=(-0.08, 0.005, 2e-4, -3e-4))
    rays = camera.rays((100, 80, 160, 170), 2)
    exact = camera.directions(np.array([(99.75, 79.75), (130.25, 120.25), (159.25, 169.25)]))
    assert np.abs(rays[[0, 81, -1], [0, 61, -1]] - exact).max() < 1e-4


@pytest.mark.parametrize(("color", "channel"), [("red", 2), ("green", 1), ("blue", 0)])
def test_translucent_plastic_takes_the_other_colors_away(scene: Scene, color: str, channel: int) -> None:
    stand = alone(color, "large", 300, 200)
    x, y = scene.camera.project(np.array([(300.0, 200.0, 18.0)]))[0].round().astype(int)
    empty, full = (LINEAR[scene.picture(some)[y - 3 : y + 4, x - 3 : x + 4]].mean((0, 1)) for some in ([], [stand]))
    kept = full / empty
    assert kept.argmax() == channel
    assert kept[channel] > 2 * np.delete(kept, channel).max()


def test_what_is_behind_shines_through_and_not_through_black(scene: Scene) -> None:
    # The large piece is nearer to the camera, which looks from below the mat, than the white one.
    behind = Upright((Pyramid("white", "medium"),), 300, 175, 20.0)
    at = scene.camera.project(np.array([(300.0, 200.0, 36.0)]))[0].round().astype(int)

    def level(*stands: Stand) -> float:
        return float(scene.picture(stands)[at[1] - 1 : at[1] + 2, at[0] - 1 : at[0] + 2].mean())

    assert level(alone("cyan", "large", 300, 200), behind) > level(alone("cyan", "large", 300, 200)) + 5
    assert level(alone("black", "large", 300, 200), behind) < level(alone("black", "large", 300, 200)) + 5


def test_every_level_of_a_stack_shows_and_a_nest_hides_the_smaller_ones() -> None:
    large, medium, small = (Pyramid("red", size) for size in ("large", "medium", "small"))
    assert Upright((large, medium, small), 0, 0).seen == (large, medium, small)
    assert Upright((large, large), 0, 0).seen == (large, large)
    assert Upright((small, medium, large), 0, 0).seen == (large,)
    assert Upright((small, medium, large), 0, 0).lifts_mm() == [0, 0, 0]
    assert Upright((large, small), 0, 0).lifts_mm() == pytest.approx([0, 27.0])


def test_planes_bound_a_lying_pyramid() -> None:
    points = Lying(Pyramid("red", "large"), 10, 20, 30).solids()[0]
    normals, distances = planes(points)
    assert (points @ normals.T <= distances + 1e-6).all()
    assert ((points.mean(0) @ normals.T) < distances - 1).all()


@pytest.mark.parametrize("seed", range(4))
def test_a_hand_is_a_hand_to_the_gate_and_the_table_after_it_is_steady(scene: Scene, seed: int) -> None:
    stands = [alone("red", "large", 200, 300), alone("blue", "small", 420, 120)]
    hand = random_hand(Random(seed), (300 + 20 * seed, 240), scene.camera)
    pictures = [scene.picture(stands), scene.picture(stands, hand), scene.picture(stands[:1])]
    gate = Gate(STILLS)
    reports = [gate.step(Shot(n, "", float(n), 0.0, math.inf, picture)) for n, picture in enumerate(pictures)]
    assert [report.steady for report in reports] == [True, False, True]


def test_the_same_seed_draws_the_same_picture() -> None:
    def drawn() -> np.ndarray:
        return random_scene(Random(8), MAT).picture([alone("green", "medium", 200, 200)])

    assert np.array_equal(drawn(), drawn())
