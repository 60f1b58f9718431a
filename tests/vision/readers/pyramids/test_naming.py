"""Only stacks that can be built are weighed, and probabilities add up."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readers.pyramids.closeup import LEVELS, named

STANDS, LIES = 1, 2
L, M, S, NONE = range(4)


def told(kind: int, *sizes: int) -> np.ndarray:
    """A net's sure answer."""
    kinds = np.zeros(3)
    kinds[kind] = 8.0
    levels = np.zeros((LEVELS, 4))
    for level in range(LEVELS):
        levels[level, sizes[level] if level < len(sizes) else NONE] = 8.0
    return np.concatenate([kinds, levels.ravel(), np.zeros(LEVELS * 10), [0.5, -0.25, 0.0, 1.0]])


def test_a_sure_answer_is_read_off() -> None:
    found = named(told(STANDS, L, M, S))
    assert found.guesses[0].sizes == ("large", "medium", "small")
    assert not found.guesses[0].lies
    assert found.guesses[0].probability > 0.98
    assert found.shift_px == pytest.approx((2.0, -1.0))


def test_a_piece_that_lies_has_one_level() -> None:
    found = named(told(LIES, M))
    assert (found.guesses[0].sizes, found.guesses[0].lies) == (("medium",), True)


def test_no_piece_is_larger_than_the_one_below_it() -> None:
    for guess in named(told(STANDS, S, L), most=200).guesses:
        order = [("large", "medium", "small").index(size) for size in guess.sizes]
        assert order == sorted(order)


def test_all_probabilities_are_one_with_nothing() -> None:
    answer = told(STANDS, L)
    answer[:3] = (1.0, 2.0, 0.5)
    found = named(answer, most=500)
    share = np.exp(answer[:3]) / np.exp(answer[:3]).sum()
    assert sum(guess.probability for guess in found.guesses) == pytest.approx(1 - share[0], abs=1e-6)
