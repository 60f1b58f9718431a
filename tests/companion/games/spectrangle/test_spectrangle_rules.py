"""Every numbered rule of Spectrangle, the allowed and the forbidden, as examples from docs/rules/spectrangle.md.

Boards are drawn as in `short_spectrangle`: "c21 GYG" is a tile on cell 21 with a green left, yellow right, green flat edge.
Most examples are about these cells of the fourth to sixth row (up: points to the apex):

            10 down   11 up   12 down
    17 down   18 up   19 down   20 up   21 down
            28 down           30 down
"""

from __future__ import annotations

import re

import msgspec
import pytest

from companion.core.contract import Drawn, Over, Rolled, Shown, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord, GameOver, IllegalMove
from companion.core.pieces import TILES, Die, Tile, identify
from companion.games.rule_pages import rule_of
from companion.games.spectrangle.board import BONUS, NEIGHBORS, row_and_column
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import EXCHANGE_HIDDEN, PASS, Exchange, PlaceTile
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.situation import winner
from companion.games.spectrangle.state import SpectrangleState
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.spectrangle.short_spectrangle import draw, exchange, fresh, place, rules, table, tile


@allows
def test_tri_01_the_set_is_the_one_that_the_rules_list() -> None:
    listed = re.findall(
        r"Value (\d): ((?:[RGBYPW]{3}[ ,]*(?:and )?)+)", rule_of("spectrangle", "TRI-1").text.replace("\n", " ")
    )
    assert {(edges, int(value)) for value, row in listed for edges in re.findall("[RGBYPW]{3}", row)} == {
        (one.edges, one.value) for one in TILES
    }
    assert len(TILES) == 36


@forbids
def test_tri_01_a_tile_that_the_set_does_not_have_is_refused() -> None:
    state = fresh("RRY", "")
    assert rules(state, PlaceTile(18, Tile("R", "W", "R", 5))) == ["TRI-1"]
    assert rules(state, PlaceTile(18, Tile("R", "R", "Y", 4))) == ["TRI-1"]
    assert rules(table("RRY RRP", "??", bag=5), Drawn(0, (Tile("R", "W", "R", 5),))) == ["TRI-1"]
    assert rules(table("RGB", "??", board="c12 RRR", bag=0), Exchange(Tile("Y", "R", "R", 5)))[-1] == "TRI-1"


@allows
def test_tri_02_colors_tell_the_tile_and_all_values_are_142() -> None:
    assert len({"".join(sorted(one.edges)) for one in TILES}) == 36
    assert sum(one.value for one in TILES) == 142
    assert identify("YGG") == tile("GGY")


@allows
@forbids
def test_tri_02_a_tile_turns_up_once() -> None:
    state = fresh("RRY RRP", "GGB", board="c12 RRR")
    assert rules(state, place(13, "RRR")) == ["TRI-2"]
    assert "already lies on c12" in state.violations(place(13, "RRR"))[0].text
    short = table("RRY RRP RRB", "GGB BBP BBY YYR", board="c12 RRR")
    assert rules(short, draw(0, "RRR")) == ["TRI-2"]
    assert rules(short, draw(0, "GGB")) == ["TRI-2"]
    with pytest.raises(BadEvent, match=r"TRI-2.*lies on c12"):
        short.apply(draw(0, "RRR"))
    assert rules(short, draw(0, "WWW")) == []


@allows
def test_tri_03_a_tile_may_be_turned_and_read_both_ways() -> None:
    state = fresh("RGY", "", handed="any")
    for lying in ("RGY", "GYR", "YRG", "RYG", "YGR", "GRY"):
        assert rules(state, place(18, lying)) == []


@pytest.mark.parametrize(
    ("handed", "cell", "allowed", "forbidden"),
    [
        # An upward cell read clockwise: left, right, flat.
        ("cw", 18, ("RGY", "GYR", "YRG"), ("RYG", "YGR", "GRY")),
        ("ccw", 18, ("RYG", "YGR", "GRY"), ("RGY", "GYR", "YRG")),
        # A downward cell read clockwise: left, flat, right.
        ("cw", 21, ("RYG", "YGR", "GRY"), ("RGY", "GYR", "YRG")),
        ("ccw", 21, ("RGY", "GYR", "YRG"), ("RYG", "YGR", "GRY")),
    ],
)
@allows
@forbids
def test_tri_03_one_reading_direction(
    handed: str, cell: int, allowed: tuple[str, ...], forbidden: tuple[str, ...]
) -> None:
    state = fresh("RGY", "", handed=handed)
    for lying in allowed:
        assert rules(state, place(cell, lying)) == []
    for lying in forbidden:
        assert rules(state, place(cell, lying)) == ["TRI-3"]


