"""Texts, JSON and positions of Poker: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadRecord
from companion.games.poker.game import POKER
from companion.games.poker.situation import Options
from tests.companion.games.poker.short_poker import draw, exchange, fold, table, up
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events

START = POKER.start(3, Options())


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        POKER,
        START,
        "R7 | player 9 folds | player 1 exchanges draw | player 1 turns up royal flush | player 1 bets | ",
        {"type": "fold", "seat": 8},
        {"type": "exchange", "seat": 0, "cards": [{"color": "pink", "rank": 3}]},
        {"type": "turn-up", "seat": 0, "called": "royal flush"},
        {"type": "bet"},
        3,
    )


FIVE = ["R1", "R2", "R3", "R4", "R5"]


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"hands": [FIVE, FIVE]}, "two places"),
        ({"hands": [FIVE]}, "as many hands"),
        ({"hands": [FIVE, ["B1"]]}, "5 are agreed"),
        ({"shared": ["B2"]}, "needs hands"),
        ({"hands": [FIVE, None], "shared": ["B2"]}, "0 are agreed"),
        ({"hands": [FIVE, None], "turn": 2}, "seat"),
        ({"hands": [FIVE, None], "folded": [0], "turn": 0, "shown": []}, None),
        ({"hands": [FIVE, None], "folded": [0], "shown": [0]}, "both folded and shown"),
        ({"hands": [FIVE, None], "folded": [0, 1]}, "all have folded"),
        ({"hands": [["draw", "R2", "R3", "R4", "R5"], None]}, "no number card"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(position: dict[str, Any], why: str | None) -> None:
    if why is None:
        assert POKER.from_record(2, Options(), position).is_over
        return
    with pytest.raises(BadRecord, match=why):
        POKER.from_record(2, Options(), position)


def test_the_seat_on_turn_is_in() -> None:
    with pytest.raises(BadRecord, match="seat on turn"):
        POKER.from_record(3, Options(), {"hands": [FIVE, None, None], "folded": [0], "turn": 0})
    assert POKER.from_record(3, Options(), {"hands": [FIVE, None, None], "folded": [0]}).turn == 1


def test_states_that_contradict_themselves_are_refused() -> None:
    assert_damage_is_refused(
        POKER,
        table(" ".join(FIVE), None),
        {"given": [1, 0]},
        {"turn": 3},
        {"shared": [9, 8]},
        {"given_hidden": [0]},
        {"folded": 9},
        {"given": [-1, 0]},
    )


def test_what_a_camera_sees_suggests_the_event() -> None:
    state = table("R1 R2 R3 R4 R5", "B1 B2 B3 B4 B6", exchanges=1, options=Options(exchanges=1))
    given = state.apply(exchange(0, "R1 R2"))
    assert POKER.proposer.infer_event(state, given.layout()) == exchange(0, "R1 R2")
    assert POKER.proposer.infer_event(state, state.layout()) is None
    assert POKER.proposer.infer_event(given, given.apply(draw(0, "Y1 Y2")).layout()) == draw(0, "Y1 Y2")
    open_cards = table("R1 R2 R3 R4 R5", "B1 B2 B3 B4 B6", options=Options(shared=2))
    seen = open_cards.apply(draw(1, "G1 G2")).layout()
    assert POKER.proposer.infer_event(open_cards, seen) == draw(1, "G1 G2")


def test_words_of_a_recording() -> None:
    assert POKER.words(START, exchange(0, "R1 ??")) == {"player": 0, "type": "exchange", "cards": ["R1", "??"]}
    assert POKER.words(START, up(1)) == {"player": 1, "type": "turn-up"}
    assert POKER.words(START, up(1, "pair")) == {"player": 1, "type": "turn-up", "called": "pair"}
    assert POKER.words(START, fold(2)) == {"player": 2, "type": "fold"}
    assert POKER.words(START, draw(0, "R1")) is None
