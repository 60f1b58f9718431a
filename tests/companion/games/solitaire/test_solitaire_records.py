"""Texts, JSON and positions of Solitaire: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord
from companion.games.shared.cards.deck import CODES, PIECES
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.moves import CONCEDE, HOMES, PUTS, TURN, TURN_OVER
from companion.games.solitaire.situation import Options
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events, assert_read_back
from tests.companion.games.solitaire.short_solitaire import table, up

START = SOLITAIRE.start(1, Options())


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (PUTS[2][104], "B9 on pile 3"),
        (HOMES[22], "RO11 home"),
        (TURN, "turn"),
        (TURN_OVER, "turn over"),
        (CONCEDE, "concede"),
        (Drawn(0, (PIECES[104], None)), "turned up B9, ??"),
    ],
)
def test_a_line_names_an_event_and_back(event: Any, line: str) -> None:
    assert_read_back(SOLITAIRE, START, event, line)


def test_short_forms() -> None:
    assert SOLITAIRE.event({"type": "put", "card": "B9", "pile": 2}) == PUTS[2][104]
    assert SOLITAIRE.event({"type": "home", "card": {"color": "blue", "rank": 9}}) == HOMES[104]
    assert SOLITAIRE.event({"type": "drawn", "seat": 0, "pieces": "B9 R1"}) == Drawn(0, (PIECES[104], PIECES[0]))
    assert SOLITAIRE.parse(START, "blue 9 to pile 3") == PUTS[2][104]
    assert SOLITAIRE.words(START, TURN) == {"player": 0, "type": "turn"}


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        SOLITAIRE,
        START,
        " | B9 | B9 on pile 13 | B13 home | turn under | swap R/G home | B9 on 3",
        {"type": "put", "card": "B9", "pile": 12},
        {"type": "put", "card": {"kind": "draw"}, "pile": 1},
        {"type": "home", "card": {"color": "pink", "rank": 9}},
        {"type": "dance"},
        7,
    )


def test_a_position_from_a_record() -> None:
    state = table("?? ?? B9 GB8 | R12", foundations={"R": 3, "green-blue": 2}, waste=["O4", "Y7"], passes=2)
    assert (state.downs[0], up(state, 1), up(state, 2)) == (2, "B9, GB8", "R12")
    assert (state.foundations[0], state.foundations[7], state.passes) == (3, 2, 2)
    assert len(state.stock) == 144 - 5 - 5 - 2
    every = [code for code in CODES[:144] if code != "R12"]
    known = table("R12", stock=every[:100], waste=every[100:])
    assert (known.stock[-1], known.waste[-1]) == (0, 143)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"piles": ["B9 ??"]}, "face-down card lies on a face-up one"),
        ({"piles": ["B9", "B9"]}, "B9 lies in two places"),
        ({"piles": ["B9"], "foundations": {"B": 9}}, "B9 lies in two places"),
        ({"piles": ["swap R/G"]}, "number cards alone"),
        ({"piles": ["R1"] * 13}, "13 piles"),
        ({"piles": ["R13"]}, "no card of the deck"),
        ({"foundations": {"pink": 1}}, "no color of the wheel"),
        ({"stock": "R1 R2"}, "has 2 cards"),
        ({"passes": 11}, "passes 1 to 10"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_a_position_that_contradicts_itself(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        SOLITAIRE.from_record(1, Options(), position)


def test_options_out_of_bounds() -> None:
    with pytest.raises(BadOptions, match="1 player"):
        SOLITAIRE.start(2, Options())
    with pytest.raises(BadOptions, match="out of its bounds"):
        SOLITAIRE.start(1, Options(max_passes=-1))


def test_a_damaged_state_is_refused() -> None:
    assert_damage_is_refused(
        SOLITAIRE,
        START,
        {"passes": 99},
        {"waste": [3]},
        {"turning": 4},
        {"downs": [-1, *START.downs[1:]]},
        {"conceded": 3},
    )


def test_what_a_change_on_the_table_looks_like() -> None:
    state = table("?? R9 | R10 | B5 | G7", waste="O3 B4")
    for line in ("R9 on pile 2", "R9 on pile 4", "B4 on pile 3", "B4 on pile 1"):
        event = SOLITAIRE.parse(state, line)
        assert SOLITAIRE.proposer.infer_event(state, state.apply_unchecked(event).layout()) == event
    assert SOLITAIRE.proposer.infer_event(state, state.layout()) is None
    after = state.apply(SOLITAIRE.parse(state, "R9 on pile 2"))
    told = SOLITAIRE.parse(after, "turned up G12")
    assert SOLITAIRE.proposer.infer_event(after, after.apply(told).layout()) == told
    assert SOLITAIRE.unseen(after)[PIECES[83]] == 1
    with pytest.raises(BadEvent):
        after.apply(SOLITAIRE.parse(after, "turned up R9"))