@allows
def test_tri_03_two_colors_have_no_direction() -> None:
    state = fresh("GGY", "", handed="cw")
    assert [rules(state, place(21, lying)) for lying in ("GGY", "GYG", "YGG")] == [[], [], []]


@allows
def test_tri_04_rows_cells_and_neighbors() -> None:
    assert [row_and_column(cell) for cell in (0, 1, 3, 4, 25, 35)] == [(0, 0), (1, 0), (1, 2), (2, 0), (5, 0), (5, 10)]
    # 18 points up, with 17 and 19 beside it and 28 below; 21 points down, with 13 above it.
    assert NEIGHBORS[18] == (17, 19, 28)
    assert NEIGHBORS[21] == (20, 22, 13)
    assert NEIGHBORS[0] == (None, None, 2)
    assert NEIGHBORS[25] == (None, 26, None)


@allows
@forbids
def test_tri_04_there_is_no_cell_beyond_35() -> None:
    assert rules(fresh("RRY", ""), place(36, "RRY")) == ["TRI-4"]
    assert rules(fresh("RRY", ""), place(-1, "RRY")) == ["TRI-4"]
    assert rules(fresh("RRY", ""), place(35, "RRY")) == []


@allows
def test_tri_05_bonus_cells_lie_threefold_symmetric() -> None:
    assert {factor: {cell for cell in BONUS if BONUS[cell] == factor} for factor in (2, 3, 4)} == {
        2: {10, 14, 30},
        3: {2, 26, 34},
        4: {11, 13, 20},
    }
    # A third of a turn carries 2, beside the apex, to 26 and 34, beside the other corners.
    assert [sum(other is None for other in NEIGHBORS[cell]) for cell in (2, 26, 34)] == [0, 0, 0]


@allows
@excludes
def test_tri_05_other_cells_have_no_bonus() -> None:
    assert fresh("RRR", "").points(place(35, "RRR")) == 6
    assert table("RRR", "BBB", board="c19 GGR", bag=0).points(place(11, "RRR")) == 24


@allows
@forbids
def test_tri_06_two_to_four_players() -> None:
    for seats in (2, 3, 4):
        assert SPECTRANGLE.start(seats, Options()).seats == seats
    for seats in (0, 1, 5):
        with pytest.raises(BadOptions, match="TRI-6"):
            SPECTRANGLE.start(seats, Options())
    assert rules(fresh("RRY", ""), draw(2, "RRP")) == ["TRI-6"]
    assert rules(fresh("RRY", ""), Shown(2, (tile("RRP"),))) == ["TRI-6"]


@allows
def test_tri_06_partners_sit_opposite_and_share_a_score() -> None:
    state = fresh("RRR", "BBB", "GGG", "YYY", scores=(7, 5), teams=True)
    played = state.apply(place(18, "RRR"))
    assert [score.total for score in played.scores()] == [13, 5, 13, 5]
    assert played.scores()[0] == played.scores()[2]


@pytest.mark.parametrize("seats", [2, 3])
@forbids
def test_tri_06_teams_need_four(seats: int) -> None:
    with pytest.raises(BadOptions, match="TRI-6"):
        SPECTRANGLE.start(seats, Options(teams=True))


@allows
def test_tri_07_the_highest_tile_begins_and_is_kept() -> None:
    state = SPECTRANGLE.start(3, Options())
    assert state.expects() == ToDraw(0, 1, "bag", True)
    for seat, letters in enumerate(("BRP", "GGB", "GRB")):
        state = state.apply(draw(seat, letters))
    assert state.turn == 1
    assert state.hands == ((TILES.index(tile("BRP")),), (TILES.index(tile("GGB")),), (TILES.index(tile("GRB")),))
    assert state.expects() == ToDraw(1, 3, "bag", True)


@allows
def test_tri_07_without_keep_first_four_are_drawn() -> None:
    state = SPECTRANGLE.start(2, Options(keep_first=False))
    state = state.apply(draw(0, "BRP")).apply(draw(1, "GGB"))
    assert state.hands == ((), ())
    assert state.bag == 36
    assert state.expects() == ToDraw(1, 4, "bag", True)


@allows
@forbids
def test_tri_07_equal_highest_draw_again_and_extra_tiles_go_back() -> None:
    state = SPECTRANGLE.start(3, Options())
    for seat, letters in enumerate(("RRY", "GRP", "GGB")):
        state = state.apply(draw(seat, letters))
    assert state.expects() == ToDraw(0, 1, "bag", True)
    assert rules(state, draw(1, "BBB")) == ["TRI-7"]  # lower, so out of the draw
    state = state.apply(draw(2, "YYY")).apply(draw(0, "PPP"))
    assert state.expects() == ToDraw(0, 1, "bag", True)  # tied a second time
    state = state.apply(draw(0, "RYB")).apply(draw(2, "GRB"))
    assert state.turn == 2
    assert state.bag == 33
    assert [len(hand) for hand in state.hands] == [1, 1, 1]
    assert {tile("YYY"), tile("PPP"), tile("RYB"), tile("GRB")} <= set(SPECTRANGLE.unseen(state))


