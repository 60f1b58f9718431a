"""Ice Stalks in words, codes, places and corrections."""

from __future__ import annotations

import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Pyramid, Rock
from companion.games.ice_stalks.moves import Pass, PlacePiece, Take
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot
from web.scene.marks import NOTHING
from web.scene.shape import BoardFrame

LOOK = PRESENTERS["ice-stalks"]
CYAN, BLUE, PURPLE = Pyramid("cyan", "large"), Pyramid("blue", "medium"), Pyramid("purple", "small")


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """A stalk of cyan and blue; Ann has drawn a purple rock."""
    return tell(
        sessions.start("ice-stalks", ["Ann", "Ben"], {}),
        "player 1 draws cyan rock",
        "player 1 places cyan large on the table",
        "player 2 draws blue rock",
        "player 2 places blue medium on cyan large",
        "player 1 draws purple rock",
    )


def shown(table: Table) -> dict[str | None, str | None]:
    """Names by place."""
    scene = LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names))
    return {one.get("data-spot"): one.get("aria-label") for one in scene.walk() if one.get("data-spot")}


def test_places_in_words() -> None:
    assert LOOK.spot_name("stalks.C3B2") == "the stalk cyan large, blue medium"
    assert LOOK.spot_name("seat1.stalks.C3B2P1.2/3") == "piece 3 of the stalk cyan large, blue medium, purple small"
    assert LOOK.spot_name("seat1.stalks") == "the completed stalks of player 2"
    assert [LOOK.spot_name(spot) for spot in ("stalks", "rocks", "table")] == [
        "the growing stalks",
        "the rocks aside",
        "the table",
    ]


@pytest.mark.parametrize("spot", ["", "c3", "stalks.", "stalks.C3/2", "stalks.C3/0", "seat9.stalks"])
def test_names_of_no_place(spot: str) -> None:
    with pytest.raises(NoSuchSpot):
        LOOK.spot_name(spot)


def test_pieces_that_ice_stalks_does_not_have() -> None:
    with pytest.raises(NoSuchPiece):
        LOOK.spot_name("stalks.K3")


def test_events_in_words() -> None:
    said = {
        Drawn(0, (Rock("cyan"),)): "draws cyan rock",
        Drawn(0, (None,)): "draws an unseen rock",
        PlacePiece(0, CYAN): "places cyan large on the table",
        PlacePiece(0, BLUE, (CYAN,)): "places blue medium on cyan large",
        Take(1): "takes the stalk",
        Pass(1): "places nothing",
    }
    for event, words in said.items():
        assert LOOK.sentence(event) == words
    assert [LOOK.offer(move) for move in (Take(0), Pass(0))] == ["Take the stalk", "Place nothing"]
    assert LOOK.aim(PlacePiece(0, BLUE, (CYAN,))) == ("B2", "stalks.C3")
    assert LOOK.trace(PlacePiece(0, BLUE, (CYAN,))) == "stalks.C3B2"
    assert LOOK.aim(PlacePiece(0, CYAN)) == ("C3", "table")
    assert LOOK.trace(Take(1)) == "seat1.stalks"


def test_the_board_says_what_may_go_where(table: Table) -> None:
    names = shown(table)
    assert names["stalks.C3B2"] == "stalk, cyan large then blue medium, allowed: purple small"
    assert names["table"] == "the table, for a base"


def test_ice_15_dead_stalks_are_marked(table: Table) -> None:
    position = {"stalks": [["purple large"], ["purple large"]], "turn": 0, "rocks": {"red": 1}}
    table.set_position(position, "", source="page")
    names = shown(table)
    assert names["stalks.P3"] == names["stalks.P3.2"] == "stalk, purple large, can never be completed"


def test_ice_16_a_completed_stalk_waits_to_be_taken(table: Table) -> None:
    table.play(PlacePiece(0, PURPLE, (CYAN, BLUE)), source="page")
    assert "completed, still to be taken" in (shown(table)["stalks.C3B2P1"] or "")
    table.play(Take(0), source="page")
    assert shown(table)["seat0.stalks.C3B2P1"] == (
        "rainbow of 3, cyan to purple, cyan large then blue medium then purple small, points"
    )


def test_a_piece_comes_from_the_row_that_placed_it(table: Table) -> None:
    assert (
        LOOK.origin(table.session.timeline, "stalks.C3B2") == LOOK.origin(table.session.timeline, "stalks.C3B2/2") == 4
    )
    assert LOOK.origin(table.session.timeline, "stalks.C3B2/1") is None, "the stalk has grown since"
    assert LOOK.origin(table.session.timeline, "table") is None


def test_a_position_with_another_piece_or_none_is_one_that_the_game_reads(table: Table) -> None:
    options = table.session.game.Options()
    without = table.session.game.from_record(2, options, LOOK.position(table.session.state, "stalks.C3B2/2", None))
    assert without.stalks == ("C3",) and without.hand == "purple"
    other = table.session.game.from_record(
        2, options, LOOK.position(table.session.state, "stalks.C3B2/1", Pyramid("green", "large"))
    )
    assert other.stalks == ("G3B2",)
    more = table.session.game.from_record(
        2, options, LOOK.position(table.session.state, "table", Pyramid("red", "large"))
    )
    assert more.stalks == ("C3B2", "R3")
    done = table.session.game.from_record(
        2, options, LOOK.position(table.session.state, "stalks.C3B2/2", Pyramid("blue", "small"))
    )
    assert done.stalks == () and done.taken == (("C3B1",), ())
    with pytest.raises(BadEvent, match="not on the table"):
        LOOK.position(table.session.state, "stalks.R3", None)


def test_trials_hold_every_legal_placement(table: Table) -> None:
    for move in table.session.legal():
        assert move in LOOK.trials(table.session.state, LOOK.aim(move).spot or "", None)
    assert LOOK.trials(table.session.state, "stalks.R3", None) == []
    assert [move.piece.size for move in LOOK.trials(table.session.state, "table", None)] == ["large", "medium", "small"]
