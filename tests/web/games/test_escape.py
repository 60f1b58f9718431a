"""How Spectrum Escape looks: words, places, where pawns may go, corrections."""

from __future__ import annotations

import pytest

from companion.core.contract import Rolled
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Die, Pawn
from companion.games.escape.moves import Add, Lose, Play, Withdraw
from companion.games.shared.color_dice import parse
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from tests.companion.games.escape.short_escape import table as position
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BoardFrame

LOOK = PRESENTERS["escape"]
RED, BLUE = Pawn("red"), Pawn("blue")
ROLL = "rolls d6 red blue green yellow, d12 red-orange orange blue purple purple-red"


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """Ann is red and begins, Ben blue; Ann has entered red."""
    return tell(sessions.start("escape", ["Ann", "Ben"], {}), ROLL, "player 1 plays personal red to 1")


def test_places_in_words() -> None:
    assert LOOK.spot_name("red-orange") == "red-orange"
    assert LOOK.spot_name("red.9") == "red position 1"
    assert LOOK.spot_name("dice") == "the common dice"
    assert LOOK.spot_name("seat1.die") == "the personal die of player 2"
    for spot in ("", "pink", "red.10", "seat1.hand", "seatx.die"):
        with pytest.raises(NoSuchSpot):
            LOOK.spot_name(spot)


def test_events_in_words() -> None:
    said = {
        Play(0, "common", "red", 4): "plays common red to 4",
        Play(0, "personal", "red", 10): "plays personal red out",
        Lose(1, "common"): "loses the common move",
        Withdraw(1, "red"): "withdraws red",
        Add(0, "red", 3): "puts a pawn on red 3",
        Rolled(parse("d6 red blue")): "rolls d6 red blue",
    }
    for event, words in said.items():
        assert LOOK.sentence(event) == words
    assert LOOK.offer(Lose(0, "personal")).startswith("Lose the personal move")
    with pytest.raises(TypeError):
        LOOK.sentence("pass")


def test_where_events_go() -> None:
    assert LOOK.aim(Play(0, "common", "red", 4)).spot == "red.6"
    assert LOOK.aim(Play(0, "common", "red", 10)).spot == "red", "off the board is shown at its color"
    assert LOOK.aim(Withdraw(0, "blue")).spot == "blue"
    assert LOOK.aim(Lose(0, "common")).spot is None, "so that the page offers it as a button"
    assert LOOK.trace(Rolled(())) is None


def test_the_board_reads_pawns_and_where_the_player_may_go(table: Table) -> None:
    scene = LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names))
    names = {one.get("data-spot"): one.get("aria-label") for one in scene.walk() if one.get("data-spot")}
    assert len(names) == 12
    assert names["red"] == "red, R, Ann on 1"
    assert names["blue"] == "blue, B, empty, allowed to 1 by the personal or common die"
    notes = [one.children[0] for one in scene.walk() if one.get("class") == "open-note"]
    assert "PC" in notes and "C" in notes
    still = LOOK.board(
        table.session.state, Marks(last=frozenset(["red.9"])), BoardFrame(name="b", title="B", live=False)
    )
    assert still.get("role") == "img" and not any(one.get("data-spot") for one in still.walk())


def test_marks_are_drawn_and_said(table: Table) -> None:
    marks = Marks(refused=frozenset(["red.9"]), ghosts={"red.9": BLUE, "blue": None})
    scene = LOOK.board(table.session.state, marks, BoardFrame(names=table.session.names))
    assert any("not allowed" in (one.get("aria-label") or "") for one in scene.walk())
    assert any(one.get("class") == "ghost" for one in scene.walk())


def test_pieces_by_code() -> None:
    die, pawn = Die("spectrum-d12", "red-orange"), Pawn("purple")
    assert LOOK.piece_code(die) == "d12RO" and LOOK.piece("d12RO") == die
    assert LOOK.piece_code(pawn) == "pawnP" and LOOK.piece(LOOK.aim_code("pawnP")) == pawn
    assert (LOOK.piece_name(die), LOOK.piece_name(pawn)) == ("d12 red-orange", "purple pawn")
    assert LOOK.picture(pawn, name="p").tag == LOOK.picture(die, name="p").tag == "svg"
    for code in ("", "d6RO", "d8R", "pawnX", "R"):
        with pytest.raises(NoSuchPiece):
            LOOK.piece(code)
    with pytest.raises(NoSuchPiece):
        LOOK.piece_code(Die("pips-d6", 3))


def test_what_stands_where_and_which_row_brought_it(table: Table) -> None:
    assert LOOK.holds(table.session.state, "red.9") == RED and LOOK.holds(table.session.state, "red.8") is None
    assert LOOK.origin(table.session.timeline, "red.9") == 2 and LOOK.origin(table.session.timeline, "blue.9") is None
    assert len(LOOK.orientations("red.9", None)) == 6 and LOOK.orientations("red.9", "pawnB") == [BLUE]


def test_a_pawn_that_was_not_seen_made_a_move(table: Table) -> None:
    assert LOOK.placing(table.session.state, "blue.9", BLUE) == Play(1, "personal", "blue", 1)
    for spot, pawn in (("blue.9", Pawn("green")), ("blue", BLUE)):
        with pytest.raises(BadEvent):
            LOOK.placing(table.session.state, spot, pawn)
    assert LOOK.moved(Play(0, "personal", "red", 1), "red.9", BLUE) is None


@pytest.mark.parametrize(("spot", "pawn"), [("red.9", None), ("red.5", RED), ("red.9", BLUE)])
def test_a_position_with_another_pawn_is_one_that_the_game_reads(table: Table, spot: str, pawn: Pawn | None) -> None:
    position_ = LOOK.position(table.session.state, spot, pawn)
    state = table.session.game.from_record(2, table.session.game.Options(), position_)
    assert LOOK.holds(state, spot) == pawn
    assert state.done == table.session.state.done and state.personal == table.session.state.personal
    with pytest.raises(BadEvent):
        LOOK.position(table.session.state, "red", RED)
    with pytest.raises(BadEvent):
        LOOK.position(table.session.state, "red.1", Pawn("green"))


def test_trials_of_a_color_and_of_a_space() -> None:
    state = position("red 3 5", personal="red blue")
    assert LOOK.trials(state, "red", None) == [
        Play(0, "personal", "red", 6),
        Play(0, "common", "red", 6),
        Withdraw(0, "red"),
    ]
    assert LOOK.trials(state, "red.3", None)[0] == Play(0, "personal", "red", 7)
    assert LOOK.trials(state, "dice", None) == []
    assert LOOK.reminders(state, Withdraw(0, "red")) == () and LOOK.hand(state, 0) is None
