"""Casino's captures and points agree with the slow ones that try everything."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.casino.captures import Captures
from companion.games.casino.moves import CARDS
from companion.games.casino.scoring import round_points
from companion.games.casino.situation import by_rank
from companion.games.deck import NUMBER_CARDS, RANK
from companion.games.hands import mask_of
from companion.pieces import WHEEL
from tests.companion.games.casino import slow_casino


def captures_agree(rng: Random, boards: int, largest: int) -> int:
    """Compare every capture of one card on random boards; how many captures there were."""
    found = 0
    for _ in range(boards):
        size = rng.randint(1, largest)
        low = rng.choice((12, 12, 6))
        deck = [number for number in range(NUMBER_CARDS) if RANK[number] <= low]
        card, *some = rng.sample(deck, size + 1)
        board = sorted(some, key=by_rank)
        high = rng.random() < 0.3
        captures = Captures(tuple(RANK[number] for number in board), high)
        masks = captures.by[RANK[card]]
        fast = {frozenset(CARDS[one] for at, one in enumerate(board) if mask >> at & 1) for mask in masks}
        assert fast == set(slow_casino.takes(CARDS[card], [CARDS[one] for one in board], high)), (card, board)
        assert len(masks) == len(fast)
        for mask in masks:
            for way in captures.ways(RANK[card], mask):
                covered = [*way.base, *(at for group in way.groups for at in group)]
                assert sorted(covered) == [at for at in range(size) if mask >> at & 1]
                assert {sum(captures.ranks[at] for at in group) for group in way.groups} == {way.value}
                assert RANK[card] + sum(captures.ranks[at] for at in way.base) == way.value
            assert captures.ways(RANK[card], mask)
        found += len(masks)
    return found


def test_captures_are_those_that_trying_everything_finds() -> None:
    assert captures_agree(Random(1), 600, 5) > 600
    assert captures_agree(Random(2), 40, 7) > 200


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_captures_on_a_hundred_thousand_boards() -> None:
    assert captures_agree(Random(3), 100_000, 6) > 100_000


def points_agree(rng: Random, rounds: int) -> None:
    for _ in range(rounds):
        seats, chosen = rng.randint(2, 4), rng.randrange(12)
        cards = rng.sample(range(NUMBER_CARDS), rng.choice((144, 12, 8)))
        owners = [rng.randrange(seats) for _ in cards]
        won = [[card for card, owner in zip(cards, owners, strict=True) if owner == seat] for seat in range(seats)]
        fast = round_points(chosen, [mask_of(one) for one in won])
        assert list(fast) == slow_casino.points([frozenset(CARDS[card] for card in one) for one in won], WHEEL[chosen])
        assert len(cards) < NUMBER_CARDS or sum(fast) == 60


def test_points_of_random_rounds() -> None:
    points_agree(Random(4), 400)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_points_of_a_hundred_thousand_rounds() -> None:
    points_agree(Random(5), 100_000)
