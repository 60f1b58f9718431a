"""Spectrangle in words, codes and trials."""

from __future__ import annotations

import pytest

from companion.core.contract import Drawn, Shown
from companion.core.pieces import TILES, Die, Tile
from companion.games.spectrangle.moves import Exchange, Pass, PlaceTile
from companion.referee.table.table import Table
from web.boards import PRESENTERS, NoSuchPiece, NoSuchSpot

LOOK = PRESENTERS["spectrangle"]
TILE = {tile.name: tile for tile in TILES}


def test_codes_and_pieces_are_one_to_one() -> None:
    for tile in TILES:
        for thirds in range(3):
            lying = tile.turned(thirds)
            assert LOOK.piece(LOOK.piece_code(lying)) == lying
            assert LOOK.aim_code(LOOK.piece_code(lying)) == tile.name


@pytest.mark.parametrize("code", ["", "XYZ1", "RRY4", "RRY55", "RRRR", "rry5", "🂡"])
def test_codes_of_no_tile(code: str) -> None:
    with pytest.raises(NoSuchPiece):
        LOOK.piece(code)


@pytest.mark.parametrize("spot", ["", "c36", "c-1", "C1", "c01", "seat.hand", "seat1.hand1"])
def test_names_of_no_spot(spot: str) -> None:
    with pytest.raises(NoSuchSpot):
        LOOK.spot_name(spot)


def test_spots_in_words() -> None:
    assert LOOK.spot_name("c0") == "c0"
    assert LOOK.spot_name("seat1.hand") == "the hand of player 2"


def test_events_in_words() -> None:
    tile = TILE["RGY3"]
    said = {
        PlaceTile(7, tile): "lays red green yellow, value 3, on c7",
        Exchange(tile): "puts red green yellow, value 3, back into the bag for another",
        Exchange(None): "puts a tile that was not shown, back into the bag for another",
        Pass(): "passes",
        Drawn(0, (tile, None)): "draws red green yellow, value 3; a tile that was not shown",
        Drawn(0, (None, None)): "draws 2 tiles that were not shown",
        Shown(1, (tile,)): "shows red green yellow, value 3",
    }
    for event, words in said.items():
        assert LOOK.sentence(event) == words
    assert LOOK.aim(PlaceTile(7, tile.turned(1))) == ("RGY3", "c7")
    assert LOOK.aim(Pass()) == (None, None)


def test_moves_as_buttons_say_them() -> None:
    tile = TILE["RGY3"]
    offers = [LOOK.offer(move) for move in (Pass(), Exchange(tile), Exchange(None), PlaceTile(7, tile.turned(1)))]
    assert offers == ["Pass", "Exchange RGY3", "Exchange a tile that is not shown", "Lay YRG3"]


def test_trials_hold_every_legal_placement(table: Table) -> None:
    legal = {move for move in table.session.legal() if isinstance(move, PlaceTile)}
    tried = {move for cell in range(36) for move in LOOK.trials(table.session.state, f"c{cell}", None)}
    assert legal <= tried
    some = next(iter(legal))
    code, spot = LOOK.aim(some)
    assert some in LOOK.trials(table.session.state, spot, code)
    assert len(LOOK.trials(table.session.state, "c0", "RGY3")) == 6


def test_a_position_with_another_tile_is_one_that_the_game_reads(table: Table) -> None:
    state = table.session.state
    lying_on = {f"c{i}": LOOK.holds(state, f"c{i}") for i in range(36)}
    spot, lying = next((spot, tile) for spot, tile in lying_on.items() if tile and len(set(tile.edges)) > 1)
    other = next(piece for piece in LOOK.orientations(spot, LOOK.piece_code(lying)) if piece != lying)
    for piece in (other, None):
        position = LOOK.position(state, spot, piece)
        again = table.session.game.from_record(2, state.options, position)
        assert LOOK.holds(again, spot) == piece
        assert [score.total for score in again.scores()] == [score.total for score in state.scores()]
        assert again.turn == state.turn


def test_a_tile_of_a_hand_leaves_it_when_it_lies_on_the_board(table: Table) -> None:
    tile = LOOK.hand(table.session.state, 0).pieces[0]
    spot = next(f"c{i}" for i in range(36) if LOOK.holds(table.session.state, f"c{i}") is None)
    again = table.session.game.from_record(
        2, table.session.state.options, LOOK.position(table.session.state, spot, tile)
    )
    assert len(LOOK.hand(again, 0).pieces) == 3


def test_other_games_pieces_are_no_tiles() -> None:
    with pytest.raises(NoSuchPiece):
        LOOK.piece_name(Die("pips-d6", 3))
    with pytest.raises(TypeError):
        LOOK.sentence("pass")


def test_hands_before_the_start_hold_what_was_drawn_for_it(sessions: object) -> None:
    table = sessions.start("spectrangle", ["Ann", "Ben"], {})  # type: ignore[attr-defined]
    assert LOOK.hand(table.session.state, 0).pieces == ()
    table.play(Drawn(0, (TILE["RRR6"],)), source="page")
    assert LOOK.hand(table.session.state, 0).pieces == (TILE["RRR6"],)
    assert isinstance(TILE["RRR6"], Tile)
