"""Bands are what is seen of each level, and nothing that a higher one hides."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readers.pyramids.bands import COLUMNS, FACTS, ROWS, bands, facts, painted
from vision.readers.pyramids.closeup import HEIGHT, LEVELS, WIDTH

LOW = np.array([(20, 100), (60, 100), (60, 120), (20, 120), (40, 60)], float)
HIGH = LOW - (0, 20)
TWO = np.stack([LOW, HIGH])


def test_a_higher_piece_hides_what_is_behind_it() -> None:
    seen = painted(TWO)
    assert seen.shape == (HEIGHT, WIDTH)
    assert seen[118, 40] == 1, "the rim of the lower piece"
    assert seen[90, 40] == 2
    assert (painted(TWO[:1]) == 1).sum() > (seen == 1).sum()


def test_shares_of_bands_add_up_to_what_is_covered() -> None:
    seen = painted(TWO)
    found = bands(seen, 2)
    assert found.shape == (LEVELS + 1, ROWS, COLUMNS)
    assert 4 * found[0].sum() == (seen == 1).sum()
    assert 4 * found[1].sum() == (seen == 2).sum()
    assert not found[2:LEVELS].any()


def test_the_ring_is_beside_all_bands() -> None:
    found = bands(painted(TWO), 2)
    ring = found[LEVELS] > 0
    assert ring.any()
    assert (found[:2].sum(axis=0)[ring] <= 0.3).all()


def test_facts_say_size_and_rank_of_each_level() -> None:
    shares = bands(painted(TWO), 2)
    known = facts(("large", "small"), shares, 0.4)
    assert known.shape == (LEVELS, FACTS)
    assert known[0].tolist() == pytest.approx([1, 0, 0, 0, 1 / 6, np.log1p(shares[0].sum()), 0.4, 1])
    assert known[1].tolist() == pytest.approx([0, 0, 1, 1 / 6, 0, np.log1p(shares[1].sum()), 0.4, 1])
    assert not known[2:].any()
