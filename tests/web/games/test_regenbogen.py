"""Regenbogen in words, cells and corrections."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Pyramid, Rock
from companion.games.regenbogen.board import CELLS
from companion.games.regenbogen.moves import (
    EndTurn,
    Fight,
    GiveSpell,
    Go,
    Heal,
    OfferDraw,
    Recover,
    SelfDestruct,
    Summon,
)
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BOARD, BoardFrame

LOOK = PRESENTERS["regenbogen"]


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    return tell(
        sessions.start("regenbogen", ["Ann", "Ben"], {}),
        "white moves b2 to b4",
        "white summons on c5 with b4",
        "black moves b7 to b6",
    )


def shown(table: Table, marks: Marks = NOTHING) -> dict[str, str]:
    """Names by cell."""
    scene = LOOK.board(table.session.state, marks, BoardFrame(names=table.session.names))
    return {one.get("data-spot") or "": one.get("aria-label") or "" for one in scene.walk() if one.get("data-spot")}


def test_every_cell_says_its_color_and_who_stands_there_with_what_health(table: Table) -> None:
    names = shown(table)
    assert sorted(names) == sorted(CELLS)
    assert names["c5"] == "c5, purple cell, White's orange Spirit, 3 of 3 health"
    assert names["d8"] == "d8, white cell, Black's Ultima Wizard, 5 of 5 health"
    assert names["c8"] == "c8, blue cell, Black's Cleric, 5 of 5 health, 4 of 4 spells"
    assert names["a2"] == "a2, white cell, empty"


def test_no_piece_and_no_cell_is_told_by_color_alone(table: Table) -> None:
    scene = LOOK.board(table.session.state, NOTHING, BOARD)
    for cell in (one for one in scene.walk() if one.get("data-spot")):
        texts = [text for one in cell.walk() for text in one.children if isinstance(text, str)]
        signs = [one for one in cell.walk() if (one.get("class") or "").startswith("sign-shape")]
        filled = "empty" not in (cell.get("class") or "").split()
        assert len(texts) >= (4 if filled else 1) and len(signs) == filled, cell.get("aria-label")


def test_marks_are_said_too(table: Table) -> None:
    names = shown(table, Marks(last=frozenset(("b6",)), refused=frozenset(("c5",))))
    assert names["b6"].endswith("last move") and names["c5"].endswith("not allowed")


def test_a_picture_beside_a_question_is_one_image(table: Table) -> None:
    scene = LOOK.board(
        table.session.state,
        Marks(ghosts={"c3": Pyramid("red", "small")}),
        BoardFrame(name="b", title="Board", live=False),
    )
    assert scene.get("role") == "img" and not [one for one in scene.walk() if one.get("data-spot")]
    assert [one for one in scene.walk() if one.get("class") == "ghost"]


def test_events_in_words() -> None:
    assert LOOK.sentence(Go(0, "b2", "b4")) == "moves b2 to b4"
    assert LOOK.sentence(Heal(1, "c8", "c7", 2)) == "heals c7 by 2 with c8"
    assert [LOOK.offer(move) for move in (EndTurn(0), GiveSpell(0), OfferDraw(1))] == [
        "End the turn",
        "Give up a spell",
        "Offer a draw",
    ]
    assert LOOK.offer(Recover(0, "d1")) == "Recovers a spell with d1"
    aims = {
        Go(0, "b2", "b4"): "b4",
        Fight(0, "b4", "c5"): "c5",
        Summon(0, "b4", "c5"): "c5",
        Heal(1, "c8", "c7", 2): "c7",
        Recover(0, "d1"): "d1",
        SelfDestruct(0, "c4"): "c4",
        EndTurn(0): None,
    }
    for move, spot in aims.items():
        assert LOOK.aim(move).spot == LOOK.trace(move) == spot


def test_names_of_cells_and_of_none() -> None:
    assert LOOK.spot_name("b1") == "b1, a red cell"
    for wrong in ("a1", "g4", "", "b9"):
        with pytest.raises(NoSuchSpot):
            LOOK.spot_name(wrong)


def test_trials_hold_every_legal_move(table: Table) -> None:
    for move in table.session.legal():
        spot = LOOK.aim(move).spot
        if spot is not None:
            assert move in LOOK.trials(table.session.state, spot, None), move
    assert all(move.piece == "c8" for move in LOOK.trials(table.session.state, "d3", "K1") if isinstance(move, Go))


def test_a_piece_comes_from_the_row_that_changed_it(table: Table) -> None:
    table.play(table.session.game.parse(table.session.state, "black fights c5 with b6"), source="page")
    assert LOOK.origin(table.session.timeline, "c5") == 4, "its health changed although its top did not"
    assert LOOK.origin(table.session.timeline, "b4") == 1
    assert LOOK.origin(table.session.timeline, "c7") is None


def test_rgb_29_a_top_is_set_up_only_where_it_tells_the_piece(table: Table) -> None:
    options = table.session.game.Options()
    bare = table.session.game.from_record(
        2, options, LOOK.position(table.session.state, "c5", Pyramid("orange", "medium"))
    )
    assert LOOK.holds(bare, "c5") == Pyramid("orange", "medium")
    gone = table.session.game.from_record(2, options, LOOK.position(table.session.state, "c8", None))
    assert LOOK.holds(gone, "c8") is None and gone.spells == (4, 0)
    with pytest.raises(BadEvent, match="whose piece"):
        LOOK.position(table.session.state, "c5", Pyramid("red", "small"))
    with pytest.raises(BadEvent, match="whose piece"):
        LOOK.position(table.session.state, "a4", Pyramid("red", "small"))


def test_a_spirit_that_was_not_seen_can_be_told_by_its_cell(table: Table) -> None:
    table.play(table.session.game.parse(table.session.state, "black ends the turn"), source="page")
    event = LOOK.placing(table.session.state, "d3", Pyramid("green", "small"))
    assert event == Summon(0, "d2", "d3")
    with pytest.raises(BadEvent):
        LOOK.placing(table.session.state, "d4", Pyramid("black", "large"))


def test_pieces_that_regenbogen_does_not_have() -> None:
    with pytest.raises(NoSuchPiece):
        LOOK.orientations("b1", "C1")
    with pytest.raises(NoSuchPiece):
        LOOK.placing(None, "b1", Rock("red"))
    assert len(LOOK.orientations("b1", None)) == 27
