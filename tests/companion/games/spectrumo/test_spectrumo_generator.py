"""Listed moves are those of slow rules that were written independently; decks and hands are those of a software deal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import ToDraw
from companion.core.pieces import WHEEL
from companion.games.shared.cards.dealing import check, commitment
from companion.games.shared.cards.deck import CARDS_IN_ALL, COPIES, KINDS, NUMBER, PIECES
from companion.games.spectrumo.fitting import ANYTHING, can_follow_swap
from companion.games.spectrumo.game import SPECTRUMO, SpectrumoDeal
from companion.games.spectrumo.moves import DECK_SWAP, Draw, Pass, Play
from companion.games.spectrumo.options import Options
from tests.companion.games.spectrumo.slow_cards import Table, playable

DECK = tuple(card for card in range(KINDS) for _ in range(COPIES[card]))


def slow_table(state: Any) -> Table:
    return Table(None if state.color == ANYTHING else WHEEL[state.color], state.rank)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def looked_at(state: Any) -> None:
    """Compare the moves of a position in which a card may be played."""
    hand = [PIECES[card] for card in state.hands[state.turn]]
    drawn = None if state.drawn is None else PIECES[state.drawn]
    expected = playable(hand, slow_table(state), state.specials, state.options.same_color, drawn)
    moves = state.legal_moves()
    assert {move.card for move in moves if isinstance(move, Play)} == expected
    if not expected:
        assert [type(move) for move in moves] == [Draw if state.available else Pass]
    assert len(moves) == len(expected) or not expected


def game(seats: int, options: Options, number: int, hands: int) -> int:
    """A random game from a software deal, at most so many hands; how many positions were compared."""
    rng = Random(number)
    state = SPECTRUMO.start(seats, options)
    deal = SpectrumoDeal(seed(number))
    compared = 0
    while state.outcome() is None and len(state.over) < hands:
        if isinstance(state.expects(), ToDraw):
            events, deal = deal.serve(state, SPECTRUMO.unseen)
            for event in events:
                state = state.apply(event)
            continue
        if state.swapping is None:
            looked_at(state)
            compared += 1
        if state.stage == "play":
            assert len(deal.draw) == state.draw
            assert deal.discard[len(deal.discard) - len(state.discard) :][-1] == state.discard[-1]
            assert len(deal.discard) == len(state.discard) + state.buried
        move = rng.choice(state.legal_moves())
        deal = deal.follow(state, move)
        state = state.apply(move)
    check(commitment(seed(number)), seed(number), deal.shuffles)
    return compared


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, Options()), (4, Options(same_color=True)), (8, Options()), (3, Options(elimination=True, limit=20))],
)
def test_moves_are_those_of_the_slow_rules(seats: int, options: Options) -> None:
    assert game(seats, options, seats, 1) > 15


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seats", range(2, 9))
def test_moves_are_those_of_the_slow_rules_in_many_games(seats: int) -> None:
    for number in range(25):
        game(seats, Options(same_color=number % 3 == 0, elimination=number % 2 == 0), 100 + number, 20)


def compare_hands(number: int, rng: Random) -> None:
    """Random hands of few cards on random table cards, many specials among them."""
    start = SPECTRUMO.from_record(2, Options(), {"table": "R1", "hands": [None, None]})
    for _ in range(number):
        specials = rng.randrange(4)
        size = rng.randint(1, 6)
        cards = rng.sample(DECK[144:], min(specials, size)) + rng.sample(DECK[:144], max(size - specials, 0))
        table = rng.randrange(144)
        color = rng.choice((ANYTHING, table // 12, table // 12))
        hand = tuple(sorted(card for card in cards if card != table))
        if not hand:
            continue
        state = replace(
            start,
            options=Options(same_color=rng.random() < 0.3),
            hands=(hand, ()),
            hidden=(0, 12),
            discard=(table,),
            draw=CARDS_IN_ALL - len(hand) - 13,
            color=color,
            rank=table % 12 + 1,
            specials=rng.randrange(2),
            drawn=rng.choice((None, None, rng.choice(hand))),
        )
        looked_at(state)


def test_hands_full_of_specials_are_judged_as_the_slow_rules_do() -> None:
    compare_hands(800, Random(1))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_thousand_hands_are_judged_as_the_slow_rules_do() -> None:
    compare_hands(100_000, Random(2))


def test_a_deal_keeps_both_decks_in_order_through_deck_swap() -> None:
    """What was the lowest card of the discard deck is drawn first after a Deck Swap."""
    deal = SpectrumoDeal(seed(1), draw=(1, 2, 3), discard=(10, 11, 12))
    state = SPECTRUMO.from_record(2, Options(), {"table": "R4", "hands": ["deck swap, B1", "Y1"]})
    after = deal.follow(state, Play(0, PIECES[DECK_SWAP]))
    assert after.draw == (12, 11, 10)
    assert after.discard == (3, 2, 1, DECK_SWAP)
    assert after.follow(state, Draw(0)) == after


def test_swaps_can_be_followed_by_swaps_only_as_long_as_cards_last() -> None:
    red_green = NUMBER[PIECES[144]]
    rest = (red_green, NUMBER[PIECES[8]], NUMBER[PIECES[20]])
    assert can_follow_swap(red_green, 0, 3, rest, 0, False)
    assert not can_follow_swap(red_green, 0, 3, rest[:2], 0, False)
    assert not can_follow_swap(red_green, 0, 3, (), 1, False)
    assert can_follow_swap(red_green, 0, 3, (), 2, False)
