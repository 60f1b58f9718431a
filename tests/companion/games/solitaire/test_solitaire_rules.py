"""SOL-1 to SOL-12, each by an example that is allowed and one that is not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn, Over, ScoreLine, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, GameOver, IllegalMove
from companion.games.shared.cards.deck import CODES, COLORS, LETTERS, PIECES, RANKS, numbers_of, written
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.moves import CONCEDE
from companion.games.solitaire.scoring import counted_lines, won_line
from companion.games.solitaire.situation import Options
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.solitaire.short_solitaire import broken, legal, play, table, up

START = SOLITAIRE.start(1, Options())
OPENING = "turned up R1, R5, B9, GB10, O7, Y3, YG4, P12, PR11, G2, BP6, OY8"
OPENED = play(START, OPENING)


def all_home_but(*cards: str) -> dict[str, int]:
    """Foundations that are complete but for the highest cards that are named."""
    heights = dict.fromkeys(LETTERS, RANKS)
    for card in cards:
        heights[card.rstrip("0123456789")] -= 1
    return heights


@allows
def test_sol_1_the_deal() -> None:
    assert START.expects() == ToDraw(0, 12, "piles", True)
    assert START.downs == tuple(range(1, 13))
    assert OPENED.downs == tuple(range(12))
    assert sum(OPENED.downs) + 12 == 78
    assert len(OPENED.stock) == 66
    assert OPENED.foundations == (0,) * COLORS
    assert OPENED.expects() == ToMove((0,))


@allows
@forbids
def test_sol_1_a_card_is_in_the_deck_once() -> None:
    assert broken(START, "turned up R1, R2") == []
    assert broken(START, "turned up R1, R1") == ["SOL-1"]
    with pytest.raises(BadEvent, match="R1 lies elsewhere already"):
        play(START, "turned up R1, R1")
    with pytest.raises(BadEvent, match="no number card"):
        START.apply(Drawn(0, (PIECES[150],)))


@allows
@forbids
def test_sol_2_foundations_rise_from_1() -> None:
    state = table("R1 | R2 | R4 | B1")
    assert broken(state, "R1 home") == []
    assert broken(state, "R2 home") == ["SOL-2"]
    state = play(state, "R1 home", "R2 home")
    assert state.foundations[0] == 2
    assert broken(state, "R4 home") == ["SOL-2"]
    assert broken(state, "B1 home") == []


@allows
@forbids
def test_sol_2_one_card_at_a_time_from_the_top() -> None:
    state = table("R2 R1 | R3", foundations={"R": 0})
    assert broken(state, "R2 home") == ["SOL-2"]
    assert play(state, "R1 home", "R2 home", "R3 home").foundations[0] == 3
    assert broken(table("", waste="R1 B5"), "R1 home") == ["SOL-7"]


@allows
def test_sol_3_a_blue_9_goes_on_a_green_blue_10() -> None:
    assert broken(OPENED, "B9 on pile 4") == []
    state = play(OPENED, "B9 on pile 4")
    assert up(state, 4) == "GB10, B9"
    assert state.expects() == ToDraw(0, 1, "pile3", True)


@pytest.mark.parametrize("card", ["R9", "RO9", "PR9"])
@allows
def test_sol_3_red_takes_red_red_orange_and_purple_red(card: str) -> None:
    assert broken(table(f"R10 | {card}"), f"{card} on pile 1") == []


@pytest.mark.parametrize("card", ["O9", "R8", "R11", "RO10", "G9", "P9"])
@forbids
def test_sol_3_other_colors_and_ranks_do_not_go(card: str) -> None:
    assert broken(table(f"R10 | {card}"), f"{card} on pile 1") == ["SOL-3"]


@forbids
def test_sol_3_nothing_goes_on_a_1_or_on_itself() -> None:
    state = table("R1 | B2")
    assert broken(state, "B2 on pile 1") == ["SOL-3"]
    assert broken(state, "R1 on pile 1") == ["SOL-3"]


@allows
@forbids
def test_sol_3_strict_shades() -> None:
    state = table("R10 | R9 | RO9", options={"strict_shades": True})
    assert broken(state, "R9 on pile 1") == ["SOL-3"]
    assert broken(state, "RO9 on pile 1") == []
    assert "R9 on pile 1" in legal(table("R10 | R9 | RO9"))


@allows
@forbids
def test_sol_4_a_card_that_is_uncovered_is_turned_up_at_once() -> None:
    state = play(table("?? R9 | R10"), "R9 on pile 2")
    assert state.expects() == ToDraw(0, 1, "pile1", True)
    assert not state.legal_moves()
    assert broken(state, "turn") == ["SOL-4"]
    assert broken(state, "turned up R9") == ["SOL-1"]
    assert broken(state, "turned up G12, G11") == ["SOL-4"]
    state = play(state, "turned up G12")
    assert up(state, 1) == "G12"
    assert state.downs[0] == 0


@forbids
def test_sol_4_face_down_cards_do_not_move() -> None:
    state = table("?? R9 | R10")
    assert broken(state, "G12 on pile 3") == ["SOL-4"]
    assert broken(state, "turned up G12") == ["SOL-4"]


@allows
def test_sol_5_a_run_moves_whole_or_from_any_card_on() -> None:
    state = table("B9 GB8 G7 | BP10 | GB9 | R12")
    assert broken(state, "B9 on pile 2") == []
    whole = play(state, "B9 on pile 2")
    assert (up(whole, 1), up(whole, 2)) == ("", "BP10, B9, GB8, G7")
    part = play(state, "GB8 on pile 3")
    assert (up(part, 1), up(part, 3)) == ("B9", "GB9, GB8, G7")
    assert broken(state, "G7 on pile 4") == ["SOL-3"]


@forbids
def test_sol_5_cards_that_are_no_run_do_not_move_as_one() -> None:
    state = table("B9 R3 | GB10")
    assert broken(state, "B9 on pile 2") == ["SOL-5"]
    assert "B9 on pile 2" not in legal(state)


@allows
@forbids
def test_sol_6_an_empty_pile_takes_a_12() -> None:
    state = table("R12 RO11 | B9 | ")
    assert broken(state, "R12 on pile 3") == []
    assert play(state, "R12 on pile 3").ups[2] == numbers_of("R12 RO11")
    assert broken(state, "B9 on pile 3") == ["SOL-6"]
    assert broken(state, "RO11 on pile 3") == ["SOL-6"]


@allows
def test_sol_6_or_any_card_by_option() -> None:
    state = table("R12 RO11 | B9 | ", options={"empty_pile": "any"})
    assert broken(state, "B9 on pile 3") == []
    assert up(play(state, "RO11 on pile 3"), 3) == "RO11"


@allows
@forbids
def test_sol_7_three_cards_at_a_time_and_the_last_on_top() -> None:
    state = play(OPENED, "turn")
    assert state.expects() == ToDraw(0, 3, "stock", True)
    assert broken(state, "turn") == ["SOL-7"]
    state = play(state, "turned up G1, G3", "turned up R2")
    assert (len(state.stock), written(state.waste)) == (63, "G1, G3, R2")
    assert broken(state, "R2 on pile 6") == ["SOL-3"]
    assert broken(state, "G1 home") == ["SOL-7"]
    assert "turn" in legal(state)


@allows
@forbids
def test_sol_7_after_the_top_card_the_next_below() -> None:
    state = table("R1", waste="B5 G1 R2")
    assert broken(state, "G1 home") == ["SOL-7"]
    assert broken(play(state, "R1 home", "R2 home"), "G1 home") == []


@allows
def test_sol_7_fewer_if_fewer_are_left() -> None:
    state = table("R1", waste=CODES[1:142])
    assert len(state.stock) == 2
    assert play(state, "turn").expects() == ToDraw(0, 2, "stock", True)


@allows
def test_sol_7_one_at_a_time_by_option() -> None:
    state = play(SOLITAIRE.start(1, Options(draw=1)), OPENING, "turn")
    assert state.expects() == ToDraw(0, 1, "stock", True)
    assert len(play(state, "turned up G1").waste) == 1


@pytest.mark.parametrize(("draw", "said"), [(1, "1 card is due"), (3, "3 cards are due")])
def test_sol_7_how_many_cards_are_to_be_told(draw: int, said: str) -> None:
    state = play(SOLITAIRE.start(1, Options(draw=draw)), OPENING, "turn")
    (breach,) = state.violations(Drawn(0, tuple(PIECES[: draw + 1])))
    assert breach.text == f"{said}, not {draw + 1} of player 1."


def test_sol_7_a_turned_card_lies_open() -> None:
    with pytest.raises(BadEvent, match="lies open"):
        play(OPENED, "turn", "turned up ??")


@allows
@forbids
def test_sol_8_the_waste_is_turned_over_in_its_order() -> None:
    state = _short_stock()
    assert broken(state, "turn over") == []
    assert broken(state, "turn") == ["SOL-8"]
    state = play(state, "turn over")
    assert (state.passes, state.waste, written(state.stock[::-1])) == (2, (), "R1, R2, R3, R4")
    state = play(state, "turn")
    assert (written(state.waste), written(state.stock)) == ("R1, R2, R3", "R4")
    assert state.expects() == ToMove((0,))


def _short_stock(**more: object) -> Any:
    """An empty stock, four cards in the waste, every other card home or on the first pile."""
    heights = {**dict.fromkeys(LETTERS, RANKS), "R": 0}
    return table("R12 R11 R10 R9 R8 R7 R6 R5", waste="R1 R2 R3 R4", stock="", foundations=heights, **more)


@forbids
def test_sol_8_not_while_cards_are_left_in_the_stock() -> None:
    assert broken(OPENED, "turn over") == ["SOL-8"]
    assert broken(play(OPENED, "turn", "turned up G1, G3, R2"), "turn over") == ["SOL-8"]


@forbids
def test_sol_8_nothing_is_turned_over_where_nothing_lies() -> None:
    state = table("R12 R11", foundations={**dict.fromkeys(LETTERS, RANKS), "R": 10}, stock="")
    assert broken(state, "turn over") == ["SOL-8"]
    assert broken(state, "turn") == ["SOL-8"]
    assert "nothing is left to turn" in state.violations(SOLITAIRE.parse(state, "turn"))[0].text
    last = _short_stock(passes=10)
    assert "the last of 10 passes" in last.violations(SOLITAIRE.parse(last, "turn"))[0].text


@allows
@forbids
def test_sol_8_ten_passes() -> None:
    assert broken(_short_stock(passes=9), "turn over") == []
    assert broken(_short_stock(passes=10), "turn over") == ["SOL-8"]
    assert "turn over" not in legal(_short_stock(passes=10))
    assert broken(_short_stock(passes=10, options={"max_passes": 0}), "turn over") == []
    assert broken(_short_stock(passes=3, options={"max_passes": 3}), "turn over") == ["SOL-8"]


@forbids
def test_sol_9_cards_stay_home() -> None:
    state = table("R3", foundations={"R": 2})
    assert broken(state, "R2 on pile 1") == ["SOL-9"]
    assert broken(state, "R2 home") == ["SOL-9"]


@allows
@forbids
def test_sol_9_or_go_back_by_option() -> None:
    state = table("R3", foundations={"R": 2}, options={"foundation_back": True})
    assert broken(state, "R2 on pile 1") == []
    state = play(state, "R2 on pile 1")
    assert (up(state, 1), state.foundations[0]) == ("R3, R2", 1)
    assert broken(table("R2", foundations={"B": 3}), "B2 on pile 1") == ["SOL-9", "SOL-3"]


@allows
@forbids
def test_sol_10_won_in_so_many_passes() -> None:
    assert [won_line(passes).points for passes in range(1, 13)] == [
        720,
        648,
        576,
        504,
        432,
        360,
        288,
        216,
        144,
        72,
        0,
        0,
    ]
    state = table("R12", foundations=all_home_but("R12"), stock="", passes=3)
    assert state.outcome() is None
    state = play(state, "R12 home")
    assert state.expects() == Over()
    assert state.scores()[0].lines == (ScoreLine(576, "SOL-10", "won in 3 passes: 720 x 80 %"),)
    assert state.outcome().rule == "SOL-10"
    assert broken(state, "concede") == ["SOL-10"]
    with pytest.raises(GameOver, match="SOL-10"):
        play(state, "concede")


@allows
def test_sol_11_the_example_of_the_rules_scores_90() -> None:
    lines = counted_lines(54, 44, 32, 14, 5)
    assert [line.points for line in lines] == [270, 44, -160, -14, -50]
    assert sum(line.points for line in lines) == 90


@allows
def test_sol_11_the_same_example_on_the_table() -> None:
    """54 cards home, 44 up, 32 down, 14 in the stock, and the player gives up in the fifth pass."""
    heights = dict.fromkeys(LETTERS[:10], 5) | {"P": 2, "PR": 2}
    up = [f"{letters}{rank}" for letters in LETTERS[:11] for rank in (12, 11, 10, 9)]
    piles = ["?? " * down + " ".join(up[4 * at : 4 * at + 4]) for at, down in enumerate((3,) * 10 + (2,))]
    state = table(" | ".join(piles), foundations=heights, passes=5)
    assert (sum(state.foundations), sum(map(len, state.ups)), sum(state.downs), len(state.stock)) == (54, 44, 32, 14)
    assert state.scores()[0].total == 90
    assert broken(state, "concede") == []
    state = play(state, "concede")
    assert state.outcome().rule == "SOL-11"
    assert state.scores()[0].total == 90
    assert "90" in state.outcome().text


@allows
def test_sol_11_a_score_may_be_negative() -> None:
    assert play(OPENED, "concede").scores()[0].total == 0 + 12 - 5 * 66 - 66 - 10


@forbids
def test_sol_11_after_giving_up_nothing_is_played() -> None:
    state = play(OPENED, "concede")
    assert broken(state, "turn") == ["SOL-11"]
    assert broken(state, "turned up R2") == ["SOL-11"]
    assert broken(state, "concede") == ["SOL-11"]
    with pytest.raises(GameOver):
        state.apply(CONCEDE)


@pytest.mark.parametrize(
    ("passes", "title"), [(1, "a perfect game"), (2, "a masterful game"), (4, "a masterful game"), (5, None)]
)
@allows
@excludes
def test_sol_12_titles(passes: int, title: str | None) -> None:
    state = play(table("R12", foundations=all_home_but("R12"), stock="", passes=passes), "R12 home")
    text = state.outcome().text
    assert (title in text) if title else ("game" not in text)


def test_a_move_that_the_table_lets_stand() -> None:
    state = table("R10 | R9 B3 | O9", waste="B5 G1 R2")
    after = state.apply_unchecked(SOLITAIRE.parse(state, "O9 on pile 1"))
    assert [up(after, pile) for pile in (1, 2, 3)] == ["R10, O9", "R9, B3", ""]
    assert written(state.apply_unchecked(SOLITAIRE.parse(state, "B5 on pile 1")).waste) == "G1, R2"
    with pytest.raises(BadEvent, match="cannot be carried out"):
        state.apply_unchecked(SOLITAIRE.parse(state, "R10 home"))
    with pytest.raises(IllegalMove):
        play(state, "O9 on pile 1")
