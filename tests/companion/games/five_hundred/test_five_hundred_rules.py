"""Every numbered rule of 500, the allowed and the forbidden, with the melds and calls that the game's own text works out."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.core.contract import Drawn, Over, Shown, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.five_hundred.advice import hand_melds, lay_offs, window
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.situation import Options
from companion.games.five_hundred.state import FiveHundredState
from companion.games.shared.cards.deck import CARDS, CODES, NUMBER_CARDS
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.five_hundred.short_five_hundred import (
    SEQUENCE,
    call,
    discard,
    draw,
    meld,
    numbers,
    off,
    stock,
    stop,
    table,
    take,
)
from tests.companion.games.short import after, rules


def dealt(seats: int, seed: int = 1) -> FiveHundredState:
    """Everybody has twelve known cards, and one lies open."""
    codes = list(CODES[:NUMBER_CARDS])
    Random(seed).shuffle(codes)
    state = FIVE_HUNDRED.start(seats, Options())
    while isinstance(due := state.expects(), ToDraw):
        state = state.apply(draw(due.seat, " ".join(codes.pop() for _ in range(due.count))))
    return state


@allows
@forbids
def test_500_1_twelve_cards_and_the_first_discard() -> None:
    begun = FIVE_HUNDRED.start(3, Options())
    assert begun.expects() == ToDraw(0, 12, "deck", shown=False)
    assert rules(begun, stock(0)) == {"500-1"}
    assert rules(begun, draw(1, "R1")) == {"500-1"}
    assert rules(begun, draw(0, "R1 R1")) == {"500-1"}
    for seats in (2, 8):
        state = dealt(seats)
        assert [state.hands.size(seat) for seat in range(seats)] == [12] * seats
        assert (len(state.discards), state.stock) == (1, 143 - 12 * seats)
        assert state.expects() == ToMove((0,))
    for seats in (1, 9):
        with pytest.raises(BadOptions, match="500-1"):
            FIVE_HUNDRED.start(seats, Options())


@allows
@forbids
def test_500_1_left_of_the_dealer_begins_and_turns_go_clockwise() -> None:
    state = table("R1 B2", "G3 G4", "Y5 Y6", discards="P1", dealer=0)
    assert state.turn == 1
    assert rules(state, stock(2)) == {"500-1"}
    state = after(state, stock(1), draw(1, "O9"))
    assert rules(state, discard(2, "Y5")) == {"500-1"}
    assert after(state, discard(1, "O9")).turn == 2
    open_card = FIVE_HUNDRED.from_record(2, Options(), {"hands": [None, None], "discards": ["R1"]})
    assert rules(open_card, Shown(2, (CARDS[0],))) == {"500-1"}
    assert rules(open_card, Shown(1, (CARDS[0],))) == {"500-1"}
    assert not rules(open_card, Shown(1, (CARDS[1],)))


@pytest.mark.parametrize(
    "cards", ["R7 B7 G7 Y7", "R5 RO6 R7 PR8", "R1 RO2 PR3 R4 R5", "RO9 RO10 RO11 RO12", "O1 RO1 OY1 GB1"]
)
@allows
def test_500_2_groups_and_sequences(cards: str) -> None:
    state = table(f"{cards} P1", "G3", discards="B1", drawn=True)
    assert not rules(state, meld(0, cards))
    assert meld(0, cards) in list(state.legal_moves())


@pytest.mark.parametrize(
    "cards",
    [
        "R7 B7 G7",
        "R5 RO6 R7 PR9",
        "R5 RO6 R7 O8",
        "G5 GB6 B7 B8",
        "R12 R1 R2 R3",
        "R5 R5 R5 R5",
        "R7 B7 G7 Y8",
        "R11 R12 R1 R10",
    ],
)
@forbids
def test_500_2_what_is_no_meld(cards: str) -> None:
    hand = " ".join(dict.fromkeys(cards.split()))
    state = table(f"{hand} P1", "G3", discards="B1", drawn=True)
    assert rules(state, meld(0, cards)) & {"500-2", "500-4"}
    with pytest.raises(IllegalMove):
        state.apply(meld(0, cards))


@allows
@forbids
def test_500_2_three_cards_by_option() -> None:
    usual = table("R7 B7 G7 P1", "G3", discards="B1", drawn=True, options=Options(min_meld=3))
    assert not rules(usual, meld(0, "R7 B7 G7"))
    assert rules(usual, meld(0, "R7 B7")) == {"500-2"}


@allows
@forbids
def test_500_3_stock_or_top_discard() -> None:
    state = table("R1 B2", "G3 G4", discards="P1 P9")
    assert rules(state, discard(0, "R1")) == {"500-3"}
    assert rules(state, meld(0, "R1 B2")) == {"500-3"}
    drawing = state.apply(stock(0))
    assert drawing.expects() == ToDraw(0, 1, "stock", shown=False)
    assert rules(drawing, discard(0, "R1")) == {"500-3"}
    assert rules(drawing, draw(0, "P9")) == {"500-3"}
    assert rules(drawing, draw(1, "R2")) == {"500-3"}
    drawn = drawing.apply(draw(0, "R2"))
    assert rules(drawn, stock(0)) == {"500-3"}
    assert rules(drawn, draw(0, "R3")) == {"500-3"}
    top = state.apply(take(0, "P9"))
    assert top.hands.known[0] == tuple(sorted(numbers("R1 B2 P9")))
    assert rules(state, take(0, "R9")) == {"500-3"}


@allows
@forbids
def test_500_3_a_deeper_discard_is_melded_at_once() -> None:
    state = table("R7 B7 G7 P1 P3", "G3 G4", discards="Y7 P9 O2")
    assert rules(state, take(0, "P9")) == {"500-3"}
    taken = state.apply(take(0, "Y7"))
    assert (taken.due, taken.discards) == (numbers("Y7")[0], ())
    assert list(taken.legal_moves()) == [meld(0, "R7 B7 G7 Y7")]
    assert rules(taken, discard(0, "P1")) == {"500-3"}
    done = taken.apply(meld(0, "R7 B7 G7 Y7"))
    assert done.due is None
    assert not rules(done, discard(0, "P9"))


@allows
@forbids
def test_500_3_other_melds_come_after_the_deep_card() -> None:
    state = table("R7 B7 G7 R1 B1 G1 Y1 P3", "G3 G4", discards="Y7 P9").apply(take(0, "Y7"))
    assert rules(state, meld(0, "R1 B1 G1 Y1")) == {"500-3"}
    assert not rules(state.apply(meld(0, "R7 B7 G7 Y7")), meld(0, "R1 B1 G1 Y1"))


@allows
@forbids
def test_500_3_a_deep_card_may_be_laid_off_after_those_between() -> None:
    state = table("R9 P1 P3", "G3 G4", discards="PR10 P9", melds=(SEQUENCE,))
    taken = state.apply(take(0, "PR10"))
    assert rules(taken, off(0, "PR10")) == {"500-4"}
    assert list(taken.legal_moves()) == [off(0, "R9")]
    nearer = taken.apply(off(0, "R9"))
    assert nearer.due is not None
    assert rules(nearer, discard(0, "P1")) == {"500-3"}
    done = nearer.apply(off(0, "PR10"))
    assert done.due is None and done.laid[0].bit_count() == 6
    assert rules(table("B9 P1", "G3", discards="PR10 P9", melds=(SEQUENCE,)), take(0, "PR10")) == {"500-3"}


@allows
@forbids
def test_500_3_of_a_hand_that_nobody_knows_only_the_impossible_is_refused() -> None:
    state = table(None, "G3", discards="R12 B12 Y7 P9")
    assert not rules(state, take(0, "Y7"))
    taken = state.apply(take(0, "Y7"))
    assert not rules(taken, meld(0, "Y7 G7 B7 R7"))
    assert not rules(taken, meld(0, "Y7 YG8 Y9 OY10"))
    assert rules(taken, meld(0, "G1 G2 G3 G4")) == {"500-4"}
    assert rules(taken, meld(0, "G1 G2 YG3 G4")) == {"500-3"}
    assert rules(taken, discard(0, "P9")) == {"500-3"}
    one = table("?? P1", "G3", discards="Y7 P9")
    assert rules(one, take(0, "Y7")) == {"500-3"}
    three = table("?? ?? ?? P1", "G3", discards="Y7 P9")
    assert not rules(three, take(0, "Y7"))


@allows
@forbids
def test_500_4_cards_go_on_any_meld_and_score_for_who_lays_them() -> None:
    state = table("RO9 R4 B3 P1", "G3", discards="B1", melds=({"1": "R5 RO6 R7 PR8"},), drawn=True)
    assert not rules(state, off(0, "RO9")) and not rules(state, off(0, "R4"))
    assert rules(state, off(0, "B3")) == {"500-4"}
    assert rules(state, off(0, "P1")) == {"500-4"}
    assert rules(state, off(0, "RO9", 3)) == {"500-4"}
    assert rules(state, off(0, "R9")) == {"500-4"}
    done = after(state, off(0, "RO9"), off(0, "R4"))
    assert [score.total for score in done.scores()] == [10 + 5, 5 + 10 + 10 + 10]
    assert len(done.melds) == 1 and done.melds[0].bit_count() == 6


@allows
@forbids
def test_500_4_a_meld_stays_a_meld_with_what_is_laid_off() -> None:
    single = table("R9 O9 O10 B1", "G3", discards="B2", melds=({"1": "RO5 RO6 RO7 RO8"},), drawn=True)
    assert not rules(single, off(0, "R9")) and not rules(single, off(0, "O9"))
    red = single.apply(off(0, "R9"))
    assert rules(red, off(0, "O10")) == {"500-4"}
    assert not rules(single.apply(off(0, "O9")), off(0, "O10"))
    group = table("Y4 R5 B1", "G3", discards="B2", melds=({"0": "R4 G4 B4 P4"},), drawn=True)
    assert not rules(group, off(0, "Y4"))
    assert rules(group, off(0, "R5")) == {"500-4"}


@allows
@forbids
def test_500_4_only_cards_of_the_own_hand() -> None:
    state = table("R4 G4 B4 P1", "P4", discards="B1", drawn=True)
    assert rules(state, meld(0, "R4 G4 B4 P4")) == {"500-4"}
    few = table("R4 ?? ??", "P4", discards="B1", drawn=True)
    assert rules(few, meld(0, "R4 G4 B4 O4")) == {"500-4"}
    assert not rules(table("R4 ?? ?? ??", "P4", discards="B1", drawn=True), meld(0, "R4 G4 B4 O4"))


@allows
@forbids
def test_500_5_the_only_card_taken_does_not_go_back() -> None:
    state = table("R1 B2", "G3", discards="P1 P9").apply(take(0, "P9"))
    assert rules(state, discard(0, "P9")) == {"500-5"}
    assert not rules(state, discard(0, "R1"))
    assert rules(state, discard(0, "R5")) == {"500-5"}
    several = table("R7 B7 G7 R1", "G3", discards="Y7 P9").apply(take(0, "Y7")).apply(meld(0, "R7 B7 G7 Y7"))
    assert not rules(several, discard(0, "P9"))
    later = after(state, discard(0, "R1"), stock(1), draw(1, "O1"), discard(1, "O1"), stock(0), draw(0, "O2"))
    assert not rules(later, discard(0, "P9"))
    alone = table("R7 B7 G7 Y7", "G3", discards="P9").apply(take(0, "P9")).apply(meld(0, "R7 B7 G7 Y7"))
    assert not rules(alone, discard(0, "P9"))


@allows
@forbids
def test_500_6_a_hand_ends_with_an_empty_hand() -> None:
    by_meld = table("R7 B7 G7", "G3", discards="P1 Y7").apply(take(0, "Y7")).apply(meld(0, "R7 B7 G7 Y7"))
    assert isinstance(by_meld.expects(), Over)
    assert by_meld.outcome().rule == "500-6"
    by_discard = after(table("R7", "G3", discards="P1", drawn=True), discard(0, "R7"))
    assert isinstance(by_discard.expects(), Over)
    with pytest.raises(GameOver, match="500-6"):
        by_discard.apply(stock(1))
    assert rules(by_discard, draw(0, "R1")) == {"500-6"}
    one_left = table("R7 B7 G7 Y7 P2", "G3", discards="P1", drawn=True).apply(meld(0, "R7 B7 G7 Y7"))
    assert one_left.outcome() is None


def empty_stock(*hands: str, discards: str, **more: object) -> FiveHundredState:
    """All cards that are not named lie as groups before the last seat."""
    used = set(numbers(" ".join((*hands, discards))))
    groups = [[card for card in range(NUMBER_CARDS) if card % 12 == rank and card not in used] for rank in range(12)]
    seat = str(len(hands) - 1)
    melds = tuple({seat: " ".join(CODES[card] for card in group)} for group in groups)
    return table(*hands, discards=discards, melds=melds, **more)


@allows
@forbids
def test_500_6_a_hand_ends_when_the_stock_is_empty_and_nobody_wants_the_discards() -> None:
    state = empty_stock("R1 B2", "G3 G4", discards="P1 P9", options=Options(minus_hand=False))
    assert state.stock == 0
    assert rules(state, stock(0)) == {"500-6"}
    assert not rules(state, take(0, "P9"))
    over = state.apply(stop(0))
    assert isinstance(over.expects(), Over)
    assert over.step == "stock"
    going_on = table("R1 B2", "G3 G4", discards="P1 P9")
    assert rules(going_on, stop(0)) == {"500-6"}
    assert rules(state, stop(1)) == {"500-1"}


@allows
def test_500_7_values_and_cards_left_in_the_hand() -> None:
    state = table("R7", "R1 R6 R12", discards="P1", melds=({"0": "G5 G6 G10", "1": "G7 G8 G9 G11"},), drawn=True)
    assert [score.total for score in state.scores()] == [5 + 10 + 10, 10 + 10 + 10 + 15]
    done = state.apply(discard(0, "R7"))
    assert [score.total for score in done.scores()] == [25, 45 - 5 - 10 - 15]
    assert done.scores()[1].lines[-1].points == -30
    kept = table("R7", "R1 R6 R12", discards="P1", drawn=True, options=Options(minus_hand=False))
    assert [score.total for score in kept.apply(discard(0, "R7")).scores()] == [0, 0]


@allows
@forbids
def test_500_7_unknown_cards_are_shown_when_they_count() -> None:
    state = table("R7", "R1 ?? ??", discards="P1", drawn=True).apply(discard(0, "R7"))
    assert state.expects() == ToDraw(1, 2, "hand", shown=True)
    assert state.outcome() is None
    assert rules(state, stock(1)) == {"500-7"}
    assert rules(state, draw(1, "R7")) == {"500-7"}
    assert rules(state, draw(1, "??")) == {"500-7"}
    shown = state.apply(draw(1, "R12 B6"))
    assert [score.total for score in shown.scores()] == [0, -5 - 15 - 10]
    assert shown.outcome().places == ((0,), (1,))
    off_option = table("R7", "R1 ?? ??", discards="P1", drawn=True, options=Options(minus_hand=False))
    assert isinstance(off_option.apply(discard(0, "R7")).expects(), Over)


@allows
@forbids
def test_500_8_a_discard_that_could_have_been_laid_off() -> None:
    """Red 5, red-orange 6, red 7, purple-red 8 lie there; red-orange 4 or red 9 is discarded."""
    for code in ("RO4", "R9"):
        state = table(f"{code} B2", "G3 P7", "Y5 Y6", discards="P1", melds=(SEQUENCE,), drawn=True).apply(
            discard(0, code)
        )
        assert state.expects() == ToMove((1, 2))
        assert not rules(state, call(1, code)) and not rules(state, call(2, code))
        assert rules(state, call(0, code)) == {"500-8"}
        assert rules(state, call(2, "P1")) == {"500-8"}
        assert rules(state, call(2, "B9")) == {"500-8"}
        called = state.apply(call(2, code))
        assert (called.turn, called.next_turn) == (2, 1)
        assert list(called.legal_moves()) == [off(2, code)]
        assert rules(called, discard(2, "Y5")) == {"500-8"}
        done = after(called, off(2, code), discard(2, "Y5"))
        assert done.turn == 1


@pytest.mark.parametrize(("near", "far", "not_called"), [("RO4", "RO3", "P2"), ("R9", "PR10", "B9")])
@allows
@forbids
def test_500_8_the_call_reaches_back_to_the_deepest_card_used(near: str, far: str, not_called: str) -> None:
    """Red-orange 3 lies in the discards when red-orange 4 comes, or purple-red 10 when red 9 comes: both are laid off."""
    state = table(f"{near} B2", "G3 P7", "Y5 Y6", discards=f"P2 {far} B9", melds=(SEQUENCE,), drawn=True).apply(
        discard(0, near)
    )
    assert state.calls == numbers(f"{near} {far}")
    assert rules(state, call(2, not_called)) == {"500-8"}
    called = state.apply(call(2, far))
    assert called.discards == numbers("P2")
    assert list(called.legal_moves()) == [off(2, near)]
    assert rules(called, off(2, far)) == {"500-4"}
    done = after(called, off(2, near), off(2, far))
    assert not rules(done, discard(2, "B9"))
    assert done.laid[2].bit_count() == 2


@allows
@excludes
def test_500_8_a_meld_inside_the_discards() -> None:
    """The text's purple-red 7, red 9 and red-orange 8 are three cards, so they are a meld by the option."""
    usual = table("RO8 B2", "G3", "Y5", discards="PR7 B1 R9", drawn=True).apply(discard(0, "RO8"))
    assert usual.calls == ()
    three = table("RO8 B2", "G3", "Y5 Y6", discards="PR7 B1 R9", drawn=True, options=Options(min_meld=3))
    state = three.apply(discard(0, "RO8"))
    assert state.calls == numbers("PR7")
    called = state.apply(call(1, "PR7"))
    assert rules(called, meld(1, "RO8 R9 PR7")) == set()
    assert called.apply(meld(1, "PR7 RO8 R9")).due is None
    four = table("RO8 B2", "G3", discards="PR7 R9 R10", drawn=True).apply(discard(0, "RO8"))
    assert four.calls == numbers("PR7")


