"""Software deals: sealed before the first card, dealt at once, the same after an undo, and shown at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.contract import Drawn, Over, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, JournalError
from companion.core.pieces import Card
from companion.games import GAMES
from companion.games.shared.cards.dealing import commitment
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.companion.dealt import SEED, begun, played, sessions

GAMES_DEALT: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("solitaire", 1, {}),
    ("spectrumo", 3, {"limit": 40}),
    ("spectrump", 4, {"rounds": 1}),
    ("casino", 2, {}),
    ("five-hundred", 3, {}),
    ("cribbage", 2, {"target": 60}),
    ("poker", 4, {"exchanges": 1, "shared": 2}),
)


@pytest.fixture
def table_of(tmp_path: Path) -> Iterator[SessionManager]:
    here = sessions(tmp_path)
    yield here
    here.journal.close()


def test_every_game_of_the_deck_can_be_dealt() -> None:
    assert {name for name, _, _ in GAMES_DEALT} == {name for name, game in GAMES.items() if game.dealer is not None}


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_DEALT, ids=[name for name, _, _ in GAMES_DEALT])
def test_a_game_is_sealed_dealt_and_shown(
    table_of: SessionManager, game: str, seats: int, options: dict[str, Any]
) -> None:
    table = begun(table_of, game, seats, **options)
    first, *dealt = table.session.rows()
    assert (first.kind, first.more) == ("commitment", {"commitment": commitment(SEED)})
    assert {(row.kind, row.source) for row in dealt} <= {("chance", "software")}
    assert isinstance(table.session.state.expects(), ToMove)
    assert not any("seed" in row.more for row in table.session.rows())
    played(table)
    assert isinstance(table.session.state.expects(), Over)
    rows = table.session.rows()
    assert (rows[-1].kind, rows[-1].more) == ("reveal", {"seed": SEED.hex()})
    assert [row.kind for row in rows].count("commitment") == [row.kind for row in rows].count("reveal") == 1


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_DEALT, ids=[name for name, _, _ in GAMES_DEALT])
def test_after_an_undo_the_same_cards_come(
    table_of: SessionManager, game: str, seats: int, options: dict[str, Any]
) -> None:
    table = played(begun(table_of, game, seats, **options), most=6)
    there = [(row.kind, row.text) for row in table.session.rows()]
    state = table.session.state
    moves = [row.event for row in table.session.rows() if row.kind == "move"]
    dealt = next(row.n for row in table.session.rows() if row.kind == "move") - 1
    table.undo(dealt, "once more", source="page")
    for data in moves:
        table.play(table.session.game.event(data), source="page")
    assert table.session.state == state
    assert [(row.kind, row.text) for row in table.session.rows()[len(there) + 1 :]] == there[dealt:]


def test_an_undo_into_a_deal_deals_on_at_once(table_of: SessionManager) -> None:
    table = begun(table_of, "casino", 2)
    state = table.session.state
    table.undo(2, "", source="page")
    assert table.session.state == state and isinstance(table.session.state.expects(), ToMove)


def test_a_restart_goes_on_with_the_same_deal(table_of: SessionManager) -> None:
    whole = played(begun(table_of, "cribbage", 2, target=60), number=3).session.rows()
    again = played(begun(table_of, "cribbage", 2, target=60), number=3, most=0)
    for row in whole:
        if row.kind == "move":
            again = table_of.resume(again.session.header.id)
            again.play(again.session.game.event(row.event), source="page")
    assert [row.text for row in again.session.rows()] == [row.text for row in whole]


def test_what_people_cannot_do_in_a_dealt_game(table_of: SessionManager) -> None:
    table = begun(table_of, "casino", 2)
    with pytest.raises(BadEvent, match="need not enter cards"):
        table.play(Drawn(0, (Card("red", 3),)), source="page")
    with pytest.raises(BadEvent, match="go back to before the move"):
        table.correct(3, Drawn(0, (Card("red", 3),)), "", source="page")
    with pytest.raises(BadEvent, match="no position can be set up"):
        table.set_position({}, "", source="page")
    played(table)
    with pytest.raises(BadEvent, match="The deal was shown"):
        table.undo(4, "", source="page")


def test_software_deals_games_of_the_deck_from_their_beginning(table_of: SessionManager) -> None:
    with pytest.raises(BadOptions, match="does not deal Spectrangle"):
        begun(table_of, "spectrangle", 2)
    with pytest.raises(BadOptions, match="from the beginning of a hand"):
        table_of.start("casino", ["A", "B"], {}, draws="dealt", position={"hands": [None, None], "board": ["R1"]})
    following = table_of.start("casino", ["A", "B"], {}, draws="dealt", position={"scores": [30, 40], "dealer": 0})
    assert [score.total for score in following.session.state.scores()] >= [30, 40]


def test_without_its_seed_a_game_cannot_go_on(table_of: SessionManager, tmp_path: Path) -> None:
    table = begun(table_of, "casino", 2)
    other = Journal.open(tmp_path / "other.journal")
    other.insert(table.session.header, table.session.rows())
    (tmp_path / "elsewhere").mkdir()
    elsewhere = sessions(tmp_path / "elsewhere")
    try:
        elsewhere.journal.close()
        elsewhere.journal = other
        with pytest.raises(JournalError, match=r"The seed of the game .* is not in"):
            elsewhere.resume(table.session.header.id)
        other.keep_seed(table.session.header.id, SEED)
        assert elsewhere.resume(table.session.header.id).session.state == table.session.state
    finally:
        other.close()
