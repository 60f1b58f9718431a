"""Tiles: each edge by color, letter and pattern, readable by everybody."""

from __future__ import annotations

import math

import pytest

from companion.core.pieces import TILES, EdgeColor, Tile
from web.scene.pieces.tiles import COLOR_NAMES, HEIGHT_MM, PAINTS, SIDE_MM, corners, edges, patterns, spoken, tile


def luminance(color: str) -> float:
    """Relative luminance of WCAG 2."""
    digits = color.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("letter", [color.value for color in EdgeColor])
def test_every_letter_stands_out_from_its_color(letter: str) -> None:
    assert contrast(PAINTS[letter].fill, PAINTS[letter].ink) >= 4.5


def test_every_color_has_a_pattern_of_its_own() -> None:
    strokes = [(paint.strokes, paint.turn_deg) for paint in PAINTS.values()]
    assert set(PAINTS) == set(COLOR_NAMES)
    assert len(set(strokes)) == len(strokes)


def test_a_tile_shows_three_letters_and_its_value() -> None:
    drawn = tile(Tile("R", "G", "B", 3), True, "t")
    letters = [shape.children[0] for shape in drawn.walk() if shape.tag == "text"]
    assert letters == ["R", "G", "B", "3"]
    fills = {shape.get("fill") for shape in drawn.walk() if shape.get("class") == "pattern"}
    assert fills == {"url(#t-R)", "url(#t-G)", "url(#t-B)"}


def test_only_the_patterns_that_are_needed_are_defined() -> None:
    assert [one.get("id") for one in patterns("t", "RRW").walk() if one.tag == "pattern"] == ["t-R"]


@pytest.mark.parametrize("up", [True, False])
def test_edges_lie_where_their_names_say(up: bool) -> None:
    tip = corners(up)[0]
    assert math.isclose(abs(tip[1]), 2 / 3 * HEIGHT_MM) and (tip[1] < 0) is up
    middle = {name: ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for name, (a, b) in edges(up).items()}
    assert middle["left"][0] < 0 < middle["right"][0]
    assert math.isclose(middle["flat"][0], 0, abs_tol=1e-9) and (middle["flat"][1] > 0) is up
    for one, other in edges(up).values():
        assert math.isclose(math.dist(one, other), SIDE_MM)


def test_tiles_in_words() -> None:
    assert spoken(Tile("R", "G", "B", 3)) == "left red, right green, flat blue, value 3"
    assert spoken(Tile("R", "G", "B", 3), lies=False) == "red green blue, value 3"
    assert spoken(Tile("W", "W", "W", 1)) == "white joker, value 1"
    assert spoken(Tile("P", "P", "P", 6)) == "purple on all edges, value 6"
    assert len({spoken(one, lies=False) for one in TILES}) == 36
