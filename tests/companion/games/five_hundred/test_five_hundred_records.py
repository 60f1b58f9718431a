"""Texts, JSON and positions of 500: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Shown
from companion.core.foundation.errors import BadRecord
from companion.core.layout import Layout
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.situation import Options
from tests.companion.games.five_hundred.short_five_hundred import (
    SEQUENCE,
    call,
    discard,
    draw,
    meld,
    off,
    stock,
    stop,
    table,
    take,
)
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events

START = FIVE_HUNDRED.start(3, Options())


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        FIVE_HUNDRED,
        START,
        "R7 | player 9 discards R7 | player 1 discards draw | player 1 melds R1, ?? | "
        "player 1 lays off R1 on meld 0 | player 1 calls bingo | ",
        {"type": "discard", "seat": 0},
        {"type": "discard", "seat": 8, "card": "R7"},
        {"type": "meld", "seat": 0, "cards": [{"color": "pink", "rank": 3}]},
        {"type": "lay-off", "seat": 0, "card": "R7", "meld": -1},
        {"type": "fold"},
        None,
    )


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"hands": [["R1"], ["R1"]]}, "two places"),
        ({"hands": [["R1"]]}, "as many hands"),
        ({"discards": ["B2"]}, "needs hands"),
        ({"hands": [["R1"], ["R2"]], "turn": 2}, "seat"),
        ({"hands": [[], ["R2"]]}, "seat on turn"),
        ({"hands": [["R1"], ["R2"]], "discards": ["draw"]}, "no number card"),
        ({"hands": [["R1"], ["R2"]], "discards": ["B1", "B1"]}, "twice"),
        ({"scores": [1, 2, 3]}, "scores"),
        ({"hands": [["R1"], ["R2"]], "melds": [{"0": ["G1", "G2", "G3"]}]}, "at least 4"),
        ({"hands": [["R1"], ["R2"]], "melds": [{"0": ["G1", "G2", "G3", "G5"]}]}, "neither of one rank"),
        ({"hands": [["R1"], ["R2"]], "melds": [{"5": ["G1", "G2", "G3", "G4"]}]}, 'seat "5"'),
        ({"hands": [["R1"], ["R2"]], "melds": [{"0": ["G1", "G2"], "1": ["G2", "G3"]}]}, "two melds"),
        ({"hands": [["R1"], ["R2"]], "opened": [["B1"], []]}, "not in the hand"),
        ({"dealer": 2}, "no seat 2"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        FIVE_HUNDRED.from_record(2, Options(), position)


def test_states_that_contradict_themselves_are_refused() -> None:
    state = table("R9 B2", "G3 P7", discards="P1 O2", melds=(SEQUENCE,))
    assert_damage_is_refused(
        FIVE_HUNDRED,
        state,
        {"laid": [0, 0]},
        {"turn": 3},
        {"window": 7},
        {"brought": [1]},
        {"step": "play", "due": 0},
        {"opened": [1 << 20, 0]},
        {"melds": [-1]},
        {"step": "draw", "to_deal": 3},
        {"hands": {"known": [[], []]}},
    )


def test_what_a_camera_sees_suggests_the_event() -> None:
    state = table("R9 B2 O1", "G3 P7", discards="P1 O2", melds=(SEQUENCE,))
    assert FIVE_HUNDRED.proposer.infer_event(state, state.apply(take(0, "O2")).layout()) == take(0, "O2")
    assert FIVE_HUNDRED.proposer.infer_event(state, state.layout()) is None
    assert FIVE_HUNDRED.proposer.infer_event(START, START.apply(draw(0, "R1 B2")).layout()) == draw(0, "R1 B2")
    playing = state.apply(take(0, "O2"))
    assert FIVE_HUNDRED.proposer.infer_event(playing, playing.apply(off(0, "R9")).layout()) == off(0, "R9")
    assert FIVE_HUNDRED.proposer.infer_event(playing, playing.apply(discard(0, "B2")).layout()) == discard(0, "B2")
    laying = table("R1 B1 G1 Y1 P3", "G3", discards="P1", drawn=True)
    seen = laying.apply(meld(0, "R1 B1 G1 Y1")).layout()
    assert FIVE_HUNDRED.proposer.infer_event(laying, Layout(heaps={"seat0.melds": seen.heaps["seat0.melds"]})) == meld(
        0, "R1 B1 G1 Y1"
    )
    nowhere = Layout(heaps={"seat0.melds": seen.heaps["seat0.melds"][:1]})
    assert FIVE_HUNDRED.proposer.infer_event(laying, nowhere) is None


def test_words_of_a_recording() -> None:
    def words(event: Any) -> Any:
        return FIVE_HUNDRED.words(START, event)

    assert words(stock(0)) == {"player": 0, "type": "draw"}
    assert words(take(0, "R9")) == {"player": 0, "type": "take", "card": "R9"}
    assert words(call(1, "R9")) == {"player": 1, "type": "call", "card": "R9"}
    assert words(meld(1, "R9 B9")) == {"player": 1, "type": "meld", "cards": ["R9", "B9"]}
    assert words(off(1, "R9", 2)) == {"player": 1, "type": "lay-off", "card": "R9", "meld": 2}
    assert words(stop(1)) == {"player": 1, "type": "stop"}
    assert words(draw(0, "R9")) is None and words(Shown(0, ())) is None
