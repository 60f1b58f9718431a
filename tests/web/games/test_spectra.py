"""Spectra in words, codes, places and corrections."""

from __future__ import annotations

import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Pyramid, Rock, Stack
from companion.games.spectra.moves import Add, Draw, EndTurn, Exchange, Withdraw
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot
from web.scene.marks import NOTHING
from web.scene.shape import BOARD, BoardFrame

LOOK = PRESENTERS["spectra"]
RED_SMALL, YELLOW_SMALL, ORANGE_SMALL = (Pyramid(color, "small") for color in ("red", "yellow", "orange"))


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """Ann grows blue, Ben purple; Ann holds red and yellow small and is to move."""
    return tell(
        sessions.start("spectra", ["Ann", "Ben"], {"colors": "blue,purple"}),
        "player 1 draws red small",
        "player 1 passes the bag",
        "player 2 draws purple medium",
        "player 2 adds purple medium",
        "player 2 passes the bag",
        "player 1 draws yellow small",
    )


def test_places_in_words() -> None:
    assert LOOK.spot_name("seat1.supply") == "the supply of player 2"
    assert LOOK.spot_name("seat0.trees.2") == "tree 2 of player 1"
    assert LOOK.spot_name("seat0.supply.R1.1") == "red small in the supply of player 1"
    assert LOOK.spot_name("seat0.trees.more.G1.1") == "green small in the trees of player 1"


@pytest.mark.parametrize("spot", ["", "c5", "seat6.supply", "seat0.hand", "seat0.supply.r1", "seat0.trees.2.R1.1.1"])
def test_names_of_no_place(spot: str) -> None:
    with pytest.raises(NoSuchSpot):
        LOOK.spot_name(spot)


@pytest.mark.parametrize("spot", ["seat0.supply.R4", "seat0.supply.C1.1", "seat0.supply.T3"])
def test_pieces_that_spectra_does_not_have(spot: str) -> None:
    with pytest.raises((NoSuchPiece, NoSuchSpot)):
        LOOK.holds(None, spot)


def test_events_in_words() -> None:
    said = {
        Drawn(0, (RED_SMALL,)): "draws red small",
        Draw(0, "small"): "reaches for small",
        Exchange(0, (RED_SMALL, YELLOW_SMALL), ORANGE_SMALL, 1): "gives red small + yellow small for orange small "
        "from player 2",
        Add(0, RED_SMALL): "adds red small",
        Withdraw(0, RED_SMALL): "withdraws red small",
        EndTurn(1): "passes the bag",
    }
    for event, words in said.items():
        assert LOOK.sentence(event) == words
    assert LOOK.offer(EndTurn(0)) == "Pass the bag on"
    with pytest.raises(TypeError):
        LOOK.sentence("pass")


def test_pieces_stacks_and_rocks_in_words() -> None:
    stack = Stack((Pyramid("red", "large"), Pyramid("red", "medium")))
    assert LOOK.piece_name(stack) == "a stack of red large, red medium" and LOOK.piece_code(stack) == "R3R2"
    assert LOOK.piece_name(Rock("cyan")) == "cyan rock"
    assert LOOK.piece("K2") == Pyramid("black", "medium")
    assert LOOK.aim_code("K2") == "K2"
    for code in ("", "R4", "r1", "RR", "C3<"):
        with pytest.raises(NoSuchPiece):
            LOOK.piece(code)


def test_the_board_shows_every_piece_of_every_player(table: Table) -> None:
    scene = LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names))
    names = {one.get("data-spot"): one.get("aria-label") for one in scene.walk() if one.get("data-spot")}
    assert names["seat0.trees.1"] == "tree 1, blue large"
    assert names["seat1.trees.1"] == "tree 1, purple large then purple medium"
    assert names["seat0.supply.R1.1"] == "red small" and names["seat0.supply.Y1.1"] == "yellow small"
    titles = [one.children[0] for one in scene.walk() if (one.get("class") or "").startswith("zone-title")]
    assert titles == ["1 · Ann: blue trees, supply  ◀ plays now", "2 · Ben: purple trees, supply"]


