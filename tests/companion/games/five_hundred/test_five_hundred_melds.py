"""The quick search for melds agrees with trying everything, and what may be held unknown is counted as it is listed."""

from __future__ import annotations

from random import Random
from time import monotonic

import pytest

from companion.games.five_hundred.advice import MOST_LINES, hand_melds, ways
from companion.games.five_hundred.melds import (
    LaidMelds,
    MeldCards,
    can_be_melded,
    fitting,
    known_shape,
    meldable_depths,
    melds_in,
    melds_with,
    pack,
    shape_of,
)
from companion.games.five_hundred.possible_melds import PossibleMelds
from companion.games.five_hundred.situation import Options
from companion.games.shared.cards.deck import CARDS, CODES, NUMBER_CARDS, card
from companion.games.shared.cards.hands import WHOLE_DECK
from companion.games.shared.search.bit_sets import mask_of
from tests.companion.games.five_hundred import slow_five_hundred
from tests.companion.games.five_hundred.short_five_hundred import meld, table
from tests.companion.games.short import rules


def some_cards(rng: Random, count: int) -> list[int]:
    """Cards that lie near each other in rank and color, so that melds are common."""
    low, color = rng.randrange(1, 8), rng.randrange(12)
    near = [card((color + step) % 12, low + rise) for step in range(rng.choice((4, 12))) for rise in range(6)]
    return rng.sample(near if rng.random() < 0.7 else range(NUMBER_CARDS), min(count, len(near)))


def melds_agree(rng: Random, hands: int, size: int) -> int:
    found = 0
    for _ in range(hands):
        hand, least = some_cards(rng, size), rng.choice((3, 4))
        fast = [frozenset(CARDS[one] for one in cards) for cards in melds_in(pack(hand), least)]
        assert len(set(fast)) == len(fast)
        assert set(fast) == set(slow_five_hundred.melds([CARDS[one] for one in hand], least)), hand
        wanted = rng.choice(hand)
        with_it = [frozenset(CARDS[one] for one in cards) for cards in melds_with(wanted, pack(hand), least)]
        assert with_it == [cards for cards in fast if CARDS[wanted] in cards]
        found += len(fast)
    return found


def test_melds_are_those_that_trying_everything_finds() -> None:
    assert melds_agree(Random(1), 200, 8) > 200


def depths_agree(rng: Random, piles: int) -> int:
    """Compare how deep a pile may be taken; how many cards could be melded at once."""
    found = 0
    for _ in range(piles):
        least = rng.choice((3, 4))
        cards = some_cards(rng, 14)
        laid = [list(one) for one in melds_in(pack(cards), least)]
        melds = [rng.choice(laid)] if laid and rng.random() < 0.7 else []
        rest = [one for one in cards if not any(one in meld for meld in melds)]
        cut = rng.randint(0, len(rest) // 2)
        hand, pile = rest[:cut], tuple(rest[cut:])
        table = LaidMelds.of(tuple(known_shape(mask_of(meld)) for meld in melds))
        fast = meldable_depths(pile, pack(pile), pack(hand), table, least)
        slow = []
        for place in range(len(pile) - 1, -1, -1):
            usable = [*hand, *pile[place:]]
            held = MeldCards(mask_of(usable))
            can = slow_five_hundred.can_be_melded(
                CARDS[pile[place]],
                [CARDS[one] for one in usable],
                [[CARDS[one] for one in meld] for meld in melds],
                least,
            )
            assert can_be_melded(pile[place], held, table.shapes, least) == can, (hand, pile, melds)
            slow += [place] if can else []
        assert fast == slow, (hand, pile, melds)
        found += len(fast)
    return found


def test_discards_can_be_taken_as_deep_as_trying_everything_finds() -> None:
    assert depths_agree(Random(2), 100) > 50


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_melds_and_depths_on_a_hundred_thousand_hands() -> None:
    assert melds_agree(Random(3), 50_000, 7) > 10_000
    assert depths_agree(Random(4), 50_000) > 10_000


def test_what_may_be_held_is_counted_as_it_is_listed() -> None:
    rng = Random(5)
    for _ in range(40):
        cards = rng.sample(range(NUMBER_CARDS), 40)
        known, unknown = cards[: rng.randint(0, 12)], cards[12 : 12 + rng.randint(0, 18)]
        must = rng.choice(known) if known and rng.random() < 0.5 else None
        possible = PossibleMelds(
            MeldCards(mask_of(known), mask_of(unknown), rng.randint(0, 4)), rng.choice((3, 4)), must
        )
        listed = list(possible)
        assert len(possible) == len(listed) == len({frozenset(one) for one in listed})
        assert all(must is None or must in one for one in listed)
        if listed:
            assert possible[0] == listed[0] and possible[-1] == listed[-1]
            assert possible[1:3] == listed[1:3]
        with pytest.raises(IndexError):
            possible[len(listed)]


def test_a_hand_that_nobody_knows_may_hold_millions_of_melds() -> None:
    assert len(PossibleMelds(MeldCards(0, WHOLE_DECK, 12), 4)) == 7_217_196


def test_what_fits_on_a_meld_is_a_meld_with_it() -> None:
    rng = Random(6)
    for _ in range(60):
        cards = some_cards(rng, 14)
        for one_meld in melds_in(pack(cards), 3)[:4]:
            shape = shape_of(one_meld, 3)
            assert shape is not None
            fits = fitting(shape)
            for other in range(NUMBER_CARDS):
                if other not in one_meld:
                    can = slow_five_hundred.is_meld([CARDS[one] for one in (*one_meld, other)], 3)
                    assert bool(fits >> other & 1) == can


def test_a_hand_of_many_cards_is_judged_at_once() -> None:
    """32 cards of one shade hold 309,895 melds: one meld is judged for itself, and the list is counted, not made."""
    hand = [card(color, rank) for color in (11, 0, 1) for rank in range(1, 13)][:32]
    codes = [CODES[one] for one in hand]
    state = table(" ".join(codes), "G5 G7 B3", drawn=True, options=Options(min_meld=3))
    begun = monotonic()
    legal = state.legal_moves()
    melds = len(PossibleMelds(MeldCards(mask_of(hand)), 3))
    assert melds == 309_895 and len(legal) == melds + len(hand)
    for place in (0, 1, 5000, -1):
        assert not state.violations(legal[place])
        state.apply(legal[place])
    assert not rules(state, meld(0, " ".join(codes[:12])))
    assert rules(state, meld(0, "PR1 PR2 PR4")) == {"500-2"}
    lines = hand_melds(state, 0)
    assert len(lines) == MOST_LINES + 1 and lines[-1].text == f"and {melds - MOST_LINES} more melds"
    assert len(ways(state, hand[0], hand)) == MOST_LINES + 1
    assert monotonic() - begun < 2.0


def test_a_long_hand_lists_what_a_short_one_would() -> None:
    rng = Random(7)
    for _ in range(20):
        hand = some_cards(rng, 16)
        wanted = rng.choice(hand)
        assert list(PossibleMelds(MeldCards(mask_of(hand)), 3)) == melds_in(pack(hand), 3)
        assert list(PossibleMelds(MeldCards(mask_of(hand)), 3, wanted)) == melds_with(wanted, pack(hand), 3)