@allows
@forbids
def test_500_8_a_call_uses_no_card_of_a_hand() -> None:
    state = table("RO8 B2", "PR6 G3", discards="PR7 R9", drawn=True).apply(discard(0, "RO8"))
    assert rules(state, call(1, "PR7")) == {"500-8"}
    assert not rules(state, take(1, "PR7"))
    calling = (
        table("RO8 B2", "PR6 G3", discards="PR7 R9 R10", drawn=True).apply(discard(0, "RO8")).apply(call(1, "PR7"))
    )
    assert rules(calling, meld(1, "PR6 PR7 RO8 R9 R10")) == {"500-8"}
    melded = calling.apply(meld(1, "PR7 RO8 R9 R10"))
    assert not rules(melded, off(1, "PR6"))


@allows
@forbids
def test_500_8_the_chance_ends_with_the_next_draw_and_returns() -> None:
    state = table("R9 B2", "G3 P7", "Y5 Y6", discards="P1", melds=(SEQUENCE,), drawn=True).apply(discard(0, "R9"))
    drawing = state.apply(stock(1))
    assert rules(drawing, call(2, "R9")) == {"500-8"}
    playing = drawing.apply(draw(1, "O1"))
    assert rules(playing, call(2, "R9")) == {"500-8"}
    again = playing.apply(discard(1, "O1"))
    assert not rules(again, call(2, "R9")) and not rules(again, call(0, "R9"))
    assert rules(again, call(1, "R9")) == {"500-8"}
    fresh = table("R9 B2", "G3", discards="R4 P1", melds=(SEQUENCE,))
    assert rules(fresh, call(1, "R4")) == {"500-8"}
    assert rules(state, call(5, "R9")) == {"500-1"}


