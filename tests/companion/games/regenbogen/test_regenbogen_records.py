"""Texts, JSON and positions: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import AmbiguousMove, BadEvent, BadNotation, BadRecord
from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.moves import Go, Summon
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.position import written
from tests.companion.games.reading_back import assert_damage_is_refused
from tests.companion.games.regenbogen.short_regenbogen import alive, play

START = REGENBOGEN.start(2, Options())


@pytest.mark.parametrize("line", ("", "player 3 passes", "player 1 moves b2", "player 1 fights d5", "red passes"))
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(BadNotation, match=r"Regenbogen|piece"):
        REGENBOGEN.parse(START, line)


def test_an_action_names_its_piece_where_several_may_take_it() -> None:
    state = alive("c4 W red wizard, c5 W blue wizard, d5 B blue wizard")
    with pytest.raises(AmbiguousMove, match="with c5"):
        REGENBOGEN.parse(state, "white fights d5")


@pytest.mark.parametrize("data", (None, {}, {"type": "go"}, {"type": "pass", "seat": 2}))
def test_other_data_are_refused(data: Any) -> None:
    with pytest.raises(BadNotation, match="Regenbogen"):
        REGENBOGEN.event(data)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ({"pieces": {"a1": "white red wizard"}}, "RGB-6"),
        ({"pieces": {"b1": "white pink wizard"}}, "RGB-3"),
        ({"pieces": {"b1": "white red wizard"}, "spells": [1, 0]}, "RGB-4"),
        ({"pieces": {f"{file}3": "white ultima spirit 0" for file in "abc"}}, "RGB-19"),
        ({"moved": "b7"}, "RGB-9"),
        ({"bag": 3}, "position"),
    ],
)
def test_positions_that_contradict_themselves(position: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        REGENBOGEN.from_record(2, Options(), position)


def test_a_written_position_is_read_back() -> None:
    state = play(START, "white moves b2 to b3")
    again = REGENBOGEN.from_record(2, Options(), written(state))
    assert (again.board, again.moved, again.legal_moves()) == (state.board, state.moved, state.legal_moves())


def test_a_state_that_contradicts_itself_is_refused() -> None:
    assert_damage_is_refused(REGENBOGEN, START, {"dead": [1, 0]}, {"history": []}, {"spells": [5, 4]}, {"saving": [0]})


def test_the_table_may_let_a_move_stand() -> None:
    far = Go(0, "b2", "b6")
    assert START.violations(far) and START.apply_unchecked(far).tops["b6"] == Pyramid("orange", "small")
    with pytest.raises(BadEvent, match="RGB-11"):
        START.apply_unchecked(Go(0, "b1", "b2"))


def test_a_seen_change_names_a_move_legal_or_not() -> None:
    def seen(*cells: tuple[str, Pyramid | None]) -> Layout:
        return Layout({**START.layout().cells, **{cell: Detection.sure(piece) for cell, piece in cells}})

    orange = Pyramid("orange", "small")
    assert REGENBOGEN.proposer.infer_event(START, seen(("b2", None), ("b3", orange))) == Go(0, "b2", "b3")
    assert REGENBOGEN.proposer.infer_event(START, seen(("b2", None), ("b6", orange))) == Go(0, "b2", "b6")
    assert REGENBOGEN.proposer.infer_event(START, seen(("b3", orange))) == Summon(0, "b2", "b3")
    assert REGENBOGEN.proposer.infer_event(START, seen(("e6", orange))) == Summon(0, "b2", "e6")
    assert REGENBOGEN.proposer.infer_event(START, seen(("b2", None))) is None
