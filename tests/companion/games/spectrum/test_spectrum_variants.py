"""Every numbered rule of the variants, the allowed and the forbidden, as examples from docs/rules/spectrum-variants.md."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from companion.contract import Drawn, Event, Over, Rolled, Shown, ToDraw, ToMove, ToRoll
from companion.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.deck import PIECES, number_of
from companion.games.spectrum import SPECTRUM, card_usages, secrets
from companion.games.spectrum.moves import (
    Activate,
    Declare,
    EndTurn,
    Fulfil,
    Pass,
    Pick,
    Place,
    Roll,
    Send,
    Swap,
)
from companion.games.spectrum.options import Options
from companion.games.spectrum.scoring import rank
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.usages import Usage
from companion.pieces import FACES, WHEEL, Card, Die
from tests.companion.games.spectrum.short_spectrum import after, board, drawn, go, in_stock, rolled, rules, table, ways

CARDS = {"cards_as_dice": True}
SWAPS = {"cards_as_dice": True, "swap_cards": True}


def card(code: str) -> Card:
    piece = PIECES[number_of(code)]
    assert isinstance(piece, Card)
    return piece


def held(pawns: str, cards: str, use: str = "", options: Any = None, **more: Any) -> SpectrumState:
    """A position in which these cards were drawn instead of dice."""
    codes = [code.strip() for code in (cards.split(",") if "," in cards else cards.split())]
    return table(pawns, "", use, options={**CARDS, **(options or {})}, cards=codes, **more)


def usages(cards: str) -> dict[str, Usage]:
    codes = [code.strip() for code in (cards.split(",") if "," in cards else cards.split())]
    return {one.name: one for one in card_usages.usages_of(tuple(sorted(number_of(code) for code in codes)))}


def spaces(cards: str, name: str) -> list[int]:
    return [part.spaces for part in usages(cards)[name].parts]


# --- shotgun starts


def test_var_01_two_cards_of_each_number_put_six_pawns_on_the_board() -> None:
    state = SPECTRUM.start(2, Options(shotgun="cards"))
    assert state.expects() == ToDraw(0, 6, "piles of 1, 2 and 3", True)
    with pytest.raises(BadEvent, match="VAR-1"):
        state.apply(drawn("R1 RO1 O1"))
    with pytest.raises(BadEvent, match="VAR-1"):
        state.apply(drawn("R4"))
    mine = state.apply(drawn("R1 RO1 O2 Y2 G3 B3"))
    assert set(board(mine)) == {"red.1", "red-orange.1", "orange.2", "yellow.2", "green.3", "blue.3"}
    assert mine.expects() == ToDraw(1, 6, "piles of 1, 2 and 3", True)
    with pytest.raises(BadEvent, match="VAR-1"):
        mine.apply(drawn("R1", seat=1))
    both = mine.apply(drawn("Y1 G1 R2 B2 O3 P3", seat=1))
    assert [in_stock(both, seat) for seat in (0, 1)] == [4, 4]
    assert both.expects() == ToRoll(0, ("spectrum-d6",) * 2)
    assert rules(both, drawn("R1")) == {"BRD-7"}
    with pytest.raises(BadOptions):
        SPECTRUM.start(1, Options(shotgun="cards"))


def shotgun() -> SpectrumState:
    return SPECTRUM.start(2, Options(shotgun="d12"))


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


# --- cards as dice


@pytest.mark.parametrize(("taken", "cards"), [(0, 2), (3, 2), (4, 3), (7, 3), (8, 4), (11, 4)])
def test_var_06_cards_drawn_by_closed_colors(taken: int, cards: int) -> None:
    stars = [f"{color}.9" for color in WHEEL[:taken]]
    state = table(f"{' '.join(stars[0::2])} | {' '.join(stars[1::2])}", options=CARDS)
    assert state.expects() == ToDraw(0, cards, "draw deck", True)
    with pytest.raises(BadEvent, match="VAR-6"):
        state.apply(drawn(" ".join(f"{code}1" for code in ("R", "O", "Y", "G", "B")[: cards + 1])))


def test_var_06_the_deck_holds_36_cards_and_is_made_of_the_discards() -> None:
    start = table("red.3 green.3", options=CARDS)
    assert sum(start.unseen().values()) == 36
    with pytest.raises(BadEvent, match="VAR-6"):
        start.apply(drawn("R4"))
    with pytest.raises(BadEvent, match="VAR-6"):
        start.apply(drawn("R1 R1"))
    with pytest.raises(BadEvent, match="VAR-6"):
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


def test_var_07_one_card_or_one_combination() -> None:
    assert set(usages("R1 R2 RO2")) == {"R1", "R2", "RO2", "R1 + R2", "R1 + RO2", "R2 + RO2"}
    assert "R3 + PR1" in usages("PR1 R3") and "R3 + O1" not in usages("R3 O1")
    state = held("red.3 blue.3", "R1 B2")
    assert {move.usage for move in state.legal_moves()} == {"R1", "B2"}
    assert rules(state, Declare(0, "R1 + B2")) == {"VAR-7"}
    one = state.apply(Declare(0, "R1"))
    assert rules(one, Declare(0, "B2")) == {"VAR-7"}


def test_var_08_a_single_card_moves_one_pawn_within_its_color() -> None:
    state = held("red.3 red-orange.3", "R2 B1", "R2")
    assert ways(state, "red.3") == {"red.1", "red.5"}
    assert "red stock>red.2" in ways(state)
    assert rules(state, go("red.3", "red.4")) == {"VAR-8"}
    assert rules(state, go("red.3", "red-orange.4")) == {"VAR-8"}
    assert rules(state, go("red-orange.3", "red.5")) == {"VAR-8"}
    intermediate = held("red-orange.3", "RO1 B1", "RO1")
    assert ways(intermediate) == {"red-orange.3>red-orange.2", "red-orange.3>red-orange.4"}


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


def test_var_10_three_and_four_cards_of_one_color() -> None:
    stars = "orange.9 yellow.9 | blue.9 orange-yellow.9"
    state = held(f"red.3 green.3 {stars}", "R1 R2 R3", "R1 + R2 + R3")
    assert spaces("R1 R2 R3", "R1 + R2 + R3") == [1, 2, 3]
    one = after(state, go("red.3", "red-orange.3", part=1), go("red-orange.3", "red.4", part=2))
    assert not rules(one, go("red.4", "red.7", part=3))
    assert rules(one, go("red.4", "red.5", part=1)) == {"VAR-10"}
    assert spaces("R1, R2, R3, swap R/G", "R1 + swap R/G as R + R2 + R3") == [1, 1, 2, 3]
    assert rules(state, Declare(0, "R1 + R2 + R3 + R1")) == {"VAR-7"}


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
def test_var_13_half_the_sum_rounded_down(cards: str, name: str, moved: int) -> None:
    assert spaces(cards, name) == [moved]


def test_var_13_another_number_of_spaces_is_refused() -> None:
    state = held("red.3", "R1 RO1", "R1 + RO1")
    assert not rules(state, go("red.3", "red.4"))
    assert rules(state, go("red.3", "red.5")) == {"BRD-18"}


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


def test_var_14_a_dead_card_is_no_choice() -> None:
    pawns = "red.3 blue.3 " + " ".join(f"yellow.{n}" for n in range(2, 9)) + " orange.9"
    state = held(f"{pawns} | red.9 green.9 purple.9", "R1 B2 G1")
    assert rules(state, Declare(0, "G1")) == {"VAR-14"}
    assert not rules(state, Declare(0, "R1"))


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


def test_var_16_a_swap_card_counts_as_a_1_of_either_color() -> None:
    state = held("red.4 green.4 | blue.3", "swap R/G, B2", options=SWAPS)
    names = {move.usage for move in state.legal_moves()}
    assert {"swap R/G", "swap R/G as R", "swap R/G as G"} <= names
    assert ways(state.apply(Declare(0, "swap R/G as G")), "green.4") == {"green.3", "green.5"}
    assert "R2 + swap R/G as R" not in usages("R2, swap R/G") and "swap R/G as R + R2" in usages("R2, swap R/G")
    # Without a pawn in both colors it is no swap.
    assert "swap R/G" not in {move.usage for move in held("red.4", "swap R/G, B2", options=SWAPS).legal_moves()}
    assert sum(table("", options=SWAPS).unseen().values()) == 42
    with pytest.raises(BadOptions, match="VAR-16"):
        SPECTRUM.start(2, Options(swap_cards=True))


# --- weighted colors

WEIGHTS = {color: 3 + place % 5 for place, color in enumerate(WHEEL)}


def weighted(pawns: str, roll: str = "", use: str = "", **options: Any) -> SpectrumState:
    return table(pawns, roll, use, options={"weighted": True, **options}, weights=WEIGHTS)


def test_var_17_every_color_has_a_weight() -> None:
    state = SPECTRUM.start(2, Options(weighted=True))
    assert state.expects() == ToDraw(0, 12, "weight cards", True)
    with pytest.raises(BadEvent, match="VAR-17"):
        state.apply(drawn("R8"))
    some = state.apply(drawn("R5 B3"))
    with pytest.raises(BadEvent, match="VAR-17"):
        some.apply(drawn("R4"))
    done = some.apply(drawn("RO3 O4 OY5 Y6 YG7 G3 GB4 BP5 P6 PR7"))
    assert done.extras.weights == (5, 3, 4, 5, 6, 7, 3, 4, 3, 5, 6, 7)
    assert done.expects() == ToRoll(0, ("spectrum-d6",) * 2)
    deck = SPECTRUM.start(2, Options(weighted=True, weights="deck"))
    assert deck.apply(drawn("R12 B1")).extras.weights[0] == 12
    with pytest.raises(BadOptions, match="VAR-17"):
        SPECTRUM.start(2, Options(weights="deck"))


def test_var_18_the_highest_sum_of_weights_wins() -> None:
    state = weighted("red.9 blue.9 | orange.9")
    assert [score.total for score in state.scores()] == [WEIGHTS["red"] + WEIGHTS["blue"], WEIGHTS["orange"]]
    assert sum(line.points for line in state.scores()[0].lines) == state.scores()[0].total
    seven = " ".join(f"{color}.9" for color in WHEEL[:6])
    going = weighted(f"purple.8 {seven}", "purple red green", "red + purple")
    assert going.apply(go("purple.8", "purple.9")).outcome() is None
    target = weighted(f"purple.8 {seven}", "purple red green", "red + purple", weighted_end="target")
    outcome = target.apply(go("purple.8", "purple.9")).outcome()
    assert outcome is not None and outcome.rule == "VAR-18" and outcome.places[0] == (0,)


def test_var_18_all_twelve_colors_or_a_full_round_without_a_move() -> None:
    halves = [" ".join(f"{color}.9" for color in WHEEL[at::2]) for at in (0, 1)]
    outcome = weighted(" | ".join(halves)).outcome()
    mine, theirs = (sum(WEIGHTS[color] for color in WHEEL[at::2]) for at in (0, 1))
    assert outcome is not None and outcome.places == (((0,), (1,)) if mine > theirs else ((1,), (0,)))
    stuck = weighted(
        " ".join(f"yellow.{n}" for n in range(1, 9)) + " orange.3 orange.5 | "
        + " ".join(f"green.{n}" for n in range(1, 9)) + " purple.3 purple.5",
        "red blue",
    )  # fmt: skip
    once = stuck.apply(Pass(0))
    assert once.outcome() is None and once.still == 1
    over = after(once, rolled("red blue"), Pass(1)).outcome()
    assert over is not None and over.rule == "VAR-18"
    moved = after(once, rolled("green purple"))
    assert moved.phase == "move" and moved.still == 0


def test_var_18_equal_sums_go_by_colors_and_then_by_points() -> None:
    equal = dict.fromkeys(WHEEL, 5)
    state = table("red.9 blue.9 | red-orange.9 orange.9", options={"weighted": True}, weights=equal)
    assert rank(state, 0) == (10, 2, 2) and rank(state, 1) == (10, 2, 3)


# --- missions


def mission_table(pawns: str, cards: str, roll: str = "", **more: Any) -> SpectrumState:
    hands = [cards.split(), ["??"] * 6]
    return table(pawns, roll, options={"missions": True, **more.pop("options", {})}, missions=hands, **more)


MISSIONS = "R3 O4 Y5 RO3 OY4 YG5"
FIVE = "red.3 orange.4 yellow.5 red-orange.3 orange-yellow.4"


def test_var_19_three_cards_of_each_pile_in_secret() -> None:
    state = SPECTRUM.start(2, Options(missions=True))
    assert state.expects() == ToDraw(0, 3, "primary pile", False)
    with pytest.raises(BadEvent, match="VAR-19"):
        state.apply(drawn("RO3"))
    with pytest.raises(BadEvent, match="VAR-19"):
        state.apply(drawn("R8"))
    first = state.apply(drawn("R3 ?? B5"))
    assert first.expects() == ToDraw(0, 3, "secondary pile", False)
    both = after(first, drawn("RO3 OY3 ??"), drawn("?? ?? ??", seat=1), drawn("?? ?? ??", seat=1))
    assert both.expects() == ToMove((0,))
    assert sum(both.unseen().values()) == 60
    mine, other = both.view(0), both.view(1)
    assert mine.extras.missions[0] == both.extras.missions[0]
    assert set(other.extras.missions[0]) == {-1}
    filled = both.guess(Random(1)).extras.missions
    assert all(number in secrets.PRIMARY for hand in filled for number in hand[:3])
    shown = both.apply(Shown(0, (card("Y4"),)))
    assert -1 not in shown.extras.missions[0][:3]
    with pytest.raises(BadEvent, match="VAR-19"):
        shown.apply(Shown(0, (card("Y5"),)))


def test_var_20_five_of_six_missions_win_at_the_start_of_the_turn() -> None:
    state = mission_table(f"{FIVE} | blue.3", MISSIONS)
    won = state.apply(Fulfil(0)).outcome()
    assert won is not None and won.rule == "VAR-20" and won.places[0] == (0,)
    four = mission_table("red.3 orange.4 yellow.5 red-orange.3 | yellow-green.5", MISSIONS)
    assert four.apply(Fulfil(0)).outcome() is None
    assert rules(state, Fulfil(1)) == {"BRD-8"}
    assert rules(table(FIVE), Fulfil(0)) == {"VAR-20"}
    hidden = mission_table(FIVE, "R3 O4 Y5 RO3 OY4 ??")
    assert rules(hidden, Fulfil(0)) == {"VAR-20"}
    six = "orange.9 yellow.9 green.9 blue.9 purple.9 red-orange.9"
    ordinary = mission_table(f"red.8 {six}", MISSIONS, "red red green", usage="red + green").apply(go("red.8", "red.9"))
    assert ordinary.outcome() is not None


def test_var_21_too_late_after_the_roll_and_a_wrong_declaration_shows_the_cards() -> None:
    state = mission_table(f"{FIVE} | blue.3", MISSIONS)
    rolled_on = state.apply(rolled("red blue"))
    assert rules(rolled_on, Fulfil(0)) == {"VAR-21"}
    wrong = mission_table("red.3 orange.4", MISSIONS).apply(Fulfil(0))
    assert wrong.expects() == ToMove((0,)) and wrong.extras.revealed == (True, False)
    assert wrong.view(1).extras.missions[0] == wrong.extras.missions[0]
    assert len(wrong.layout().heaps["seat0.missions"]) == 6
    assert rules(wrong, Fulfil(0)) == {"VAR-20"}
    assert not rules(wrong, Roll(0))
    later = mission_table(FIVE, MISSIONS, revealed=[True, False])
    assert later.apply(Fulfil(0)).outcome() is not None


# --- portals


def portal_table(pawns: str, mine: str, roll: str = "", **more: Any) -> SpectrumState:
    hands = [mine.split(), more.pop("theirs", "?? ?? ??").split()]
    return table(pawns, roll, options={"portals": True, **more.pop("options", {})}, portals=hands, **more)


def test_var_22_three_primary_portals_in_secret() -> None:
    for seats, deck in ((2, 54), (6, 42)):
        state = SPECTRUM.start(seats, Options(portals=True))
        assert state.expects() == ToDraw(0, 3, "primary pile", False)
        assert state.extras.deck == deck
    state = SPECTRUM.start(2, Options(portals=True))
    with pytest.raises(BadEvent, match="VAR-22"):
        state.apply(drawn("RO3"))
    ready = after(state, drawn("R3 B4 G5"), drawn("?? ?? ??", seat=1))
    assert ready.expects() == ToMove((0,))
    assert set(ready.view(1).extras.portals[0].first) == {-1}
    assert ready.view(0).extras.portals[0] == ready.extras.portals[0]
    with pytest.raises(BadEvent, match="VAR-22"):
        after(state, drawn("R3 B4 G5"), drawn("R3", seat=1))


def test_var_23_before_the_roll_and_after_the_moves_of_any_turn() -> None:
    state = portal_table("red.3 blue.4 | green.5", "R3 B4 G5", theirs="O3 Y3 P3")
    assert not rules(state, Activate(0, card("R3")))
    assert not rules(state, Activate(0, card("G5")))
    assert rules(state, Activate(0, card("O3"))) == {"VAR-22", "VAR-23"}
    empty = portal_table("blue.4 | green.5", "R3 B4 G5")
    assert rules(empty, Activate(0, card("R3"))) == {"VAR-23"}
    moving = state.apply(rolled("red blue"))
    assert "VAR-23" in rules(moving, Activate(0, card("R3")))
    end = moving.apply(go("red.3", "red.5"))
    assert end.phase == "end" and not rules(end, Activate(0, card("B4")))
    assert rules(end, Roll(0)) == {"VAR-23"}
    assert end.apply(EndTurn(0)).turn == 1
    assert end.apply(rolled("red green")).turn == 1
    assert rules(table("red.3"), Activate(0, card("R3"))) == {"VAR-23"}
    assert rules(state, EndTurn(0)) == {"BRD-8"}


def test_var_23_several_players_are_asked_clockwise() -> None:
    state = portal_table("red.3 blue.4 | green.5 orange.3", "R3 B4 G5", theirs="O3 Y3 P3")
    later = after(state, Activate(1, card("O3")), drawn("G7 Y7", seat=1), Send(1, card("G7")))
    assert later.phase == "start"
    assert rules(later, Activate(0, card("R3"))) == {"VAR-23"}
    assert {type(move) for move in later.legal_moves()} == {Roll}
    first = after(state, Activate(0, card("R3")), drawn("G7 Y7"), Send(0, card("G7")))
    assert not rules(first, Activate(0, card("B4")))
    assert not rules(first, Activate(1, card("O3")))


def test_var_24_two_cards_one_destination_one_new_portal() -> None:
    state = portal_table("red.3 | green.5", "R3 B4 G5").apply(Activate(0, card("R3")))
    assert state.expects() == ToDraw(0, 2, "portal deck", False)
    assert rules(state, rolled("red blue")) == {"VAR-24"}
    with pytest.raises(BadEvent, match="VAR-24"):
        state.apply(drawn("R3 Y4"))
    offered = state.apply(drawn("Y4 BP6"))
    assert rules(offered, Send(0, card("B4"))) == {"VAR-24"}
    assert rules(offered, Send(1, card("Y4"))) == {"VAR-24"}
    done = offered.apply(Send(0, card("BP6")))
    assert board(done)["blue-purple.6"] == "red" and "red.3" not in board(done)
    assert number_of("Y4") in done.extras.portals[0].later
    assert [PIECES[number] for number in done.extras.spent] == [card("R3"), card("BP6")]
    assert done.extras.deck == 52
    assert rules(done, Send(0, card("Y4"))) == {"VAR-24"}
    # What was drawn unseen may be any card that nobody knows of.
    unseen = state.apply(drawn("?? ??"))
    assert not rules(unseen, Send(0, card("PR7")))
    assert rules(unseen, Send(0, card("B4"))) == {"VAR-24"}


def test_var_25_arrival_captures_or_resists() -> None:
    state = portal_table("red.3 yellow.4 | green.5", "R3 B4 G5").apply(Activate(0, card("R3")))
    captured = after(state, drawn("G6 Y4"), Send(0, card("Y4")))
    assert board(captured)["red.3"] == "red" and captured.phase == "start"
    assert len(captured.extras.spent) == 2
    enemy = portal_table("red.3 | green.6", "R3 B4 G5").apply(Activate(0, card("R3")))
    taken = after(enemy, drawn("G6 Y4"), Send(0, card("G6")))
    assert taken.expects() == ToMove((0,)) and taken.held is not None and taken.held.color == "orange"
    assert rules(taken, Place(1, "orange", "red.1")) == {"VAR-25"}
    placed = taken.apply(Place(0, "orange", "red.1"))
    assert board(placed) == {"green.6": "red", "red.1": "orange"} and placed.phase == "start"
    # Sending somebody else's pawn away: the one who activates places what it captures.
    theirs = portal_table("blue.3 | red.3", "R3 B4 G5").apply(Activate(0, card("R3")))
    sent = after(theirs, drawn("B3 Y4"), Send(0, card("B3")))
    assert sent.held is not None and (sent.held.color, sent.held.seat) == ("red", 0)


def test_var_26_the_first_color_brings_a_portal() -> None:
    state = portal_table("red.8 blue.4 | green.5", "R3 B4 G5", "red blue").apply(go("red.8", "red.9"))
    assert state.expects() == ToDraw(0, 1, "portal deck", False)
    assert rules(state, go("blue.4", "blue.5")) == {"VAR-26"}
    assert rules(state, rolled("red blue")) == {"VAR-26"}
    with pytest.raises(BadEvent, match="VAR-26"):
        state.apply(drawn("R3"))
    going = state.apply(drawn("BP6"))
    assert going.left == 1 and len(going.extras.portals[0].later) == 4
    second = portal_table("red.9 blue.8 | green.5", "R3 B4 G5 Y7", "red blue").apply(go("blue.8", "blue.9"))
    assert second.phase == "move"


def test_var_27_the_game_ends_when_the_deck_is_exhausted() -> None:
    known = set(map(number_of, ["R3", "B4", "G5", "O3", "Y3", "P3"]))
    others = [PIECES[n] for n in secrets.SECRET if n not in known]
    discards = [f"{piece.color} {piece.rank}" for piece in others[:-3] if isinstance(piece, Card)]
    state = portal_table("red.3 red.9 | green.5", "R3 B4 G5", theirs="O3 Y3 P3", portal_discards=discards)
    assert state.extras.deck == 3
    last = others[-3:]
    drawing = state.apply(Activate(0, card("R3"))).apply(Drawn(0, tuple(last[:2])))
    assert drawing.outcome() is None
    over = drawing.apply(drawing.legal_moves()[0])
    outcome = over.outcome()
    assert outcome is not None and outcome.rule == "VAR-27" and outcome.places == ((0,), (1,))
    with pytest.raises(GameOver):
        over.apply(Roll(0))
    gone = portal_table("red.3 | green.5", "R3 B4 G5", theirs="O3 Y3 P3", portal_discards=[*discards, "PR5", "PR6"])
    assert gone.outcome() is not None


def test_var_28_portals_are_on_spaces_3_to_7() -> None:
    assert {PIECES[number].rank for number in secrets.SECRET} == {3, 4, 5, 6, 7}  # type: ignore[union-attr]
    state = portal_table("red.2 red.9 | green.5", "R3 B4 G5")
    for number in (1, 2, 8, 9):
        assert rules(state, Activate(0, Card("red", number))) == {"VAR-28"}
    assert not rules(portal_table("red.3", "R3 B4 G5"), Activate(0, card("R3")))


@pytest.mark.parametrize(("seats", "capture", "wanted"), [(6, False, 21), (6, True, 18), (2, False, 27), (2, True, 26)])
def test_var_29_activations_until_the_portal_deck_is_exhausted(seats: int, capture: bool, wanted: int) -> None:
    state = SPECTRUM.start(seats, Options(portals=True))
    deck = state.extras.deck - (seats if capture else 0)
    count = 0
    while deck >= 2:
        deck -= 2
        count += 1
    assert count == wanted
    # The same by playing: unseen cards, one portal after the other, as often as the deck lasts.
    rng = Random(seats)
    activated = _play_portals(state, rng) if not capture else None
    assert activated in (None, wanted)


def _play_portals(state: SpectrumState, rng: Random) -> int:
    count = 0
    while not isinstance(due := state.expects(), Over):
        if isinstance(due, ToMove):
            moves = state.legal_moves()
            portals: list[Event] = [move for move in moves if isinstance(move, Activate)]
            event = rng.choice(portals or [move for move in moves if not _takes_star(move)] or list(moves))
            count += isinstance(event, Activate)
        elif isinstance(due, ToRoll):
            event = Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
        else:
            event = rng.choice([event for event, _ in state.chances()])
        state = state.apply(event)
    outcome = state.outcome()
    assert outcome is not None and outcome.rule == "VAR-27"
    return count


def _takes_star(move: Any) -> bool:
    return str(getattr(move, "to", "")).endswith(".9")


# --- combinations

SWITCHES: dict[str, tuple[Any, ...]] = {
    "shotgun": ("off", "cards", "d12"),
    "cards_as_dice": (False, True),
    "weighted": (False, True),
    "missions": (False, True),
    "portals": (False, True),
    "dice": ("d6", "d12"),
}


def test_var_30_every_combination_can_be_played() -> None:
    rng = Random(30)
    for values in product(*SWITCHES.values()):
        options = Options(**dict(zip(SWITCHES, values, strict=True)))
        state = SPECTRUM.start(rng.randrange(2, 7), options)
        for _ in range(60):
            due = state.expects()
            if isinstance(due, Over):
                break
            if isinstance(due, ToMove):
                event: Event = rng.choice(state.legal_moves())
            elif isinstance(due, ToRoll):
                event = Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
            else:
                event = next(iter(state.chances()))[0]
            state = state.apply(event)
        assert SPECTRUM.load(msgspec.json.encode(state)) == state


def test_var_30_missions_are_drawn_before_portals() -> None:
    state = SPECTRUM.start(2, Options(missions=True, portals=True))
    assert state.extras.deck == 60 - 12 - 6
    missions = after(
        state, drawn("R3 B4 G5"), drawn("RO3 OY3 YG3"), drawn("O3 Y3 P3", seat=1), drawn("BP3 GB3 PR3", seat=1)
    )
    assert missions.expects() == ToDraw(0, 3, "primary pile", False)
    with pytest.raises(BadEvent, match="VAR-22"):
        missions.apply(drawn("R3"))
    with pytest.raises(IllegalMove, match="VAR"):
        missions.apply(rolled("red blue"))
    assert missions.apply(drawn("R4 B5 G6")).extras.portals[0].first