@allows
def test_tri_07_a_bag_too_small_to_break_a_tie_leaves_the_seating_order() -> None:
    five, six = TILES.index(tile("RRY")), TILES.index(tile("RRR"))
    assert winner(((five,), (six,), (six + 1,)), (1, 2), bag=1) == 1
    assert winner(((five,), (six,), (six + 1,)), (1, 2), bag=2) is None


@forbids
def test_tri_07_nothing_is_placed_before_it_is_decided() -> None:
    state = SPECTRANGLE.start(2, Options()).apply(draw(0, "RRR"))
    assert rules(state, place(18, "RRR")) == ["TRI-7"]
    assert rules(state, PASS) == ["TRI-7"]
    assert rules(state, draw(0, "RRY")) == ["TRI-7"]  # has drawn already
    assert rules(state, draw(1, "RRY", "BBB")) == ["TRI-7"]  # one tile each
    assert rules(state, draw(1, None)) == ["TRI-7"]  # its value must be seen
    with pytest.raises(IllegalMove, match="TRI-7"):
        state.apply(place(18, "RRR"))
    with pytest.raises(BadEvent, match="TRI-7"):
        state.apply(draw(1, None))


@allows
def test_tri_07_with_unseen_hands_the_first_player_begins() -> None:
    state = SPECTRANGLE.start(3, Options(hands="unseen"))
    assert state.expects() == ToMove((0,))
    assert [state.size(seat) for seat in range(3)] == [4, 4, 4]
    assert state.bag == 24


@allows
@forbids
def test_tri_07_hidden_tiles_may_be_shown_and_no_others() -> None:
    state = table("RRR ?? ?? ??", "BBB BBR BBP GGB", board="c18 YYY")
    shown = state.apply(Shown(0, (tile("PPP"), tile("GGG"))))
    assert shown.hidden == (1, 0)
    assert [TILES[number].name for number in shown.hands[0]] == ["RRR6", "GGG6", "PPP6"]
    assert rules(state, Shown(1, (tile("PPP"),))) == ["TRI-7"]
    assert rules(state, Shown(0, (tile("YYY"),))) == ["TRI-2"]


@allows
def test_tri_08_the_first_tile_goes_anywhere_without_a_bonus_and_scores_its_value() -> None:
    state = fresh("GGY", "")
    assert rules(state, place(21, "GYG")) == []
    assert state.apply(place(21, "GYG")).scores()[0].total == 4
    assert {move.cell for move in state.legal_moves()} == set(range(36)) - set(BONUS)


@forbids
def test_tri_08_the_first_tile_on_a_bonus_cell_is_refused() -> None:
    state = fresh("RRY", "")
    (breach,) = state.violations(place(20, "RYR"))
    assert breach.rule == "TRI-8"
    assert breach.text == (
        "c20 is a bonus cell (x4); the first tile goes on a cell without a bonus. Take it back and play again."
    )
    assert breach.where == ("c20",)


@allows
def test_tri_09_a_tile_shares_an_edge_with_a_placed_tile() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    assert rules(state, place(19, "RRY")) == []
    assert {move.cell for move in state.legal_moves()} == {17, 19, 28}


@forbids
def test_tri_09_a_tile_that_touches_nothing_is_refused() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    assert rules(state, place(0, "RRY")) == ["TRI-9"]
    assert rules(state, place(27, "RRY")) == ["TRI-9"]  # meets c18 in one corner only


@forbids
def test_tri_09_an_occupied_cell_is_refused() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    (breach,) = state.violations(place(18, "RRY"))
    assert (breach.rule, breach.where) == ("TRI-9", ("c18",))
    assert breach.text.startswith("c18 already holds RRR6;")


@pytest.mark.parametrize(
    ("on_board", "left_edge_of", "matching"),
    [("RRR", "RGY", 1), ("RRR", "GYR", 0), ("RRR", "WWW", 1), ("WWW", "GYR", 1), ("GGG", "YGR", 0)],
)
@allows
@excludes
def test_tri_10_edges_match_by_color_or_white(on_board: str, left_edge_of: str, matching: int) -> None:
    state = fresh(left_edge_of, "", board=f"c18 {on_board}")
    assert state.edges(19, left_edge_of) == matching
    assert rules(state, place(19, left_edge_of)) == ([] if matching else ["TRI-11"])


@allows
def test_tri_11_one_matching_edge_is_enough() -> None:
    state = fresh("RGY", "", board="c18 RRR, c20 BBB", edges="one")
    assert rules(state, place(19, "RGY")) == []
    assert state.points(place(19, "RGY")) == 3


