"""Every numbered rule of Casino, the allowed and the forbidden, with the plays that the game's own text works out."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.core.contract import Drawn, Over, Shown, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.casino.advice import best, captures
from companion.games.casino.game import CASINO
from companion.games.casino.situation import Options
from companion.games.casino.state import CasinoState
from companion.games.shared.cards.deck import CODES, NUMBER_CARDS
from tests.companion.games.casino.short_casino import cards, draw, put, table, take
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import rules

BOARD = "B2 Y4 G7 P9 O9 R11"
HAND = "R3 R5 R7 R8 O8 R10 O11"


def deck(seed: int = 1) -> list[str]:
    codes = list(CODES[:NUMBER_CARDS])
    Random(seed).shuffle(codes)
    return codes


def dealt(state: CasinoState, codes: list[str]) -> CasinoState:
    """All draws that are due, from the end of a list of cards."""
    while isinstance(due := state.expects(), ToDraw):
        state = state.apply(draw(due.seat, " ".join(codes.pop() for _ in range(due.count))))
    return state


def played_out(state: CasinoState, codes: list[str], rng: Random) -> CasinoState:
    """Random moves until something is to be drawn, or to the end."""
    while isinstance(state.expects(), ToMove):
        state = state.apply(rng.choice(list(state.legal_moves())))
    return state


@allows
@forbids
def test_cas_01_six_cards_on_the_board_and_equal_hands() -> None:
    for seats, each in ((2, 6), (3, 4), (4, 3)):
        state = dealt(CASINO.start(seats, Options()), deck())
        assert len(state.board) == 6
        assert [state.hands.size(seat) for seat in range(seats)] == [each] * seats
        assert sum(CASINO.unseen(state).values()) == 144 - 6 - 12
    for seats in (1, 5):
        with pytest.raises(BadOptions, match="CAS-1"):
            CASINO.start(seats, Options())


@allows
@forbids
def test_cas_01_cards_are_dealt_before_any_is_played() -> None:
    state = CASINO.start(2, Options())
    assert state.expects() == ToDraw(1, 1, "deck, the first card of the board", shown=True)
    assert rules(state, put(0, "R3")) == {"CAS-1"}
    state = state.apply(draw(1, "R9")).apply(draw(1, "B2 Y4 G7 P9 O9"))
    assert state.expects() == ToDraw(0, 6, "deck", shown=False)
    assert rules(state, draw(1, "R1")) == {"CAS-1"}
    assert rules(state, draw(0, "R9")) == {"CAS-1"}
    assert rules(state, draw(0, "R1 R1")) == {"CAS-1"}
    with pytest.raises(BadEvent, match="CAS-1"):
        state.apply(draw(0, "R1 R2 R3 R4 R5 R6 R7"))
    assert not rules(state, draw(0, "?? R1 ??"))
    assert rules(table("R3", None, board="B2"), draw(0, "R1")) == {"CAS-1"}


@allows
def test_cas_01_eleven_deals_use_every_card() -> None:
    codes, rng = deck(), Random(2)
    state = CASINO.start(3, Options())
    deals = 0
    while not isinstance(state.expects(), Over):
        state = dealt(state, codes)
        deals += 1
        state = played_out(state, codes, rng)
    assert deals == 11
    assert not codes and not CASINO.unseen(state)


@allows
@forbids
def test_cas_01_a_hand_that_nobody_knows_plays_any_card_that_is_face_down() -> None:
    state = table(None, "R5", board="B2 Y4 G7")
    assert state.hands.hidden == (6, 0)
    after = state.apply(take(0, "R7", "G7"))
    assert after.hands.hidden == (5, 0)
    assert "CAS-3" in rules(state, take(0, "R5", "B2"))
    assert rules(state, take(0, "B2", "B2")) == {"CAS-3"}
    assert rules(state, Shown(0, cards("R5"))) == {"CAS-1"}
    assert rules(state, Shown(5, cards("R7"))) == {"CAS-1"}
    known = state.apply(Shown(0, cards("R7 R1")))
    assert known.hands.known[0] == (0, 6) and known.hands.hidden == (4, 0)


@allows
@forbids
def test_cas_02_the_first_card_on_the_board_chooses_the_color() -> None:
    state = CASINO.start(2, Options())
    assert rules(state, draw(1, "??")) == {"CAS-2"}
    assert rules(state, draw(0, "R9")) == {"CAS-2"}
    red = state.apply(draw(1, "R9"))
    assert red.chosen == 0
    won = table("R3", None, chosen="red", won=("R1 RO2 PR3 B4", ""))
    assert [line.points for line in won.scores()[0].lines] == [2, 2]
    green_blue = state.apply(draw(1, "GB2")).apply(draw(1, "G1"))
    assert green_blue.chosen == 7
    assert table("R3", None, chosen="GB", won=("G1 B2 GB3 R4", "")).scores()[0].total == 4


@allows
def test_cas_03_an_eleven_takes_three_groups() -> None:
    state = table(HAND, None, board=BOARD)
    after = state.apply(take(0, "O11", "R11 B2 P9 Y4 G7"))
    assert after.board == (cards_number("O9"),)
    assert after.won[0].bit_count() == 6


def cards_number(code: str) -> int:
    return CODES.index(code)


@allows
@forbids
def test_cas_03_a_card_is_part_of_one_group_only() -> None:
    state = table("R9", None, board="B2 G7 P7 O9")
    assert not rules(state, take(0, "R9", "B2 G7 O9"))
    assert "CAS-3" in rules(state, take(0, "R9", "B2 G7 P7"))


@forbids
def test_cas_03_only_what_adds_up_to_the_rank_is_taken() -> None:
    state = table(HAND, None, board=BOARD)
    assert "CAS-3" in rules(state, take(0, "R3", "B2"))
    assert rules(state, take(0, "R3", "B3")) == {"CAS-3"}
    assert rules(state, take(0, "B2", "B2")) == {"CAS-3"}
    with pytest.raises(IllegalMove, match="CAS-3"):
        state.apply(take(0, "R3", "B2"))


@pytest.mark.parametrize(
    ("card", "taken", "left"),
    [
        ("R7", "B2 P9 O9", "Y4 G7 R11"),
        ("R5", "Y4 P9 O9", "B2 G7 R11"),
        ("R5", "B2 G7", "Y4 P9 O9 R11"),
        ("R3", "Y4 G7", "B2 P9 O9 R11"),
    ],
)
@allows
def test_cas_04_the_builds_that_the_game_text_works_out(card: str, taken: str, left: str) -> None:
    state = table(HAND, None, board=BOARD)
    after = state.apply(take(0, card, taken))
    assert {CODES[one] for one in after.board} == set(left.split())
    assert CODES.index(card) in [one for one in range(144) if after.won[0] >> one & 1]


@pytest.mark.parametrize(("card", "taken"), [("R7", "B2"), ("R5", "Y4"), ("R5", "B2"), ("R3", "Y4"), ("R7", "P9 O9")])
@forbids
def test_cas_04_the_same_builds_without_a_group_or_without_what_they_were_built_on(card: str, taken: str) -> None:
    assert "CAS-4" in rules(table(HAND, None, board=BOARD), take(0, card, taken))


@allows
@forbids
def test_cas_04_a_build_takes_a_further_group() -> None:
    state = table("R7", None, board="B2 Y4")
    assert rules(state, take(0, "R7", "B2")) == {"CAS-3", "CAS-4"}
    found = state.violations(take(0, "R7", "B2"))
    assert "makes 9" in found[1].text
    assert not rules(table("R7", None, board="B2 P9"), take(0, "R7", "B2 P9"))
    assert not rules(table("R3", None, board="B2 Y4 P5 O4"), take(0, "R3", "B2 O4 P5 Y4"))


@allows
@forbids
def test_cas_04_a_value_is_at_most_twelve() -> None:
    board = "B7 P9 Y5"
    assert rules(table("R7", None, board=board), take(0, "R7", "B7 P9 Y5")) == {"CAS-3", "CAS-4"}
    assert not rules(table("R7", None, board=board, options=Options(high_builds=True)), take(0, "R7", "B7 P9 Y5"))
    assert "CAS-4" in rules(table("R7", None, board=board, options=Options(high_builds=True)), take(0, "R7", "P9 Y5"))


@allows
@forbids
def test_cas_05_the_player_chooses_which_groups_and_wins_the_played_card() -> None:
    state = table("R9", "B1", board="P9 O9 B2")
    one = state.apply(take(0, "R9", "P9"))
    assert {CODES[card] for card in one.board} == {"O9", "B2"}
    assert one.won == (1 << CODES.index("R9") | 1 << CODES.index("P9"), 0)
    assert rules(state, take(0, "R9")) == {"CAS-5"}


@allows
@forbids
def test_cas_06_who_can_take_must() -> None:
    state = table("R9 R3", None, board="P9 B2")
    assert rules(state, put(0, "R3")) == {"CAS-6"}
    assert "R9" not in state.violations(put(0, "R3"))[0].text
    assert "R9 can take, for instance P9" in state.violations(put(0, "R9"))[0].text
    free = table("R9 R3", None, board="P9 B2", options=Options(free_discard=True))
    assert not rules(free, put(0, "R3"))


@allows
@forbids
def test_cas_06_who_cannot_take_puts_a_card() -> None:
    state = table("R3 R4", "B1", board="P9 B7")
    assert len(state.legal_moves()) == 2
    after = state.apply(put(0, "R3"))
    assert [CODES[card] for card in after.board] == ["R3", "B7", "P9"]
    assert rules(state, put(0, "R5")) == {"CAS-6"}


@allows
@forbids
def test_cas_06_what_nobody_knows_obliges_nobody() -> None:
    board = "P9 B7"
    unknown = table("?? ?? R3", None, board=board)
    assert not rules(unknown, put(0, "R3"))
    assert not rules(unknown, put(0, "G4"))
    assert rules(unknown, put(0, "G9")) == {"CAS-6"}
    assert rules(table("?? ?? R9", None, board=board), put(0, "G4")) == {"CAS-6"}


@allows
@forbids
def test_cas_07_a_nearly_empty_board_gets_one_card_of_the_pile() -> None:
    state = table("R9", "", board="P9 B2", turn=0, deal=3)
    after = state.apply(take(0, "R9", "P9"))
    assert after.expects() == ToDraw(1, 1, "board pile", shown=True)
    assert rules(after, put(0, "R3")) == {"CAS-7"}
    assert rules(after, draw(1, "??")) == {"CAS-7"}
    filled = after.apply(draw(1, "Y4"))
    assert (len(filled.board), filled.pile, filled.deal) == (2, 5, 4)
    assert filled.expects() == ToDraw(0, 6, "deck", shown=False)
    two_left = table("R9", "", board="P9 B2 Y4", turn=0, deal=3).apply(take(0, "R9", "P9"))
    assert two_left.expects() == ToDraw(0, 6, "deck", shown=False)
    spent = table("R9", "", board="P9 B2", turn=0, deal=3, pile=0).apply(take(0, "R9", "P9"))
    assert spent.expects() == ToDraw(0, 6, "deck", shown=False)


@allows
def test_cas_07_the_whole_pile_comes_before_the_last_deal() -> None:
    state = table("R9", "", board="P9 B2 Y4", deal=10, pile=4)
    after = state.apply(take(0, "R9", "P9"))
    assert after.expects() == ToDraw(1, 4, "board pile", shown=True)
    assert after.apply(draw(1, "R1 R2 R3 R4")).pile == 0


@allows
def test_cas_07_the_last_taker_gets_the_board() -> None:
    state = table("R1", "", board="P9 B12", deal=11, last=1, won=("", "RO3"), turn=0)
    after = state.apply(put(0, "R1"))
    assert after.ended and not after.board
    assert after.won[1].bit_count() == 4
    nobody = table("R1", "", board="P9 B12", deal=11, turn=0).apply(put(0, "R1"))
    assert nobody.won == (0, 0)
    assert len(nobody.board) == 3


@allows
def test_cas_08_a_round_is_worth_sixty() -> None:
    red = " ".join(f"R{rank}" for rank in range(1, 13))
    shades = " ".join(f"RO{rank} PR{rank}" for rank in range(1, 12))
    state = table("B1", "", "", won=(red, shades, "RO12 PR12"), board="G1 Y12", deal=11, last=2, turn=0)
    after = state.apply(take(0, "B1", "G1"))
    assert [score.total for score in after.scores()] == [24 + 3, 22 + 6, 2 + 3]
    assert [line.points for line in after.scores()[1].lines] == [22, 6]
    assert "split" in after.scores()[0].lines[-1].text


@allows
@excludes
def test_cas_08_other_colors_count_nothing_and_the_six_points_wait_for_the_end() -> None:
    going_on = table("R3", "R4", chosen="red", won=("B12 G12 P5 Y7", "R1"))
    assert [score.total for score in going_on.scores()] == [0, 2]
    over = table("B1", "", chosen="red", won=("B12 G12 P5 Y7", "R1"), deal=11, last=0, turn=0).apply(put(0, "B1"))
    assert [[line.points for line in score.lines] for score in over.scores()] == [[6, 6], [2]]
    assert over.outcome().rule == "CAS-8"


@allows
def test_cas_08_four_players_may_share_six_points() -> None:
    state = table("B1", "", "", "", won=("", "R2", "R3", "R4"), deal=11, last=0, turn=0, chosen="green")
    after = state.apply(put(0, "B1"))
    assert [score.total for score in after.scores()] == [3.0] * 4
    assert CASINO.load(msgspec.json.encode(after)).scores() == after.scores()
    assert sum(score.total for score in after.scores()) == 12


@allows
@forbids
def test_cas_09_a_hundred_points_win_unless_the_lead_is_shared() -> None:
    def after(scores: tuple[int, int], won: tuple[str, str] = ("", "")) -> CasinoState:
        state = table("B1", "", won=won, board="", deal=11, last=0, turn=0, scores=list(scores), chosen="green")
        return state.apply(put(0, "B1"))

    won = after((95, 60))
    assert won.outcome() is not None and won.outcome().rule == "CAS-9"
    assert won.outcome().places == ((0,), (1,))
    assert CASINO.next_position(won) is None
    open_still = after((40, 60))
    assert open_still.outcome().rule == "CAS-8"
    assert CASINO.next_position(open_still) == {"scores": [40 + 9, 60 + 3], "dealer": 0}
    shared = after((94, 100))
    assert [score.total for score in shared.scores()] == [103, 103]
    assert shared.outcome().places == ((0, 1),)
    assert "another round" in shared.outcome().text
    assert CASINO.next_position(shared) == {"scores": [103, 103], "dealer": 0}
    with pytest.raises(GameOver, match="CAS-9"):
        shared.apply(put(0, "R1"))
    assert rules(shared, draw(0, "R1")) == {"CAS-9"}


@allows
def test_cas_09_rounds_on_end_keep_the_totals() -> None:
    state = table(
        "B1", "", board="", deal=11, last=0, turn=0, scores=[10, 20], options=Options(rounds=2), chosen="green"
    )
    after = state.apply(put(0, "B1"))
    assert after.outcome() is None
    assert [score.total for score in after.scores()] == [19, 23]
    assert (after.dealer, after.chosen, sum(CASINO.unseen(after).values())) == (0, None, 144)
    assert after.expects() == ToDraw(0, 1, "deck, the first card of the board", shown=True)
    again = CASINO.from_record(2, Options(), {"scores": [19, 23], "dealer": 0})
    assert [score.total for score in again.scores()] == [19, 23]


@allows
@forbids
def test_cas_10_left_of_the_dealer_begins_and_play_goes_clockwise() -> None:
    state = dealt(CASINO.start(3, Options()), deck())
    assert (state.dealer, state.expects()) == (2, ToMove((0,)))
    after = state.apply(state.legal_moves()[0])
    assert after.expects() == ToMove((1,))
    assert "CAS-10" in rules(after, put(0, CODES[after.hands.known[0][0]]))
    assert rules(after, draw(2, "R1")) == {"CAS-1"}


@allows
@forbids
def test_cas_04_who_says_what_a_card_is_laid_on_is_taken_at_that_word() -> None:
    state = table("B7 R12", None, board="R2 R9 B9 Y5")
    assert not rules(state, take(0, "B7", "R2 R9")), "laid on the 2 it makes 9 and takes a 9"
    assert not rules(state, take(0, "B7", "R2 R9", on="R2"))
    told = state.violations(take(0, "B7", "R2 R9", on="R9"))
    assert [breach.rule for breach in told] == ["CAS-4"] and "B7 on R9 makes 16" in told[0].text
    assert rules(state, take(0, "B7", "R2 R9", on="R2 R9")) == {"CAS-4"}
    assert rules(state, take(0, "B7", "R2 R9", on="B9")) == {"CAS-4"}, "what it is laid on is taken"
    assert rules(state, take(0, "B7", "Y5 R9", on="Y5")) == {"CAS-4"}
    with_base, without = take(0, "B7", "R2 R9", on="R2"), take(0, "B7", "R2 R9")
    assert state.apply(with_base) == state.apply(without)


def test_best_captures_show_how_they_add_up() -> None:
    state = table(HAND, None, board=BOARD)
    found = captures(state, 0)
    assert len(found) == len(state.legal_moves())
    top = best(state, 0)[0]
    assert top.take == take(0, "O11", "B2 P9 Y4 G7 R11") or top.points >= 4
    assert {line.rule for capture in found for line in capture.ways} == {"CAS-3", "CAS-4"}
    eleven = next(one for one in found if one.take == take(0, "O11", "B2 P9 Y4 G7 R11"))
    assert [line.text for line in eleven.ways] == ["O11 takes B2 + P9 and Y4 + G7 and R11"]
    assert (eleven.points, eleven.cards) == (2, 6)
    build = next(one for one in found if one.take == take(0, "R5", "B2 G7"))
    assert [line.text for line in build.ways] == ["R5 on B2 makes 7 and takes G7"]
    assert best(table("R1", None, board="B7"), 0) == ()


@pytest.mark.parametrize("seats", CASINO.seats)
def test_views_do_not_tell_what_is_hidden(seats: int) -> None:
    """States that differ only in cards which a seat cannot see are the same to that seat."""
    rng = Random(seats)
    state = dealt(CASINO.start(seats, Options()), deck(seats))
    for _ in range(seats + 2):
        for seat in (None, *range(seats)):
            view = CASINO.view(state, seat)
            others = [CASINO.determinize(view, rng) for _ in range(3)]
            assert any(other != state for other in others)
            for other in others:
                assert CASINO.view(other, seat) == view
                assert CASINO.view(other, seat).scores() == view.scores()
                assert CASINO.view(other, seat).layout() == view.layout()
            if seat is not None:
                assert view.hands.known[seat] == state.hands.known[seat]
        state = state.apply(rng.choice(list(state.legal_moves())))


def test_illegal_plays_may_stand() -> None:
    state = table("R9 R3", "B1", board="P9 B2")
    agreed = state.apply_unchecked(put(0, "R3"))
    assert agreed.expects() == ToMove((1,))
    assert agreed.apply_unchecked(put(0, "R9")).expects() == ToMove((1,))
    with pytest.raises(BadEvent):
        state.apply_unchecked(put(0, "R4"))
    with pytest.raises(BadEvent):
        state.apply_unchecked(take(0, "R9", "G4"))
    with pytest.raises(BadEvent):
        state.apply_unchecked(Drawn(0, cards("R1")))
