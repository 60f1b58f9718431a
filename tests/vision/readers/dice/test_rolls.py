"""Which dice were rolled: what lies elsewhere or turned was, what was pushed or misread was not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.layout import Detection
from companion.core.pieces import Die
from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.outline import DiePlace
from vision.readers.dice.reader import SeenDie
from vision.readers.dice.solids import CUBE, DODECAHEDRON
from vision.readers.dice.zones import TrayMemory, rolls


def die(face: Any, x: float, y: float, yaw: float = 10.0, kind: Any = "spectrum-d6") -> SeenDie:
    solid = DODECAHEDRON if kind == "spectrum-d12" else CUBE
    place = DiePlace(x, y, yaw, 0.9)
    return SeenDie(Detection.sure(Die(kind, face)), place, DieCandidate(solid, place, (), None))


RED, BLUE, GREEN = die("red", 40, 40), die("blue", 80, 40), die("green", 120, 40)


def test_dice_that_nobody_touched_are_kept_in_whatever_order_they_are_read() -> None:
    found = rolls((RED, BLUE, GREEN), (GREEN, RED, BLUE))
    assert found.kept == ((0, 1), (1, 2), (2, 0))
    assert found.rolled == found.lifted == ()


def test_a_die_elsewhere_was_rolled_even_with_the_same_face() -> None:
    found = rolls((RED, BLUE), (RED, die("blue", 150, 90)))
    assert found.kept == ((0, 0),) and found.rolled == (1,) and found.lifted == (1,)


@pytest.mark.parametrize("x, yaw, rolled", [(85.0, 10.0, ()), (80.5, 28.0, ()), (90.0, 10.0, (0,)), (80.0, 40.0, (0,))])
def test_a_push_is_no_roll_and_a_turn_is(x: float, yaw: float, rolled: tuple[int, ...]) -> None:
    assert rolls((BLUE,), (die("blue", x, 40, yaw),)).rolled == rolled


def test_turns_are_counted_modulo_the_shape() -> None:
    assert rolls((die("red", 40, 40, 1.0),), (die("red", 40, 40, 89.0),)).rolled == ()
    before, now = (die("red", 40, 40, yaw, "spectrum-d12") for yaw in (1.0, 71.0))
    assert rolls((before,), (now,)).rolled == ()


def test_another_face_at_the_very_same_place_is_a_die_misread_and_one_nearby_is_rolled() -> None:
    assert rolls((RED,), (die("orange", 40.8, 40.5, 12.0),)).rolled == ()
    assert rolls((RED,), (die("orange", 45, 40),)).rolled == (0,)
    assert rolls((RED,), (die("red", 40, 40, 10, "spectrum-d12"),)).rolled == (0,)


def test_two_alike_that_were_pushed_together_keep_their_own() -> None:
    one, other = die("red", 40, 40), die("red", 46, 40)
    assert rolls((one, other), (die("red", 39, 40), die("red", 45, 40))).kept == ((0, 0), (1, 1))


def test_a_memory_says_nothing_before_game_and_table_agreed() -> None:
    memory = TrayMemory()
    assert memory.moved((RED, BLUE)) is None
    memory.confirm_position()
    assert memory.moved((RED, BLUE)) == ()


def test_what_was_rolled_stays_told_until_the_game_takes_it() -> None:
    memory = TrayMemory()
    memory.moved((RED, BLUE, GREEN))
    memory.confirm_position()
    assert memory.moved((RED,)) == (), "two are in the hand"
    first, second = die("orange", 150, 90), die("green", 60, 120)
    assert memory.moved((RED, first)) == (first,), "one has fallen"
    for _ in range(2):
        assert memory.moved((RED, first, second)) == (first, second)
    memory.confirm_position()
    assert memory.moved((RED, first, second)) == ()
