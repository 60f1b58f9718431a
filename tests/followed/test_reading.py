"""The confidences of made-up eyes."""

from __future__ import annotations

from math import prod

import pytest

from companion.core.pieces import Pyramid, Stack
from simulation.drawn.standing import Upright
from simulation.followed.reading import EMPTY_CELL, EXACT, KNOWN, Sharpness

COLORS = ("red", "orange", "blue")
TOWER = (Pyramid("red", "large"), Pyramid("red", "medium"), Pyramid("red", "small"), Pyramid("red", "small"))
"""A stack whose top stays the same with a level less."""


def sharpness(seed: int) -> Sharpness:
    return Sharpness(seed, EXACT, KNOWN, COLORS)


def test_exact_eyes_never_err_however_much_they_doubt() -> None:
    doubted = 0
    for seed in range(2000):
        read = sharpness(seed).read(Upright(TOWER, 100.0, 100.0), "1 1")
        assert tuple(level.piece for level in read.levels) == TOWER
        sure = min(level.confidence for level in read.levels)
        assert all(rival.probability <= sure for rival in read.rivals)
        doubted += sure < 0.5
    assert doubted > 0, "no tower was doubted by more than a half"


def test_a_top_is_as_likely_as_all_stacks_together_that_have_it() -> None:
    rivals = 0
    for seed in range(500):
        eyes, tower = sharpness(seed), Upright(TOWER, 100.0, 100.0)
        read, cell = eyes.read(tower, "1 1"), eyes.read_cell("c1", tower, "1 1")
        assert cell.piece == TOWER[-1]
        for rival in read.rivals:
            assert isinstance(rival.piece, Stack)
            if rival.piece.pieces[-1] == TOWER[-1]:
                rivals += 1
                assert cell.confidence == pytest.approx(prod(one.confidence for one in read.levels) + rival.probability)
    assert rivals > 0, "no stack had a rival"


def test_an_empty_cell_reads_as_the_reader_tells_one() -> None:
    assert sharpness(0).read_cell("c1", None, "1 1") == EMPTY_CELL
