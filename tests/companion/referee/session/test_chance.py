"""Dice and draws by the program: fair, on the record with their seed, and never rolled again until they please."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.contract import Drawn, Over, ToMove
from companion.core.foundation.errors import BadEvent, StaleCommand
from companion.games import GAMES
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.sessions import sessions_in

BY_CHANCE = ("spectrangle", "spectra", "ice-stalks", "spectrum", "escape", "roll-and-color")


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, games=GAMES) as found:
        yield found


def begun(sessions: SessionManager, game: str) -> Table:
    return sessions.start(game, ["Ada", "Ben"][: max(2, GAMES[game].seats[0])], {})


@pytest.mark.parametrize("game", BY_CHANCE)
def test_the_outcome_is_a_row_with_its_seed(sessions: SessionManager, game: str) -> None:
    table = begun(sessions, game)
    row = table.let_chance_decide(expected=0)
    assert (row.kind, row.source, row.n) == ("chance", "software", 1)
    assert len(bytes.fromhex(row.more["seed"])) == 32


@pytest.mark.parametrize("game", BY_CHANCE)
def test_to_undo_and_ask_again_brings_the_same_outcome(sessions: SessionManager, game: str) -> None:
    table = begun(sessions, game)
    first = table.let_chance_decide()
    for _ in range(3):
        table.undo(0, "these dice do not please", source="page")
        again = table.let_chance_decide()
        assert (again.event, again.more["seed"]) == (first.event, first.more["seed"])


def test_a_restart_brings_the_same_outcome(sessions: SessionManager) -> None:
    table = begun(sessions, "spectrum")
    first = table.let_chance_decide()
    table.undo(0, "", source="page")
    resumed = sessions.resume(table.session.header.id)
    assert resumed.let_chance_decide().event == first.event


def test_two_games_have_outcomes_of_their_own(sessions: SessionManager) -> None:
    rolls = {begun(sessions, "roll-and-color").let_chance_decide().text for _ in range(4)}
    assert len(rolls) == 4


def test_a_whole_game_without_dice(sessions: SessionManager) -> None:
    """ROL: every roll is due to the program, and every outcome is one that may come."""
    table = begun(sessions, "roll-and-color")
    for _ in range(40):
        due = table.session.state.expects()
        if isinstance(due, Over):
            break
        if isinstance(due, ToMove):
            table.play(table.session.legal()[0], source="page")
        else:
            table.let_chance_decide()
    assert table.session.seq >= 40


def test_the_seat_that_draws_from_the_bag_of_spectra_may_be_named(sessions: SessionManager) -> None:
    row = begun(sessions, "spectra").let_chance_decide(1)
    assert row.seat == 1


def test_nothing_is_drawn_that_is_not_due(sessions: SessionManager) -> None:
    table = begun(sessions, "spectrum")
    table.let_chance_decide()
    with pytest.raises(BadEvent):
        table.let_chance_decide()
    with pytest.raises(StaleCommand):
        table.let_chance_decide(expected=0)
    with pytest.raises(BadEvent, match="left to chance"):
        begun(sessions, "regenbogen").let_chance_decide()
    with pytest.raises(BadEvent, match="on demand"):
        sessions.start("cribbage", ["Ada", "Ben"], {}).let_chance_decide()
    assert table.session.seq == 1


def test_a_draw_by_the_program_is_no_reason_against_an_event_by_a_person(sessions: SessionManager) -> None:
    table = begun(sessions, "ice-stalks")
    table.let_chance_decide()
    table.undo(0, "a stone was drawn from the bag", source="page")
    stone = next(event for event, _ in table.session.game.outcomes(table.session.state))
    assert isinstance(stone, Drawn)
    assert table.play(stone, source="page").source == "page"
