"""Sizes and ghosts of a table, learned from confirmed positions."""

from __future__ import annotations

from collections import Counter

import numpy as np

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from tests.vision.readers.pyramids.conftest import FromAbove
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.joint_assignment import ConfirmedShapes
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined

EVEN = np.zeros(len(PYRAMID_COLORS))
VIEW = FromAbove()
Sizes = tuple[str, ...]


def red(levels: int, likely: float) -> np.ndarray:
    logs = np.full((levels, len(PYRAMID_COLORS)), -9.0)
    logs[:, PYRAMID_COLORS.index("red")] = -likely / 1000
    return logs


def read_as(x: float, *guesses: tuple[Sizes, float]) -> FoundPieces:
    """A red thing with guesses at its sizes, the likeliest one first."""
    places = [StackHypothesis(x, 100.0, 0.0, sizes) for sizes, _ in guesses]
    rivals = tuple(
        Rival(place, chance, red(len(place.sizes), x))
        for place, (_, chance) in zip(places[1:], guesses[1:], strict=True)
    )
    return FoundPieces(places[0], guesses[0][1], rivals, (), red(len(places[0].sizes), x), *outlined(places[0], VIEW))


def reds(*sizes: str) -> Counter[Pyramid]:
    return Counter(Pyramid("red", size) for size in sizes)


def lost_level(x: float) -> FoundPieces:
    """A tree of which the reader rather sees the lowest piece alone."""
    return read_as(x, (("large",), 0.55), (("large", "small"), 0.4))


def test_levels_that_are_lost_again_and_again_are_read() -> None:
    shapes = ConfirmedShapes()
    for k in range(6):
        shapes.learn([lost_level(100.0 + k)], reds("large", "small"), EVEN)
    (one,) = shapes.applied([lost_level(300.0)], VIEW)
    assert one.place.sizes == ("large", "small")
    assert one.rivals[0].place.sizes == ("large",)


def test_one_confirmed_thing_changes_no_reading_that_is_sure() -> None:
    shapes = ConfirmedShapes()
    shapes.learn([lost_level(100.0)], reds("large", "small"), EVEN)
    (one,) = shapes.applied([read_as(300.0, (("large",), 0.9), (("large", "small"), 0.05))], VIEW)
    assert one.place.sizes == ("large",)


def test_ghosts_that_come_again_and_again_go() -> None:
    shapes = ConfirmedShapes()
    for k in range(8):
        things = [read_as(100.0 + k, (("small",), 0.6)), read_as(200.0 + k, (("large",), 0.97))]
        shapes.learn(things, reds("large"), EVEN)
    ghost, piece = read_as(300.0, (("small",), 0.5)), read_as(400.0, (("large",), 0.95))
    assert [one.place.sizes for one in shapes.applied([ghost, piece], VIEW)] == [("large",)]


def test_a_thing_that_still_stands_teaches_once() -> None:
    shapes = ConfirmedShapes()
    shapes.learn([lost_level(100.0)], reds("large", "small"), EVEN)
    before = shapes.weights.copy()
    shapes.learn([lost_level(100.0)], reds("large", "small"), EVEN)
    assert (shapes.weights == before).all()


def test_a_position_that_the_guesses_do_not_explain_teaches_nothing() -> None:
    shapes = ConfirmedShapes()
    shapes.learn([lost_level(100.0)], reds("large", "medium"), EVEN)
    shapes.learn([lost_level(100.0)], reds("large", "small", "small"), EVEN)
    assert not shapes.weights.any()


def test_without_lessons_things_stay_as_they_are() -> None:
    things = [lost_level(100.0)]
    assert ConfirmedShapes().applied(things, VIEW) == things


def test_weights_of_an_earlier_evening_count_at_once() -> None:
    first = ConfirmedShapes()
    for k in range(6):
        first.learn([lost_level(100.0 + k)], reds("large", "small"), EVEN)
    (one,) = ConfirmedShapes(first.weights.tolist()).applied([lost_level(300.0)], VIEW)
    assert one.place.sizes == ("large", "small")
