"""Shotgun starts and cards as dice (VAR-1 to VAR-16), the allowed and the forbidden, as examples from the rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.core.contract import Drawn, Rolled, ToDraw, ToMove, ToRoll
from companion.core.foundation.errors import BadOptions, IllegalMove
from companion.core.pieces import FACES, WHEEL, Card, Die
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrum import usages as card_usages
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Pass, Pick, Swap
from companion.games.spectrum.options import Options
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.usages import Usage
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import after, rules
from tests.companion.games.spectrum.short_spectrum import board, drawn, go, in_stock, rolled, table, ways

CARDS = {"cards_as_dice": True}
SWAPS = {"cards_as_dice": True, "swap_cards": True}


def held(pawns: str, cards: str, use: str = "", options: Any = None, **more: Any) -> SpectrumState:
    """A position in which these cards were drawn instead of dice."""
    codes = [code.strip() for code in (cards.split(",") if "," in cards else cards.split())]
    return table(pawns, "", use, options={**CARDS, **(options or {})}, cards=codes, **more)


def usages(cards: str) -> dict[str, Usage]:
    codes = [code.strip() for code in (cards.split(",") if "," in cards else cards.split())]
    return {one.name: one for one in card_usages.usages_of_cards(tuple(sorted(number_of(code) for code in codes)))}


def spaces(cards: str, name: str) -> list[int]:
    return [part.spaces for part in usages(cards)[name].parts]


@allows
@forbids
def test_var_01_two_cards_of_each_number_put_six_pawns_on_the_board() -> None:
    state = SPECTRUM.start(2, Options(shotgun="cards"))
    assert state.expects() == ToDraw(0, 6, "piles of 1, 2 and 3", True)
    with pytest.raises(IllegalMove, match="VAR-1"):
        state.apply(drawn("R1 RO1 O1"))
    with pytest.raises(IllegalMove, match="VAR-1"):
        state.apply(drawn("R4"))
    mine = state.apply(drawn("R1 RO1 O2 Y2 G3 B3"))
    assert set(board(mine)) == {"red.1", "red-orange.1", "orange.2", "yellow.2", "green.3", "blue.3"}
    assert mine.expects() == ToDraw(1, 6, "piles of 1, 2 and 3", True)
    with pytest.raises(IllegalMove, match="VAR-1"):
        mine.apply(drawn("R1", seat=1))
    both = mine.apply(drawn("Y1 G1 R2 B2 O3 P3", seat=1))
    assert [in_stock(both, seat) for seat in (0, 1)] == [4, 4]
    assert both.expects() == ToRoll(0, ("spectrum-d6",) * 2)
    assert rules(both, drawn("R1")) == {"BRD-7"}
    with pytest.raises(BadOptions):
        SPECTRUM.start(1, Options(shotgun="cards"))


def shotgun() -> SpectrumState:
    return SPECTRUM.start(2, Options(shotgun="d12"))


@allows
@forbids
def test_var_02_three_rounds_of_two_dice() -> None:
    state = shotgun()
    assert state.expects() == ToRoll(0, ("spectrum-d12",) * 2)
    first = state.apply(rolled("red red-orange", "d12"))
    assert board(first) == {"red.1": "red", "red-orange.1": "red"}
    rounds = after(
        first,
        *(rolled(f"{one} {other}", "d12") for one, other in (("blue", "green"), ("red", "blue"), ("green", "yellow"))),
    )
    assert {"red.2", "blue.2", "green.2", "yellow.2"} <= set(board(rounds))
    done = after(rounds, rolled("red blue", "d12"), rolled("green yellow", "d12"))
    assert Counter(board(done).values()) == {"red": 6, "orange": 6}
    assert rules(state, go("red stock", "red.1")) == {"VAR-2"}


@allows
@forbids
def test_var_03_a_die_on_an_occupied_space_is_rolled_again() -> None:
    state = shotgun().apply(rolled("red blue", "d12"))
    one = state.apply(rolled("red green", "d12"))
    assert one.expects() == ToRoll(1, ("spectrum-d12",))
    assert "green.1" not in board(one)
    assert rules(one, rolled("red green", "d12")) == {"VAR-3"}
    again = one.apply(rolled("blue", "d12"))
    assert again.expects() == ToRoll(1, ("spectrum-d12",))
    assert set(board(again.apply(rolled("yellow", "d12")))) == {"red.1", "blue.1", "green.1", "yellow.1"}
    both = state.apply(rolled("red blue", "d12"))
    assert both.expects() == ToRoll(1, ("spectrum-d12",) * 2)


@allows
@forbids
def test_var_04_after_doubles_two_free_colors_are_picked() -> None:
    state = shotgun().apply(rolled("red blue", "d12"))
    double = state.apply(rolled("red red", "d12"))
    assert double.expects() == ToMove((1,))
    assert len(double.legal_moves()) == 10 * 9 // 2
    assert rules(double, Pick(1, "red", "green")) == {"VAR-4"}
    assert rules(double, Pick(1, "green", "green")) == {"VAR-4"}
    assert rules(double, Pick(1, "green", "pink")) == {"BRD-1"}
    assert rules(double, Pick(0, "green", "yellow")) == {"VAR-5"}
    picked = double.apply(Pick(1, "yellow", "green"))
    assert set(board(picked)) == {"red.1", "blue.1", "green.1", "yellow.1"}
    # A die that was rolled again may make doubles as well.
    again = after(state, rolled("red green", "d12"), rolled("green", "d12"))
    assert again.expects() == ToMove((1,))
    assert rules(state, Pick(1, "yellow", "green")) == {"VAR-4"}


@allows
def test_var_05_players_roll_in_turn_order_and_then_play_by_ordinary_rules() -> None:
    state = SPECTRUM.start(3, Options(shotgun="d12", first=2))
    rng = Random(2)
    seats = []
    while not isinstance(state.expects(), ToRoll) or state.phase == "set-up":
        due = state.expects()
        if isinstance(due, ToMove):
            state = state.apply(state.legal_moves()[0])
            continue
        assert isinstance(due, ToRoll)
        seats.append(due.seat)
        state = state.apply(Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice)))
    order = [seat for place, seat in enumerate(seats) if not place or seats[place - 1] != seat]
    assert order == [1, 2, 0] * 3
    assert state.expects() == ToRoll(1, ("spectrum-d6",) * 2)
    assert rules(state, rolled("red blue", "d12")) == {"BRD-7"}


@allows
@forbids
def test_var_05_nobody_picks_out_of_turn() -> None:
    doubles = shotgun().apply(rolled("red red", "d12"))
    assert not rules(doubles, Pick(0, "yellow", "green"))
    assert rules(doubles, Pick(1, "yellow", "green")) == {"VAR-5"}
    assert rules(doubles, rolled("red blue", "d12")) == {"VAR-5"}


@pytest.mark.parametrize(("taken", "cards"), [(0, 2), (3, 2), (4, 3), (7, 3), (8, 4), (11, 4)])
@forbids
def test_var_06_cards_drawn_by_closed_colors(taken: int, cards: int) -> None:
    stars = [f"{color}.9" for color in WHEEL[:taken]]
    state = table(f"{' '.join(stars[0::2])} | {' '.join(stars[1::2])}", options=CARDS)
    assert state.expects() == ToDraw(0, cards, "draw deck", True)
    with pytest.raises(IllegalMove, match="VAR-6"):
        state.apply(drawn(" ".join(f"{code}1" for code in ("R", "O", "Y", "G", "B")[: cards + 1])))


@allows
@forbids
def test_var_06_the_deck_holds_36_cards_and_is_made_of_the_discards() -> None:
    start = table("red.3 green.3", options=CARDS)
    assert sum(SPECTRUM.unseen(start).values()) == 36
    with pytest.raises(IllegalMove, match="VAR-6"):
        start.apply(drawn("R4"))
    with pytest.raises(IllegalMove, match="VAR-6"):
        start.apply(drawn("R1 R1"))
    with pytest.raises(IllegalMove, match="VAR-6"):
        start.apply(drawn("??"))
    assert rules(start, drawn("R1", seat=1)) == {"VAR-6"}
    assert rules(start, rolled("red blue")) == {"VAR-6"}
    turn = after(start, drawn("R1 B2"), Declare(0, "R1"), go("red.3", "red.4"))
    assert turn.turn == 1 and [PIECES[n] for n in turn.extras.discards] == [Card("red", 1), Card("blue", 2)]
    everything = [PIECES[number] for number in card_usages.CARDS]
    rest = [f"{piece.color} {piece.rank}" for piece in everything if isinstance(piece, Card)]
    last = table("red.3", options=CARDS, discards=rest[1:])
    assert rules(last, Drawn(0, (Card("red", 2), Card("red", 3)))) == {"VAR-6"}
    # The one card that is left comes first; then the discards are the deck.
    turn = last.apply(Drawn(0, (Card("red", 1), Card("red", 3))))
    assert len(turn.extras.pile) == 34 and turn.extras.discards == ()


@forbids
def test_var_06_no_other_card_is_in_the_deck() -> None:
    assert rules(table("red.3", options=CARDS), Drawn(0, (Card("red", 13), Card("red", 1)))) == {"VAR-6"}


@allows
@forbids
def test_var_07_one_card_or_one_combination() -> None:
    assert set(usages("R1 R2 RO2")) == {"R1", "R2", "RO2", "R1 + R2", "R1 + RO2", "R2 + RO2"}
    assert "R3 + PR1" in usages("PR1 R3") and "R3 + O1" not in usages("R3 O1")
    state = held("red.3 blue.3", "R1 B2")
    assert {move.usage for move in state.legal_moves()} == {"R1", "B2"}
    assert rules(state, Declare(0, "R1 + B2")) == {"VAR-7"}
    one = state.apply(Declare(0, "R1"))
    assert rules(one, Declare(0, "B2")) == {"VAR-7"}


@allows
@forbids
def test_var_08_a_single_card_moves_one_pawn_within_its_color() -> None:
    state = held("red.3 red-orange.3", "R2 B1", "R2")
    assert ways(state, "red.3") == {"red.1", "red.5"}
    assert "red stock>red.2" in ways(state)
    assert rules(state, go("red.3", "red.4")) == {"VAR-8"}
    assert rules(state, go("red.3", "red-orange.4")) == {"VAR-8"}
    assert rules(state, go("red-orange.3", "red.5")) == {"VAR-8"}
    intermediate = held("red-orange.3", "RO1 B1", "RO1")
    assert ways(intermediate) == {"red-orange.3>red-orange.2", "red-orange.3>red-orange.4"}


@allows
@forbids
def test_var_09_two_cards_of_one_color() -> None:
    six = {"blue-purple", "purple", "purple-red", "orange-yellow", "yellow", "yellow-green"}
    assert set(usages("P1 P3")["P1 + P3"].colors) == six
    assert spaces("P1 P3", "P1 + P3") == [1, 3]
    state = held("purple.3 yellow.3", "P1 P3", "P1 + P3")
    assert not rules(state, go("purple.3", "purple.6", part=2))
    assert not rules(state, go("yellow.3", "yellow-green.3", part=1))
    assert rules(state, go("purple.3", "purple.4")) == {"VAR-9"}
    assert rules(state, go("purple.3", "purple.5", part=1)) == {"BRD-18"}
    later = state.apply(go("purple.3", "purple.6", part=2))
    assert rules(later, go("purple.6", "purple.7", part=2)) == {"VAR-9"}
    assert not rules(later, go("yellow.3", "yellow.4", part=1))


@allows
@forbids
def test_var_10_three_and_four_cards_of_one_color() -> None:
    stars = "orange.9 yellow.9 | blue.9 orange-yellow.9"
    state = held(f"red.3 green.3 {stars}", "R1 R2 R3", "R1 + R2 + R3")
    assert spaces("R1 R2 R3", "R1 + R2 + R3") == [1, 2, 3]
    one = after(state, go("red.3", "red-orange.3", part=1), go("red-orange.3", "red.4", part=2))
    assert not rules(one, go("red.4", "red.7", part=3))
    assert rules(one, go("red.4", "red.5", part=1)) == {"VAR-10"}
    assert spaces("R1, R2, R3, swap R/G", "R1 + swap R/G as R + R2 + R3") == [1, 1, 2, 3]
    assert rules(state, Declare(0, "R1 + R2 + R3 + R1")) == {"VAR-7"}


@forbids
def test_var_10_equal_parts_are_taken_in_their_order() -> None:
    stars = "orange.9 yellow.9 purple.9 orange-yellow.9 | blue.9 green.9 red-orange.9 yellow-green.9"
    name = "R1 + swap R/G as R + R2 + R3"
    state = held(f"red.3 green.3 {stars}", "R1, R2, R3, swap R/G", name, options=SWAPS)
    assert not rules(state, go("red.3", "red.4", part=1))
    assert rules(state, go("red.3", "red.4", part=2)) == {"VAR-10"}


@allows
@forbids
def test_var_11_shaded_cards() -> None:
    two = usages("R2 RO3")["R2 + RO3"]
    assert [part.spaces for part in two.parts] == [2]
    assert set(two.colors) == {"purple-red", "red", "red-orange", "orange"}
    assert len(usages("G1 GB3 B1")["G1 + GB3 + B1"].colors) == 5
    assert len(usages("G1 GB3 B1 BP3")["G1 + GB3 + B1 + BP3"].colors) == 6
    state = held("red.3 orange.3", "R2 RO3", "R2 + RO3")
    assert {"red-orange.4", "purple-red.2", "red.5"} <= ways(state, "red.3")
    assert rules(state, go("red.3", "red.4")) == {"BRD-18"}
    assert state.apply(go("red.3", "red.5")).turn == 1
    assert rules(state, go("red.3", "yellow.3")) == {"VAR-11"}


@allows
@excludes
def test_var_12_two_cards_of_one_color_or_a_shaded_set() -> None:
    stars = "orange.9 yellow.9 | blue.9 orange-yellow.9"
    state = held(f"red.3 red-orange.3 {stars}", "R1 R2 RO2")
    assert not rules(state, Declare(0, "R1 + R2"))
    assert not rules(state, Declare(0, "R2 + RO2"))
    assert rules(state, Declare(0, "R1 + R2 + RO2")) == {"VAR-7"}


@allows
@excludes
def test_var_12_doubled_colors_do_not_lengthen_a_shaded_set() -> None:
    assert "R1 + R2 + RO2" not in usages("R1 R2 RO2")
    four = usages("R1 R2 RO2 O1")
    assert "R1 + R2 + RO2 + O1" not in four
    assert {"R1 + R2", "R1 + RO2 + O1", "R2 + RO2 + O1"} <= set(four)


@pytest.mark.parametrize(
    ("cards", "name", "moved"),
    [
        ("R2 RO3", "R2 + RO3", 2),
        ("G1 GB3 B1", "G1 + GB3 + B1", 2),
        ("G1 GB3 B1 BP3", "G1 + GB3 + B1 + BP3", 4),
        ("R1 RO1", "R1 + RO1", 1),
        ("R3 RO3 O3 OY2", "R3 + RO3 + O3 + OY2", 5),
    ],
)
@allows
def test_var_13_half_the_sum_rounded_down(cards: str, name: str, moved: int) -> None:
    assert spaces(cards, name) == [moved]


@allows
@excludes
def test_var_13_another_number_of_spaces_is_refused() -> None:
    state = held("red.3", "R1 RO1", "R1 + RO1")
    assert not rules(state, go("red.3", "red.4"))
    assert rules(state, go("red.3", "red.5")) == {"BRD-18"}


@allows
@forbids
def test_var_14_a_card_is_played_if_any_can_be() -> None:
    ten = " ".join(f"yellow.{n}" for n in range(1, 10))
    state = held(f"{ten} green.3", "R1 G2")
    assert state.usage == "G2"
    both = held("red.3 green.3", "R1 G2")
    assert {move.usage for move in both.legal_moves()} == {"R1", "G2"}
    assert rules(both, go("red.3", "red.4")) == {"VAR-14"}
    assert rules(both, Pass(0)) == {"VAR-14"}
    none = held(f"{ten} blue-purple.3", "R1 G2")
    assert none.legal_moves() == (Pass(0),)
    assert none.apply(Pass(0)).turn == 1


@allows
@forbids
def test_var_14_a_dead_card_is_no_choice() -> None:
    pawns = "red.3 blue.3 " + " ".join(f"yellow.{n}" for n in range(2, 9)) + " orange.9"
    state = held(f"{pawns} | red.9 green.9 purple.9", "R1 B2 G1")
    assert rules(state, Declare(0, "G1")) == {"VAR-14"}
    assert not rules(state, Declare(0, "R1"))


@allows
@excludes
def test_var_15_the_rest_is_as_with_dice() -> None:
    star = held("red.7 | green.3", "R2 B1", "R2")
    assert not rules(star, go("red.7", "red.9"))
    assert rules(held("red.8", "R2 B1", "R2"), go("red.8", "red.9")) == {"BRD-26"}
    jump = held("red.3 | red.4 red.5", "R2 B1", "R2")
    assert ways(jump, "red.3") >= {"red.5", "red.1"}
    double = held("red.3 green.3", "R1 R2", "R1 + R2").apply(go("red.3", "red.4", part=1))
    assert rules(double, go("red.4", "red.6", part=2)) == {"BRD-19"}
    assert not rules(double, go("red.4", "red-orange.5", part=2))
    assert rules(double, drawn("Y1", seat=1)) == {"BRD-27"}


@allows
@forbids
def test_var_16_a_swap_card_exchanges_two_pawns() -> None:
    state = held("red.4 blue.2 | green.7 green.9", "swap R/G, B2", "swap R/G", options=SWAPS)
    assert state.legal_moves() == (Swap(0, "red.4", "green.7"),)
    done = state.apply(Swap(0, "green.7", "red.4"))
    assert board(done)["red.4"] == "orange" and board(done)["green.7"] == "red"
    assert done.turn == 1
    assert rules(state, Swap(0, "red.4", "green.9")) == {"VAR-16"}
    assert rules(state, Swap(0, "red.4", "green.5")) == {"VAR-16"}
    assert rules(state, Swap(0, "red.4", "blue.2")) == {"VAR-16"}
    assert rules(state, Swap(0, "red.4", "pink.2")) == {"BRD-2"}
    assert rules(state, go("red.4", "red.5")) == {"VAR-16"}
    plain = held("red.4 | green.7", "swap R/G, B2", "B2", options=SWAPS)
    assert rules(plain, Swap(0, "red.4", "green.7")) == {"VAR-16"}


@allows
@forbids
def test_var_16_a_swap_card_counts_as_a_1_of_either_color() -> None:
    state = held("red.4 green.4 | blue.3", "swap R/G, B2", options=SWAPS)
    names = {move.usage for move in state.legal_moves()}
    assert {"swap R/G", "swap R/G as R", "swap R/G as G"} <= names
    assert ways(state.apply(Declare(0, "swap R/G as G")), "green.4") == {"green.3", "green.5"}
    assert "R2 + swap R/G as R" not in usages("R2, swap R/G") and "swap R/G as R + R2" in usages("R2, swap R/G")
    # Without a pawn in both colors it is no swap.
    assert "swap R/G" not in {move.usage for move in held("red.4", "swap R/G, B2", options=SWAPS).legal_moves()}
    assert sum(SPECTRUM.unseen(table("", options=SWAPS)).values()) == 42
    with pytest.raises(BadOptions, match="VAR-16"):
        SPECTRUM.start(2, Options(swap_cards=True))