@allows
def test_500_8_the_window_says_who_may_call_what() -> None:
    state = table("RO4 B2", "G3 P7", "Y5 Y6", discards="P2 RO3 B9", melds=(SEQUENCE,), drawn=True)
    assert window(state) is None
    here = window(state.apply(discard(0, "RO4")))
    assert here is not None
    assert (here.discarder, here.callers, here.closes_with) == (0, (1, 2), 1)
    assert [CODES[chance.card] for chance in here.chances] == ["RO4", "RO3"]
    assert [line.text for line in here.chances[0].ways] == ["RO4 on meld 1"]
    assert [(line.points, line.rule, line.text) for line in here.chances[1].ways] == [
        (5, "500-4", "RO3 on meld 1 after RO4")
    ]
    inside = table("RO8 B2", "G3", discards="PR7 R9 R10", drawn=True).apply(discard(0, "RO8"))
    assert [line.text for line in window(inside).chances[0].ways] == ["sequence: PR7, RO8, R9, R10"]


@allows
@excludes
def test_500_9_the_match_is_won_with_five_hundred() -> None:
    won = table("R7", "R1", discards="P1", drawn=True, scores=[520, 400]).apply(discard(0, "R7"))
    assert won.outcome().rule == "500-9"
    assert won.outcome().places == ((0,), (1,))
    assert FIVE_HUNDRED.next_position(won) is None
    open_still = table("R7", "R1", discards="P1", drawn=True, scores=[420, 400]).apply(discard(0, "R7"))
    assert open_still.outcome().rule == "500-6"
    assert FIVE_HUNDRED.next_position(open_still) == {"scores": [420, 395], "dealer": 0}
    again = FIVE_HUNDRED.from_record(2, Options(), {"scores": [420, 395], "dealer": 0})
    assert [score.total for score in again.scores()] == [420, 395]
    assert again.expects() == ToDraw(1, 12, "deck", shown=False)
    short = table("R7", "R1", discards="P1", drawn=True, scores=[420, 400], options=Options(target=400))
    assert short.apply(discard(0, "R7")).outcome().rule == "500-9"
    equal = table("R7", "R1", discards="P1", drawn=True, scores=[520, 525]).apply(discard(0, "R7"))
    assert equal.outcome().places == ((0, 1),)


