"""How Spectrum looks: words, places, corrections."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn, Rolled, Shown
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout
from companion.core.pieces import Card, Die, Pawn, Special
from companion.games.shared.color_dice import parse
from companion.games.spectrum import moves
from companion.referee.matching import LOOKS
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from tests.companion.games.spectrum.short_spectrum import drawn
from tests.companion.games.spectrum.short_spectrum import table as position
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BoardFrame
from web.views.alert_view import pictures

LOOK = PRESENTERS["spectrum"]
RED, ORANGE = Pawn("red"), Pawn("orange")


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """Ann is red and has entered; Ben is orange."""
    return tell(
        sessions.start("spectrum", ["Ann", "Ben"], {}), "rolled d6 red green", "player 1 moves red stock to red.1"
    )


def test_places_in_words() -> None:
    assert LOOK.spot_name("red-orange.4") == "RO4"
    assert LOOK.spot_name("red.9") == "R9"
    assert LOOK.spot_name("red stock") == "the red stock"
    assert LOOK.spot_name("seat1.stock") == "the stock of player 2"
    assert LOOK.spot_name("seat0.missions") == "the missions of player 1"
    assert LOOK.spot_name("portal discards") == "the portal discards"
    for spot in ("", "pink", "red.10", "red.0", "seat1.hand", "seatx.stock"):
        with pytest.raises(NoSuchSpot):
            LOOK.spot_name(spot)


def test_events_in_words() -> None:
    said = {
        moves.Go(0, "red.4", "red.5"): "moves R4 to R5",
        moves.Declare(0, "red + red"): "uses red + red",
        moves.PlacePawn(0, "blue", "green.1"): "puts blue on G1",
        moves.TakeOff(0, "red.4"): "takes R4 off",
        moves.Swap(0, "red.4", "green.3"): "swaps R4 and G3",
        moves.Pick(0, "red", "blue"): "picks red and blue",
        moves.Activate(0, Card("red", 3)): "activates R3",
        moves.Send(0, Card("red", 3)): "sends to R3",
        moves.Pass(0): "cannot move",
        moves.Fulfil(0): "declares the missions",
        Rolled(parse("d6 red blue")): "rolls d6 red blue",
        drawn("R3 ??"): "draws R3, ??",
        drawn("?? ?? ??"): "draws 3 hidden cards",
        drawn("??"): "draws 1 hidden card",
        Shown(0, (Card("red", 3),)): "shows R3",
    }
    for event, words in said.items():
        assert LOOK.sentence(event) == words
    assert LOOK.offer(moves.Pass(0)) == "Cannot move"
    with pytest.raises(TypeError):
        LOOK.sentence("pass")


def test_where_events_go() -> None:
    assert LOOK.aim(moves.Go(0, "red.4", "red.5")).spot == "red.5"
    assert LOOK.aim(moves.TakeOff(0, "red.4")).spot == LOOK.trace(moves.TakeOff(0, "red.4")) == "red.4"
    assert LOOK.aim(moves.Swap(0, "green.3", "red.4")).spot == "red.4"
    assert LOOK.aim(moves.Activate(0, Card("red", 3))).spot == LOOK.trace(moves.Send(0, Card("red", 3))) == "red.3"
    assert LOOK.aim(moves.Activate(0, Card("red", 12))).spot is None
    for event in (
        moves.Roll(0),
        moves.Surrender(0),
        moves.EndTurn(0),
        moves.Pass(0),
        moves.Declare(0, "red + blue"),
        Rolled(()),
        Drawn(0, ()),
    ):
        assert LOOK.aim(event).spot == "dice" and LOOK.trace(event) is None
    assert LOOK.laid(moves.PlacePawn(0, "blue", "green.1")) == Pawn("blue")
    assert LOOK.laid(moves.Go(0, "red stock", "red.1")) == RED and LOOK.laid(moves.Go(0, "red.1", "red.2")) is None


def test_the_board_lights_the_paths_of_the_usage_in_use(table: Table) -> None:
    scene = LOOK.board(table.session.state, NOTHING, BoardFrame(names=table.session.names))
    names = {one.get("data-spot"): one.get("aria-label") for one in scene.walk() if one.get("data-spot")}
    assert names["red.1"] == "R1, red 1, red pawn of Ann"
    classes = [str(one.get("class")) for one in scene.walk() if str(one.get("class")).startswith("path path-")]
    assert [one for one in classes if one.endswith(" open")] == ["path path-R open", "path path-G open"]
    before = LOOK.board(table.session.state_at(0), Marks(), BoardFrame(name="b", title="B", live=False))
    assert "lit" not in str(before.get("class"))


def test_pieces_by_code() -> None:
    pieces: dict[str, Any] = {
        "d12RO": Die("spectrum-d12", "red-orange"),
        "pawnP": Pawn("purple"),
        "RO3": Card("red-orange", 3),
        "swap R/G": Special("swap red/green"),
    }
    for code, piece in pieces.items():
        assert LOOK.piece_code(piece) == code and LOOK.piece(LOOK.aim_code(code)) == piece
        assert LOOK.picture(piece, name="p").tag == "svg"
    assert [LOOK.piece_name(piece) for piece in pieces.values()] == [
        "d12 red-orange",
        "purple pawn",
        "red-orange 3",
        "swap red/green",
    ]
    for code in ("", "d6RO", "pawnX", "R13", "R"):
        with pytest.raises(NoSuchPiece):
            LOOK.piece(code)


def test_what_stands_where_and_which_row_brought_it(table: Table) -> None:
    assert LOOK.holds(table.session.state, "red.1") == RED and LOOK.holds(table.session.state, "red.2") is None
    assert LOOK.holds(table.session.state, "dice") is None
    assert LOOK.origin(table.session.timeline, "red.1") == 2 and LOOK.origin(table.session.timeline, "blue.1") is None
    assert LOOK.origin(table.session.timeline, "dice") is None
    assert len(LOOK.orientations("red.1", None)) == 6 and LOOK.orientations("red.1", "pawnR") == [RED]
    assert LOOK.hand(table.session.state, 0) is None and LOOK.reminders(table.session.state, moves.Pass(0)) == ()


def test_a_pawn_that_was_not_seen_made_the_one_move_that_brings_it_there(table: Table) -> None:
    assert LOOK.placing(table.session.state, "green.1", RED) == moves.Go(0, "red stock", "green.1")
    with pytest.raises(BadEvent, match="No allowed move"):
        LOOK.placing(table.session.state, "blue.1", RED)
    with pytest.raises(BadEvent, match="No allowed move"):
        LOOK.placing(table.session.state, "green.1", ORANGE)
    two = position("red.4 red-orange.5", "red red", "red + red", left=[2])
    with pytest.raises(BadEvent, match="Several"):
        LOOK.placing(two, "red.6", RED)
    held = position("blue.4", "red blue", "red + blue", left=1, captured={"pawn": "orange"})
    assert LOOK.placing(held, "green.1", ORANGE) == moves.PlacePawn(0, "orange", "green.1")
    assert LOOK.moved(moves.Go(0, "red.4", "red.5"), "red.5", ORANGE) is None
    with pytest.raises(NoSuchPiece):
        LOOK.placing(table.session.state, "red.1", Die("spectrum-d6", "red"))


@pytest.mark.parametrize(("spot", "pawn"), [("red.1", None), ("red.5", RED), ("red.1", ORANGE)])
def test_a_position_with_another_pawn_is_one_that_the_game_reads(table: Table, spot: str, pawn: Pawn | None) -> None:
    state = table.session.game.from_record(
        2, table.session.game.Options(), LOOK.position(table.session.state, spot, pawn)
    )
    assert LOOK.holds(state, spot) == pawn
    with pytest.raises(BadEvent):
        LOOK.position(table.session.state, "dice", RED)


def test_a_pawn_that_is_gone_has_walked_nowhere() -> None:
    state = position("red.6", "red red", "red + red", left=[2], walked={"red.6": "red"})
    assert "red.6" not in LOOK.position(state, "red.6", None)["walked"]


def test_trials_of_a_space() -> None:
    state = position("red.4 | blue.5", "red blue", "red + blue")
    assert LOOK.trials(state, "red.5", None) == [moves.Go(0, "red.4", "red.5"), moves.Go(0, "red stock", "red.5")]
    assert LOOK.trials(state, "red.5", "pawnO") == [] and LOOK.trials(state, "dice", None) == []
    free = position("red.4", "red red", "red + red", options={"special_order": "free"})
    assert [go.part for go in LOOK.trials(free, "red.6", None)] == [1, 2, 1, 2]
    held = position("blue.4", "red blue", "red + blue", left=1, captured={"pawn": "orange"})
    assert LOOK.trials(held, "green.1", None) == [moves.PlacePawn(0, "orange", "green.1")]
    swap = position(
        "red.4 | green.5", use="swap R/G", cards=["swap R/G", "B1"], options={"cards_as_dice": True, "swap_cards": True}
    )
    assert LOOK.trials(swap, "red.4", None) == [moves.Swap(0, "red.4", "green.5")]
    off = position("red.4", options={"surrender": True}).apply(moves.Surrender(0))
    assert LOOK.trials(off, "red.4", None) == [moves.TakeOff(0, "red.4")]


def test_what_stands_where_on_trial() -> None:
    state = position("red.4 | blue.5 green.3", "red blue", "red + blue")
    ghosts = LOOK.ghosts  # type: ignore[attr-defined]
    assert ghosts(state, [moves.Go(0, "red.4", "red.5")]) == {"red.4": None, "red.5": RED}
    assert ghosts(state, [moves.Go(0, "red stock", "blue.5"), moves.PlacePawn(0, "orange", "green.1")]) == {
        "blue.5": RED,
        "green.1": ORANGE,
    }
    twice = [moves.Go(0, "red.4", "red.5"), moves.Go(0, "red.5", "red.6")]
    assert ghosts(state, twice) == {"red.4": None, "red.5": None, "red.6": RED}
    assert ghosts(state, [moves.Swap(0, "red.4", "green.3"), moves.TakeOff(0, "blue.5")]) == {
        "red.4": ORANGE,
        "green.3": RED,
        "blue.5": None,
    }
    assert ghosts(state, [moves.Pass(0), moves.Go(0, "nowhere", "red.5")]) == {}


def test_a_move_that_the_camera_saw_and_the_rules_refuse_is_shown(sessions: SessionManager) -> None:
    table = sessions.start("spectrum", ["Ann", "Ben"], {})
    table.set_position({"pawns": {"red.4": "red"}, "roll": ["red", "blue"], "usage": "red + blue"}, "", source="page")
    cells = dict(table.session.state.layout().cells)
    cells["red.4"], cells["red.7"] = Detection.sure(None), Detection.sure(RED)
    for frame in range(LOOKS):
        table.see(Layout(cells, table.session.state.layout().heaps), frame)
    assert table.session.alert is not None
    ((_, marks),) = pictures(table.session.alert, LOOK, table.session.state)
    assert marks.ghosts == {"red.4": None, "red.7": RED} and marks.refused == {"red.7"}
