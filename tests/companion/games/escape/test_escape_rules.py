"""Every numbered rule of Spectrum Escape, the allowed and the forbidden, as examples from docs/rules/escape.md.

Positions are written as in `short_escape`: "red 7 2 0" is red with A on 7, B on 2 and no pawn of C.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Over, Rolled, ToMove, ToRoll
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord, GameOver, IllegalMove
from companion.core.pieces import WHEEL, Die, Pawn
from companion.games.escape.game import ESCAPE
from companion.games.escape.moves import spot_of, targets
from companion.games.escape.options import NEEDED, Options
from companion.games.escape.situation import dice_of
from tests.companion.games.escape.short_escape import at, first_rule, goes, legal, roll, rules, table, told
from tests.companion.games.examples import allows, excludes, forbids


@pytest.mark.parametrize(("seats", "needed"), [(2, 7), (3, 5), (4, 4)])
@allows
def test_esc_01_players_pawns_and_escapes_needed(seats: int, needed: int) -> None:
    state = ESCAPE.start(seats, Options())
    assert state.needed == needed
    assert [state.stock(seat) for seat in range(seats)] == [10] * seats
    assert sorted(dice_of("d6", seats)) == ["spectrum-d12"] * 5 + ["spectrum-d6"] * 4
    assert "ESC-1" in rules(table(personal="red red"), "player 3 plays common red to 1")


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (1, Options()),
        (5, Options()),
        (2, Options(colors="red,red")),
        (2, Options(colors="red,red-orange")),
        (3, Options(colors="red,blue")),
    ],
)
@forbids
def test_esc_01_other_numbers_and_colors_are_refused(seats: int, options: Options) -> None:
    with pytest.raises(BadOptions, match="ESC-1"):
        ESCAPE.start(seats, options)


@allows
@forbids
def test_esc_01_a_d6_shows_primaries_only() -> None:
    state = ESCAPE.start(2, Options())
    common = "d6 red red, d12 red-orange red red red red"
    assert told(state, f"rolls d6 blue blue {common.removeprefix('d6 ')}").rolled
    wrong = Rolled((Die("spectrum-d6", "red-orange"), *roll("d6 blue red red, d12 red red red red red").faces))
    assert [breach.rule for breach in state.violations(wrong)] == ["ESC-1"]
    with pytest.raises(BadEvent, match="ESC-1"):
        state.apply(wrong)


@allows
def test_esc_02_positions_count_outwards_from_the_star() -> None:
    assert [spot_of(0, position) for position in (1, 2, 9)] == ["red.9", "red.8", "red.1"]
    state = table("red 1 9")
    assert state.layout().cells["red.9"].piece == Pawn("red")
    assert state.layout().cells["red.1"].piece == Pawn("blue")


@allows
@forbids
def test_esc_02_a_pawn_escapes_that_reaches_ten_or_more() -> None:
    state = table("red 6 1", "blue 8 7", personal="red blue", d6="blue")
    assert goes(state, 0, "red") == 10, "6 and a gap of 5 is 11"
    after = told(state, "player 1 plays personal red out")
    assert after.escaped == (1, 0) and at(after, "red") == (0, 1)
    assert after.stock(0) == state.stock(0), "it does not return to stock"
    assert "ESC-2" in rules(state, "player 1 plays common blue out"), "8 and a gap of 1 is the rim"
    assert "ESC-2" in rules(state, "player 1 plays personal red to 9")


@allows
def test_esc_03_all_twelve_colors_may_be_entered() -> None:
    state = ESCAPE.start(2, Options())
    assert all(state.target(0, color) == 1 for color in range(len(WHEEL)))


@allows
@forbids
def test_esc_03_no_two_pawns_of_a_player_in_a_color_and_no_two_on_a_space() -> None:
    state = table("red 3 5", personal="red blue")
    assert rules(state, "player 1 puts a pawn on red 7") == {"ESC-3"}
    assert "ESC-3" in rules(state, "player 1 plays personal red to 5")
    with pytest.raises(BadEvent, match="two pawns"):
        state.apply_unchecked(ESCAPE.parse(state, "player 1 puts a pawn on red 7"))
    with pytest.raises(BadRecord, match="ESC-3"):
        table("red 3 3")
    assert not rules(state, "player 1 plays personal red to 6")


@allows
def test_esc_04_the_highest_position_leads() -> None:
    state = table("red 3 5 4", seats=3)
    assert [goes(state, seat, "red") for seat in range(3)] == [6, 6, 6], "B leads C by 1, and both others follow B"
    assert targets((4, 0, 0), "one") == (5, 5, 5)


@excludes
def test_esc_04_a_pawn_that_is_only_ahead_of_another_one_does_not_lead() -> None:
    state = table("red 2 7 4", seats=3, first=2, personal="red red red")
    assert rules(state, "player 3 plays personal red to 6") == {"ESC-6"}, "no gap of 2 counts for C"
    assert not rules(state, "player 3 plays personal red to 8")


@allows
@forbids
def test_esc_05_entering_an_empty_color_or_beyond_the_leader() -> None:
    state = table("green 0 3", personal="red green", d6="green")
    assert not rules(state, "player 1 plays personal red to 1")
    assert not rules(state, "player 1 plays common green to 4")
    assert first_rule(state, "player 1 plays personal red to 2") == "ESC-5"
    assert first_rule(state, "player 1 plays common green to 1") == "ESC-5"


@allows
@forbids
def test_esc_06_a_pawn_that_does_not_lead_goes_beyond_the_leader() -> None:
    state = table("red 2 7", personal="red blue")
    assert at(told(state, "player 1 plays personal red to 8"), "red") == (8, 7)
    assert rules(state, "player 1 plays personal red to 3") == {"ESC-6"}
    assert told(table("red 2 9", personal="red blue"), "player 1 plays personal red out").escaped == (1, 0)


@pytest.mark.parametrize(("mine", "other", "to"), [(4, 3, 5), (4, 2, 6), (5, 1, 9), (6, 2, 10), (9, 8, 10)])
@allows
@forbids
def test_esc_07_a_leader_advances_by_its_gap(mine: int, other: int, to: int) -> None:
    state = table(f"red {mine} {other}", personal="red blue")
    assert goes(state, 0, "red") == to
    wrong = "out" if to < 9 else "to 8"
    assert first_rule(state, f"player 1 plays personal red {wrong}") == "ESC-7"


@allows
@forbids
def test_esc_08_a_leader_alone_advances_one() -> None:
    state = table("red 4", personal="red blue")
    assert not rules(state, "player 1 plays personal red to 5")
    assert rules(state, "player 1 plays personal red to 8") == {"ESC-8"}


@allows
@forbids
def test_esc_08_with_centre_the_gap_is_measured_from_the_center() -> None:
    state = table("red 4", personal="red blue", alone="centre")
    assert not rules(state, "player 1 plays personal red to 8")
    assert rules(state, "player 1 plays personal red to 5") == {"ESC-8"}
    assert goes(table("red 5", alone="centre"), 0, "red") == 10
    assert goes(table("red 4 3", alone="centre"), 0, "red") == 5, "beside another pawn nothing changes"


@allows
@forbids
def test_esc_09_nobody_enters_and_escapes_in_one_move() -> None:
    state = table("red 0 9", "blue 0 8", personal="red blue", d6="blue")
    assert rules(state, "player 1 plays personal red") == {"ESC-9"}
    assert not rules(state, "player 1 plays common blue to 9")
    assert not rules(table("red 1 9", personal="red blue"), "player 1 plays personal red out"), "a resident may"


@allows
@forbids
def test_esc_10_entering_needs_a_pawn_in_stock() -> None:
    held = [f"{color} 1" for color in WHEEL[:6]]
    state = table(*held, personal="purple blue", d6="red", escaped=(4, 0))
    assert state.stock(0) == 0
    assert rules(state, "player 1 plays personal purple to 1") == {"ESC-10"}
    assert legal(state) >= {"player 1 loses the personal move", "player 1 plays common red to 2"}
    with pytest.raises(BadEvent, match="stock"):
        state.apply_unchecked(ESCAPE.parse(state, "player 1 plays personal purple to 1"))
    more = table(*held, personal="purple blue", d6="red", escaped=(3, 0))
    assert not rules(more, "player 1 plays personal purple to 1")


@allows
@forbids
def test_esc_11_nothing_is_captured_and_the_next_pawn_leads_after_an_escape() -> None:
    state = table("red 3 5", personal="red blue")
    assert rules(state, "player 1 plays personal red to 5") == {"ESC-6", "ESC-3", "ESC-11"}
    assert rules(state, "player 1 withdraws red of player 2") == {"ESC-11"}
    after = told(table("red 9 5 3", seats=3, personal="red blue blue"), "player 1 plays personal red out")
    assert at(after, "red") == (0, 5, 3) and goes(after, 1, "red") == 7


@allows
def test_esc_12_personal_and_common_dice_of_a_round() -> None:
    state = ESCAPE.start(2, Options())
    assert state.expects() == ToRoll(0, ("spectrum-d6",) * 4 + ("spectrum-d12",) * 5)
    after = told(state, "rolls d6 red blue green yellow, d12 red red-orange blue blue purple")
    assert [WHEEL[color] for color in after.personal] == ["red", "blue"]
    assert {WHEEL[color] for color in after.open_colors()} == {"green", "yellow", "red", "red-orange", "blue", "purple"}
    twelve = table(round_="d12").expects()
    assert twelve == ToRoll(0, ("spectrum-d12",) * 2 + ("spectrum-d6",) * 4 + ("spectrum-d12",) * 3)


@allows
@forbids
def test_esc_12_all_nine_are_rolled_once() -> None:
    state = ESCAPE.start(2, Options())
    for wrong in ("rolls d6 red", "rolls d12 red red, d6 red red red red, d12 red red red"):
        assert first_rule(state, wrong) == "ESC-12"
        with pytest.raises(BadEvent, match="ESC-12"):
            told(state, wrong)
    nine = "rolls d6 red red red red, d12 red red red red red"
    after = told(state, nine)
    assert first_rule(after, nine) == "ESC-12", "not a second time in the round"
    assert first_rule(state, "player 1 plays common red to 1") == "ESC-12", "not before the roll"


@allows
def test_esc_12_common_dice_may_be_told_in_any_order() -> None:
    state = ESCAPE.start(2, Options())
    one = told(state, "rolls d6 red blue green yellow, d12 red blue green purple orange")
    other = told(state, "rolls d6 red blue, d12 orange purple, d6 yellow green, d12 green blue red")
    assert one == other


@allows
@forbids
def test_esc_13_one_personal_and_one_common_die_each() -> None:
    state = table(personal="red blue", d6="green yellow", d12="blue blue orange orange purple")
    after = told(state, "player 1 plays common green to 1", "player 2 plays personal blue to 1")
    assert after.expects() == ToMove((0,))
    assert rules(after, "player 1 plays common yellow to 1") == {"ESC-13"}
    assert rules(after, "player 1 plays personal yellow to 1") == {"ESC-13"}
    after = told(after, "player 1 plays personal red to 1")
    assert rules(after, "player 2 plays common green to 2") == {"ESC-13"}, "that die is used up"
    assert rules(after, "player 2 plays common red to 2") == {"ESC-13"}, "no common die shows it"
    assert rules(after, "player 1 plays common yellow to 1") >= {"ESC-13"}, "both moves are made"
    assert told(after, "player 2 plays common blue to 2").round == "d12"


@allows
def test_esc_13_of_two_dice_of_one_color_two_players_may_use_one_each() -> None:
    state = table(personal="red blue", d6="green", d12="green yellow yellow yellow yellow")
    after = told(state, "player 1 plays common green to 1", "player 2 plays common green to 2")
    assert "green" not in {WHEEL[color] for color in after.open_colors()}


@forbids
def test_esc_13_no_pawn_enters_without_a_die() -> None:
    assert rules(table(personal="red blue"), "player 1 puts a pawn on green 1") == {"ESC-13"}


@allows
@forbids
def test_esc_14_a_legal_move_must_be_made() -> None:
    state = table("red 0 9", "blue 0 9", personal="red green", d6="blue blue", d12="blue blue blue blue red")
    assert legal(state) == {"player 1 loses the personal move", "player 1 loses the common move"}
    free = table("red 0 9", personal="red green", d6="blue")
    assert rules(free, "player 1 loses the common move") == {"ESC-14"}
    assert rules(table(personal="red green"), "player 1 loses the personal move") == {"ESC-14"}


@allows
def test_esc_14_a_dead_personal_die_may_be_used_up_in_either_move() -> None:
    state = table("red 0 9", personal="red green", d6="blue")
    one = told(state, "player 1 loses the personal move")
    assert one.done == (1, 0)
    other = told(state, "player 1 plays common blue to 1", "player 2 plays personal green to 1")
    assert legal(other) == {"player 1 loses the personal move"}


@allows
def test_esc_14_a_lost_common_move_uses_up_no_die() -> None:
    state = table("red 0 9", "blue 0 9", personal="green green", d6="blue blue", d12="blue blue blue blue red")
    after = told(state, "player 1 loses the common move")
    assert after.unused == state.unused and after.done == (2, 0)


@allows
@forbids
def test_esc_15_a_pawn_is_taken_back_instead_of_both_moves() -> None:
    state = table("red 4 2", personal="red blue", d6="green")
    after = told(state, "player 1 withdraws red")
    assert at(after, "red") == (0, 2) and after.stock(0) == state.stock(0) + 1 and after.unused == state.unused
    after = told(after, "player 2 plays personal blue to 1")
    assert after.expects() == ToMove((1,)), "the first player has no move two"
    assert rules(after, "player 1 plays personal red to 3") >= {"ESC-15"}
    later = told(state, "player 1 plays common green to 1", "player 2 plays personal blue to 1")
    assert rules(later, "player 1 withdraws red") == {"ESC-15"}, "not as move two"
    assert rules(state, "player 1 withdraws blue") == {"ESC-15"}, "no pawn stands there"


@allows
@forbids
def test_esc_16_play_order_and_who_plays_first() -> None:
    state = table(seats=3, first=1, personal="red red red", d6="blue", d12="blue blue blue blue blue")
    assert state.expects() == ToMove((1,))
    assert rules(state, "player 1 plays common blue to 1") == {"ESC-16"}
    order = []
    while state.rolled:
        order.append(state.turn)
        state = state.apply(state.legal_moves()[0])
    assert order == [1, 2, 0, 1, 2, 0]
    assert (state.round, state.first) == ("d12", 1), "the same order in the d12 round"
    rng = Random(1)
    state = told(state, "rolls d12 red red red, d6 blue blue blue blue, d12 blue blue")
    while state.rolled:
        state = state.apply(rng.choice(list(state.legal_moves())))
    assert (state.round, state.first) == ("d6", 2), "the old first player plays last now"


@allows
@forbids
def test_esc_16_the_first_player_is_agreed() -> None:
    begun = ESCAPE.start(3, Options(first=3))
    assert begun.first == 2 and begun.round == "d6"
    with pytest.raises(BadOptions, match="ESC-16"):
        ESCAPE.start(2, Options(first=3))


@allows
@forbids
def test_esc_17_the_needed_escapes_win_at_once() -> None:
    state = table("red 9 1", personal="red red", escaped=(NEEDED[2] - 1, 3))
    after = told(state, "player 1 plays personal red out")
    assert isinstance(after.expects(), Over)
    outcome = after.outcome()
    assert outcome is not None and outcome.places == ((0,), (1,)) and outcome.rule == "ESC-17"
    assert [score.total for score in after.scores()] == [7, 3]
    with pytest.raises(GameOver, match="ESC-17"):
        told(after, "player 2 plays personal red to 2")
    assert (
        told(table("red 9 1", personal="red red", escaped=(5, 3)), "player 1 plays personal red out").outcome() is None
    )


@allows
@forbids
def test_esc_18_pawns_are_always_ten() -> None:
    rng = Random(2)
    state = ESCAPE.start(4, Options())
    for _ in range(200):
        if isinstance(state.expects(), ToRoll):
            state = told(state, f"rolls {ROLLS[state.round]}")
        else:
            state = state.apply(rng.choice(list(state.legal_moves())))
        layout = state.layout()
        for seat, color in enumerate(state.colors):
            board = sum(sighting.piece == Pawn(color) for sighting in layout.cells.values())
            beside = len(layout.heaps[f"seat{seat}.stock"]) + len(layout.heaps[f"seat{seat}.escaped"])
            assert board + beside == 10
            assert board == state.on_board(seat)
    with pytest.raises(BadRecord, match="ESC-18"):
        table(*(f"{color} 1" for color in WHEEL[:6]), escaped=(5, 0))
    full = table(*(f"{color} 1" for color in WHEEL[:6]), personal="blue red", escaped=(4, 0))
    assert rules(full, "player 1 puts a pawn on purple 1") == {"ESC-18"}


ROLLS = {
    "d6": "d6 red blue yellow green, d12 red-orange blue-purple green-blue purple orange",
    "d12": "d12 red blue-purple yellow green, d6 red blue purple orange, d12 purple-red",
}


@allows
def test_esc_19_two_pawns_in_red() -> None:
    """A enters, B enters, then A moves until it escapes."""
    column = (0, 0)
    for seat, to in ((0, "to 1"), (1, "to 2"), (0, "to 3"), (0, "to 4"), (0, "to 6"), (0, "out")):
        state = table(f"red {column[0]} {column[1]}", first=seat, personal="red red")
        state = told(state, f"player {seat + 1} plays personal red {to}")
        column = at(state, "red")
    assert column == (0, 2) and state.escaped == (1, 0)


@excludes
def test_esc_19_a_gap_of_four_leads_out() -> None:
    state = table("red 6 2", personal="red blue")
    assert rules(state, "player 1 plays personal red to 9") == {"ESC-7", "ESC-2"}, (
        "a gap of 4 leads out, not to the rim"
    )


@allows
@excludes
def test_esc_20_three_pawns_in_green() -> None:
    state = table("green 7 2 0", seats=3, first=2, personal="red green green", d6="green")
    state = told(state, "player 3 plays common green to 8", "player 1 plays personal red to 1")
    state = told(state, "player 2 plays personal green to 9")
    assert rules(state, "player 3 plays personal green to 9") == {"ESC-6", "ESC-2", "ESC-3", "ESC-11"}
    state = told(state, "player 3 plays personal green out")
    assert at(state, "green") == (7, 9, 0) and state.escaped == (0, 0, 1)
    assert goes(state, 1, "green") == 10, "B leads A by 2"


@pytest.mark.parametrize(
    ("seats", "round_", "own", "cubes", "others"), [(3, "d6", 3, 1, 5), (4, "d12", 4, 4, 1), (4, "d6", 4, 0, 5)]
)
@allows
@excludes
def test_esc_21_how_dice_are_shared_out(seats: int, round_: str, own: int, cubes: int, others: int) -> None:
    kinds = dice_of("d6" if round_ == "d6" else "d12", seats)
    assert kinds[:seats] == (f"spectrum-{round_}",) * own
    assert (kinds[seats:].count("spectrum-d6"), kinds[seats:].count("spectrum-d12")) == (cubes, others)
    state = table(seats=seats, round_=round_)
    other = dice_of("d12" if round_ == "d6" else "d6", seats)
    assert not state.violations(Rolled(tuple(Die(kind, "red") for kind in kinds)))
    found = state.violations(Rolled(tuple(Die(kind, "red") for kind in other)))
    assert [breach.rule for breach in found] == ["ESC-12"], "the personal dice are of the other kind"


def test_what_the_table_lets_stand() -> None:
    """A wrong target and a die that is not there may stand; two pawns on a space may not."""
    state = table("red 3 5", personal="red blue", d6="green")
    event = ESCAPE.parse(state, "player 1 plays common orange to 2")
    with pytest.raises(IllegalMove):
        state.apply(event)
    after = state.apply_unchecked(event)
    assert at(after, "orange") == (2, 0) and after.unused == state.unused and after.done == (2, 0)
    again = state.apply_unchecked(ESCAPE.parse(state, "player 2 plays personal red to 7"))
    assert again.done == (0, 1) and again.expects() == ToMove((0,)), "out of turn, but it was a move"
    with pytest.raises(BadEvent):
        state.apply_unchecked(ESCAPE.parse(state, "player 1 plays personal red to 5"))
    away = state.apply_unchecked(ESCAPE.parse(state, "player 1 withdraws red of player 2"))
    assert at(away, "red") == (3, 0) and away.turn == 0
