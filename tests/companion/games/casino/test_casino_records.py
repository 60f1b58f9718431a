"""Texts, JSON and positions of Casino: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadRecord
from companion.core.layout import Detection, Layout
from companion.games.casino.game import CASINO
from companion.games.casino.situation import BOARD_SPOT, Options
from tests.companion.games.casino.short_casino import cards, draw, put, table, take
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events

START = CASINO.start(2, Options())


def test_a_line_may_say_what_is_built_on() -> None:
    assert CASINO.parse(START, "Player 1 TAKES p9, o9 with r7 on b2") == take(0, "R7", "B2 P9 O9", on="B2")
    assert CASINO.parse(START, "player 4 takes nothing with R7") == take(3, "R7")


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        CASINO,
        START,
        "R7 | player 5 puts R7 | player 1 puts draw | player 1 puts X3 | player 1 takes ?? with R7 | ",
        {"type": "take", "seat": 0, "card": "R7"},
        {"type": "put", "seat": 4, "card": "R7"},
        {"type": "put", "seat": 0, "card": {"color": "pink", "rank": 3}},
        {"type": "fold"},
        7,
    )


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"hands": [["R1"], ["R1"]], "board": ["B2"]}, "two places"),
        ({"hands": [["R1"]], "board": ["B2"]}, "as many hands"),
        ({"hands": [["R1"], None]}, "Chosen Color"),
        ({"board": ["R1"]}, "needs hands"),
        ({"hands": [[], ["R1"]], "board": ["B2"]}, "no card"),
        ({"hands": [["R1"], None], "board": ["B2"], "turn": 2}, "seat"),
        ({"hands": [["R1"], None], "board": ["draw"]}, "no number card"),
        ({"scores": [1]}, "scores"),
        ({"hands": [["R1"], None], "board": ["B2"], "won": [["R3"], ["R3"]]}, "won by two"),
        ({"hands": [["R1"], ["??"] * 100], "board": ["B2"]}, "hidden"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        CASINO.from_record(2, Options(), position)


def test_states_that_contradict_themselves_are_refused() -> None:
    state = table("R9", None, board="P9 B2")
    assert_damage_is_refused(
        CASINO, state, {"board": [104, 20]}, {"turn": 1, "hands": {"hidden": [0, 0]}}, {"won": [3, 1]}
    )


def test_what_a_camera_sees_suggests_the_play() -> None:
    state = table("R9 R3", None, board="P9 B7")
    put_down = state.apply_unchecked(put(0, "R3")).layout()
    assert CASINO.proposer.infer_event(state, put_down) == put(0, "R3")
    assert CASINO.proposer.infer_event(state, state.apply(take(0, "R9", "P9")).layout()) == take(0, "R9", "P9")
    assert CASINO.proposer.infer_event(state, state.layout()) is None
    board_only = Layout(heaps={BOARD_SPOT: put_down.heaps[BOARD_SPOT]})
    assert CASINO.proposer.infer_event(state, board_only) == put(0, "R3")
    hidden = table(None, "R3", board="P9 B7")
    assert CASINO.proposer.infer_event(hidden, hidden.apply(take(0, "R9", "P9")).layout()) == take(0, "R9", "P9")
    empty = START.apply(draw(1, "R9"))
    seen = Layout(heaps={BOARD_SPOT: tuple(Detection.sure(card) for card in cards("R9 B2 B3"))})
    assert CASINO.proposer.infer_event(empty, seen) == draw(1, "B2 B3")


def test_words_of_a_recording() -> None:
    state = table("R9 R3", None, board="P9 B7")
    assert CASINO.words(state, put(0, "R3")) == {"player": 0, "type": "put", "card": "R3"}
    words = {"player": 0, "type": "take", "card": "R9", "taken": ["P9"]}
    assert CASINO.words(state, take(0, "R9", "P9")) == words
    assert CASINO.words(state, draw(0, "R9")) is None
