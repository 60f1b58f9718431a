"""Rolls of color dice: written and read, counted, and read from a tray."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import BadNotation
from companion.core.layout import Candidate, Detection
from companion.core.pieces import WHEEL, Die, Pawn
from companion.games.shared.color_dice import (
    D6,
    D12,
    PLACE,
    SIX,
    TWELVE,
    die,
    is_roll_of,
    outcomes,
    parse,
    plain,
    readings,
    text,
)


def test_a_d6_shows_primaries_and_a_d12_all_colors() -> None:
    assert [one.face for one in SIX if one is not None] == list(WHEEL[::2])
    assert [one.face for one in TWELVE] == list(WHEEL)
    assert len(PLACE) == 18 and PLACE[Die(D12, "purple-red")] == 11
    assert die(D6, 2) == Die(D6, "orange")
    with pytest.raises(KeyError):
        die(D6, 1)


def test_a_roll_is_written_in_its_order() -> None:
    faces = (Die(D6, "red"), Die(D6, "blue"), Die(D12, "red-orange"), Die(D6, "red"))
    assert text(faces) == "d6 red blue, d12 red-orange, d6 red"
    assert parse(text(faces)) == faces
    assert plain("d6 red") == {"type": "die", "kind": D6, "face": "red"}
    assert plain({"kind": D6, "face": "red"})["type"] == "die" and plain(7) == 7


@pytest.mark.parametrize("words", ["", "red", "d6", "d8 red", "d6 red-orange", "d12 pink", "d6 red,d12 red", "d6  red"])
def test_what_is_no_roll(words: str) -> None:
    with pytest.raises(BadNotation):
        parse(words)


def test_which_dice_were_rolled() -> None:
    assert is_roll_of((TWELVE[1], Die(D6, "red")), (D6, D12))
    assert not is_roll_of((TWELVE[1], TWELVE[0]), (D6, D12))
    assert not is_roll_of((Die(D6, "red-orange"), TWELVE[0]), (D6, D12))


@pytest.mark.parametrize(("kind", "count", "different"), [(D6, 4, 126), (D12, 2, 78), (D12, 0, 1)])
def test_rolls_in_any_order_and_how_often_they_fall(kind: str, count: int, different: int) -> None:
    found = list(outcomes(kind, count))
    assert len({faces for faces, _ in found}) == len(found) == different
    assert sum(ways for _, ways in found) == {D6: 6, D12: 12}[kind] ** count


def test_a_heap_is_a_roll_only_if_every_die_lies_there() -> None:
    sure = [Detection.sure(TWELVE[0]), Detection.sure(Die(D6, "red"))]
    assert list(readings(sure, (D6, D12))) == [(TWELVE[0], Die(D6, "red"))]
    assert not list(readings(sure, (D6, D6))) and not list(readings(sure[:1], (D6, D12)))
    assert not list(readings([Detection.sure(Pawn("red"))], (D6,)))


def test_a_doubtful_die_is_read_both_ways() -> None:
    doubtful = Detection((Candidate(TWELVE[0], 0.6), Candidate(TWELVE[1], 0.3)))
    faint = Detection((Candidate(TWELVE[4], 0.97), Candidate(TWELVE[5], 0.01)))
    found = list(readings([doubtful, faint], (D12, D12)))
    assert found == [(TWELVE[0], TWELVE[4]), (TWELVE[1], TWELVE[4])]


def test_doubtful_dice_are_read_in_every_combination_the_likeliest_first() -> None:
    one = Detection((Candidate(TWELVE[0], 0.6), Candidate(TWELVE[1], 0.3)))
    other = Detection((Candidate(TWELVE[4], 0.8), Candidate(TWELVE[5], 0.15)))
    assert list(readings([one, other], (D12, D12))) == [
        (TWELVE[0], TWELVE[4]),
        (TWELVE[1], TWELVE[4]),
        (TWELVE[0], TWELVE[5]),
        (TWELVE[1], TWELVE[5]),
    ]