@forbids
def test_tri_11_no_matching_edge_is_refused_with_every_edge_named() -> None:
    state = fresh("RGY BBY", "", board="c18 RRR, c20 BBB", edges="one")
    (breach,) = state.violations(place(19, "GYR"))
    assert breach.rule == "TRI-11"
    assert breach.text == (
        "The left edge of RGY3 on c19 is green and meets red on c18, the right edge is yellow and meets blue on c20; "
        "at least one touching edge must match. Take it back, or turn it: another turn of this tile fits here."
    )
    assert breach.where == ("c19", "c18", "c20")
    (breach,) = state.violations(place(17, "BBY"))
    assert breach.text == (
        "The right edge of BBY4 on c17 is blue and meets red on c18; at least one touching edge must match. "
        "Take it back and play again."
    )


@allows
@forbids
def test_tri_11_all_touching_edges_must_match_with_that_option() -> None:
    state = fresh("RGY BBR", "", board="c18 RRR, c20 BBB", edges="all")
    assert rules(state, place(19, "RBB")) == []
    (breach,) = state.violations(place(19, "RGY"))
    assert breach.rule == "TRI-11"
    assert breach.text.startswith(
        "The right edge of RGY3 on c19 is green and meets blue on c20; every touching edge must match."
    )
    assert breach.where == ("c19", "c20")


@allows
def test_tri_12_the_joker_fits_beside_anything() -> None:
    state = fresh("WWW", "", board="c18 RRR, c20 BBB", edges="all")
    assert rules(state, place(19, "WWW")) == []
    assert rules(fresh("WWW", ""), place(18, "WWW")) == []


@excludes
def test_tri_12_the_joker_needs_a_touching_edge() -> None:
    assert rules(fresh("WWW", "", board="c18 RRR"), place(0, "WWW")) == ["TRI-9"]
    assert rules(fresh("WWW", ""), place(20, "WWW")) == ["TRI-8"]


@allows
@excludes
def test_tri_12_beside_the_joker_the_other_edges_are_still_judged() -> None:
    board = "c18 WWW, c20 BBB"
    assert rules(fresh("RGY", "", board=board, edges="one"), place(19, "GYR")) == []
    assert rules(fresh("RGY", "", board=board, edges="all"), place(19, "GYR")) == ["TRI-11"]
    assert rules(fresh("BBY", "", board=board, edges="all"), place(19, "YBB")) == []


@allows
@excludes
def test_tri_13_an_illegal_placement_changes_nothing_and_the_same_player_plays_again() -> None:
    state = fresh("GGY RRY", "", board="c18 RRR")
    before = SPECTRANGLE.load(msgspec.json.encode(state))
    with pytest.raises(IllegalMove) as refused:
        state.apply(place(19, "GGY"))
    assert [breach.rule for breach in refused.value.breaches] == ["TRI-11"]
    assert state == before
    assert state.expects() == ToMove((0,))
    assert state.apply(place(19, "RRY")).turn == 1


@allows
def test_tri_13_a_placement_that_the_table_lets_stand_counts_its_matching_edges() -> None:
    state = fresh("GGY RRY", "", board="c18 RRR")
    stands = state.apply_unchecked(place(19, "GGY"))
    assert stands.scores()[0].total == 0
    assert stands.turn == 1
    every = fresh("RGY", "", board="c18 RRR, c20 BBB", edges="all").apply_unchecked(place(19, "RGY"))
    assert every.scores()[0].total == 3
    bonus = fresh("RRY", "").apply_unchecked(place(20, "RYR"))
    assert bonus.scores()[0].total == 20


@excludes
def test_tri_13_what_cannot_be_carried_out_cannot_stand() -> None:
    state = fresh("GGY", "", board="c18 RRR")
    with pytest.raises(BadEvent, match="TRI-9"):
        state.apply_unchecked(place(18, "GGY"))
    with pytest.raises(BadEvent, match="TRI-4"):
        state.apply_unchecked(place(40, "GGY"))


@allows
def test_tri_14_later_tiles_may_use_bonus_cells() -> None:
    state = fresh("RGY", "", board="c19 GGR")
    assert rules(state, place(11, "GYR")) == []
    assert state.points(place(11, "GYR")) == 12


@excludes
def test_tri_14_the_first_may_not() -> None:
    assert rules(fresh("RGY", ""), place(11, "GYR")) == ["TRI-8"]


@allows
def test_tri_15_any_tile_of_the_hand_may_be_placed_on_any_legal_cell() -> None:
    state = fresh("RRY RRP", "", board="c18 RRR")
    assert {(move.cell, move.tile.value) for move in state.legal_moves()} >= {(17, 5), (19, 5), (28, 5)}
    assert PASS not in state.legal_moves()


