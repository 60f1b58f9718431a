"""Bands choose between the guesses at a place, and colors; what lies, and whether anything is there, they leave."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import MAT, SIZE_PX, camera
from vision.readers.pyramids.bands import Banded, GuessedStack, by_bands
from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, WIDTH, CloseupShown
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import sheet_of

EYE = camera(40.0)
SHEET = sheet_of(EYE, MAT, SIZE_PX)
WIDE, HIGH = SHEET.size
NOTHING = CloseupShown(
    np.zeros((HIGH, WIDE, 3), np.float32), np.zeros((HIGH, WIDE, 3), np.float32), np.zeros((HIGH, WIDE))
)
ONE = StackHypothesis(300.0, 200.0, 20.0, ("large",))
TWO = StackHypothesis(300.0, 200.0, 20.0, ("large", "medium"))
LIES = StackHypothesis(300.0, 200.0, 20.0, ("large",), True)


class Told:
    """Bands that say of each number of levels how well it fits, and one color of every level."""

    def __init__(self, fits: dict[int, float], color: int = 3) -> None:
        self.fits, self.color = fits, color
        self.asked: list[GuessedStack] = []

    def __call__(self, closeups: np.ndarray, stacks: Sequence[Sequence[GuessedStack]]) -> list[list[Banded]]:
        assert closeups.shape[1:] == (CHANNELS, HEIGHT, WIDTH)
        self.asked += [one for some in stacks for one in some]
        return [[self._one(one) for one in some] for some in stacks]

    def _one(self, stack: GuessedStack) -> Banded:
        color_logs = np.full((len(stack.sizes), 10), -6.0)
        color_logs[:, self.color] = 0
        return Banded(color_logs, self.fits[len(stack.sizes)])


def found(place: StackHypothesis, chance: float, *others: tuple[StackHypothesis, float]) -> FoundPieces:
    rivals = tuple(Rival(one, other, np.zeros((len(one.sizes), 10))) for one, other in others)
    return FoundPieces(place, chance, rivals, (), np.zeros((len(place.sizes), 10)), *outlined(place, EYE))


def test_the_guess_whose_bands_fit_wins() -> None:
    (now,) = by_bands([found(ONE, 0.7, (TWO, 0.2))], NOTHING, SHEET, EYE, Told({1: 0.0, 2: 4.0}))
    assert now.place == TWO
    assert now.rivals[0].place == ONE
    assert now.confidence + now.rivals[0].confidence == pytest.approx(0.9), "that something stands there stays as sure"
    assert now.outline_px.shape == (2, 5, 2)


def test_bands_that_say_nothing_change_no_size() -> None:
    before = found(ONE, 0.7, (TWO, 0.2))
    (now,) = by_bands([before], NOTHING, SHEET, EYE, Told({1: 1.5, 2: 1.5}))
    assert now.place == ONE
    assert now.confidence == pytest.approx(0.7)


def test_bands_tell_colors() -> None:
    (now,) = by_bands([found(TWO, 0.9)], NOTHING, SHEET, EYE, Told({2: 0.0}, color=7))
    assert now.color_logs.argmax(axis=1).tolist() == [7, 7]


def test_what_lies_is_left_as_it_is() -> None:
    told = Told({1: 9.0})
    lies = found(LIES, 0.8, (ONE, 0.1))
    assert by_bands([lies], NOTHING, SHEET, EYE, told) == [lies]
    assert not told.asked
    (now,) = by_bands([found(ONE, 0.6, (LIES, 0.3))], NOTHING, SHEET, EYE, told)
    assert [rival.place.lies for rival in now.rivals] == [True]
    assert now.rivals[0].confidence == pytest.approx(0.3)


def test_outlines_come_to_the_place_of_the_closeup() -> None:
    told = Told({1: 0.0})
    by_bands([found(ONE, 0.9)], NOTHING, SHEET, EYE, told)
    (asked,) = told.asked
    foot = asked.outline[0, :4].mean(axis=0)
    assert np.abs(foot - (47.5, 95.5)).max() < 1.5
    assert asked.outline[0, 4, 1] < foot[1], "its tip is above"
