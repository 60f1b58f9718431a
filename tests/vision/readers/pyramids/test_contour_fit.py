"""Exact shapes are moved to their contours, and the true one of several guesses is the likeliest."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import IdealContours, camera
from vision.readers.pyramids.contours import FEATURES, KINDS, ContourFit, ContourWeights
from vision.readers.pyramids.hypothesis import StackHypothesis

EYE = camera(35.0)
TREE = StackHypothesis(250.0, 180.0, 20.0, ("large", "medium"))
PIECE = StackHypothesis(250.0, 180.0, 20.0, ("medium",))
GUESSES = [("small",), ("medium",), ("large",), ("large", "medium"), ("large", "small"), ("large", "large")]
EVEN = np.array([*np.ones(KINDS), *np.zeros(FEATURES - KINDS)])
"""All that the net says of lines and inside counts alike."""


@pytest.mark.parametrize("lies", [False, True])
def test_a_shape_is_moved_to_where_its_contours_are(lies: bool) -> None:
    place = StackHypothesis(250.0, 180.0, 20.0, ("medium",), lies)
    start = place.moved(3.0, -2.5, 8.0)
    ((found, _),) = ContourFit(IdealContours(EYE, place), [start], EYE).fitted([start])
    assert np.hypot(found.x_mm - 250, found.y_mm - 180) < 1.5
    assert abs(found.turn_deg - 20) < 4


@pytest.mark.parametrize("place", [PIECE, TREE])
def test_the_true_sizes_are_the_likeliest(place: StackHypothesis) -> None:
    places = [StackHypothesis(251.0, 179.0, 20.0, sizes) for sizes in GUESSES]
    found = ContourFit(IdealContours(EYE, place), places, EYE).fitted(places)
    likely = {guess.sizes: float(features @ EVEN) for guess, features in found}
    assert max(likely, key=likely.__getitem__) == place.sizes


def test_levels_are_counted_beside_the_contours() -> None:
    contours = IdealContours(EYE, TREE)
    for count in range(1, 8):
        place = StackHypothesis(250, 180, 20, ("large",) * count)
        ((_, features),) = ContourFit(contours, [place], EYE).fitted([place])
        assert features.shape == (FEATURES,)
        assert features[-6:].tolist() == [*(float(min(count, 5) == k) for k in range(1, 6)), 0.0]
    lying = StackHypothesis(250, 180, 20, ("large",), True)
    ((_, features),) = ContourFit(contours, [lying], EYE).fitted([lying])
    assert features[-6:].tolist() == [0, 0, 0, 0, 0, 1.0]


def test_lines_that_a_guess_lacks_are_counted() -> None:
    contours = IdealContours(EYE, TREE)
    guesses = [TREE, StackHypothesis(250.0, 180.0, 20.0, ("large",)), StackHypothesis(250.0, 180.0, 20.0, ("medium",))]
    right, lower, smaller = (features[KINDS + 3 : KINDS + 7] for _, features in fitted_there(contours, guesses))
    assert lower[1] > right[1] + 1, "the rim of the medium one"
    assert smaller[3] > 3 * right[3], "the outline of the large one"


def fitted_there(contours: IdealContours, guesses: list[StackHypothesis]) -> list[tuple[StackHypothesis, np.ndarray]]:
    """Each by itself, so that all are looked at alike."""
    return [ContourFit(contours, [guess], EYE).fitted([guess])[0] for guess in guesses]


@pytest.mark.parametrize("turn", [3.0, 31.0, 58.0, 77.0])
def test_a_turn_is_found_from_any_other(turn: float) -> None:
    tree = StackHypothesis(250.0, 180.0, turn, ("large", "medium"))
    contours = IdealContours(EYE, tree)
    start = StackHypothesis(251.0, 180.5, 0.0, tree.sizes)
    found = ContourFit(contours, [start], EYE).turned(start)
    assert abs((found - turn + 45) % 90 - 45) < 4
    exact = ContourFit(contours, [tree], EYE).best_turn(StackHypothesis(250.0, 180.0, 0.0, tree.sizes))
    assert abs((exact - turn + 45) % 90 - 45) < 2


def test_a_place_at_the_rim_of_the_picture_can_be_weighed() -> None:
    place = StackHypothesis(-95.0, 180.0, 20.0, ("large", "medium"))
    fit = ContourFit(IdealContours(EYE, place), [place], EYE)
    assert all(np.isfinite(features).all() for _, features in fit.fitted([place, place.moved(-400, 0)]))


def test_what_stands_is_told_by_weights_of_its_own() -> None:
    features = np.zeros((3, FEATURES))
    features[:, 0], features[:, 1] = (2.0, 1.0, 0.0), (0.0, 3.0, 5.0)
    only = np.eye(FEATURES)
    weights = ContourWeights(only[0], only[1])
    lies = np.array([False, False, True])
    odds = weights.odds(np.zeros(3), features, lies)
    assert odds[1] - odds[0] == pytest.approx(3.0), "among those that stand"
    assert np.logaddexp(odds[0], odds[1]) - odds[2] == pytest.approx(np.logaddexp(2.0, 1.0)), "that one stands"
    half = weights.odds(np.zeros(3), features, lies, share=0.5)
    assert half[1] - half[0] == pytest.approx(0.5 * 3.0 - 0.5 * 1.0)
    lying = weights.odds(np.zeros(1), features[:1], np.array([True]))
    assert lying.tolist() == [2.0]


def test_however_many_guesses_there_are_each_is_moved_as_if_it_were_alone() -> None:
    """Close to the camera three looks at a tower have more places under their outlines than OpenCV takes at once."""
    tower = StackHypothesis(300.0, 200.0, 20.0, ("large",) * 3 + ("medium",) * 2 + ("small",) * 2)
    near = camera(35.0, 250.0)
    fit = ContourFit(IdealContours(near, tower), [tower], near)
    many = [tower.moved(0.01 * k, 0.0) for k in range(120)]
    sides = fit._sides(many)
    assert sum(len(one.share) for one in sides) > 2**15
    moved = fit.fitted(many)
    for k in (0, 60, 119):
        ((alone, features),) = fit.fitted([many[k]])
        assert moved[k][0] == alone
        assert moved[k][1] == pytest.approx(features)
