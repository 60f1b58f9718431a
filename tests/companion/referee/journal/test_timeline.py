"""The fold over a game's rows: what counts now, and what an undo or a correction would bring."""

from __future__ import annotations

import msgspec
import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord, IllegalMove
from companion.referee.journal import Header
from companion.referee.journal.timeline import Timeline, begin, kind_of, options_of
from simulation.ladder import LADDER, SET, Lay, Skip, dealt

TILE = {tile.name: tile for tile in SET}
START = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - - BBR5")


def line(draws: str = "told") -> Timeline:
    header = Header(
        game="ladder",
        rules=1,
        seats=2,
        names=("Ada", "Bea"),
        draws=draws,  # type: ignore[arg-type]
        position=msgspec.to_builtins(START),
        started=0.0,
        software="0",
    )
    return begin(LADDER, header)


def test_a_line_is_a_value() -> None:
    start = line()
    one = start.tell("move", Lay(4, TILE["RRR6"]))
    assert (start.n, start.state) == (0, START)
    assert (one.n, one.state) == (1, START.apply(Lay(4, TILE["RRR6"])))
    assert one.at(0) is start
    with pytest.raises(BadEvent, match="no row 2"):
        one.at(2)


def test_rows_that_change_nothing_count_as_rows() -> None:
    noted = line().note().tell("move", Lay(4, TILE["RRR6"]))
    assert noted.n == 2
    assert [step.n for step in noted.steps()] == [2]


def test_an_undo_folds_away_and_an_undo_of_the_undo_brings_back() -> None:
    one = line().tell("move", Lay(4, TILE["RRR6"])).tell("chance", Drawn(0, (TILE["PPP6"],)))
    back = one.undo(1)
    assert [step.n for step in back.steps()] == [1]
    assert back.undone() == {2}
    forth = back.undo(2)
    assert forth.state == one.state
    assert forth.undone() == {3}
    other = back.tell("chance", Drawn(0, (TILE["GGG6"],)))
    assert [step.n for step in other.steps()] == [1, 4]
    assert other.undone() == {2}


def test_a_corrected_event_keeps_its_place() -> None:
    one = line().tell("move", Lay(4, TILE["RRR6"])).tell("chance", Drawn(0, (TILE["PPP6"],)))
    right = one.correct(1, Lay(2, TILE["RRR6"]))
    assert [(step.n, step.event) for step in right.steps()] == [
        (1, Lay(2, TILE["RRR6"])),
        (2, Drawn(0, (TILE["PPP6"],))),
    ]
    assert right.undo(2).state == one.state


def test_a_correction_under_which_a_later_draw_no_longer_fits_names_it() -> None:
    one = line().tell("move", Lay(4, TILE["RRR6"])).tell("chance", Drawn(0, (TILE["PPP6"],)))
    one = one.tell("move", Lay(2, TILE["RRP5"])).tell("chance", Drawn(1, (TILE["GGG6"],)))
    with pytest.raises(BadEvent, match=r"Row 4 \(draw 1 GGG6\) would no longer fit"):
        one.correct(2, Drawn(0, (TILE["GGG6"],)))


def test_an_agreed_move_is_carried_through_a_correction() -> None:
    one = line("unseen").tell("agreed", Lay(4, TILE["GGG6"]))
    assert one.state.cells[4] == TILE["GGG6"]
    two = one.tell("move", Lay(2, TILE["RRP5"]))
    again = two.correct(2, Lay(2, TILE["BBB6"]))
    assert again.state.cells[2:5] == (TILE["BBB6"], TILE["BBR5"], TILE["GGG6"])
    legal = two.correct(1, Lay(4, TILE["RRR6"]))
    assert legal.steps()[0].kind == "move"


def test_a_set_up_position_stands_whatever_is_corrected_before_it() -> None:
    other = dealt("RRR6 RRY5", "BBB6 RRP5")
    one = line().tell("move", Lay(4, TILE["RRR6"])).put(other)
    assert one.correct(1, Lay(2, TILE["RRR6"])).state == other
    with pytest.raises(BadEvent, match="has no move"):
        one.correct(2, Skip())


def test_what_lies_where_since_when() -> None:
    one = line().tell("move", Lay(4, TILE["RRR6"])).tell("chance", Drawn(0, (TILE["PPP6"],)))
    assert one.origin("c4") == 1
    assert one.origin("seat0.hand") == 2
    assert one.origin("c3") is None
    assert one.origin("nowhere") is None


def test_illegal_events_never_join() -> None:
    with pytest.raises(IllegalMove, match="LAD-3"):
        line("unseen").tell("move", Lay(4, TILE["GGG6"]))
    with pytest.raises(IllegalMove, match="LAD-4"):
        line().tell("move", Lay(4, TILE["RRP5"])).correct(1, Lay(4, TILE["RRR6"]))


def test_options_are_checked_and_filled_in() -> None:
    assert msgspec.to_builtins(options_of(LADDER, {})) == {"cells": 9}
    assert msgspec.to_builtins(options_of(LADDER, {"cells": "5"})) == {"cells": 5}
    with pytest.raises(BadOptions, match=r'no option "bells"\. It has: cells'):
        options_of(LADDER, {"bells": 1})
    with pytest.raises(BadOptions, match="out of its bounds"):
        options_of(LADDER, {"cells": "many"})


def test_a_position_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(BadRecord, match="cannot be read"):
        line().book.position({"cells": "no"})


def test_kinds() -> None:
    assert kind_of(Skip()) == "move"
    assert kind_of(Drawn(0, (None,))) == "chance"
