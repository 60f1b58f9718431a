"""Cells point at the middle of their piece's base; many that agree are a thing."""

from __future__ import annotations

import numpy as np

from tests.vision.pyramids.cells.ideal import MAT, answers, camera, lying, standing
from vision.pyramids.cells.votes import peaks, votes_of


def test_all_levels_of_a_stack_point_at_one_place() -> None:
    eye = camera(45.0)
    told, sheet = answers([standing(200, 150, "red large", "blue medium", "green small")], eye)
    votes = votes_of(told, sheet, eye)
    sure = votes.weight > 0.9
    assert np.abs(votes.place_mm[sure] - (200, 150)).max() < 1.0
    (peak,) = peaks(votes, MAT)
    assert len(peak.members) == sure.sum()


def test_what_lies_is_told_from_what_stands() -> None:
    eye = camera()
    told, sheet = answers([standing(200, 150, "red large"), lying(300, 250, 30.0, "red large")], eye)
    assert sorted(peak.lies for peak in peaks(votes_of(told, sheet, eye), MAT)) == [False, True]


def test_a_table_without_plastic_has_no_votes() -> None:
    eye = camera()
    told, sheet = answers([], eye)
    votes = votes_of(told, sheet, eye)
    assert len(votes.rows) == 0
    assert peaks(votes, MAT) == []


def test_a_few_cells_are_no_thing() -> None:
    eye = camera()
    told, sheet = answers([], eye)
    told.plastic[100, 100:105] = 4.0
    assert peaks(votes_of(told, sheet, eye), MAT) == []
