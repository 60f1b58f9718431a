"""What an illegal play costs at a live table (UMO-5): it is told in a row, and one undo forgives it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.foundation.errors import IllegalMove
from companion.games import GAMES
from companion.games.shared.cards.deck import CODES
from companion.referee.journal.record import replay
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.companion.dealt import sessions
from web.privacy.secrecy import tell

POSITION = {"table": "R5", "hands": ["B7, RO4, G9, P2", "GB7, Y3, Y4"]}
"""Ann may play RO4 alone."""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[SessionManager]:
    one = sessions(tmp_path)
    yield one
    one.journal.close()


@pytest.fixture
def table(here: SessionManager) -> Table:
    return here.start("spectrumo", ("Ann", "Ben"), {}, position=POSITION, draws="told")


def event(table: Table, line: str) -> Any:
    return table.session.game.parse(table.session.state, line)


def test_umo_5_a_refused_play_goes_back_draws_two_and_ends_the_turn(table: Table) -> None:
    with pytest.raises(IllegalMove) as refused:
        table.play(event(table, "player 1 plays B7"), source="page", expected=0)
    assert [breach.rule for breach in refused.value.breaches] == ["UMO-2", "UMO-5"]
    assert [(row.kind, row.text) for row in table.session.rows()] == [
        ("refused", "player 1 plays B7"),
        ("move", "player 1 takes the penalty for B7"),
    ]
    table.play(event(table, "player 1 draws R9, draw"), source="page")
    assert table.session.state.turn == 1 and table.session.state.count(0) == 6
    with pytest.raises(IllegalMove):
        table.play(event(table, "player 1 plays RO4"), source="page")


def test_one_undo_forgives_a_slip(table: Table) -> None:
    with pytest.raises(IllegalMove):
        table.play(event(table, "player 1 plays B7"), source="page")
    table.undo(0, "mistyped", source="page")
    table.play(event(table, "player 1 plays RO4"), source="page")
    assert table.session.state.turn == 1 and table.session.state.count(0) == 3


@pytest.mark.parametrize("line", ["player 2 plays Y3", "player 1 plays Y12", "player 1 cannot play"])
def test_what_is_no_play_of_the_own_hand_and_turn_costs_nothing(table: Table, line: str) -> None:
    with pytest.raises(IllegalMove):
        table.play(event(table, line), source="page")
    assert table.session.seq == 0


def test_a_players_own_browser_is_charged_too_and_the_journal_replays(here: SessionManager, table: Table) -> None:
    with pytest.raises(IllegalMove, match="If the play was only mistyped, undo it"):
        tell(table, event(table, "player 1 plays B7"), 0, 0)
    assert [row.kind for row in table.session.rows()] == ["refused", "move"]
    assert replay(GAMES["spectrumo"], table.session.header, table.session.rows()).change is None
    assert here.journal.rows(table.session.header.id) == table.session.rows()


def test_where_software_deals_the_two_cards_come_at_once(here: SessionManager) -> None:
    table = here.start("spectrumo", ("Ann", "Ben"), {}, draws="dealt")
    seat, before = table.session.state.turn, table.session.seq
    legal = table.session.state.playable
    wrong = next((card for card in table.session.state.hands[seat] if card not in legal), None)
    assert wrong is not None
    with pytest.raises(IllegalMove):
        table.play(event(table, f"player {seat + 1} plays {CODES[wrong]}"), source="page")
    assert [row.kind for row in table.session.rows()[before:]] == ["refused", "move", "chance"]
    assert table.session.state.count(seat) == 14 and table.session.state.turn != seat
