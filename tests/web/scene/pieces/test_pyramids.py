"""Pyramids: each by color, letter, pattern, pips and size, so that everybody can tell them apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, SHAPES, Pyramid, Rock
from tests.web.scene.pieces.test_tiles import contrast
from web.scene.pieces import pyramids
from web.scene.pieces.pyramids import CODES, LETTERS, PAINTS, code, feet, outline, pyramid, single, stack, stack_height

RED, ORANGE = Pyramid("red", "large"), Pyramid("orange", "medium")


def test_every_piece_has_a_code_of_its_own() -> None:
    assert len(CODES) == len(PYRAMID_COLORS) * len(PYRAMID_SIZES) == 30
    assert code(RED) == "R3" and code(Pyramid("black", "small")) == "K1" and code(Pyramid("cyan", "medium")) == "C2"
    assert all(code(piece) == letters for letters, piece in CODES.items())
    assert len(set(LETTERS.values())) == len(PYRAMID_COLORS)


@pytest.mark.parametrize("color", PYRAMID_COLORS)
def test_every_letter_stands_out_from_its_color(color: str) -> None:
    assert contrast(PAINTS[color].fill, PAINTS[color].ink) >= 4.5


def test_no_two_colors_have_letter_or_pattern_in_common_but_the_plain_black_and_white() -> None:
    patterns = {color: (paint.turns_deg, paint.dotted, paint.gap_mm) for color, paint in PAINTS.items()}
    for one, other in combinations(PYRAMID_COLORS, 2):
        assert patterns[one] != patterns[other] or {one, other} == {"black", "white"}, (one, other)
    assert contrast(PAINTS["black"].fill, PAINTS["white"].fill) > 10


@pytest.mark.parametrize(
    ("secondary", "one", "other"), [("orange", "red", "yellow"), ("green", "yellow", "blue"), ("purple", "blue", "red")]
)
def test_spa_3_a_secondary_has_the_patterns_of_its_primaries(secondary: str, one: str, other: str) -> None:
    assert set(PAINTS[secondary].turns_deg) == {*PAINTS[one].turns_deg, *PAINTS[other].turns_deg}


@pytest.mark.parametrize("size", PYRAMID_SIZES)
def test_a_piece_shows_its_letter_and_its_pips(size: str) -> None:
    drawn = pyramid(Pyramid("green", size), (0.0, 0.0))
    assert [one.children for one in drawn.walk() if one.tag == "text"] == [("G",)]
    assert sum(one.get("class") == "pip" for one in drawn.walk()) == SHAPES[size].pips
    (tip_x, tip_y), (right, foot), (left, _) = outline(Pyramid("green", size), (0.0, 0.0))
    assert (tip_x, -tip_y, foot) == (0.0, SHAPES[size].height_mm, 0.0)
    assert right - left == pytest.approx(SHAPES[size].base_mm)


def test_nothing_is_drawn_by_reference_so_a_picture_may_stand_twice_on_a_page() -> None:
    for piece in CODES.values():
        assert all(one.get("id") is None and "url" not in (one.get("fill") or "") for one in single((piece,)).walk())


def test_smaller_pieces_stand_as_high_on_larger_ones_as_in_truth() -> None:
    high = list(feet((RED, ORANGE, Pyramid("yellow", "small"))))
    assert high == pytest.approx([0.0, 44.5 + 7.5 - 34.7, 44.5 + 15 - 25.0])


def test_equal_sizes_are_drawn_far_enough_apart_for_their_letters() -> None:
    assert list(feet((RED, RED, RED))) == [0.0, 15.0, 30.0]
    assert stack_height((RED,) * 6) == 75 + 44.5
    assert stack_height(()) == 0.0


def test_a_piece_on_trial_stands_on_top() -> None:
    drawn = stack((RED,), (0.0, 0.0), ghost=ORANGE)
    kinds = [one.get("class") for one in drawn.children if not isinstance(one, str)]
    assert kinds == ["pyramid", "ghost"]


def test_rocks_have_the_letter_of_their_color() -> None:
    for color in ("red", "cyan", "purple"):
        drawn = pyramids.single_rock(Rock(color))
        assert [one.children for one in drawn.walk() if one.tag == "text"] == [(LETTERS[color],)]
