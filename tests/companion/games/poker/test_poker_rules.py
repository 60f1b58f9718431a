"""Every numbered rule of Poker, the allowed and the forbidden, with the hands that the game's own text gives."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Drawn, Over, Shown, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.poker.categories import RANKINGS, Category
from companion.games.poker.game import POKER
from companion.games.poker.scoring import hand_lines
from companion.games.poker.situation import Options
from companion.games.poker.state import PokerState
from companion.games.poker.strength import strength
from companion.games.shared.cards.deck import CARDS, CODES, NUMBER, NUMBER_CARDS
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.poker.short_poker import draw, exchange, fold, numbers, table, up
from tests.companion.games.short import after, rules

NOTHING = "B1 G3 Y5 O7 R12"


def dealt(seats: int, options: Options, seed: int = 1) -> PokerState:
    codes = list(CODES[:NUMBER_CARDS])
    Random(seed).shuffle(codes)
    state = POKER.start(seats, options)
    while isinstance(due := state.expects(), ToDraw):
        state = state.apply(draw(due.seat, " ".join(codes.pop() for _ in range(due.count))))
    return state


@pytest.mark.parametrize(
    ("hand", "category"),
    [
        ("G7 P7 B1 R2 R4", "pair"),
        ("G7 P7 RO4 OY4 R1", "two pair"),
        ("G7 P7 RO7 R1 R2", "three of a kind"),
        ("B6 P7 YG8 B9 O10", "straight"),
        ("B3 GB5 GB11 BP10 B12", "shade"),
        ("B3 RO4 G5 GB6 Y7", "spectrum"),
        ("B3 R3 G3 GB6 Y6", "full house"),
        ("B3 R3 G3 GB3 Y6", "four of a kind"),
        ("R2 R5 R6 R8 R12", "flush"),
        ("R2 R3 RO4 RO5 PR6", "shaded straight"),
        ("B7 BP8 P9 PR10 R11", "spectrum straight"),
        ("R7 PR8 P9 BP10 B11", "spectrum straight"),
        ("R2 R3 R4 R5 R6", "straight flush"),
        ("R2 B2 G2 Y2 O2", "five of a kind"),
        (NOTHING, "high card"),
    ],
)
@allows
def test_pok_01_the_hands_of_the_text(hand: str, category: str) -> None:
    state = table(hand, "OY10 OY11 O11 O12 P12")
    assert strength(numbers(hand)).category.title == category
    assert not rules(state, up(0, category))
    assert state.apply(up(0)).scores()[0].lines[0].text.startswith(category)


@pytest.mark.parametrize(
    ("hand", "called"),
    [
        ("R2 R3 RO4 RO5 PR6", "straight flush"),
        ("B7 BP8 P9 PR10 B11", "spectrum straight"),
        ("B7 P8 BP9 PR10 R11", "spectrum straight"),
        ("R11 R12 R1 R2 R3", "straight flush"),
        ("G3 GB5 B11 GB10 G12", "shade"),
        (NOTHING, "pair"),
    ],
)
@forbids
def test_pok_01_what_a_hand_is_not(hand: str, called: str) -> None:
    state = table(hand, "G10 G11 B8 B12 P12")
    assert rules(state, up(0, called)) == {"POK-1"}
    with pytest.raises(IllegalMove, match="counts as"):
        state.apply(up(0, called))
    assert "counts as" in state.violations(up(0, called))[0].text


GROUPS: dict[str, tuple[int, ...]] = {
    "five of a kind": (5,),
    "four of a kind": (4,),
    "full house": (3, 2),
    "three of a kind": (3,),
    "two pair": (2, 2),
    "pair": (2,),
}
"""Sizes of groups of different ranks that a category asks for."""


@forbids
def test_pok_02_what_a_hand_has_is_never_denied() -> None:
    """Two pair has a pair, though it counts as more: whatever is said not to be there is not there."""
    rng = Random(5)
    denied = 0
    for _ in range(400):
        some = rng.sample(range(1, 13), rng.randint(2, 3))
        cards = rng.sample([card for card in CARDS if card.rank in some], 5)
        state = table(" ".join(CODES[NUMBER[card]] for card in cards), None)
        sizes = sorted((sum(card.rank == rank for card in cards) for rank in some), reverse=True)
        for called, wanted in GROUPS.items():
            there = all(size >= least for size, least in zip([*sizes, 0, 0], wanted, strict=False))
            found = state.violations(up(0, called))
            assert {breach.rule for breach in found} <= {"POK-2" if there else "POK-1"}, (cards, called)
            denied += not there
    assert denied
    assert rules(table("R2 B2 R3 B3 G9", None), up(0, "pair")) == {"POK-2"}


@allows
@forbids
def test_pok_01_the_best_five_of_more_cards() -> None:
    options = Options(cards=2, shared=5)
    state = table("R2 B9", "G9 P3", options=options, shared="R5 R6 R8 R12 Y9")
    assert not rules(state, up(0, "flush"))
    assert rules(state, up(0, "pair")) == {"POK-2"}
    assert rules(state, up(0, "two pair")) == {"POK-1"}
    seven = table("R2 B9 R5 R6 R8 R12 Y9", "G1 G2 G4 Y7 P8 P9 P11", options=Options(cards=7))
    assert seven.strength(0).category is Category.FLUSH


@allows
@forbids
def test_pok_01_cards_are_dealt_shared_and_exchanged_as_agreed() -> None:
    options = Options(cards=5, shared=1, exchanges=1)
    state = POKER.start(2, options)
    assert state.expects() == ToDraw(0, 5, "deck", shown=False)
    assert rules(state, up(0)) == {"POK-1"}
    assert rules(state, draw(1, "R1")) == {"POK-1"}
    assert rules(state, draw(0, "R1 R1")) == {"POK-1"}
    state = after(state, draw(0, "R1 R2 R3 R4 R6"), draw(1, "?? ?? B7 ?? ??"))
    assert state.expects() == ToMove((0,))
    assert rules(state, up(0)) == {"POK-1"}
    assert rules(state, exchange(0, "B1")) == {"POK-1"}
    assert rules(state, exchange(0, "??")) == {"POK-1"}
    assert rules(state, exchange(0, "R1 R1")) == {"POK-1"}
    given = state.apply(exchange(0, "R1 R6"))
    assert given.expects() == ToDraw(0, 2, "deck", shown=False)
    assert rules(given, exchange(0)) == {"POK-1"}
    assert rules(given, draw(0, "R1")) == {"POK-1"}
    state = after(given, draw(0, "O5"), draw(0, "Y8"))
    assert not rules(state, exchange(1, "B7 ?? ??"))
    assert rules(state, exchange(1, "?? ?? ?? ?? ??")) == {"POK-1"}
    state = after(state, exchange(1))
    assert state.expects() == ToDraw(1, 1, "deck, open", shown=True)
    assert rules(state, draw(1, "??")) == {"POK-1"}
    state = state.apply(draw(1, "G12"))
    assert state.expects() == ToMove((0,))
    assert rules(state, exchange(0)) == {"POK-1"}
    assert rules(state, draw(0, "G1")) == {"POK-1"}
    assert not rules(state, up(0))


@allows
@forbids
def test_pok_01_two_to_eight_players_and_enough_cards() -> None:
    for seats in (1, 9):
        with pytest.raises(BadOptions, match="POK-1"):
            POKER.start(seats, Options())
    with pytest.raises(BadOptions, match="A hand has 5"):
        POKER.start(2, Options(cards=2, shared=2))
    with pytest.raises(BadOptions, match="168"):
        POKER.start(8, Options(cards=7, exchanges=2))
    assert POKER.start(6, Options(cards=7, exchanges=2)).seats == 6


@pytest.mark.parametrize(
    ("better", "worse", "book", "statistical"),
    [
        ("R2 B2 G2 Y2 O2", "R3 R4 R5 R6 R7", 0, 1),
        ("R2 R3 RO4 RO5 PR6", "B2 B5 B6 B8 B12", 0, 1),
        ("B3 R3 G3 GB3 Y6", "O3 RO4 G5 GB6 Y7", 0, 1),
        ("B3 R3 G3 GB6 Y6", "B7 P8 YG9 B10 O11", 0, 1),
        ("R2 R3 R4 R5 R6", "B7 BP8 P9 PR10 R11", 0, 0),
    ],
)
@allows
def test_pok_02_both_rankings(better: str, worse: str, book: int, statistical: int) -> None:
    for name, winner in (("book", book), ("statistical", statistical)):
        over = after(table(better, worse, options=Options(ranking=name)), up(0), up(1))
        assert over.outcome().places == ((winner,), (1 - winner,))
        assert over.outcome().rule == "POK-2"


@allows
@forbids
def test_pok_02_a_hand_counts_as_the_highest_category_that_it_meets() -> None:
    state = table("R2 R3 R4 R5 R6", NOTHING)
    assert rules(state, up(0, "flush")) == {"POK-2"}
    assert rules(state, up(0, "shaded straight")) == {"POK-2"}
    assert not rules(state, up(0, "straight flush"))
    assert rules(state, up(0, "royal flush")) == {"POK-1"}
    lines = [line.text for line in hand_lines(strength(numbers("R2 R3 R4 R5 R6")))]
    assert lines[0].startswith("straight flush") and len(lines) == 6
    assert {len(ranking) for ranking in RANKINGS.values()} == {14}


@allows
@excludes
def test_pok_03_groups_decide_then_single_cards_and_never_colors() -> None:
    def places(*hands: str) -> tuple[tuple[int, ...], ...]:
        state = table(*hands)
        return after(state, *(up(seat) for seat in range(len(hands)))).outcome().places

    assert places("R9 B9 G1 O2 Y3", "P8 Y8 G12 O11 B10") == ((0,), (1,))
    assert places("R9 B9 G1 O2 Y3", "P9 Y9 G4 O1 B2") == ((1,), (0,))
    assert places("R9 B9 R4 B4 Y3", "P9 Y9 P5 Y5 B1") == ((1,), (0,))
    assert places("R2 B2 G2 R9 B9", "R3 B3 G3 R1 B1") == ((1,), (0,))
    assert places("R9 B9 G1 O2 Y3", "P9 Y9 P1 P2 P3", NOTHING) == ((0, 1), (2,))
    split = after(table("R9 B9 G1 O2 Y3", "P9 Y9 P1 P2 P3"), up(0), up(1)).outcome()
    assert split.rule == "POK-3" and "split" in split.text


@allows
@forbids
def test_pok_04_the_showdown_goes_clockwise_and_betting_is_not_refereed() -> None:
    state = table("R9 B9 G1 O2 Y3", "P8 Y8 G12 O11 B10", NOTHING)
    assert rules(state, up(1)) == {"POK-4"} == rules(state, fold(2))
    state = after(state, up(0), fold(1))
    assert state.expects() == ToMove((2,))
    over = state.apply(up(2))
    assert over.outcome().places == ((0,), (2,), (1,))
    assert [score.total for score in over.scores()] == [0, 0, 0]
    with pytest.raises(GameOver, match="POK-2"):
        over.apply(up(0))
    assert POKER.next_position(over) == {"dealer": 0}
    assert POKER.next_position(state) is None


@allows
def test_pok_04_the_last_one_in_wins_without_showing() -> None:
    over = after(table(NOTHING, None, None), fold(0), fold(1))
    assert isinstance(over.expects(), Over)
    assert over.outcome().places == ((2,), (0, 1))
    assert over.outcome().rule == "POK-4"
    early = after(dealt(2, Options(exchanges=1)), fold(0))
    assert early.outcome().places == ((1,), (0,))


@allows
def test_pok_04_an_unknown_hand_is_told_when_it_is_turned_up() -> None:
    state = table("?? ?? R9 ?? ??", NOTHING)
    assert rules(state, up(0, "pair")) == {"POK-2"}
    turned = state.apply(up(0))
    assert turned.expects() == ToDraw(0, 4, "hand", shown=True)
    assert rules(turned, up(1)) == {"POK-1"}
    assert rules(turned, draw(0, "R9")) == {"POK-1"}
    read = turned.apply(draw(0, "G9 O2 Y4 P6"))
    assert read.expects() == ToMove((1,))
    assert read.scores()[0].lines[0].text == "pair: R9, G9, P6, Y4, O2"
    assert rules(read, Shown(1, (CARDS[0],))) == {"POK-1"} == rules(read, Shown(7, (CARDS[0],)))
    assert not rules(state, Shown(0, (CARDS[0],)))


@pytest.mark.parametrize("options", [Options(), Options(cards=3, shared=3, exchanges=2)], ids=str)
def test_views_do_not_tell_what_is_hidden(options: Options) -> None:
    """States that differ only in cards which a seat cannot see are the same to that seat."""
    rng = Random(1)
    state = dealt(3, options)
    while not isinstance(state.expects(), Over):
        for seat in (None, 0, 1, 2):
            view = POKER.view(state, seat)
            for other in (POKER.determinize(view, rng), POKER.determinize(view, rng)):
                assert POKER.view(other, seat) == view
                assert POKER.view(other, seat).scores() == view.scores()
                assert POKER.view(other, seat).layout() == view.layout()
            if seat is not None:
                assert view.hands.known[seat] == state.hands.known[seat] and view.given[seat] == state.given[seat]
        if isinstance(state.expects(), ToDraw):
            state = state.apply(rng.choice([event for event, _ in POKER.outcomes(state)]))
        else:
            state = state.apply(rng.choice(list(state.legal_moves())))


def test_what_others_exchange_and_draw_is_redacted() -> None:
    state = dealt(2, Options(exchanges=1))
    away = exchange(0, CODES[state.hands.known[0][0]])
    assert POKER.redact(state, away, 0) == away
    assert POKER.redact(state, away, 1) == exchange(0, "??")
    assert POKER.redact(state.apply(away), draw(0, "R1"), None) == draw(0, "??")


def test_illegal_moves_may_stand() -> None:
    state = table(NOTHING, "G10 G11 B11 B12 P12")
    assert state.apply_unchecked(up(0, "flush")).shown == 1
    assert state.apply_unchecked(fold(1)).outcome().places == ((0,), (1,))
    for event in (exchange(0), Drawn(0, ()), up(5)):
        with pytest.raises(BadEvent):
            state.apply_unchecked(event)
    with pytest.raises(BadEvent):
        POKER.start(2, Options()).apply_unchecked(up(0))
