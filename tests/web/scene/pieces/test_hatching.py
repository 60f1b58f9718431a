"""Patterns that are cut to the outline: no id, no definition, nothing outside."""

from __future__ import annotations

import re

import pytest

from web.scene.pieces.hatching import dots, lines

SQUARE = [(1.0, 1.0), (11.0, 1.0), (11.0, 11.0), (1.0, 11.0)]
TRIANGLE = [(0.0, -44.5), (12.7, 0.0), (-12.7, 0.0)]
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def ends(path: str) -> list[list[float]]:
    """Both ends of every line of a path."""
    return [[float(number) for number in _NUMBER.findall(part)] for part in path.split("M")[1:]]


def test_level_lines_cross_a_square_from_side_to_side() -> None:
    assert [sorted((one[0], one[2])) for one in ends(lines(SQUARE, 0, 4))] == [pytest.approx([1, 11])] * 2
    assert [one[1] for one in ends(lines(SQUARE, 0, 4))] == [4, 8]


def test_upright_lines_do_too() -> None:
    assert [sorted((one[1], one[3])) for one in ends(lines(SQUARE, 90, 4))] == [pytest.approx([1, 11])] * 2


@pytest.mark.parametrize("turn_deg", [0, 45, 90, -60, 60])
def test_no_line_leaves_a_triangle(turn_deg: float) -> None:
    found = ends(lines(TRIANGLE, turn_deg, 3.4))
    assert len(found) >= 6
    for x0, y0, x1, y1 in found:
        for x, y in ((x0, y0), (x1, y1)):
            assert -44.51 <= y <= 0.01 and abs(x) <= 12.7 * (1 + y / 44.5) + 0.02


def test_dots_lie_within() -> None:
    found = [tuple(map(float, part.split("h")[0].split())) for part in dots(TRIANGLE, 3.2).split("M")[1:]]
    assert len(found) > 20
    assert all(-44.5 < y < 0 and abs(x) < 12.7 * (1 + y / 44.5) for x, y in found)
