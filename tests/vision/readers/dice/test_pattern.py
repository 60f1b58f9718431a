"""Squares of a cloth are no dice; what lies on them is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bench import strange_tables
from bench.strange_tables import TableCase, TableChange, best, made
from vision.domains import DOMAINS
from vision.readers.dice.candidates import LEVEL_MM, candidates
from vision.readers.dice.choice import FaceChance, chances
from vision.readers.dice.palette import learned
from vision.readers.dice.plane import tray_plane
from vision.readers.dice.reader import squares_of_cloth
from vision.registration.registered_image import RegisteredImage, find_table

DATA = Path(__file__).parents[3] / "data" / "dice"


def case(name: str) -> TableCase:
    return strange_tables.case("dice", DATA / f"{name}.json")


def on(one: TableCase, cloth: str) -> RegisteredImage:
    return find_table(made(one, TableChange(cloth)), one.table.mat, one.corners_px)


def likely(table: RegisteredImage) -> list[FaceChance]:
    return chances(table, candidates(table, tray_plane(table, LEVEL_MM)), learned())


def at_a_die(chance: FaceChance, label: Sequence[dict[str, float]]) -> bool:
    place = chance.candidate.place
    return any(abs(place.x_mm - die["x"]) + abs(place.y_mm - die["y"]) < 6 for die in label)


@pytest.mark.parametrize("name", ["dice-0016", pytest.param("dice-0026", marks=pytest.mark.sweep)])
def test_squares_are_told_from_the_dice_among_them(name: str) -> None:
    one = case(name)
    table = on(one, "red gingham")
    ranked = likely(table)
    squares = squares_of_cloth(table, ranked)
    dice = one.label["truth"]["dice"]
    assert not any(at_a_die(square, dice) for square in squares)
    wrong = [chance for chance in ranked if chance.log_odds > 0 and not at_a_die(chance, dice)]
    left = [chance for chance in wrong if all(chance is not square for square in squares)]
    assert len(wrong) >= 3, "without the question squares are taken for dice here"
    assert len(left) <= len(wrong) // 3


@pytest.mark.parametrize("name", ["dice-0026", pytest.param("dice-0016", marks=pytest.mark.sweep)])
def test_on_plain_trays_nothing_is_a_square_of_a_cloth(name: str) -> None:
    table = case(name).table
    assert squares_of_cloth(table, likely(table)) == []


@pytest.mark.parametrize(
    ("name", "cloth"),
    [
        ("dice-0003", "green cloth"),
        pytest.param("dice-0020", "green cloth", marks=pytest.mark.sweep),
        pytest.param("dice-0003", "purple cloth", marks=pytest.mark.sweep),
        pytest.param("dice-0020", "purple cloth", marks=pytest.mark.sweep),
    ],
)
def test_dice_on_a_cloth_of_their_color_are_no_squares(name: str, cloth: str) -> None:
    table = on(case(name), cloth)
    assert squares_of_cloth(table, likely(table)) == []


def test_stripes_are_no_dice() -> None:
    one = case("dice-0016")
    got, _ = best("dice", one.label["truth"], DOMAINS["dice"](on(one, "yellow and blue stripes")))
    assert got.right == got.wanted == got.given
