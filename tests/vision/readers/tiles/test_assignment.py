"""Each tile once: marginals and the best whole reading, against counting every assignment."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from vision.readers.tiles.cells import best_reading, marginals


def counted(log_odds: np.ndarray) -> tuple[np.ndarray, tuple[int, ...]]:
    """Exact marginals and the best assignment, by going through all of them."""
    places, tiles = log_odds.shape
    share, total, best = np.zeros((places, tiles)), 0.0, (-np.inf, ())
    for choice in product(range(-1, tiles), repeat=places):
        used = [tile for tile in choice if tile >= 0]
        if len(set(used)) < len(used):
            continue
        score = sum(log_odds[place, tile] for place, tile in enumerate(choice) if tile >= 0)
        total += np.exp(score)
        for place, tile in enumerate(choice):
            if tile >= 0:
                share[place, tile] += np.exp(score)
        best = max(best, (score, choice))
    return share / total, best[1]


@pytest.mark.parametrize("seed", range(5))
def test_the_best_reading_is_the_best_of_all(seed: int) -> None:
    odds = np.random.default_rng(seed).normal(0, 3, (4, 5))
    assert tuple(best_reading(odds)) == counted(odds)[1]


@pytest.mark.parametrize("seed", range(5))
def test_marginals_come_close_to_the_exact_ones(seed: int) -> None:
    odds = np.random.default_rng(seed).normal(0, 3, (4, 5))
    exact, _ = counted(odds)
    assert np.abs(marginals(odds) - exact).max() < 0.08


def test_a_tile_that_fits_two_places_goes_where_the_other_has_no_choice() -> None:
    odds = np.array([[5.0, 4.0], [5.0, -9.0]])
    assert tuple(best_reading(odds)) == (1, 0)
    share = marginals(odds)
    assert share[0, 1] > 0.9 and share[1, 0] > 0.9


def test_nothing_is_read_from_no_places() -> None:
    assert marginals(np.zeros((0, 36))).shape == (0, 36)
    assert best_reading(np.zeros((0, 36))).shape == (0,)


def test_what_no_tile_explains_stays_empty() -> None:
    assert tuple(best_reading(np.full((3, 4), -2.0))) == (-1, -1, -1)