@forbids
def test_tri_15_who_can_place_neither_passes_nor_exchanges() -> None:
    state = fresh("RRY GGB", "", board="c18 RRR")
    (breach,) = state.violations(PASS)
    assert breach.rule == "TRI-15"
    assert breach.text.startswith("RRY5 can be placed, for instance on c17 (left red, right red, flat yellow)")
    assert "c17" in breach.where
    assert rules(state, exchange("GGB")) == ["TRI-15"]


@forbids
def test_tri_15_only_tiles_of_the_own_hand_are_placed() -> None:
    state = fresh("RRY", "RRP", board="c18 RRR")
    (breach,) = state.violations(place(19, "RRP"))
    assert breach.rule == "TRI-15"
    assert breach.where == ("seat1.hand", "seat0.hand")
    gone = table("RRY", "BBB", board="c18 RRR", bag=0)
    assert rules(gone, place(19, "RRP")) == ["TRI-15"]


@allows
@forbids
def test_tri_15_tiles_that_nobody_was_shown_are_not_held_against_a_pass() -> None:
    state = table("GGB ?? ?? ??", None, board="c18 RRR")
    assert rules(state, PASS) == []
    assert rules(state, place(19, "RRP")) == []  # one of the hidden tiles, then
    assert rules(table("RRY ?? ?? ??", None, board="c18 RRR"), PASS) == ["TRI-15"]
    assert rules(table(None, None), PASS) == ["TRI-15"]  # on an empty board everything fits


@forbids
def test_tri_15_there_are_no_dice() -> None:
    rolled = Rolled((Die("pips-d6", 3),))
    assert rules(fresh("RRY", ""), rolled) == ["TRI-15"]
    with pytest.raises(BadEvent):
        fresh("RRY", "").apply(rolled)


STUCK = "GGB BBP YYB PPG"
"""A hand that has nothing to lay beside red."""


@allows
def test_tri_16_who_cannot_place_passes_or_exchanges() -> None:
    state = fresh(STUCK, "", board="c18 RRR")
    assert list(state.legal_moves()) == [PASS, *(exchange(one) for one in ("BBP", "GGB", "YYB", "PPG"))]
    assert state.apply(PASS).turn == 1


@allows
def test_tri_16_an_exchange_is_put_aside_draw_put_back() -> None:
    state = fresh(STUCK, "", board="c18 RRR")
    aside = state.apply(exchange("GGB"))
    assert aside.expects() == ToDraw(0, 1, "bag", True)
    assert aside.layout().heaps["aside"][0].piece == tile("GGB")
    done = aside.apply(draw(0, "RRP"))
    assert done.turn == 1
    assert done.bag == state.bag
    assert tile("GGB") in SPECTRANGLE.unseen(done)
    assert tile("RRP") not in SPECTRANGLE.unseen(done)


@forbids
def test_tri_16_the_tile_put_aside_cannot_be_drawn() -> None:
    aside = fresh(STUCK, "", board="c18 RRR").apply(exchange("GGB"))
    assert rules(aside, draw(0, "GGB")) == ["TRI-16"]
    assert rules(aside, draw(1, "RRP")) == ["TRI-16"]
    assert rules(aside, draw(0, "RRP", "RRB")) == ["TRI-16"]
    assert rules(aside, PASS) == ["TRI-16"]
    with pytest.raises(BadEvent, match="TRI-16"):
        aside.apply(draw(0, "GGB"))


@allows
@forbids
def test_tri_16_no_exchange_with_an_empty_bag() -> None:
    state = table("GGB", "RRP", board="c18 RRR", bag=0)
    assert rules(state, exchange("GGB")) == ["TRI-16"]
    assert rules(state, PASS) == []


@allows
@forbids
def test_tri_16_only_a_tile_of_the_own_hand_is_exchanged() -> None:
    state = fresh(STUCK, "RRP", board="c18 RRR")
    assert rules(state, exchange("RRP")) == ["TRI-16"]
    assert rules(state, EXCHANGE_HIDDEN) == ["TRI-16"]
    hidden = table("GGB BBP YYB ??", "RRP RRB RRG BBR", board="c18 RRR")
    assert rules(hidden, EXCHANGE_HIDDEN) == []
    assert hidden.apply(EXCHANGE_HIDDEN).apply(draw(0, None)).hidden == (1, 0)


@allows
def test_tri_17_after_placing_one_tile_is_drawn() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    placed = state.apply(place(19, "RRY"))
    assert placed.expects() == ToDraw(0, 1, "bag", True)
    drawn = placed.apply(draw(0, "RRP"))
    assert drawn.expects() == ToMove((1,))
    assert drawn.size(0) == 4
    assert placed.apply(draw(0, None)).hidden == (1, 0)


