"""Texts, JSON and positions of Spectrumo: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn, Shown, ToDraw
from companion.core.foundation.errors import BadOptions, BadRecord
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrumo.fitting import ANYTHING
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.moves import DRAWS, PASSES, PLAYS, TRADES, Give, Penalty
from companion.games.spectrumo.options import Options
from companion.referee.journal.timeline import options_of
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events, assert_read_back
from tests.companion.games.spectrumo.short_spectrumo import hand, play, table

START = SPECTRUMO.start(2, Options())


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (PLAYS[1][104], "player 2 plays B9"),
        (PLAYS[7][144], "player 8 plays swap R/G"),
        (DRAWS[2], "player 3 cannot play"),
        (PASSES[0], "player 1 passes"),
        (Give(0, 1, PIECES[155]), "player 1 gives pass hand left to player 2"),
        (Give(0, 1, None), "player 1 gives ?? to player 2"),
        (TRADES[3], "player 4 trades"),
        (Penalty(0), "player 1 takes the penalty"),
        (Penalty(0, PIECES[4]), "player 1 takes the penalty for R5"),
        (Drawn(0, (PIECES[104], None, PIECES[151])), "player 1 draws B9, ??, draw"),
        (Shown(0, (PIECES[151],)), "player 1 shows draw"),
    ],
)
def test_a_line_names_an_event_and_back(event: Any, line: str) -> None:
    assert_read_back(SPECTRUMO, START, event, line)


def test_short_forms() -> None:
    assert SPECTRUMO.parse(START, "player 3 draws") == DRAWS[2]
    assert SPECTRUMO.event({"type": "play", "seat": 1, "card": {"kind": "swap red/green"}}) == PLAYS[1][144]
    assert SPECTRUMO.event({"type": "give", "seat": 0, "to": 1, "card": "??"}) == Give(0, 1, None)
    assert SPECTRUMO.words(START, PLAYS[1][104])["player"] == 1


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        SPECTRUMO,
        START,
        " | player 1 | player 9 passes | player 1 plays R13 | player 1 plays swap | player 1 gives R1 | "
        "player 1 shows ??",
        {"type": "play", "seat": 0, "card": {"color": "red", "rank": 13}},
        {"type": "play", "seat": 0, "card": None},
        {"type": "give", "seat": 0, "to": 8, "card": None},
        {"type": "shown", "seat": 0, "pieces": [None]},
        {"type": "dance"},
        "play",
    )


def test_a_position_from_a_record() -> None:
    state = table("R5", "B1, draw, ??", None, discard="O1, O2", draw=60, turn=1, way=-1, scores=[3, 0])
    assert (hand(state, 0), state.hidden) == ("B1, draw", (1, 12))
    assert (state.draw, state.buried, state.turn, state.way) == (60, 90, 1, -1)
    special = table("deck swap", "B1", "Y1", discard="O7")
    assert (special.color, special.rank) == (ANYTHING, 7)
    virtual = table("swap O/B", "B1", "Y1", virtual="B3", specials=1, drawn="B1")
    assert (virtual.color, virtual.rank, virtual.drawn) == (8, 3, number_of("B1"))
    assert SPECTRUMO.from_record(3, Options(first=2), {"scores": [1, 2, 3]}).expects() == ToDraw(
        1, 12, "draw deck", False
    )


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"table": "R5", "hands": ["R1"]}, "1 hands for 2 players"),
        ({"table": "R5", "hands": ["R1", "R1"]}, "R1 is there 2 times"),
        ({"table": "draw", "hands": ["draw", "draw"], "discard": "R1"}, "draw is there 3 times"),
        ({"table": "R5", "hands": ["R13", "B2"]}, "no card of the deck"),
        ({"hands": ["R1", "B2"]}, "table card is one card"),
        ({"table": "??", "hands": ["R1", "B2"]}, "lies open"),
        ({"table": "draw", "hands": ["R1", "B2"]}, "last number card is needed"),
        ({"table": "swap R/G", "hands": ["R1", "B2"], "discard": "R3"}, "virtual card is needed"),
        ({"table": "swap R/G", "hands": ["R1", "B2"], "virtual": "draw"}, "is a number card"),
        ({"table": "R5", "hands": ["R1", "B2"], "discard": "??"}, "say with `buried`"),
        ({"table": "R5", "hands": ["R1", ""]}, "A hand is empty"),
        ({"table": "R5", "hands": ["R1", "B2"], "draw": 168}, "below zero"),
        ({"table": "R5", "hands": ["R1", "B2"], "turn": 2}, "A seat is named that is none"),
        ({"table": "R5", "hands": ["R1", "B2"], "drawn": "R1, R2"}, "is one card, not 2"),
        ({"table": "R5", "hands": ["R1", "B2"], "way": 2}, "no position of Spectrumo"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_a_position_that_contradicts_itself(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        SPECTRUMO.from_record(2, Options(), position)


def test_options_by_their_names() -> None:
    assert options_of(SPECTRUMO, {"same_colour": True, "limit": 300}) == Options(same_color=True, limit=300)
    with pytest.raises(BadOptions, match="no option"):
        options_of(SPECTRUMO, {"same": True})
    with pytest.raises(BadOptions, match="out of its bounds"):
        SPECTRUMO.start(2, Options(limit=3))


def test_a_damaged_state_is_refused() -> None:
    state = table("R5", "B1, draw, ??", "Y1")
    assert_damage_is_refused(
        SPECTRUMO,
        state,
        {"turn": 2},
        {"way": 0},
        {"rank": 0},
        {"color": 12},
        {"hidden": [2, 0]},
        {"hidden": [1]},
        {"owed": [-1, 0]},
        {"discard": [200]},
        {"drawn": 200},
        {"dropped": [1, 0]},
        {"swapping": {"to": 5}},
        {"swapping": {"due": 2}},
        {"stage": "dance"},
    )


def test_what_a_change_on_the_table_looks_like() -> None:
    state = table("R5", "B1 RO2", "Y1 Y2")
    for code in ("RO2", "B1"):
        event = SPECTRUMO.parse(state, f"player 1 plays {code}")
        assert SPECTRUMO.proposer.infer_event(state, state.apply_unchecked(event).layout()) == event
    assert SPECTRUMO.proposer.infer_event(state, state.layout()) is None
    deal = START
    while deal.stage == "deal":
        deal = deal.apply(Drawn(deal.expects().seat, (None,) * 12))
    assert SPECTRUMO.proposer.infer_event(deal, play(deal, "player 1 draws R7").layout()) == Drawn(0, (PIECES[6],))
