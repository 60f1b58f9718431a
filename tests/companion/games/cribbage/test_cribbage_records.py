"""Texts, JSON and positions of Cribbage: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadNotation, BadRecord
from companion.core.layout import Detection, Layout
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.situation import Options
from tests.companion.games.cribbage.short_cribbage import card, count, draw, go, lay, play, table
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events

START = CRIBBAGE.start(2, Options())


def test_a_count_without_points_is_what_the_cards_are_worth() -> None:
    state = table("", "", played=["R1 R2 R3 R4 R5 R6", "B1 B2 B3 B4 B5 B6"], laid=["G1 G2 G3", "G4 G5 G6"], turn=0)
    assert CRIBBAGE.parse(state, "player 1 counts hand") == state.legal_moves()[0]
    assert CRIBBAGE.parse(state, "player 2 counts crib 12") == count(1, 12, "crib")
    with pytest.raises(BadNotation, match="not the time"):
        CRIBBAGE.parse(state, "player 2 counts crib")


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        CRIBBAGE,
        START,
        "R7 | player 5 plays R7 | player 1 plays draw | player 1 plays ?? | player 1 lays away X3 | "
        "player 1 counts hand | ",
        {"type": "play", "seat": 0},
        {"type": "play", "seat": 4, "card": "R7"},
        {"type": "lay-away", "seat": 0, "cards": [{"color": "pink", "rank": 3}]},
        {"type": "count", "seat": 0, "of": "deck", "points": 3},
        {"type": "fold"},
    )


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"hands": [["R1"], ["R1"]], "starter": "B2"}, "two places"),
        (
            {"hands": [[f"R{rank}" for rank in range(1, 8)], ["O1"]], "starter": "B2", "played": [["B3"], []]},
            "6 cards in hand and played",
        ),
        ({"hands": [[f"R{rank}" for rank in range(1, 11)], ["O1"]]}, "9 cards in hand and played"),
        ({"hands": [["R1"], ["R2"]], "played": [["R3"], []]}, "no starter"),
        ({"hands": [["R1"]], "starter": "B2"}, "as many hands"),
        ({"starter": "B2"}, "needs hands"),
        ({"hands": [["R1"], ["R2"]], "starter": "B2", "turn": 2}, "seat"),
        ({"hands": [["R1"], []], "starter": "B2", "turn": 1}, "seat on turn"),
        ({"hands": [["R1"], ["R2"]], "starter": "draw"}, "no number card"),
        ({"scores": [1, 2, 3]}, "scores"),
        ({"hands": [["R1"], ["R2"]], "starter": "B2", "count": ["R3"]}, "not among"),
        ({"hands": [["R1"], ["R2"]], "starter": "B2", "laid": [["G1"], None]}, "laid away"),
        ({"hands": [["R1"], ["R2"]], "starter": "B2", "laid": [[], []]}, "still be laid"),
        ({"dealer": 2}, "no seat 2"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        CRIBBAGE.from_record(2, Options(), position)


def test_partners_share_a_score() -> None:
    with pytest.raises(BadRecord, match="share one score"):
        CRIBBAGE.from_record(4, Options(), {"scores": [1, 2, 3, 4]})
    assert CRIBBAGE.from_record(4, Options(), {"scores": [1, 2, 1, 2]}).totals == (1, 2)


def test_states_that_contradict_themselves_are_refused() -> None:
    state = table("R9 R3", "B3 B4", turn=0).apply(play(0, "R9"))
    assert_damage_is_refused(
        CRIBBAGE,
        state,
        {"totals": [5, 0]},
        {"count": []},
        {"dealer": None},
        {"laid_hidden": [0, 0]},
        {"played": [[], [20]]},
        {"turn": 3},
        {"gone": 2},
    )


def test_what_a_camera_sees_suggests_the_event() -> None:
    state = table("R9 R3", "B3 B4", turn=0)
    assert CRIBBAGE.proposer.infer_event(state, state.apply(play(0, "R9")).layout()) == play(0, "R9")
    assert CRIBBAGE.proposer.infer_event(state, state.layout()) is None
    wrong = state.apply_unchecked(play(1, "B3")).layout()
    assert CRIBBAGE.proposer.infer_event(state, wrong) == play(1, "B3")
    assert CRIBBAGE.proposer.infer_event(START, START.apply(draw(0, "R9")).layout()) == draw(0, "R9")
    laying = CRIBBAGE.from_record(2, Options(), {"dealer": 1, "hands": [[f"R{rank}" for rank in range(1, 10)], None]})
    assert CRIBBAGE.proposer.infer_event(laying, laying.apply(lay(0, "R1 R2 R3")).layout()) == lay(0, "R1 R2 R3")
    dealing = CRIBBAGE.from_record(2, Options(), {"dealer": 1})
    seen = Layout(heaps={"seat0.hand": (Detection.sure(card("R1")), Detection.sure(card("B2")))})
    assert CRIBBAGE.proposer.infer_event(dealing, seen) == draw(0, "R1 B2")


def test_words_of_a_recording() -> None:
    state = table("R9 R3", "B3 B4", turn=0)
    assert CRIBBAGE.words(state, play(0, "R9")) == {"player": 0, "type": "play", "card": "R9"}
    assert CRIBBAGE.words(state, lay(0, "R9 ??")) == {"player": 0, "type": "lay-away", "cards": ["R9", "??"]}
    assert CRIBBAGE.words(state, go(1)) == {"player": 1, "type": "go"}
    assert CRIBBAGE.words(state, count(1, 3)) == {"player": 1, "type": "count", "of": "hand", "points": 3}
    assert CRIBBAGE.words(state, draw(0, "R1")) is None