@allows
@forbids
def test_tri_17_a_forgotten_draw_is_made_up_first() -> None:
    placed = fresh("RRY", "RRP", board="c18 RRR").apply(place(19, "RRY"))
    assert rules(placed, place(17, "RRP")) == ["TRI-17"]
    assert rules(placed, PASS) == ["TRI-17"]
    (breach,) = placed.violations(place(17, "RRP"))
    assert breach.where == ("seat0.hand",)
    stands = placed.apply_unchecked(place(17, "RRP"))
    assert stands.expects() == ToDraw(0, 1, "bag", True)
    assert stands.apply(draw(0, "RRB")).expects() == ToDraw(1, 1, "bag", True)


@allows
@forbids
def test_tri_17_nobody_draws_beyond_four_or_from_an_empty_bag() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    assert rules(state, draw(0, "RRP")) == ["TRI-17"]
    assert rules(table("RRY", "RRP", board="c18 RRR", bag=0), draw(0, "RRB")) == ["TRI-17"]
    assert rules(table("RRY RRP", "RRB GGB BBB YYY", board="c18 RRR", bag="GGG"), draw(0, "GGG", "PPP")) == ["TRI-17"]
    assert table("RRY", "RRP", board="c18 RRR", bag=0).apply(place(19, "RRY")).expects() == ToMove((1,))


@forbids
def test_tri_17_a_drawn_tile_is_not_placed_in_the_same_turn() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    assert rules(state, place(19, "RRP")) == ["TRI-17"]


def test_tri_17_after_the_end_nothing_is_drawn() -> None:
    over = table("RRY", "GGB", board="c18 RRR", bag="BBB", passes=4)
    assert over.expects() == Over()
    assert rules(over, draw(0, "BBB")) == ["TRI-25"]
    with pytest.raises(GameOver):
        over.apply(draw(0, "BBB"))


@allows
def test_tri_17_with_unseen_hands_an_exchange_is_complete_at_once() -> None:
    state = table("GGB ?? ?? ??", None, board="c18 RRR", hands="unseen")
    traded = state.apply(exchange("GGB"))
    assert traded.expects() == ToMove((1,))
    assert (traded.hands[0], traded.hidden[0], traded.bag) == ((), 4, state.bag)
    assert tile("GGB") in SPECTRANGLE.unseen(traded)
    assert state.apply(EXCHANGE_HIDDEN).hidden == state.hidden


@allows
@forbids
def test_tri_17_with_unseen_hands_draws_are_taken_as_made() -> None:
    state = table(None, None, board="c18 RRR", hands="unseen")
    placed = state.apply(place(19, "RRY"))
    assert placed.expects() == ToMove((1,))
    assert placed.bag == state.bag - 1
    assert placed.size(0) == 4
    assert rules(placed, draw(0, "RRP")) == ["TRI-17"]


@allows
@excludes
def test_tri_18_turns_go_clockwise_and_a_pass_does_not_drop_anybody() -> None:
    state = fresh(STUCK, "RRY", "RRP", board="c18 RRR")
    state = state.apply(PASS)
    assert state.expects() == ToMove((1,))
    state = state.apply(place(19, "RYR")).apply(draw(1, "RRB"))
    assert state.expects() == ToMove((2,))
    state = state.apply(place(17, "PRR")).apply(draw(2, "RRG"))
    assert state.expects() == ToMove((0,))
    assert rules(state, PASS) == ["TRI-15"]  # PPG fits beside the purple edge of c17 or the yellow one of c19 now
    with pytest.raises(IllegalMove):
        state.apply(place(28, "RRB"))  # of another player's hand


@pytest.mark.parametrize(
    ("board", "cell", "lying", "points", "text"),
    [
        ("", 18, "GGY", 4, "GGY4 on c18: 1 edge x 4 = 4"),
        ("c18 RRR", 19, "RGY", 3, "RGY3 on c19: 1 edge x 3 = 3"),
        ("c18 RRR, c20 GGG", 19, "RGY", 6, "RGY3 on c19: 2 edges x 3 = 6"),
        ("c18 RRR, c20 BBB", 19, "RGY", 3, "RGY3 on c19: 1 edge x 3 = 3"),
        ("c19 BGR, c21 GGB, c30 BYY", 20, "GGY", 48, "GGY4 on c20: 3 edges x 4, bonus x4 = 48"),
        ("c29 BRB, c31 PBP", 30, "RPG", 4, "GRP1 on c30: 2 edges x 1, bonus x2 = 4"),
    ],
)
@allows
def test_tri_19_value_times_matching_edges_times_bonus(
    board: str, cell: int, lying: str, points: int, text: str
) -> None:
    state = fresh(lying, "", board=board)
    assert state.points(place(cell, lying)) == points
    assert state.line(place(cell, lying)).text == text
    after = state.apply(place(cell, lying))
    assert after.scores()[0].lines == (state.line(place(cell, lying)),)
    assert after.scores()[0].total == points
    assert after.scores()[0].lines[0].rule == "TRI-19"