def test_melds_of_a_hand_are_shown_with_what_they_are_worth() -> None:
    state = table("R7 B7 G7 Y7 RO8 R9 RO10", "G3", discards="B1", drawn=True)
    lines = hand_melds(state, 0)
    assert {line.text for line in lines} == {"group: R7, Y7, G7, B7", "sequence: R7, RO8, R9, RO10"}
    assert [line.points for line in lines] == [40, 40]
    state = table("R9 B1", "G3", discards="B2", melds=(SEQUENCE,), drawn=True)
    assert [line.text for line in lay_offs(state, 0)] == ["R9 on meld 1"]


@pytest.mark.parametrize("seats", [2, 5])
def test_views_do_not_tell_what_is_hidden(seats: int) -> None:
    """States that differ only in cards which a seat cannot see are the same to that seat; discards taken stay known."""
    rng = Random(seats)
    state = dealt(seats)
    for _ in range(25):
        for seat in (None, *range(seats)):
            view = FIVE_HUNDRED.view(state, seat)
            for other in (FIVE_HUNDRED.determinize(view, rng), FIVE_HUNDRED.determinize(view, rng)):
                assert FIVE_HUNDRED.view(other, seat) == view
                assert FIVE_HUNDRED.view(other, seat).scores() == view.scores()
                assert FIVE_HUNDRED.view(other, seat).layout() == view.layout()
            if seat is not None:
                assert view.hands.known[seat] == state.hands.known[seat]
        due = state.expects()
        if isinstance(due, ToDraw):
            state = state.apply(rng.choice([event for event, _ in FIVE_HUNDRED.outcomes(state)]))
        elif isinstance(due, ToMove):
            state = state.apply(rng.choice(list(state.legal_moves())))


