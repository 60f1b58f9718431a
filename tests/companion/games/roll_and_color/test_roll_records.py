"""Lines, objects and positions of Roll & Color: read back as written, refused with a reason, as docs/records.md says."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadNotation, BadRecord
from companion.games.roll_and_color.game import ROLL_AND_COLOR, Options
from companion.games.roll_and_color.moves import Enter, Reroll, Rethrow
from companion.games.roll_and_color.sheet import ROW
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events, assert_read_back
from tests.companion.games.roll_and_color.short_roll import roll, table, told


@pytest.mark.parametrize(
    "event",
    [
        Reroll(0, (1, 2, 5, 9)),
        Reroll(5, tuple(range(1, 10))),
        Rethrow(0, (1, 5), roll("d6 red, d12 purple-red").faces),
        Enter(0, ROW["red-orange"], 3),
        Enter(1, ROW["spectrum combo 2"], 6),
        Enter(2, ROW["primary sequence 1"], 0),
        roll("d6 red red, d12 purple-red"),
    ],
)
def test_text_and_json_read_back(event: Any) -> None:
    assert_read_back(ROLL_AND_COLOR, table(), event)


def test_dice_of_a_re_roll_have_no_order() -> None:
    assert Reroll(0, (9, 1, 5, 2)) == Reroll(0, (1, 2, 5, 9))
    assert ROLL_AND_COLOR.parse(table(), "player 1 rerolls 9, 1, 5, 2") == Reroll(0, (1, 2, 5, 9))


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        ROLL_AND_COLOR,
        table(),
        " | player 1 re-rolls | player 1 re-rolls 0 | player 1 re-rolls 1 1 2 3 | player 7 re-rolls 1 2 3 4 | "
        "player 1 enters 3 in pink | player 1 enters 7 in red | player 1 enters 2&3 in red | "
        "player 1 enters 1 in spectrum sequence 1 | rolls red",
    )


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": "reroll", "seat": 0, "dice": []},
        {"type": "reroll", "seat": 0, "dice": [10]},
        {"type": "enter", "seat": 0, "row": "pink", "cell": "1"},
        {"type": "enter", "seat": 0, "row": "red", "cell": "9"},
        {"type": "enter", "seat": 0, "row": 24, "cell": 1},
        {"type": "rolled", "faces": [7]},
        "red",
    ],
)
def test_what_is_no_event_as_an_object(data: Any) -> None:
    with pytest.raises(BadNotation):
        ROLL_AND_COLOR.event(data)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"sheets": [{}]}, "as many sheets"),
        ({"sheets": [{"pink": "1"}, {}]}, "pink"),
        ({"sheets": [{"red": "9"}, {}]}, "cell"),
        ({"sheets": [{}, {"red": "1"}]}, "ROL-2"),
        ({"sheets": [{"red": "1", "blue": "1"}, {}]}, "ROL-2"),
        ({"rerolls": 1}, "ROL-3"),
        ({"rerolls": 5}, "rerolls"),
        ({"dice": {"d6": ["red"] * 3, "d12": ["red"] * 5}}, "ROL-1"),
        ({"dice": {"d6": ["red"] * 4, "d12": ["pink"] * 5}}, "pink"),
        ({"dice": {"d6": ["red-orange"] * 4, "d12": ["red"] * 5}}, "ROL-1"),
        ({"hands": []}, "hands"),
    ],
)
def test_positions_that_contradict_themselves(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        ROLL_AND_COLOR.from_record(2, Options(), position)


def test_states_that_contradict_themselves() -> None:
    state = told(table("R Y B G | RO R R B P", {"red": "2"}, {"red": "2"}), "player 1 re-rolls 1 2 3 4")
    assert_damage_is_refused(
        ROLL_AND_COLOR,
        state,
        {"sheets": []},
        {"sheets": [[62], []]},
        {"sheets": [[62], [62, 70]]},
        {"sheets": [[62, 63], [62, 70]]},
        {"sheets": [[62], [6]]},
        {"sheets": [[239], [239]]},
        {"turn": 2},
        {"dice": [0]},
        {"dice": [1] * 9},
        {"rolled": False},
        {"rerolls": 0},
        {"picked": [2, 1]},
        {"picked": [10]},
        {"more": 1},
    )


def test_words_of_a_recording() -> None:
    state = table("R Y B G | RO R R B P")
    assert ROLL_AND_COLOR.words(state, Reroll(0, (1, 2))) == {"player": 0, "type": "reroll", "dice": [1, 2]}
    assert ROLL_AND_COLOR.words(state, ROLL_AND_COLOR.parse(state, "player 1 enters 2&3 in spectrum combo 1")) == {
        "player": 0,
        "type": "enter",
        "row": "spectrum combo 1",
        "cell": "2&3",
        "points": 4,
    }
    rolled = ROLL_AND_COLOR.words(state, roll("d6 red"))
    assert rolled == {"player": 0, "type": "roll", "dice": [{"kind": "spectrum-d6", "face": "red"}]}
