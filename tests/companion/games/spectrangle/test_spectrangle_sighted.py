"""What a camera should see, and which event a change looks like."""

from __future__ import annotations

import pytest

from companion.core.contract import Drawn
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Tile
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import EXCHANGE_HIDDEN, PASS
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.state import SpectrangleState
from tests.companion.games.spectrangle.short_spectrangle import draw, exchange, fresh, place, table, tile


def seen(state: SpectrangleState, cells: str = "", **hands: str) -> Layout:
    """The position's layout with other cells ("c19 RRY, c18 -") and hands (seat0="GGY")."""
    layout = state.layout()
    changed = dict(layout.cells)
    for cell in cells.split(","):
        if cell:
            spot, letters = cell.split()
            changed[spot] = Detection.sure(None if letters == "-" else place(0, letters).tile)
    heaps = dict(layout.heaps)
    for seat, names in hands.items():
        heaps[f"{seat}.hand"] = tuple(Detection.sure(tile(one)) for one in names.split())
    return Layout(changed, heaps)


def test_every_cell_and_the_known_hands_are_predicted() -> None:
    layout = table("GGY RRY", "RRR ??", board="c18 RGB").layout()
    assert list(layout.cells) == [f"c{cell}" for cell in range(36)]
    assert layout.cells["c18"].piece == Tile("R", "G", "B", 3)
    assert layout.cells["c19"].piece is None
    assert {spot: {sighting.piece for sighting in heap} for spot, heap in layout.heaps.items()} == {
        "seat0.hand": {tile("GGY"), tile("RRY")}
    }


def test_tiles_drawn_for_the_start_lie_where_the_hand_will_be() -> None:
    state = SPECTRANGLE.start(2, Options()).apply(draw(0, "RRY"))
    assert [sighting.piece for sighting in state.layout().heaps["seat0.hand"]] == [tile("RRY")]


def test_one_new_tile_is_a_placement_whoever_has_it() -> None:
    state = fresh("RRY", "RRP", board="c18 RRR")
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, "c19 RYR")) == place(19, "RYR")
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, "c0 PPR")) == place(
        0, "PPR"
    )  # of the other hand, and touching nothing
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, "c19 RRR")) == place(19, "RRR")  # lies on c18 already
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, "c19 RYR", seat0="RYB")) == place(19, "RYR")


def test_the_value_follows_from_the_colors() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    layout = state.layout()
    misread = Detection((Candidate(Tile("R", "Y", "R", 3), 0.6), Candidate(None, 0.2)))
    assert SPECTRANGLE.proposer.infer_event(state, Layout({**layout.cells, "c19": misread}, {})) == place(19, "RYR")
    board_misread = Detection.sure(Tile("R", "R", "R", 5))
    assert SPECTRANGLE.proposer.infer_event(state, Layout({**layout.cells, "c18": board_misread}, {})) is None


@pytest.mark.parametrize("cells", ["", "c19 RYR,c17 BBB", "c18 -", "c18 RYR", "c18 -,c19 RRR"])
def test_other_changes_of_the_board_are_no_event(cells: str) -> None:
    state = fresh("RRY", "", board="c18 RRR")
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, cells)) is None


def test_a_tile_that_no_set_has_is_no_event() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    cells = {**state.layout().cells, "c19": Detection.sure(Tile("R", "W", "R", 5))}
    assert SPECTRANGLE.proposer.infer_event(state, Layout(cells, {})) is None


def test_tiles_more_in_a_hand_are_a_draw() -> None:
    placed = fresh("RRY", "", board="c18 RRR").apply(place(19, "RRY"))
    held = " ".join(sighting.piece.edges for sighting in placed.layout().heaps["seat0.hand"])
    assert SPECTRANGLE.proposer.infer_event(placed, seen(placed, seat0=f"{held} RRP")) == draw(0, "RRP")
    drawn = placed.apply(draw(0, "RRP"))
    assert SPECTRANGLE.proposer.infer_event(drawn, seen(drawn, seat0=f"{held} RRP RRB")) == draw(
        0, "RRB"
    )  # one too many, so explained


def test_a_tile_swapped_in_the_hand_to_move_is_an_exchange() -> None:
    state = fresh("GGB BBP YYB PPG", "GGG BBB YYY PPP", board="c18 RRR")
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, seat0="RRY BBP YYB PPG")) == exchange("GGB")
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, seat1="RRY BBB YYY PPP")) is None  # not their turn
    assert (
        SPECTRANGLE.proposer.infer_event(state, seen(state, seat0="BBP YYB PPG")) is None
    )  # taken up, not yet laid anywhere
    assert SPECTRANGLE.proposer.infer_event(state, seen(state, seat0="RRY RRP YYB PPG")) is None
    assert (
        SPECTRANGLE.proposer.infer_event(state, seen(state, seat0="RRY BBP YYB PPG", seat1="RRP BBB YYY PPP")) is None
    )


def test_the_draw_of_an_exchange_is_seen() -> None:
    aside = fresh("GGB BBP YYB PPG", "", board="c18 RRR").apply(exchange("GGB"))
    assert SPECTRANGLE.proposer.infer_event(aside, seen(aside, seat0="BBP YYB PPG RRY")) == Drawn(0, (tile("RRY"),))


def test_events_that_nobody_can_tell_apart_are_alike() -> None:
    unseen = table(None, None, board="c18 RRR", hands="unseen")
    assert SPECTRANGLE.looks_alike(unseen, PASS, EXCHANGE_HIDDEN)
    assert not SPECTRANGLE.looks_alike(unseen, place(19, "RRY"), place(19, "RYR"))
    stuck = fresh("GGB BBP YYB PPG", "", board="c18 RRR")
    assert not SPECTRANGLE.looks_alike(stuck, PASS, exchange("GGB"))
    assert not SPECTRANGLE.looks_alike(stuck, PASS, place(18, "GGB"))
    assert SPECTRANGLE.looks_alike(stuck, PASS, PASS)


def test_turns_of_a_tile_of_one_color_are_one_move() -> None:
    state = fresh("RRR", "", board="c18 RRY")
    assert [move for move in state.legal_moves() if move.cell == 19 and move.tile.value == 6] == [place(19, "RRR")]


def test_a_tile_of_another_hand_that_stands_leaves_that_hand() -> None:
    state = fresh("RRY", "RRP", board="c18 RRR")
    stands = state.apply_unchecked(place(19, "RRP"))
    assert (stands.size(0), stands.size(1)) == (4, 3)
    assert stands.bag == state.bag


def test_a_tile_of_the_bag_that_stands_is_not_drawn_for() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    stands = state.apply_unchecked(place(19, "RRP"))
    assert (stands.size(0), stands.bag) == (4, state.bag - 1)
    assert tile("RRP") not in SPECTRANGLE.unseen(stands)


def test_a_tile_placed_twice_by_agreement_leaves_one_unaccounted_for() -> None:
    unseen = table(None, None, board="c18 RRR", hands="unseen")
    stands = unseen.apply_unchecked(place(19, "RRR"))
    assert (stands.bag, stands.size(0)) == (unseen.bag - 1, 4)
    assert len(SPECTRANGLE.unseen(stands)) == stands.bag + sum(stands.hidden) + 1


def test_an_exchange_or_pass_that_stands() -> None:
    state = fresh("RRY GGB", "", board="c18 RRR")
    assert state.apply_unchecked(PASS).turn == 1
    assert state.apply_unchecked(exchange("GGB")).aside is not None