def test_cards_taken_from_the_discards_are_known_to_all() -> None:
    state = table("R1 B2", "G3 G4", discards="P1 P9").apply(take(0, "P9"))
    view = FIVE_HUNDRED.view(state, 1)
    assert view.hands.known[0] == numbers("P9") and view.hands.hidden[0] == 2
    gone = state.apply(discard(0, "R1"))
    assert FIVE_HUNDRED.view(gone, None).hands.known[0] == numbers("P9")
    later = after(gone, stock(1), draw(1, "O1"), discard(1, "O1"), stock(0), draw(0, "O2"), discard(0, "P9"))
    assert FIVE_HUNDRED.view(later, None).hands.known[0] == ()
    assert FIVE_HUNDRED.redact(later, stock(1), 0) == stock(1)
    assert FIVE_HUNDRED.redact(later.apply(stock(1)), draw(1, "O3"), 0) == draw(1, "??")


def test_illegal_moves_may_stand() -> None:
    state = table("R7 B7 G7 P1 P3", "G3 G4", discards="Y7 P9 O2")
    deep = state.apply_unchecked(take(0, "P9"))
    assert deep.due == numbers("P9")[0]
    melded = table("R7 B7 G7 P1", "G3", discards="B1", drawn=True).apply_unchecked(meld(0, "R7 B7 G7"))
    assert len(melded.melds) == 1
    wrong = table("R7 B8 P1", "R8", discards="B1", drawn=True).apply_unchecked(meld(0, "R7 B8"))
    assert wrong.table.fits == (0,)
    assert FIVE_HUNDRED.load(msgspec.json.encode(wrong)) == wrong
    for event in (discard(0, "R9"), off(0, "R7"), meld(0, "R9 B9"), call(0, "R1"), Drawn(0, ())):
        with pytest.raises(BadEvent):
            table("R7 B7 G7 P1", "G3", discards="B1", drawn=True).apply_unchecked(event)
