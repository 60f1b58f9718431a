"""Cells point at a place of the table; many that agree are a thing."""

from __future__ import annotations

import numpy as np

from tests.vision.readers.pyramids.ideal import MAT, answers, camera, lying, standing
from vision.readers.pyramids.cells import peaks, votes_of


def test_all_levels_of_a_stack_point_at_one_place() -> None:
    eye = camera(45.0)
    told, sheet = answers([standing(200, 150, "red large", "blue medium", "green small")], eye)
    votes = votes_of(told, sheet, eye)
    sure = votes.weight > 0.9
    assert np.abs(votes.place_mm[sure] - (200, 150)).max() < 1.0
    (peak,) = peaks(votes, MAT)
    assert abs(peak.x_mm - 200) < 1
    assert abs(peak.y_mm - 150) < 1


def test_what_lies_is_found_like_what_stands() -> None:
    eye = camera()
    told, sheet = answers([standing(200, 150, "red large"), lying(300, 250, 30.0, "red large")], eye)
    found = sorted((round(peak.x_mm), round(peak.y_mm)) for peak in peaks(votes_of(told, sheet, eye), MAT))
    assert found == [(200, 150), (300, 250)]


def test_pieces_that_touch_are_two() -> None:
    eye = camera(45.0)
    told, sheet = answers([standing(300, 200, "red large", yaw=0.0), standing(318, 200, "red small", yaw=0.0)], eye)
    assert len(peaks(votes_of(told, sheet, eye), MAT)) == 2


def test_a_table_without_plastic_has_no_votes() -> None:
    eye = camera()
    told, sheet = answers([], eye)
    votes = votes_of(told, sheet, eye)
    assert len(votes.weight) == 0
    assert peaks(votes, MAT) == []


def test_a_few_cells_are_no_thing() -> None:
    eye = camera()
    told, sheet = answers([], eye)
    told.plastic[100, 100:104] = 4.0
    assert peaks(votes_of(told, sheet, eye), MAT) == []


def test_beside_the_empty_table_a_thing_needs_more_cells() -> None:
    eye = camera(45.0)
    told, sheet = answers([standing(200, 150, "red small")], eye)
    rows, columns = np.nonzero(told.plastic > 0)
    hidden = rows >= rows.min() + 5
    told.plastic[rows[hidden], columns[hidden]] = -6.0
    votes = votes_of(told, sheet, eye)
    assert 5 < votes.weight.sum() < 12
    assert len(peaks(votes, MAT)) == 1
    assert peaks(votes, MAT, beside=True) == []
