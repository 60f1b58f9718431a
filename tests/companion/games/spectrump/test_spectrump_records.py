"""Texts, JSON and positions of Spectrump: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn, Shown, ToMove
from companion.core.foundation.errors import BadOptions, BadRecord
from companion.games.shared.cards.deck import CODES, PIECES
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.moves import BIDS, PASSES, PLAYS, READIES, Swap
from companion.games.spectrump.options import Options
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events, assert_read_back
from tests.companion.games.spectrump.short_spectrump import cards, table

START = SPECTRUMP.start(4, Options())


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (BIDS[0][8][4], "player 1 bids blue 4"),
        (BIDS[7][11][12], "player 8 bids purple-red 12"),
        (PASSES[2], "player 3 passes"),
        (PLAYS[1][104], "player 2 plays B9"),
        (Swap(0, PIECES[0], PIECES[104]), "player 1 swaps R1 for B9"),
        (READIES[3], "player 4 is ready"),
        (Drawn(0, (PIECES[104], None)), "player 1 draws B9, ??"),
        (Shown(0, (PIECES[104],)), "player 1 shows B9"),
    ],
)
def test_a_line_names_an_event_and_back(event: Any, line: str) -> None:
    assert_read_back(SPECTRUMP, START, event, line)


def test_short_forms() -> None:
    assert SPECTRUMP.parse(START, "player 1 bids B4") == BIDS[0][8][4]
    assert SPECTRUMP.parse(START, "player 1 bids gb 4") == BIDS[0][7][4]
    assert SPECTRUMP.event({"type": "play", "seat": 1, "card": "blue 9"}) == PLAYS[1][104]
    assert SPECTRUMP.words(START, PLAYS[1][104])["player"] == 1


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        SPECTRUMP,
        START,
        " | player 1 | player 9 passes | player 1 bids blue | player 1 bids blue 13 | player 1 bids pink 3 | "
        "player 1 plays R13 | player 1 plays draw | player 1 swaps R1 | player 1 passes R1 | player 1 shows ??",
        {"type": "bid", "seat": 0, "color": "pink", "number": 4},
        {"type": "bid", "seat": 8, "color": "red", "number": 4},
        {"type": "bid", "seat": 0, "color": "red", "number": 0},
        {"type": "play", "seat": 0, "card": {"color": "red", "rank": 13}},
        {"type": "shown", "seat": 0, "pieces": [None]},
        {"type": "dance"},
        [],
    )


def test_a_position_from_a_record() -> None:
    state = table("B3 G9", None, "?? Y1", "R1 Y2", bid="player 1 bids red 1", scores=[1, 2, 3, 4], rounds=2)
    assert state.hidden == ((0, 0), (2, 0), (1, 0), (0, 0))
    assert (state.earlier, state.expects()) == (2, ToMove((0,)))
    whole = table(None, None, turn=1)
    assert (whole.hidden, whole.expects()) == (((12, 12), (12, 12)), ToMove((1,)))
    on = table("G9", "BP7 G8", bid={"seat": 0, "color": "red", "number": 1}, trick="B3", leader=0)
    assert (on.mover, on.trick, on.hidden) == (1, (98,), ((0, 0), (0, 0)))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"hands": ["R1"]}, "1 hands for 2 players"),
        ({"hands": ["R1", "R1"]}, "R1 is in two places"),
        ({"hands": ["R1", "B2 B3"]}, "cards at different seats"),
        ({"hands": ["swap R/G", "B2"]}, "no card 144"),
        ({"hands": ["R13", "B2"]}, "no card of the deck"),
        ({"hands": ["R7", "B2"], "options": {"deck": 72}}, "has no card 6"),
        ({"hands": ["R1", "B2"], "bid": "player 3 bids red 1"}, "A seat is named that is none"),
        ({"hands": ["R1", "B2"], "bid": "player 1 plays R1"}, "is no bid"),
        ({"hands": ["R1", "B2"], "bid": {"seat": 0, "color": "pink", "number": 1}}, "is no bid"),
        ({"hands": ["R1", "B2"], "session": 4}, "has 3 sessions"),
        ({"hands": ["R1", "B2"], "trick": "G1 G2"}, "it is taken when all 2 have played"),
        ({"hands": ["R1", "B2"], "trick": "??"}, "lies open"),
        ({"hands": ["R1", "B2"], "won": ["R1", ""]}, "R1 is in two places"),
        ({"hands": ["", ""]}, "the round is over"),
        ({"hands": [["R1", "R2", "R3"], "B2"]}, "has 3 sets"),
        ({"bid": "player 1 bids red 1"}, "names hands"),
        ({"dealer": 2}, "A seat is named that is none"),
        ({"hand": []}, "unknown field"),
    ],
)
def test_a_position_that_contradicts_itself(more: dict[str, Any], why: str) -> None:
    options = Options(**more.pop("options", {}))
    with pytest.raises(BadRecord, match=why):
        SPECTRUMP.from_record(2, options, more)


def test_options_out_of_bounds() -> None:
    with pytest.raises(BadOptions, match="out of its bounds"):
        SPECTRUMP.start(2, Options(rounds=0))
    with pytest.raises(BadOptions, match="out of its bounds"):
        SPECTRUMP.start(2, Options(deck=100))  # type: ignore[arg-type]


def test_a_damaged_state_is_refused() -> None:
    state = cards(table("B3 G9", "BP7 G8", bid="player 1 bids red 1"), "B3")
    assert_damage_is_refused(
        SPECTRUMP,
        state,
        {"trick": [98, 99]},
        {"trick": [150]},
        {"trick": [80]},
        {"leader": 5},
        {"denied": [0, 9999]},
        {"hidden": [[-1, 0], [0, 0]]},
        {"swaps": [0]},
        {"playing": 2},
        {"bid": {"color": "pink"}},
        {"passed": "x"},
    )


def test_what_a_change_on_the_table_looks_like() -> None:
    state = table("B3 G9", "BP7 Y8", bid="player 1 bids red 1")
    for code in ("B3", "G9"):
        event = SPECTRUMP.parse(state, f"player 1 plays {code}")
        assert SPECTRUMP.proposer.infer_event(state, state.apply(event).layout()) == event
    state = cards(state, "B3")
    wrong = SPECTRUMP.parse(state, "player 2 plays Y8")
    assert SPECTRUMP.proposer.infer_event(state, state.apply_unchecked(wrong).layout()) == wrong
    assert SPECTRUMP.proposer.infer_event(state, state.layout()) is None
    assert CODES[state.trick[0]] == "B3"