@excludes
def test_tri_19_a_refused_placement_scores_nothing() -> None:
    state = fresh("RGY", "", board="c18 RRR, c20 BBB", edges="all")
    with pytest.raises(IllegalMove):
        state.apply(place(19, "RGY"))
    assert [score.total for score in state.scores()] == [0, 0]


@allows
@excludes
def test_tri_20_white_counts_on_either_side() -> None:
    joker = fresh("WWW", "", board="c19 BGR, c21 GGB, c30 YYB")
    assert joker.points(place(20, "WWW")) == 1 * 3 * 4
    beside = fresh("RRY", "", board="c18 WWW, c20 RRR")
    assert beside.points(place(19, "YRR")) == 10
    assert beside.points(place(19, "RYR")) == 5  # yellow beside red does not count


@allows
def test_tri_21_the_highest_placement_scores_72_and_scores_go_past_100() -> None:
    state = fresh("RRR", "", board="c19 GRY, c21 RRP, c30 BBR", scores=(95, 0))
    assert state.points(place(20, "RRR")) == 72
    score = state.apply(place(20, "RRR")).scores()[0]
    assert score.total == 167
    assert [(line.points, line.rule) for line in score.lines] == [(95, "TRI-21"), (72, "TRI-19")]


@excludes
def test_tri_21_scores_are_one_a_player_or_one_a_team() -> None:
    with pytest.raises(BadRecord, match="3 scores for 2 players"):
        table("RRR", "BBB", scores=(1, 2, 3))
    with pytest.raises(BadRecord, match="share one score"):
        table("RRR", "BBB", "GGG", "YYY", scores=(1, 2, 3, 4), teams=True)


@allows
def test_tri_22_the_game_ends_with_an_empty_bag_and_nobody_able() -> None:
    state = table("RRY", "GGB", board="c18 RRR", bag=0)
    assert state.outcome() is None
    over = state.apply(place(19, "RRY"))  # GGB fits nowhere beside red or yellow
    assert over.expects() == Over()
    outcome = over.outcome()
    assert outcome is not None
    assert (outcome.rule, outcome.places) == ("TRI-22", ((0,), (1,)))


@excludes
def test_tri_22_it_goes_on_while_anybody_is_able_or_the_bag_is_not_empty() -> None:
    able = table("RRY RRP", "GGB", board="c18 RRR", bag=0).apply(place(19, "RRY"))
    assert able.expects() == ToMove((1,))
    bag = table("GGB GGG BBB BBP", "YYB YYG PPG GGP", board="c18 RRR", bag="RRY")
    assert bag.expects() == ToMove((0,))


@allows
@forbids
def test_tri_22_a_full_board_ends_the_game_and_nothing_happens_after() -> None:
    filled = [f"c{cell} {one.edges}" for cell, one in enumerate(TILES[:35])]
    state = table("WWW", "", board=", ".join(filled), bag=0)
    over = state.apply(place(35, "WWW"))
    outcome = over.outcome()
    assert outcome is not None
    assert (outcome.rule, outcome.text) == ("TRI-22", "All 36 cells are filled.")
    assert list(over.legal_moves()) == []
    for event in (PASS, place(3, "RRR"), draw(0, "RRR")):
        assert rules(over, event) == ["TRI-22"]
        with pytest.raises(GameOver, match="TRI-22"):
            over.apply(event)
        with pytest.raises(GameOver):
            over.apply_unchecked(event)


@allows
def test_tri_22_a_round_without_placement_ends_the_game_if_no_tile_anywhere_fits() -> None:
    hands = ("GGB GGG BBB BBP", "YYB YYG PPG GGP")
    state = table(*hands, board="c18 RRR", bag="PPP YYY")
    state = state.apply(PASS)
    assert state.outcome() is None
    state = state.apply(exchange("YYB")).apply(draw(1, "PPP"))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.rule == "TRI-22"
    waits = table(*hands, board="c18 RRR", bag="PPP RRY").apply(PASS)
    waits = waits.apply(exchange("YYB")).apply(draw(1, "PPP"))
    assert waits.expects() == ToMove((0,))


@allows
def test_tri_22_with_hidden_hands_a_round_of_passes_says_that_nobody_is_able() -> None:
    state = table("?? ??", "??", board="c18 RRR", bag=0)
    state = state.apply(PASS)
    assert state.expects() == ToMove((1,))
    outcome = state.apply(PASS).outcome()
    assert outcome is not None
    assert outcome.rule == "TRI-22"
    assert outcome.text.endswith("3 tiles left in the hands were not shown and are not taken off the scores.")


@allows
def test_tri_23_tiles_left_over_are_taken_off() -> None:
    over = table("RRY GGG", "GGB", board="c18 RRR", bag=0, scores=(3, 30)).apply(place(19, "RRY"))
    mine, other = over.scores()
    assert [(line.points, line.rule) for line in mine.lines] == [(3, "TRI-21"), (5, "TRI-19"), (-6, "TRI-23")]
    assert (mine.total, other.total) == (2, 25)
    outcome = over.outcome()
    assert outcome is not None
    assert outcome.places == ((1,), (0,))


