"""UMO-1 to UMO-16, each by an example that is allowed and one that is not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import Drawn, Over, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.shared.cards.deck import CARDS_IN_ALL, PIECES, color_of, number_of, numbers_of
from companion.games.spectrumo.fitting import ANYTHING
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.options import Options
from companion.games.spectrumo.scoring import FinishedHand, ending, points_of, scores
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.spectrumo.short_spectrumo import broken, hand, judged, legal, play, table

START = SPECTRUMO.start(3, Options())


def dealt(seats: int = 2, **options: Any) -> Any:
    """Hands of the colors of the wheel in their order, before the table card is turned."""
    state = SPECTRUMO.start(seats, Options(**options))
    number = 0
    while state.stage == "deal":
        due = state.expects()
        state = state.apply(Drawn(due.seat, tuple(PIECES[number : number + 12])))
        number += 12
    return state


@allows
@forbids
def test_umo_1_twelve_cards_each_from_the_first_player_on() -> None:
    assert START.expects() == ToDraw(0, 12, "draw deck", False)
    state = play(START, "player 2 draws R1")
    assert broken(state, "player 2 draws R1") == ["UMO-1"]
    assert broken(state, "player 1 plays R2") == ["UMO-1"]
    assert broken(state, "player 1 draws " + ", ".join(["??"] * 13)) == ["UMO-1"]
    assert SPECTRUMO.start(3, Options(first=3)).expects() == ToDraw(2, 12, "draw deck", False)


@pytest.mark.parametrize(("seats", "draw", "buried"), [(2, 72, 72), (3, 66, 66), (5, 54, 54), (8, 36, 36)])
@allows
def test_umo_1_the_rest_is_split_in_halves(seats: int, draw: int, buried: int) -> None:
    state = dealt(seats)
    assert (state.draw, state.buried) == (draw, buried)
    assert state.expects() == ToDraw(0, 1, "table card", True)


@allows
@forbids
def test_umo_1_the_table_card() -> None:
    state = dealt()
    assert broken(state, "player 1 draws ??") == ["UMO-1"]
    assert broken(state, "player 1 draws R1") == ["UMO-1"]
    state = play(state, "player 1 draws G7")
    assert (state.color, state.rank, state.draw, state.expects()) == (6, 7, 71, ToMove((0,)))


@allows
def test_umo_1_a_special_goes_under_the_discard_deck() -> None:
    state = play(dealt(), "player 1 draws reverse draw")
    assert state.expects() == ToDraw(0, 1, "table card", True)
    state = play(state, "player 1 draws G7")
    assert (state.way, state.turn) == (1, 0)
    assert [PIECES[card] for card in state.discard] == [PIECES[152], PIECES[number_of("G7")]]


@excludes
def test_umo_1_two_to_eight_players() -> None:
    for seats in (1, 9):
        with pytest.raises(BadOptions, match="2 to 8"):
            SPECTRUMO.start(seats, Options())
    with pytest.raises(BadOptions, match="cannot start"):
        SPECTRUMO.start(2, Options(first=3))


@allows
@forbids
def test_umo_1_clockwise_and_one_after_the_other() -> None:
    state = table("R5", "RO7 B1", "RO8 B2", "O8 B3")
    assert broken(state, "player 2 plays RO8") == ["UMO-1"]
    state = play(state, "player 1 plays RO7")
    assert state.turn == 1
    assert broken(state, "player 3 plays O8") == ["UMO-1"]


@pytest.mark.parametrize(
    ("on", "allowed", "forbidden"),
    [
        ("R5", "O5 G5 RO1 RO5 PR12", "R1 R12 O6 P4"),
        ("GB7", "R7 B7 G7 G1 B12", "GB1 GB12 R6 YG8"),
        ("B6", "GB1 BP12 R6", "B1 G1 P12"),
        ("GB6", "B1 G12 R6", "GB1 YG1 BP12"),
    ],
)
@allows
@forbids
def test_umo_2_a_shade_or_the_same_rank_but_not_the_same_color(on: str, allowed: str, forbidden: str) -> None:
    state = table(on, f"{allowed} {forbidden}", "Y1")
    assert [judged(state, code) for code in allowed.split()] == [[]] * len(allowed.split())
    assert [judged(state, code) for code in forbidden.split()] == [["UMO-2"]] * len(forbidden.split())
    assert legal(state) == {f"plays {code}" for code in allowed.split()}


@allows
@forbids
def test_umo_2_the_same_color_by_option() -> None:
    state = table("R5", "R1 R12 O6", "Y1", options={"same_color": True})
    assert legal(state) == {"plays R1", "plays R12"}
    assert judged(state, "O6") == ["UMO-2"]


@allows
@forbids
def test_umo_2_only_cards_of_the_hand() -> None:
    state = table("R5", "RO7 B1", "RO8 ??")
    assert judged(state, "RO8") == ["UMO-2"]
    assert judged(state, "RO9") == ["UMO-2"]
    assert judged(play(state, "player 1 plays RO7"), "O1") == []
    assert judged(play(state, "player 1 plays RO7"), "B1") == ["UMO-2"]
    assert broken(state, "player 2 shows O1") == []
    assert broken(state, "player 1 shows O1") == ["UMO-2"], "both cards of player 1 are known"


@allows
@excludes
def test_umo_3_the_last_card_may_have_the_same_color() -> None:
    assert judged(table("R5", "R9", "Y1"), "R9") == []
    assert judged(table("R5", "R9 B1", "Y1"), "R9") == ["UMO-2"]
    assert judged(table("R5", "O9", "Y1"), "O9") == ["UMO-2"]


@allows
@forbids
def test_umo_4_who_cannot_play_draws_until_one_is_playable() -> None:
    state = table("R5", "B1 G2", "Y1 Y2")
    assert legal(state) == {"cannot play"}
    state = play(state, "player 1 cannot play")
    assert state.expects() == ToDraw(0, 1, "draw deck", False)
    assert broken(state, "player 1 plays B1") == ["UMO-4"]
    state = play(state, "player 1 draws B7")
    assert legal(state) == {"cannot play"}
    state = play(state, "player 1 cannot play", "player 1 draws RO1")
    assert legal(state) == {"plays RO1"}
    assert broken(state, "player 1 cannot play") == ["UMO-4"]
    assert judged(state, "B7") == ["UMO-4"]


@forbids
def test_umo_4_with_a_playable_card_nobody_draws() -> None:
    state = table("R5", "B1 RO2", "Y1 Y2")
    assert broken(state, "player 1 cannot play") == ["UMO-4"]
    assert broken(state, "player 1 passes") == ["UMO-4"]
    assert broken(state, "player 1 draws B7") == ["UMO-4"]
    with pytest.raises(IllegalMove, match="can play RO2"):
        play(state, "player 1 cannot play")


@allows
@forbids
def test_umo_4_unknown_cards_are_not_held_against_anybody() -> None:
    state = table("R5", "B1 ??", "Y1 Y2")
    assert broken(state, "player 1 cannot play") == []
    assert broken(table("R5", "RO1 ??", "Y1 Y2"), "player 1 cannot play") == ["UMO-4"]
    state = play(state, "player 1 cannot play", "player 1 draws ??")
    assert judged(state, "RO1") == []
    assert judged(state, "B1") == ["UMO-2"]


@allows
def test_umo_5_an_illegal_play_costs_two_cards_and_the_turn() -> None:
    state = table("R5", "B1 RO2", "Y1 R2 RO9")
    assert judged(state, "B1") == ["UMO-2"]
    state = play(state, "player 1 takes the penalty for B1")
    assert state.expects() == ToDraw(0, 2, "draw deck", False)
    state = play(state, "player 1 draws G1, ??")
    assert (hand(state, 0), state.hidden[0], state.turn) == ("RO2, G1, B1", 1, 1)
    assert judged(state, "RO9") == []


@allows
@forbids
def test_umo_5_after_a_refused_play_nothing_comes_before_the_penalty() -> None:
    state = table("R5", "B1 RO2", "Y1 R2 RO9")
    after = SPECTRUMO.penalties.after_refusal(state, SPECTRUMO.parse(state, "player 1 plays B1"))
    assert broken(after, "player 1 plays RO2") == ["UMO-5"]
    assert broken(after, "player 1 cannot play") == ["UMO-5"]
    assert broken(after, "player 2 plays RO9") == ["UMO-5"]
    assert broken(after, "player 2 takes the penalty") == ["UMO-5"]
    assert broken(after, "player 1 draws G1, G2") == ["UMO-5"]
    assert [SPECTRUMO.text(move) for move in after.legal_moves()] == ["player 1 takes the penalty"]
    assert play(after, "player 1 takes the penalty", "player 1 draws G1, G2").turn == 1


@allows
def test_umo_5_only_an_illegal_play_of_the_own_turn_has_a_penalty() -> None:
    state = table("R5", "B1 RO2", "Y1 R2 RO9")
    for line in ("player 1 plays RO2", "player 2 plays Y1", "player 1 plays G7", "player 1 cannot play"):
        assert SPECTRUMO.penalties.after_refusal(state, SPECTRUMO.parse(state, line)) == state, line


@forbids
def test_umo_5_a_penalty_is_for_a_play_that_breaks_a_rule() -> None:
    state = table("R5", "B1 RO2", "Y1 R2 RO9")
    assert broken(state, "player 1 takes the penalty") == ["UMO-5"], "nothing was played"
    assert broken(state, "player 1 takes the penalty for RO2") == ["UMO-5"], "that card fits"
    assert broken(state, "player 1 takes the penalty for G7") == ["UMO-5"], "nobody saw it in that hand"
    assert broken(state, "player 2 takes the penalty for Y1") == ["UMO-5"], "it is not that player's turn"


@allows
def test_umo_5_the_extra_turn_of_a_special_is_lost_as_well() -> None:
    state = play(table("R5", "B1, RO2, swap O/B, draw", "Y1 R2"), "player 1 plays draw", "player 2 draws ?? ??")
    assert state.turn == 0
    assert judged(state, "swap O/B") == ["UMO-8"]
    after = play(state, "player 1 takes the penalty for swap O/B")
    assert after.turn == 1
    assert broken(after, "player 1 takes the penalty for swap O/B") == ["UMO-5"]


@forbids
def test_umo_5_nobody_goes_on_before_the_two_cards_are_drawn() -> None:
    state = play(table("R5", "B1 RO2", "Y1 R2 RO9"), "player 1 takes the penalty for B1")
    assert judged(state, "RO9") == ["UMO-5"]
    assert broken(state, "player 1 draws G1, G2, G3") == ["UMO-5"]
    assert broken(play(state, "player 1 draws G1, G2"), "player 1 plays RO2") == ["UMO-1"]


@allows
@excludes
def test_umo_6_a_special_gives_another_turn() -> None:
    state = table("R4", "draw, deck swap, RO1, B1", "Y1 Y2")
    state = play(state, "player 1 plays draw", "player 2 draws G1 G2")
    assert (state.turn, state.specials) == (0, 1)
    state = play(state, "player 1 plays deck swap")
    assert (state.turn, state.specials) == (0, 2)
    state = play(state, "player 1 plays RO1")
    assert (state.turn, state.specials) == (1, 0)
    assert broken(state, "player 1 plays B1") == ["UMO-1"]


@allows
@forbids
@pytest.mark.parametrize(
    ("swap", "shade", "other_shade"),
    [
        ("R/G", "RO", "YG"),
        ("O/B", "OY", "BP"),
        ("Y/P", "YG", "PR"),
        ("RO/GB", "R", "G"),
        ("OY/BP", "Y", "P"),
        ("YG/PR", "G", "P"),
    ],
)
def test_umo_7_all_six_swaps_both_ways(swap: str, shade: str, other_shade: str) -> None:
    one, other = swap.split("/")
    for color, becomes, follows, near in ((one, other, other_shade, shade), (other, one, shade, other_shade)):
        state = table(f"{color}5", f"swap {swap}, {follows}9, {becomes}8, {near}7", "R1 R2")
        after = play(state, f"player 1 plays swap {swap}")
        assert (after.color, after.rank, after.turn) == (color_of(becomes), 5, 0)
        assert [judged(after, code) for code in (f"{follows}9", f"{becomes}8")] == [[], ["UMO-2"]]
        assert judged(table(f"{near}5", f"swap {swap}, {follows}9, {becomes}8", "R1 R2"), f"swap {swap}") == ["UMO-7"]


@allows
@forbids
def test_umo_7_a_swap_goes_on_its_two_colors() -> None:
    state = table("O3", "swap O/B, swap R/G, GB1, R9, R10", "Y1 Y2")
    assert judged(state, "swap O/B") == []
    assert judged(state, "swap R/G") == ["UMO-7"]
    assert legal(table("O3", "swap R/G, G9, R10", "Y1")) == {"cannot play"}


@pytest.mark.parametrize(("on", "code"), [("O3", "GB1"), ("O3", "BP12"), ("O3", "R3"), ("B3", "RO1"), ("B3", "R3")])
@allows
def test_umo_7_orange_3_becomes_a_virtual_blue_3_and_back(on: str, code: str) -> None:
    state = play(table(on, f"swap O/B, {code}, R9, R10", "Y1 Y2"), "player 1 plays swap O/B")
    assert (state.color, state.rank) == (color_of("B" if on == "O3" else "O"), 3)
    assert judged(state, code) == []


@excludes
def test_umo_7_not_the_color_that_it_became() -> None:
    state = play(table("O3", "swap O/B, B4, B3, GB1, O9", "Y1 Y2"), "player 1 plays swap O/B")
    assert [judged(state, code) for code in ("B4", "B3", "O9", "GB1")] == [["UMO-2"], ["UMO-2"], ["UMO-2"], []]


@allows
@forbids
def test_umo_7_a_further_card_must_go_on_it() -> None:
    assert judged(table("O3", "swap O/B, R9, R10", "Y1"), "swap O/B") == ["UMO-7"]
    assert judged(table("O3", "swap O/B, R9, GB10", "Y1"), "swap O/B") == []
    assert judged(table("O3", "swap O/B, R9, draw", "Y1"), "swap O/B") == []
    assert judged(table("O3", "swap O/B, R9, swap R/G", "Y1"), "swap O/B") == ["UMO-7"]
    assert judged(table("O3", "swap O/B, R9, ??", "Y1"), "swap O/B") == []


@allows
@forbids
def test_umo_7_a_second_swap_counts_if_a_card_can_follow_it() -> None:
    assert judged(table("O3", "swap O/B, swap O/B, R9, G9", "Y1"), "swap O/B") == ["UMO-7"]
    state = table("O3", "swap O/B, swap O/B, RO9, R9", "Y1")
    assert judged(state, "swap O/B") == []
    state = play(state, "player 1 plays swap O/B")
    assert legal(state) == {"plays swap O/B"}
    assert legal(play(state, "player 1 plays swap O/B")) == {"plays RO9"}


@allows
def test_umo_8_the_others_go_on_anything_and_anything_on_them() -> None:
    state = table("R4", "draw, deck swap, B1, G7, swap R/G", "Y1 Y2")
    assert [judged(state, code) for code in ("draw", "deck swap", "B1")] == [[], [], ["UMO-2"]]
    state = play(state, "player 1 plays deck swap")
    assert state.color == ANYTHING
    assert legal(state) == {"plays draw", "plays B1", "plays G7"}


@allows
@forbids
def test_umo_8_but_no_color_swap_goes_on_them() -> None:
    state = play(table("R4", "swap R/G, deck swap, YG1, G7", "Y1 Y2"), "player 1 plays deck swap")
    assert judged(state, "swap R/G") == ["UMO-8"]
    assert judged(table("R4", "swap R/G, deck swap, YG1, G7", "Y1 Y2"), "swap R/G") == []


@allows
def test_umo_9_a_card_that_is_owed_is_drawn_from_the_deck_while_a_trade_is_open() -> None:
    open_trade = play(table("R4", "swap cards, B1, B2, B3", "Y1 Y2"), "player 1 plays swap cards")
    owing = replace(open_trade, owed=(1, 0))
    assert owing.expects() == ToDraw(0, 1, "draw deck", False)
    assert broken(owing, "player 1 draws ??") == []
    drawn = play(owing, "player 1 draws ??")
    assert drawn.swapping == open_trade.swapping
    assert drawn.count(0) == open_trade.count(0) + 1


@allows
@forbids
def test_umo_9_as_many_cards_for_as_many() -> None:
    state = play(table("R4", "swap cards, B1, B2, B3", "Y1 Y2", "G1 G2 G3"), "player 1 plays swap cards")
    assert broken(state, "player 1 trades") == ["UMO-9"]
    assert judged(state, "B1") == ["UMO-9"]
    assert broken(state, "player 1 gives Y1 to player 2") == ["UMO-9"]
    assert broken(state, "player 1 gives B1 to player 1") == ["UMO-9"]
    state = play(state, "player 1 gives B1 to player 2")
    assert broken(state, "player 1 gives B2 to player 3") == ["UMO-9"]
    state = play(state, "player 1 gives B3 to player 2")
    assert broken(state, "player 1 gives B2 to player 2") == ["UMO-9"]
    state = play(state, "player 1 trades")
    assert state.expects() == ToDraw(0, 2, "seat1.hand", False)
    assert broken(state, "player 1 draws G1") == ["UMO-9"]
    state = play(state, "player 1 draws Y2", "player 1 draws Y1")
    assert [hand(state, seat) for seat in range(3)] == ["Y1, Y2, B2", "B1, B3", "G1, G2, G3"]
    assert state.expects() == ToMove((0,))


@forbids
def test_umo_9_a_trade_has_no_penalty_and_known_cards_are_named() -> None:
    state = play(table("R4", "swap cards, B1, B2, B3", "Y1 Y2"), "player 1 plays swap cards")
    assert broken(state, "player 1 takes the penalty") == ["UMO-9"]
    assert broken(state, "player 1 gives ?? to player 2") == ["UMO-9"]


@forbids
def test_umo_9_only_after_swap_cards() -> None:
    state = table("R4", "B1, RO2", "Y1 Y2")
    assert broken(state, "player 1 gives B1 to player 2") == ["UMO-9"]
    assert broken(state, "player 1 trades") == ["UMO-9"]


@allows
@forbids
def test_umo_9_cards_that_nobody_shows() -> None:
    state = play(table("R4", "swap cards, ??, ??", "Y1 ??"), "player 1 plays swap cards")
    assert broken(state, "player 1 gives B1 to player 2") == ["UMO-9"]
    state = play(state, "player 1 gives ?? to player 2", "player 1 trades")
    assert broken(play(state, "player 1 draws Y1"), "player 1 trades") == ["UMO-9"]
    known = play(state, "player 1 draws Y1")
    assert (known.hands, known.hidden) == (((number_of("Y1"),), ()), (1, 2))
    blind = play(state, "player 1 draws ??")
    assert (blind.hands, blind.hidden) == (((), ()), (2, 2))
    named = play(state, "player 1 draws B5")
    assert (hand(named, 0), hand(named, 1), named.hidden) == ("B5", "Y1", (1, 1))


@pytest.mark.parametrize(("on", "count"), [("R12", 6), ("R7", 3), ("R2", 1)])
@allows
@forbids
def test_umo_10_the_next_player_draws_half_the_rank(on: str, count: int) -> None:
    state = play(table(on, "draw, B1, B2", "Y1 Y2", "G1 G2"), "player 1 plays draw")
    assert state.expects() == ToDraw(1, count, "draw deck", False)
    assert broken(state, "player 1 plays B1") == ["UMO-10"]
    state = play(state, "player 2 draws " + " ".join(["??"] * count))
    assert (state.count(1), state.turn) == (2 + count, 0)


@allows
def test_umo_10_half_of_1_is_nothing() -> None:
    assert play(table("R1", "draw, B1, B2", "Y1 Y2"), "player 1 plays draw").expects() == ToMove((0,))


@allows
def test_umo_10_reverse_draw_turns_first() -> None:
    state = play(table("R4", "reverse draw, B1, B2", "Y1 Y2", "G1 G2"), "player 1 plays reverse draw")
    assert (state.way, state.expects()) == (-1, ToDraw(2, 2, "draw deck", False))
    state = play(state, "player 3 draws ?? ??", "player 1 plays B1")
    assert state.turn == 2


@allows
def test_umo_10_drawing_costs_nobody_a_turn() -> None:
    state = play(table("R4", "draw, B1, B2", "B7 Y2", "G1 G2"), "player 1 plays draw", "player 2 draws ?? ??")
    state = play(state, "player 1 plays B1")
    assert state.turn == 1


@allows
def test_umo_10_the_last_number_card_counts_below_specials() -> None:
    state = play(table("R8", "draw, deck swap, B1, B2", "Y1 Y2"), "player 1 plays deck swap", "player 1 plays draw")
    assert state.expects() == ToDraw(1, 4, "draw deck", False)


@allows
def test_umo_11_the_decks_change_roles() -> None:
    state = table("R4", "deck swap, B1, B2", "Y1 Y2", discard="O1 O2", draw=100, buried=0)
    assert (state.draw, state.buried) == (100, 60)
    state = play(state, "player 1 plays deck swap")
    assert (state.draw, state.buried, state.discard) == (63, 100, (153,))
    assert state.holds_unknown(number_of("O1"))
    assert judged(state, "B1") == []


@allows
@excludes
def test_umo_11_the_old_discards_are_drawn_but_never_the_deck_swap_itself() -> None:
    state = table("R4", "deck swap, draw, B1, B2", "Y1 Y2", discard="O1 O2")
    assert broken(play(state, "player 1 plays draw"), "player 2 draws O1 R4") == ["UMO-10"]
    state = play(state, "player 1 plays deck swap", "player 1 plays draw")
    assert broken(state, "player 2 draws O1 R4") == []
    assert broken(state, "player 2 draws deck swap, deck swap") == ["UMO-10"], (
        "one of the two lies below the table card"
    )


@allows
@forbids
def test_umo_12_hands_move_to_the_left() -> None:
    state = table("R4", "pass hand left, B1", "Y1 Y2 Y3", "G1 G2 G3 G4")
    state = play(state, "player 1 plays pass hand left")
    assert [hand(state, seat) for seat in range(3)] == ["G1, G2, G3, G4", "B1", "Y1, Y2, Y3"]
    assert state.owed == (0, 2, 1)
    assert broken(state, "player 1 plays G1") == ["UMO-12"]
    assert broken(state, "player 2 draws B2, B3, B4") == ["UMO-12"]
    state = play(state, "player 2 draws ?? ??", "player 3 draws ??")
    assert [state.count(seat) for seat in range(3)] == [4, 3, 4]
    assert judged(state, "G1") == []


@allows
def test_umo_12_and_to_the_right() -> None:
    state = table("R4", "pass hand right, B1", "Y1 Y2 Y3", "G1 G2 G3 G4", way=-1)
    state = play(state, "player 1 plays pass hand right")
    assert [hand(state, seat) for seat in range(3)] == ["Y1, Y2, Y3", "G1, G2, G3, G4", "B1"]
    assert state.owed == (0, 0, 3)


@allows
@forbids
def test_umo_13_exactly_one_number_card_goes_out() -> None:
    state = play(table("R4", "RO1", "Y1 Y2"), "player 1 plays RO1")
    assert state.over[0].winner == 0
    assert judged(table("R4", "draw", "Y1 Y2"), "draw") == ["UMO-13"]
    assert legal(table("R4", "draw", "Y1 Y2")) == {"cannot play"}


@forbids
def test_umo_13_not_after_a_special() -> None:
    state = play(table("R1", "draw, RO1", "Y1 Y2"), "player 1 plays draw")
    assert judged(state, "RO1") == ["UMO-13"]
    assert legal(state) == {"cannot play"}


@allows
@excludes
def test_umo_13_with_two_cards_left_no_swap() -> None:
    assert judged(table("R4", "swap R/G, YG1", "Y1 Y2"), "swap R/G") == ["UMO-7"]
    assert judged(table("R4", "swap R/G, YG1, B2", "Y1 Y2"), "swap R/G") == []


@allows
@excludes
def test_umo_14_one_number_card_after_a_special() -> None:
    state = play(table("R1", "draw, RO1", "Y1 Y2"), "player 1 plays draw", "player 1 cannot play", "player 1 draws B5")
    assert legal(state) == {"plays B5"}
    assert judged(state, "RO1") == ["UMO-4"]
    state = play(state, "player 1 plays B5")
    assert (hand(state, 0), state.turn) == ("RO1", 1)


@allows
@excludes
def test_umo_14_a_drawn_card_that_is_not_playable_may_free_the_other() -> None:
    state = play(
        table("R1", "draw, RO1", "Y1"), "player 1 plays draw", "player 1 cannot play", "player 1 draws swap R/G"
    )
    assert legal(state) == {"plays RO1"}
    assert broken(state, "player 1 cannot play") == ["UMO-4"]


@allows
def test_umo_14_a_hand_of_one_special_draws() -> None:
    state = play(table("R4", "deck swap", "Y1 Y2"), "player 1 cannot play", "player 1 draws B5")
    assert legal(state) == {"plays deck swap"}
    state = play(table("R4", "deck swap", "Y1 Y2"), "player 1 cannot play", "player 1 draws RO5")
    assert legal(state) == {"plays RO5"}


@allows
def test_umo_15_discards_are_shuffled_in() -> None:
    state = table("R5", "B1 G2", "?? ??", discard="O1, draw, O2", draw=0)
    assert (state.draw, state.buried) == (0, 168 - 8)
    state = table("R5", "B1 G2", ", ".join(["??"] * 162), discard="O1, draw, O2", draw=0)
    assert (state.available, state.draw) == (3, 0)
    state = play(state, "player 1 cannot play", "player 1 draws O2")
    assert (state.draw, state.discard) == (2, numbers_of("R5"))
    assert broken(play(state, "player 1 cannot play"), "player 1 draws R5") == ["UMO-4"]
    assert broken(play(state, "player 1 cannot play"), "player 1 draws draw") == []


@allows
@forbids
def test_umo_15_who_cannot_play_passes_when_nothing_is_left() -> None:
    state = table("R5", "B1 G2", ", ".join(["??"] * 165), draw=0)
    assert state.available == 0
    assert legal(state) == {"passes"}
    assert broken(state, "player 1 cannot play") == ["UMO-15"]
    assert broken(table("R5", "B1 G2", "Y1"), "player 1 passes") == ["UMO-15"]
    state = play(state, "player 1 passes")
    assert state.turn == 1
    assert "passes" in legal(state)


@allows
def test_umo_15_a_penalty_or_special_takes_what_is_left() -> None:
    state = table("R12", "draw, G2, G3", ", ".join(["??"] * 162), discard="O1 O2", draw=0)
    state = play(state, "player 1 plays draw")
    assert state.expects() == ToDraw(1, 3, "draw deck", False)
    assert play(state, "player 2 draws O1 O2 R12").expects() == ToMove((0,))


@allows
def test_umo_15_when_all_pass_the_hand_ends() -> None:
    state = table("R5", "B1 G2", ", ".join(["??"] * 165), draw=0)
    state = play(state, "player 1 passes", "player 2 passes")
    assert state.stage == "count"
    assert state.expects() == ToDraw(1, 165, "seat1.hand", True)


@allows
def test_umo_16_ranks_and_20_for_a_special() -> None:
    assert points_of(numbers_of("R7, B12, draw, swap R/G")) == 59
    state = play(table("R4", "RO1", "Y1, B12, draw", "G5"), "player 1 plays RO1")
    assert [score.total for score in state.scores()] == [0, 33, 5]
    assert state.scores()[1].lines[0].text == "hand 1: Y1, B12, draw"
    assert (state.expects(), state.first) == (ToDraw(1, 12, "draw deck", False), 1)


@allows
@forbids
def test_umo_16_unknown_cards_are_told_when_the_hand_is_over() -> None:
    state = play(table("R4", "RO1", "Y1 ??", "?? G5"), "player 1 plays RO1")
    assert state.expects() == ToDraw(1, 1, "seat1.hand", True)
    assert broken(state, "player 2 draws ??") == ["UMO-16"]
    assert broken(state, "player 2 plays Y1") == ["UMO-16"]
    state = play(state, "player 2 draws B12", "player 3 shows draw")
    assert [score.total for score in state.scores()] == [0, 13, 25]


@allows
@forbids
def test_umo_16_at_200_the_lowest_total_wins() -> None:
    state = play(table("R4", "RO1", "Y1", "G5", scores=[150, 198, 40]), "player 1 plays RO1")
    assert state.outcome() is None
    state = play(table("R4", "RO1", "Y2", "G5", scores=[150, 198, 40]), "player 1 plays RO1")
    assert state.outcome().places == ((2,), (0,), (1,))
    assert (state.outcome().rule, state.expects()) == ("UMO-16", Over())
    assert broken(state, "player 1 draws R1") == ["UMO-16"]
    with pytest.raises(GameOver):
        play(state, "player 1 draws R1")
    assert play(table("R4", "RO1", "Y2", scores=[0, 58], options={"limit": 60}), "player 1 plays RO1").outcome()


@allows
def test_umo_16_ties_share_a_place() -> None:
    assert ending([200, 10, 10], (0, 0, 0), Options()).places == ((1, 2), (0,))


@allows
def test_umo_16_elimination() -> None:
    options = {"elimination": True}
    state = play(table("R4", "RO1", "Y1", "G5", scores=[150, 199, 40], options=options), "player 1 plays RO1")
    assert (state.dropped, state.outcome()) == ((0, 0, 0), None)
    state = play(table("R4", "RO1", "Y2", "G5", scores=[150, 199, 40], options=options), "player 1 plays RO1")
    assert (state.dropped, state.outcome()) == ((0, 1, 0), None)
    assert state.expects() == ToDraw(2, 12, "draw deck", False)
    assert broken(state, "player 2 draws R1") == ["UMO-1"]
    for number, seat in ((0, 2), (12, 0)):
        state = state.apply(Drawn(seat, tuple(PIECES[number : number + 12])))
    state = play(state, "player 3 draws G4")
    assert (state.draw, state.buried, state.turn) == (71, 72, 2)
    assert play(state, "player 3 plays R4").turn == 0


@allows
def test_umo_16_the_last_one_wins() -> None:
    options = Options(elimination=True)
    assert ending([150, 220, 240], (0, 3, 1), options).places == ((0,), (1,), (2,))
    assert ending([150, 220, 240], (0, 0, 1), options) is None
    assert ending([210, 205, 240], (4, 4, 1), options).places == ((1,), (0,), (2,))


@allows
def test_umo_16_scores_line_by_line() -> None:
    over = (FinishedHand(0, ((), numbers_of("R7 B2"))), FinishedHand(None, (numbers_of("draw"), numbers_of("R1"))))
    found = scores(over, (3, 0), 2)
    assert [[line.points for line in score.lines] for score in found] == [[3, 0, 20], [9, 1]]
    assert [score.total for score in found] == [23, 10]
    assert found[0].lines[1].text == "hand 1: went out"


def test_a_move_that_the_table_lets_stand() -> None:
    state = table("R5", "B1, RO2, swap Y/P", "Y1 Y2")
    assert state.apply_unchecked(SPECTRUMO.parse(state, "player 1 plays B1")).color == 8
    assert state.apply_unchecked(SPECTRUMO.parse(state, "player 1 cannot play")).expects() == ToDraw(
        0, 1, "draw deck", False
    )
    for line in ("player 1 plays swap Y/P", "player 2 plays Y1", "player 1 plays G1", "player 1 passes"):
        with pytest.raises(BadEvent):
            state.apply_unchecked(SPECTRUMO.parse(state, line))
    last = table("R5", "draw", "Y1 Y2")
    assert last.apply_unchecked(SPECTRUMO.parse(last, "player 1 plays draw")).over[0].winner == 0


def test_every_card_of_the_deck_is_somewhere() -> None:
    state = table("R5", "B1 RO2", "Y1 ??", discard="O1")
    assert state.draw + state.buried + len(state.discard) + state.count(0) + state.count(1) == CARDS_IN_ALL
