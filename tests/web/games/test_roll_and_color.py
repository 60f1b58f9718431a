"""How Roll & Color looks: words, dice and rows, corrections."""

from __future__ import annotations

import pytest

from companion.core.contract import Rolled
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Die, Pawn
from companion.games.roll_and_color.moves import Enter, Reroll, Rethrow
from companion.games.roll_and_color.sheet import ROW
from companion.games.shared.color_dice import parse
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot
from web.games.roll_and_color import rolls
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BOARD, BoardFrame

LOOK = PRESENTERS["roll-and-color"]
ROLL = "rolls d6 red red blue green, d12 red-orange red red blue purple"


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """Ann has rolled and re-rolled four dice; Ben has nothing yet."""
    return tell(
        sessions.start("roll-and-color", ["Ann", "Ben"], {}),
        ROLL,
        "player 1 re-rolls 3 4 5 9",
        "rolls d12 red-orange orange, d6 blue red",
    )


def spots(scene: object) -> dict[str, str]:
    return {one.get("data-spot"): one.get("aria-label") for one in scene.walk() if one.get("data-spot")}  # type: ignore[attr-defined]


def test_places_in_words() -> None:
    assert LOOK.spot_name("die.3") == "die 3" and LOOK.spot_name("dice") == "the dice"
    assert LOOK.spot_name("spectrum-combo-1") == "spectrum combo 1"
    assert LOOK.spot_name("spectrum-combo-1.2&3") == "spectrum combo 1, 2&3"
    assert LOOK.spot_name("green.0") == "green, nothing"
    for spot in ("", "die.0", "pink", "green.7", "red.2&2"):
        with pytest.raises(NoSuchSpot):
            LOOK.spot_name(spot)


def test_events_in_words() -> None:
    red = Die("spectrum-d6", "red")
    said = {
        Enter(0, ROW["red"], 3): "enters 3 in red",
        Enter(0, ROW["green"], 0): "enters 0 in green",
        Reroll(1, (1, 2, 5, 9)): "re-rolls 1 2 5 9",
        Rethrow(1, (1,), (red,)): "re-rolls 1 as d6 red",
        Rolled((red,)): "rolls d6 red",
    }
    for event, words in said.items():
        assert LOOK.sentence(event) == words
    assert LOOK.offer(Enter(0, ROW["red"], 3)) == "Enters 3 in red"
    assert LOOK.aim(Enter(0, ROW["red"], 3)).spot == "red.3" and LOOK.trace(Enter(0, ROW["red"], 3)) == "red"
    assert LOOK.aim(Reroll(0, (1,))).spot == "dice" and LOOK.trace(Reroll(0, (1,))) is None
    with pytest.raises(TypeError):
        LOOK.sentence("pass")


def test_the_board_reads_dice_and_rows(table: Table) -> None:
    names = spots(LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names)))
    assert len(names) == 9 + 24
    assert names["die.3"] == "die 3, d6, blue"
    assert names["red"] == "red: Ann open, Ben open, now worth 10"
    table.play(table.session.game.parse(table.session.state, "player 1 enters 4 in red"), source="page")
    names = spots(LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names)))
    assert names["red"] == "red: Ann 6, Ben open" and names["die.1"] == "die 1, d6, to be rolled"


def test_the_best_row_is_marked_and_marks_of_cells_fall_on_rows(table: Table) -> None:
    scene = LOOK.board(table.session.state, Marks(refused=frozenset(["red.6"])), BOARD)
    kinds = [one.get("class") for one in scene.walk()]
    assert "offer best" in kinds and "offer" in kinds
    assert "not allowed" in spots(scene)["red"]
    still = LOOK.board(table.session.state, NOTHING, BoardFrame(name="b", title="B", live=False))
    assert still.get("role") == "img" and not spots(still)


@pytest.mark.parametrize("seats", (1, 3, 6))
def test_the_board_has_a_column_for_every_player(sessions: SessionManager, seats: int) -> None:
    table = sessions.start("roll-and-color", [f"P{n}" for n in range(seats)], {})
    scene = LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names))
    signs = [one for one in scene.walk() if (one.get("class") or "") == "part-head"]
    assert len(signs) == 4 and all(len(one.children) == seats + 1 for one in signs)
    assert "in-hand" in " ".join(one.get("class") or "" for one in scene.walk()), "nothing has been rolled"


def test_which_roll_brought_a_die(table: Table) -> None:
    """Re-rolled dice come from the second roll, told in another order than their numbers."""
    found = rolls(table.session.timeline)
    assert found[1] == (1, 0) and found[8] == (1, 7)
    assert found[3] == (3, 2) and found[4] == (3, 3) and found[5] == (3, 0) and found[9] == (3, 1)
    assert LOOK.origin(table.session.timeline, "die.9") == 3 and LOOK.origin(table.session.timeline, "red") is None
    for number, (row, at) in found.items():
        event = table.session.game.event(table.session.rows()[row - 1].event)
        assert event.faces[at] == LOOK.holds(table.session.state, f"die.{number}")


def test_faces_of_a_die_and_positions_with_another_one(table: Table) -> None:
    assert LOOK.holds(table.session.state, "red") is None
    assert len(LOOK.orientations("die.1", None)) == 6 and len(LOOK.orientations("die.5", None)) == 12
    assert LOOK.orientations("die.5", "d12RO") == [Die("spectrum-d12", "red-orange")]
    position = LOOK.position(table.session.state, "die.5", Die("spectrum-d12", "green"))
    state = table.session.game.from_record(2, table.session.game.Options(), position)
    assert LOOK.holds(state, "die.5") == Die("spectrum-d12", "green") and state.rerolls == 1
    for spot, piece in (("red", None), ("die.1", None), ("die.1", Die("spectrum-d12", "red"))):
        with pytest.raises(BadEvent):
            LOOK.position(table.session.state, spot, piece)
    with pytest.raises(NoSuchPiece):
        LOOK.position(table.session.state, "die.1", Pawn("red"))
    with pytest.raises(BadEvent):
        LOOK.placing(table.session.state, "die.1", Die("spectrum-d6", "red"))
    assert LOOK.moved(Rolled(parse("d6 red")), "die.1", Die("spectrum-d6", "blue")) is None


def test_trials_of_a_row_and_of_a_cell(table: Table) -> None:
    assert LOOK.trials(table.session.state, "red", None) == [Enter(0, ROW["red"], cell) for cell in range(7)]
    assert LOOK.trials(table.session.state, "red.2", None) == [Enter(0, ROW["red"], 2)]
    assert LOOK.trials(table.session.state, "die.1", None) == []
    assert LOOK.reminders(table.session.state, Enter(0, 0, 0)) == () and LOOK.hand(table.session.state, 0) is None
    assert LOOK.laid(Enter(0, 0, 0)) is None