def test_spa_28_a_piece_that_stands_by_agreement_is_shown_beside_the_trees(table: Table) -> None:
    state = table.session.state.apply_unchecked(Add(0, RED_SMALL))
    scene = LOOK.board(state, NOTHING, BOARD)
    assert any(one.get("data-spot") == "seat0.trees.more.R1.1" for one in scene.walk())
    assert LOOK.holds(state, "seat0.trees.more.R1.1") == RED_SMALL


def test_spa_9_a_reminder_comes_with_the_end_of_the_turn_only(table: Table) -> None:
    state = table.session.game.from_record(
        2,
        table.session.game.Options(colors="blue,purple"),
        {"trees": [["blue large"], ["purple large"]], "supplies": [["blue small"], []], "turn": 0, "drawn": True},
    )
    assert [breach.rule for breach in LOOK.reminders(state, EndTurn(0))] == ["SPA-9"]
    assert LOOK.reminders(state, Add(0, Pyramid("blue", "small"))) == ()


def test_a_piece_comes_from_the_row_that_brought_it(table: Table) -> None:
    assert LOOK.origin(table.session.timeline, "seat0.supply.R1.1") == 1
    assert LOOK.origin(table.session.timeline, "seat1.trees.1.P2") == 4
    assert LOOK.origin(table.session.timeline, "seat0.trees.1.B3") is None, "it stands there since the start"
    assert LOOK.origin(table.session.timeline, "seat0.supply") is None


def test_events_with_another_piece() -> None:
    spot = "seat0.supply.R1.1"
    assert LOOK.moved(Drawn(0, (RED_SMALL,)), spot, ORANGE_SMALL) == Drawn(0, (ORANGE_SMALL,))
    assert LOOK.moved(Add(0, RED_SMALL), spot, ORANGE_SMALL) == Add(0, ORANGE_SMALL)
    exchange = Exchange(1, (RED_SMALL, YELLOW_SMALL), ORANGE_SMALL, 0)
    assert LOOK.moved(exchange, spot, ORANGE_SMALL) == Exchange(1, (ORANGE_SMALL, YELLOW_SMALL), ORANGE_SMALL, 0)
    assert LOOK.moved(exchange, "seat1.supply.O1.1", RED_SMALL) == Exchange(1, (RED_SMALL, YELLOW_SMALL), RED_SMALL, 0)
    assert LOOK.moved(EndTurn(0), spot, ORANGE_SMALL) is None


def test_what_was_not_seen_was_drawn_or_added(table: Table) -> None:
    assert LOOK.placing(table.session.state, "seat0.supply.new", RED_SMALL) == Drawn(0, (RED_SMALL,))
    assert LOOK.placing(table.session.state, "seat1.trees.new", RED_SMALL) == Add(1, RED_SMALL)


@pytest.mark.parametrize("piece", [None, ORANGE_SMALL])
def test_a_position_with_another_piece_or_none_is_one_that_the_game_reads(table: Table, piece: Pyramid | None) -> None:
    position = LOOK.position(table.session.state, "seat0.supply.R1.1", piece)
    state = table.session.game.from_record(2, table.session.game.Options(colors="blue,purple"), position)
    assert LOOK.holds(state, "seat0.supply.R1.1") is None
    assert LOOK.holds(state, "seat0.supply.O1.1") == piece
    assert state.turn == 0 and state.drawn
    with pytest.raises(BadEvent, match="SPA-1"):
        LOOK.position(table.session.state, "seat0.supply.new", Pyramid("cyan", "small"))


def test_trials_of_a_zone(table: Table) -> None:
    exchanges = LOOK.trials(table.session.state, "seat0.supply", None)
    assert exchanges and all(
        isinstance(move, Exchange) and not table.session.state.violations(move) for move in exchanges
    )
    adds = LOOK.trials(table.session.state, "seat0.trees", None)
    assert {move.piece for move in adds} == {RED_SMALL, YELLOW_SMALL}
