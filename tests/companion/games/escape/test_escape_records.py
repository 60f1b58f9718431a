"""Lines, objects and positions of Spectrum Escape: read back as written, refused with a reason, as docs/records.md says."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadEvent, BadNotation, BadRecord
from companion.core.pieces import Pawn
from companion.games.escape.game import ESCAPE, set_out
from companion.games.escape.moves import Add, Lose, Play, Withdraw
from companion.games.escape.options import Options
from tests.companion.games.escape.short_escape import roll, table, told
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events, assert_read_back


@pytest.mark.parametrize(
    "event",
    [
        Play(0, "personal", "red", 3),
        Play(3, "common", "purple-red", 10),
        Lose(1, "common"),
        Withdraw(2, "green-blue"),
        Withdraw(2, "green-blue", 1),
        Add(1, "orange", 9),
        roll("d6 red red, d12 purple-red"),
    ],
)
def test_text_and_json_read_back(event: Any) -> None:
    assert_read_back(ESCAPE, table(), event)


def test_a_withdrawal_of_the_own_pawn_names_no_owner() -> None:
    assert Withdraw(1, "red", 1) == Withdraw(1, "red")


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        ESCAPE,
        table(),
        " | plays red | player 5 plays common red | player 1 plays common pink | player 1 plays red to 3 | rolls red",
    )


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": "play", "seat": 0, "die": "common", "color": "pink", "to": 1},
        {"type": "play", "seat": 0, "die": "own", "color": "red", "to": 1},
        {"type": "play", "seat": 0, "die": "common", "color": "red", "to": 11},
        {"type": "rolled", "faces": [7]},
        "red",
    ],
)
def test_what_is_no_event_as_an_object(data: Any) -> None:
    with pytest.raises(BadNotation):
        ESCAPE.event(data)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({}, "pawns"),
        ({"pawns": [{}]}, "lists of 2"),
        ({"pawns": [{"pink": 1}, {}]}, "position"),
        ({"pawns": [{"red": 10}, {}]}, "ESC-2"),
        ({"pawns": [{"red": 3}, {"red": 3}]}, "ESC-3"),
        ({"pawns": [{}, {}], "escaped": [7, 7]}, "ESC-17"),
        ({"pawns": [{}, {}], "first": 3}, "players"),
        ({"pawns": [{}, {}], "done": ["both", ""]}, "personal"),
        ({"pawns": [{}, {}], "personal": ["red", "red"]}, "ESC-12"),
        ({"pawns": [{}, {}], "personal": ["red", "red"], "common": {"d6": ["red"] * 3, "d12": ["red"] * 5}}, "ESC-12"),
        ({"pawns": [{}, {}], "personal": ["red", "red"], "common": {"d6": ["red"] * 2, "d12": ["red"] * 4}}, "ESC-12"),
        (
            {"pawns": [{}, {}], "personal": ["red-orange", "red"], "common": {"d6": ["red"] * 2, "d12": ["red"] * 5}},
            "ESC-1",
        ),
        (
            {
                "pawns": [{}, {}],
                "personal": ["red", "red"],
                "common": {"d6": ["red"] * 2, "d12": ["red"] * 5},
                "done": ["tea", ""],
            },
            "done",
        ),
        (
            {
                "pawns": [{}, {}],
                "personal": ["red", "red"],
                "common": {"d6": [], "d12": ["red"] * 5},
                "done": ["both", "both"],
            },
            "ESC-12",
        ),
    ],
)
def test_positions_that_contradict_themselves(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        ESCAPE.from_record(2, Options(), position)


def test_states_that_contradict_themselves() -> None:
    state = told(ESCAPE.start(2, Options()), "rolls d6 red blue green yellow, d12 red red red red red")
    assert_damage_is_refused(
        ESCAPE,
        state,
        {"colors": ["red", "red"]},
        {"colors": ["red", "blue", "green"]},
        {"escaped": [0]},
        {"escaped": [11, 0]},
        {"first": 2},
        {"done": [3, 3]},
        {"rolled": False, "done": [1, 0]},
        {"personal": [1, 0]},
        {"personal": []},
        {"personal": [], "rolled": False},
        {"unused": [1, 2]},
        {"unused": [0] * 3},
        {"columns": [[3, 3], *[[0, 0]] * 11]},
        {"more": 1},
    )


def test_words_of_a_recording() -> None:
    state = table("red 9 1", personal="red blue", first=1)
    assert ESCAPE.words(state, Play(0, "personal", "red", 10)) == {
        "player": 0,
        "type": "play",
        "die": "personal",
        "color": "red",
        "to": "out",
    }
    assert ESCAPE.words(state, Withdraw(1, "red")) == {"player": 1, "type": "withdraw", "color": "red"}
    assert ESCAPE.words(state, Lose(1, "common")) == {"player": 1, "type": "lose", "die": "common"}
    rolled = ESCAPE.words(state, roll("d6 red"))
    assert rolled == {"player": 1, "type": "roll", "dice": [{"kind": "spectrum-d6", "face": "red"}]}
    assert ESCAPE.words(state, Add(0, "red", 4)) is None


def test_esc_3_pawns_that_are_seen_are_set_out() -> None:
    state = table("red 7 2", "blue 3 0")
    then = set_out(state, {"red.3": (), "red.1": (Pawn(state.colors[0]),), "blue.7": ()})
    assert (then.columns[0], then.columns[8]) == ((9, 2), (0, 0))
    with pytest.raises(BadEvent, match="has one pawn in red at most"):
        set_out(state, {"red.1": (Pawn(state.colors[0]),)})
    with pytest.raises(BadEvent, match="Nobody who plays has the pawn on red"):
        set_out(state, {"red.1": (Pawn("purple"),)})
    with pytest.raises(BadEvent, match="Only pawns on the board"):
        set_out(state, {"seat0.stock": (Pawn("red"),)})
