"""A deal by software can be checked afterwards, and every order of the cards is as likely."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Drawn, Over, ToDraw
from companion.core.foundation.errors import BadEvent, BadRecord
from companion.games.shared.cards.dealing import Dealer, check, commitment, in_order, new_seed, shuffled
from companion.games.shared.cards.deck import NUMBER, PIECES

SEED = bytes(range(32))


class Pile(Struct, frozen=True):
    """The least that a dealer needs of a position: somebody draws until nobody is due."""

    due: tuple[ToDraw, ...]
    pool: tuple[int, ...]

    def expects(self) -> Any:
        return self.due[0] if self.due else Over()

    def unseen(self) -> Counter[Any]:
        return Counter(PIECES[number] for number in self.pool)

    def apply(self, drawn: Drawn) -> Pile:
        pool = list(self.pool)
        for piece in drawn.pieces:
            pool.remove(NUMBER[piece])
        return Pile(self.due[1:], tuple(pool))


def test_the_order_follows_from_the_seed() -> None:
    assert commitment(SEED) == "f16e7f7d971b8cb825596648ebc30d4cda7403fe87120acc3f21ae932fd329ae"
    assert shuffled(SEED, range(10)) == (7, 3, 4, 5, 9, 0, 1, 6, 8, 2)


def test_a_shuffle_keeps_every_card() -> None:
    order = shuffled(SEED, range(144))
    assert sorted(order) == list(range(144))
    assert order != tuple(range(144))
    assert shuffled(SEED, range(144), 1) != order
    assert shuffled(bytes(32), range(144)) != order
    assert shuffled(SEED, ()) == ()
    assert shuffled(SEED, (7,)) == (7,)


def test_every_order_is_as_likely() -> None:
    counts = Counter(shuffled(SEED, range(4), number) for number in range(4800))
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 50  # chi-square with 23 degrees: p < 0.001


def test_the_seed_must_be_whole() -> None:
    assert new_seed(lambda count: SEED[:count]) == SEED
    with pytest.raises(BadRecord, match="32 bytes, not 31"):
        new_seed(lambda count: bytes(31))
    with pytest.raises(BadRecord, match="32 bytes, not 0"):
        shuffled(b"", range(3))


def test_another_seed_is_found_out() -> None:
    shown = commitment(SEED)
    check(shown, SEED)
    check(shown.upper(), SEED)
    with pytest.raises(BadRecord, match="was shown before the deal"):
        check(shown, bytes(32))


def test_another_order_is_found_out() -> None:
    dealer = Dealer(SEED).reshuffled(range(20)).reshuffled(range(5))
    check(dealer.commitment, SEED, dealer.shuffles)
    first, second = dealer.shuffles
    swapped = replace(second, order=(second.order[1], second.order[0], *second.order[2:]))
    with pytest.raises(BadRecord, match="Shuffle 1 is not the one"):
        check(dealer.commitment, SEED, (first, swapped))


def test_a_dealer_serves_what_is_due() -> None:
    state = Pile((ToDraw(0, 3, "deck", False), ToDraw(1, 2, "deck", False)), tuple(range(9)))
    events, dealer = Dealer(SEED).serve(state, Pile.unseen)
    order = shuffled(SEED, range(9))
    assert [event.seat for event in events] == [0, 1]
    assert [NUMBER[piece] for event in events for piece in event.pieces] == list(order[:5])
    assert tuple(reversed(dealer.deck)) == order[5:]


def test_a_deck_that_still_lies_there_is_not_shuffled_again() -> None:
    one = ToDraw(0, 1, "deck", False)
    dealer = Dealer(SEED)
    pool = tuple(range(9))
    drawn = []
    while pool:
        events, dealer = dealer.serve(Pile((one,), pool), Pile.unseen)
        drawn.append(NUMBER[events[0].pieces[0]])
        pool = tuple(number for number in pool if number != drawn[-1])
    assert tuple(drawn) == shuffled(SEED, range(9))
    assert len(dealer.shuffles) == 1


def test_cards_that_came_back_are_shuffled_anew() -> None:
    one = ToDraw(0, 1, "deck", False)
    _, dealer = Dealer(SEED).serve(Pile((one,), (1, 2)), Pile.unseen)
    events, after = dealer.serve(Pile((one,), (3, 4, 4)), Pile.unseen)
    assert [shuffle.cards for shuffle in after.shuffles] == [(1, 2), (3, 4, 4)]
    assert NUMBER[events[0].pieces[0]] == shuffled(SEED, (3, 4, 4), 1)[0]


def test_an_empty_deck_cannot_serve() -> None:
    with pytest.raises(BadEvent, match="only 1 are left"):
        Dealer(SEED).serve(Pile((ToDraw(0, 2, "deck", False),), (5,)), Pile.unseen)
    with pytest.raises(BadEvent, match="1 card is to be drawn, but none is left"):
        Dealer(SEED).serve(Pile((ToDraw(0, 1, "deck", False),), ()), Pile.unseen)
    assert in_order({PIECES[150]: 2, PIECES[3]: 1}) == (3, 150, 150)
