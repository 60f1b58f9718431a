"""Contours decide between guesses that the close look finds nearly as likely, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import IdealContours, camera
from vision.readers.pyramids.contours import FEATURES, KINDS, ContourWeights
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.weighing import Weighed, Weigher, joined

EYE = camera(35.0)
PIECE = StackHypothesis(250.0, 180.0, 20.0, ("medium",))
STRONG = ContourWeights(*[np.array([*np.ones(KINDS), *np.zeros(FEATURES - KINDS)])] * 2)
"""All that the net says of lines and inside counts alike."""

TWICE = ContourWeights(2 * STRONG.whole, 2 * STRONG.standing)
NOTHING = ContourWeights(*np.zeros((2, FEATURES)))


def guesses(*odds: float) -> Weighed:
    places = tuple(StackHypothesis(251.0, 179.0, 20.0, (size,)) for size in ("large", "medium", "small"))
    lying = StackHypothesis(250.0, 180.0, 20.0, ("large",), True)
    return weighed((*places, lying), *odds)


def weighed(places: tuple[StackHypothesis, ...], *odds: float, named: tuple[float, ...] = ()) -> Weighed:
    """Guesses with the odds that outlines give them; the close look finds all alike if it says nothing else."""
    return Weighed(places, np.array(odds), np.array(named or (0.0,) * len(odds)), 0.9)


def test_of_two_likely_guesses_that_with_contours_wins() -> None:
    places, share = Weigher(IdealContours(EYE, PIECE), STRONG)(guesses(0.0, -0.5, -9.0, -1.0), EYE)
    assert int(np.argmax(share)) == 1
    assert share.sum() == pytest.approx(0.9), "how probable it is that something is there stays"
    assert np.hypot(places[1].x_mm - 250, places[1].y_mm - 180) < 1.5, "and its place is that of its contours"


def test_what_is_ruled_out_before_contours_are_looked_at_stays_out() -> None:
    _, share = Weigher(IdealContours(EYE, PIECE), STRONG)(guesses(0.0, -16.0, -17.0, -17.0), EYE)
    assert int(np.argmax(share)) == 0
    assert share[1] == pytest.approx(share[0] * np.exp(-16.0))


def test_what_the_close_look_finds_far_less_likely_needs_more_contours() -> None:
    places = tuple(StackHypothesis(251.0, 179.0, 20.0, (size,)) for size in ("large", "medium"))
    weigher = Weigher(IdealContours(EYE, PIECE), NOTHING)

    def odds(behind: float) -> float:
        _, share = weigher(weighed(places, 0.0, -behind, named=(0.0, -behind)), EYE)
        return float(np.log(share[0] / share[1]))

    assert odds(2.0) == pytest.approx(0.2), "what it doubts itself is left to contours"
    assert odds(10.0) == pytest.approx(0.6 + 2.0), "what it excludes is not"


def test_contours_also_tell_a_standing_piece_from_one_that_lies() -> None:
    _, share = Weigher(IdealContours(EYE, PIECE), TWICE)(guesses(-0.5, 0.0, -9.0, 0.5), EYE)
    assert int(np.argmax(share)) == 1
    lying = StackHypothesis(250.0, 180.0, 20.0, ("medium",), True)
    places = (StackHypothesis(250.0, 180.0, 20.0, ("large",)), lying)
    _, share = Weigher(IdealContours(EYE, lying), TWICE)(weighed(places, 0.5, 0.0), EYE)
    assert int(np.argmax(share)) == 1


def test_that_something_stands_is_seen_by_contours_alone() -> None:
    weigher = Weigher(IdealContours(EYE, PIECE), STRONG)
    assert weigher.seen(PIECE, EYE) > 3.0
    assert weigher.seen(PIECE, EYE) > weigher.seen(PIECE.moved(60.0, 0.0), EYE) + 3.0, "nothing is seen there"


def test_looks_at_one_thing_are_weighed_together() -> None:
    """The first look was taken beside the piece, where its own guesses fit badly."""
    beside = weighed((StackHypothesis(240.0, 170.0, 20.0, ("medium",), True),), 0.5, named=(0.0,))
    there = guesses(-9.0, 0.0, -9.0, -9.0)
    both = joined([beside, there])
    places, share = Weigher(IdealContours(EYE, PIECE), TWICE)(both, EYE)
    assert len(places) == 5
    assert (places[int(np.argmax(share))].sizes, places[int(np.argmax(share))].lies) == (("medium",), False)
    assert both.something == 0.9


def test_weights_of_nothing_change_nothing() -> None:
    before = guesses(0.0, -0.5, -1.0, -19.0)
    _, share = Weigher(IdealContours(EYE, PIECE), NOTHING)(before, EYE)
    odds = np.exp(before.logs)
    assert share == pytest.approx(0.9 * odds / odds.sum())