@allows
def test_tri_23_scores_may_fall_below_zero_and_equal_ones_share() -> None:
    over = table("GGG", "BBB", "PPP", board="c18 RRR", bag=0)
    assert [score.total for score in over.scores()] == [-6, -6, -6]
    outcome = over.outcome()
    assert outcome is not None
    assert outcome.places == ((0, 1, 2),)


@allows
def test_tri_23_partners_lose_what_both_have_left() -> None:
    over = table("GGG", "BBB", "PPP", "YPG", board="c18 RRR", bag=0, teams=True)
    assert [score.total for score in over.scores()] == [-12, -8, -12, -8]
    outcome = over.outcome()
    assert outcome is not None
    assert outcome.places == ((1, 3), (0, 2))


@excludes
def test_tri_23_while_the_game_goes_on_nothing_is_taken_off() -> None:
    state = table("RRY GGG", "GGB", board="c18 RRR", bag=0)
    assert [score.total for score in state.scores()] == [0, 0]


@allows
@excludes
def test_tri_23_hidden_tiles_count_once_they_are_known() -> None:
    over = table("", "?? ??", board="c18 RRR", bag=0, passes=2)
    assert [score.total for score in over.scores()] == [0, 0]
    shown = over.apply(Shown(1, (tile("GGB"), tile("PPP"))))
    assert [score.total for score in shown.scores()] == [0, -11]


@allows
def test_tri_24_passing_costs_nothing() -> None:
    state = fresh(STUCK, "", board="c18 RRR", scores=(9, 9))
    assert [score.total for score in state.apply(PASS).scores()] == [9, 9]


@excludes
def test_tri_24_only_tiles_left_over_are_taken_off_after_passes() -> None:
    state = table("GGB GGG BBB BBP", "YYB YYG PPG GGP", board="c18 RRR", bag="RRY", scores=(9, 9))
    for _ in range(4):
        state = state.apply(PASS)
    lines = [(line.points, line.rule) for line in state.scores()[0].lines]
    assert state.expects() == Over() and state.scores()[0].total == 9 - 5 - 6 - 6 - 5
    assert lines[0] == (9, "TRI-21") and {rule for _, rule in lines[1:]} == {"TRI-23"}


@allows
@forbids
def test_tri_25_two_rounds_of_passes_end_the_game() -> None:
    state = table("GGB GGG BBB BBP", "YYB YYG PPG GGP", board="c18 RRR", bag="RRY")
    for _ in range(4):
        assert state.outcome() is None
        state = state.apply(PASS)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.rule == "TRI-25"
    with pytest.raises(GameOver, match="TRI-25"):
        state.apply(PASS)


@excludes
def test_tri_25_an_exchange_or_placement_starts_the_count_again() -> None:
    state = table("GGB GGG BBB BBP", "YYB YYG PPG GGP", board="c18 RRR", bag="RRY")
    for _ in range(3):
        state = state.apply(PASS)
    state = state.apply(exchange("YYB")).apply(draw(1, "RRY"))
    assert (state.passes, state.idle) == (0, 4)
    state = state.apply(PASS)
    assert state.outcome() is None
    state = state.apply(place(19, "RRY"))
    assert (state.passes, state.idle) == (0, 0)


@pytest.mark.parametrize(
    ("state", "event", "broken"),
    [
        # What the board shows comes before what is known of hands, and that before turns.
        (fresh("RRY", "GGB", board="c18 RRR"), place(19, "GGB"), ["TRI-11", "TRI-15"]),
        (fresh("RRY", "GGB", board="c18 RRR"), place(18, "PPB"), ["TRI-9", "TRI-17"]),
        (fresh("RRY", "GGB", board="c18 RRR"), place(0, "PPB"), ["TRI-9", "TRI-17"]),
        (fresh("RRY", "", board="c20 BBB"), place(18, "BBB"), ["TRI-9", "TRI-2"]),
        (fresh("RGY", "", board="c18 RRR", handed="cw"), place(19, "YRG"), ["TRI-3", "TRI-11"]),
        (fresh("RRY", ""), place(20, "GGB"), ["TRI-8", "TRI-17"]),
        (table("GGB", "RRP", board="c18 RRY", bag="BBB"), place(19, "GGB"), ["TRI-11", "TRI-17"]),
        (table("RRY", "RRP", board="c18 RRR", bag=0), exchange("BBB"), ["TRI-15", "TRI-16", "TRI-16"]),
    ],
)
def test_all_broken_rules_are_named_the_most_telling_first(
    state: SpectrangleState, event: object, broken: list[str]
) -> None:
    assert rules(state, event) == broken
