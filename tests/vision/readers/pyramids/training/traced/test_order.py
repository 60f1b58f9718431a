"""What is handed to the tracer is what the labels say."""

from __future__ import annotations

import itertools
import math

import msgspec
import numpy as np
import pytest

from companion.core.pieces import STACK_STEP_MM
from vision.readers.pyramids.hypothesis import standing
from vision.readers.pyramids.training.drawn.camera import HEIGHT, WIDTH
from vision.readers.pyramids.training.traced.order import TURNED, Order, TracedTruth, random_order, shell


@pytest.fixture(scope="module")
def ordered() -> tuple[Order, TracedTruth]:
    """An order of some seed."""
    return random_order(7)


def test_the_camera_of_the_order_sees_every_tip_where_the_labels_have_it(ordered: tuple[Order, TracedTruth]) -> None:
    order, truth = ordered
    points = np.array([one.points[4] for one in order.shells])
    away = points - np.array(order.eye)
    right, down, ahead = (away @ np.array(axis) for axis in (order.right, order.down, order.ahead))
    middle = np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    seen = np.column_stack([right, down]) / ahead[:, None] * order.focal_px + middle
    assert np.abs(seen - truth.camera.project(points * TURNED)).max() < 1e-6
    assert len(order.shells) == sum(len(thing.colors) for thing in truth.things) > 20


def test_walls_are_plastic_all_around_and_another_piece_fits_below() -> None:
    hollow = shell(standing(10, 20, 30.0, "medium"), 3, STACK_STEP_MM)
    points = np.array(hollow.points)
    volume = 0.0
    for face in hollow.faces:
        for b, c in itertools.pairwise(face[1:]):
            volume += float(points[face[0]] @ np.cross(points[b], points[c])) / 6
    outer, height = 19.8**2 * 34.7 / 3, 34.7 - STACK_STEP_MM
    inner = outer * (height / 34.7) ** 3
    assert math.isclose(volume, outer - inner, rel_tol=1e-6), "faces look out of the plastic, and it is closed"
    assert math.isclose(points[4, 2] - points[9, 2], STACK_STEP_MM), "the next tip goes so far below this one"


def test_an_order_is_the_same_each_time_and_survives_its_file(ordered: tuple[Order, TracedTruth]) -> None:
    order, _ = ordered
    again = msgspec.json.decode(msgspec.json.encode(random_order(7)[0]), type=Order)
    assert again == order
    assert {dye.density is None for dye in order.dyes} == {True, False}, "some plastic is opaque"
