"""Where the piece in play may go: every place of a legal move, or those of the piece that was lifted."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.app.peripherals.light_board import TRIED_MOST, destinations, lifted
from companion.core.contract import Event
from companion.core.layout import Detection, Layout
from companion.core.pieces import TILES, WHEEL, Pawn, Tile
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import PlaceTile
from companion.games.spectrum.moves import Declare, Go
from simulation.matching.games import turns
from tests.companion.games.spectrum.short_spectrum import table

SPACES = frozenset(f"{path}.{space}" for path in WHEEL for space in range(1, 10))
CELLS = frozenset(f"c{cell}" for cell in range(36))


def spaces(event: Event) -> str | None:
    """Where a pawn comes to stand."""
    return event.to if isinstance(event, Go) else None


def cells(event: Event) -> str | None:
    """Where a tile comes to lie."""
    return f"c{event.cell}" if isinstance(event, PlaceTile) else None


STARS = "orange.9 yellow.9 | purple.9 orange-yellow.9"
"""Four stars, so that three dice are rolled (BRD-7)."""


def test_brd_8_before_a_usage_is_said_the_places_of_every_usage_are_lit() -> None:
    state = table(f"red.3 {STARS}", "red blue green")
    moves = state.legal_moves()
    assert {type(move) for move in moves} == {Declare}
    assert set(destinations(state, SPACES, spaces, Counter())) == {
        *("red.1", "red.2", "red.4", "red.5"),
        *("blue.1", "blue.2", "green.1", "green.2", "green-blue.1"),
    }


def test_a_lifted_pawn_is_the_one_in_play() -> None:
    state = table("red.3", "red blue", "red + blue")
    layout = state.layout()
    assert "blue.1" in destinations(state, SPACES, spaces, Counter())
    held = lifted(state, Layout({**layout.cells, "red.3": Detection.sure(None)}, layout.heaps))
    assert list(held) == [("red.3", Pawn("red"))]
    assert set(destinations(state, SPACES, spaces, held)) == {"red.1", "red.2", "red.4", "red.5"}
    stuck = table("green.3 red.3", "red blue", "red + blue")
    held = Counter({("green.3", Pawn("red")): 1})
    assert destinations(stuck, SPACES, spaces, held) == ()


def test_brd_8_a_lifted_pawn_is_the_one_in_play_before_a_usage_is_said() -> None:
    state = table(f"red.3 {STARS}", "red blue green")
    held = Counter({("red.3", Pawn("red")): 1})
    assert set(destinations(state, SPACES, spaces, held)) == {"red.1", "red.2", "red.4", "red.5"}


def test_a_piece_that_has_come_is_not_in_a_hand() -> None:
    state = table("red.3", "red blue")
    layout = state.layout()
    stray = Layout({**layout.cells, "green.4": Detection.sure(Pawn("green"))}, layout.heaps)
    assert not lifted(state, stray)
    assert not lifted(state, layout)


def test_only_places_that_have_lights_are_named() -> None:
    state = table("", "red blue")
    assert destinations(state, frozenset({"blue.1", "red.7"}), spaces, Counter()) == ("blue.1",)


@pytest.mark.parametrize("seed", range(3))
def test_every_legal_cell_of_spectrangle_and_no_other_is_found(seed: int) -> None:
    for turn in turns(Random(seed), 1, hands="open"):
        moves = turn.before.legal_moves()
        wanted = {f"c{move.cell}" for move in moves if isinstance(move, PlaceTile)}
        assert set(destinations(turn.before, CELLS, cells, Counter())) == wanted
        if isinstance(turn.move, PlaceTile):
            hand = f"seat{turn.before.expects().seats[0]}.hand"
            name = next(piece for piece in lost_by(turn.before, turn.move, hand))
            held = Counter({(hand, name): 1})
            own = {f"c{move.cell}" for move in moves if name in lost_by(turn.before, move, hand)}
            assert set(destinations(turn.before, CELLS, cells, held)) == own
            assert f"c{turn.move.cell}" in own


def lost_by(state: object, move: object, hand: str) -> list[Tile]:
    """The tiles that a placement takes out of a hand."""
    if not isinstance(move, PlaceTile):
        return []
    before = Counter(one.piece for one in state.layout().heaps[hand])  # type: ignore[attr-defined]
    after = Counter(one.piece for one in state.apply(move).layout().heaps[hand])  # type: ignore[attr-defined]
    return [piece for piece in before - after if isinstance(piece, Tile)]


def test_with_unseen_hands_every_cell_for_any_tile_is_found_whatever_is_lifted() -> None:
    state = next(turns(Random(1), 1, hands="unseen")).before
    moves = state.legal_moves()
    assert len(moves) > TRIED_MOST
    wanted = {f"c{move.cell}" for move in moves if isinstance(move, PlaceTile)}
    assert set(destinations(state, CELLS, cells, Counter())) == wanted
    assert set(destinations(state, CELLS, cells, Counter({("c0", TILES[0]): 1}))) == wanted


def test_the_games_that_lights_know_name_their_places_so() -> None:
    assert set(table().layout().cells) == SPACES
    assert set(SPECTRANGLE.start(2, SPECTRANGLE.Options()).layout().cells) == CELLS
