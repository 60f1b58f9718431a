"""A chess clock: time runs for whoever is to move, stands while something is open, and goes on after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.foundation.errors import BadEvent
from companion.core.verdict import Pending, Unclear
from companion.referee.session.alert import Alert
from companion.referee.session.clock import Pace
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.sessions import sessions_in
from tests.web.doubles import HandClock


@pytest.fixture
def time() -> HandClock:
    return HandClock()


@pytest.fixture
def sessions(tmp_path: Path, time: HandClock) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, clock=time) as found:
        yield found


def begun(sessions: SessionManager, **pace: int) -> Table:
    table = sessions.start("regenbogen", ["Ada", "Ben"], {})
    table.session.set_clock(Pace(**pace), source="page")
    return table


def move(table: Table) -> None:
    """A move after which the other one is to move."""
    state = table.session.state
    moves = (move for move in table.session.legal() if state.apply(move).expects() != state.expects())
    table.play(next(moves), source="page")


def left(table: Table) -> tuple[float, ...] | None:
    found = table.session.time_left()
    assert found is not None
    return found.game_s


def test_time_runs_for_whoever_is_to_move_and_a_turn_adds_its_increment(
    sessions: SessionManager, time: HandClock
) -> None:
    table = begun(sessions, game_s=600, increment_s=5)
    time.pass_(20)
    assert left(table) == (580, 600)
    move(table)
    time.pass_(7)
    assert left(table) == (585, 593)
    assert table.session.rows()[-1].more["left"] == {"game_s": [580.0, 600.0], "turn_s": 0.0}


def test_each_turn_has_its_own_time(sessions: SessionManager, time: HandClock) -> None:
    table = begun(sessions, turn_s=30)
    time.pass_(31)
    shown = table.session.time_left()
    assert shown is not None and shown.turn_s == -1 and shown.game_s is None
    move(table)
    shown = table.session.time_left()
    assert shown is not None and shown.turn_s == 30 and shown.seats == (1,)


def test_it_stands_while_a_question_is_open_and_not_while_a_move_is_half_made(
    sessions: SessionManager, time: HandClock
) -> None:
    table = begun(sessions, game_s=60)
    for alert, spent in ((Alert(1, Unclear(()), None), 0), (None, 10), (Alert(2, Pending("Half made."), None), 20)):
        with table.session.lock:
            table.session.show(alert)
        time.pass_(10)
        assert left(table) == (60 - spent, 60)


def test_the_time_of_a_power_cut_counts_for_nobody(sessions: SessionManager, time: HandClock) -> None:
    table = begun(sessions, game_s=600)
    time.pass_(20)
    move(table)
    time.pass_(5000)
    again = sessions.resume(table.session.header.id)
    assert left(again) == (580, 600)
    time.pass_(1)
    assert left(again) == (580, 599)


def test_a_clock_that_is_set_back_takes_nothing(sessions: SessionManager, time: HandClock) -> None:
    table = begun(sessions, game_s=600)
    time.now -= 3600
    assert left(table) == (600, 600)


def test_it_is_taken_away_and_never_set_without_time(sessions: SessionManager) -> None:
    table = begun(sessions, game_s=600, increment_s=90, turn_s=3600)
    assert table.session.rows()[-1].text == "the clock is set: 10 min for the game, 90 s more a turn, 1 h for each turn"
    table.session.set_clock(None, source="page")
    assert table.session.time_left() is None and sessions.resume(table.session.header.id).session.time_left() is None
    with pytest.raises(BadEvent, match="needs time"):
        table.session.set_clock(Pace(increment_s=5), source="page")
