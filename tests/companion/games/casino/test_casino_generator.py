"""Casino's captures and points agree with the slow ones that try everything."""

from __future__ import annotations

from random import Random
from time import process_time

import msgspec
import pytest

from companion.core.pieces import WHEEL
from companion.games.casino.captures import MOST_LISTED, Captures
from companion.games.casino.game import CASINO
from companion.games.casino.moves import Put, Take
from companion.games.casino.scoring import round_points
from companion.games.casino.situation import Options, by_rank
from companion.games.casino.state import CasinoState
from companion.games.shared.cards.deck import CARDS, CODES, NUMBER_CARDS, RANK
from companion.games.shared.search.bit_sets import mask_of
from tests.companion.games.casino import slow_casino
from tests.companion.games.casino.short_casino import table


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


def test_any_cards_are_judged_as_trying_everything_judges_them() -> None:
    """What a player says that a card takes, right or wrong, with the cards that it is laid on or without."""
    rng = Random(6)
    right = 0
    for _ in range(3000):
        high = rng.random() < 0.3
        low = rng.choice((12, 6, 4, 2))
        deck = [number for number in range(NUMBER_CARDS) if RANK[number] <= low]
        card, *some = rng.sample(deck, rng.randint(2, 7))
        board = sorted(some, key=by_rank)
        captures = Captures(tuple(RANK[number] for number in board), high)
        mask = rng.randrange(1, 1 << len(board))
        taken = [CARDS[one] for at, one in enumerate(board) if mask >> at & 1]
        wanted = slow_casino.may_take(CARDS[card], taken, high)
        assert captures.may_take(RANK[card], mask) == wanted
        right += wanted
        base = rng.sample(taken, rng.randint(1, len(taken)))
        state = built_on(high, card, board)
        value = CARDS[card].rank + sum(one.rank for one in base)
        rest = [one for one in taken if one not in base]
        fits = bool(rest) and (high or value <= 12) and slow_casino.splits(rest, value)
        found = state.violations(Take(0, CARDS[card], tuple(taken), tuple(base)))
        assert {breach.rule for breach in found} == (set() if fits else {"CAS-4"})
    assert 200 < right < 2800


def built_on(high: bool, card: int, board: list[int]) -> CasinoState:
    codes = [CODES[number] for number in board]
    return table(CODES[card], None, board=" ".join(codes), options=Options(high_builds=high), deal=11)


@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("ranks", [(1, 2), (1,), (2, 4, 6), (1, 2, 3, 4, 5, 6), (2, 4, 8, 10, 12)], ids=str)
def test_a_crowded_board_is_judged_at_once(ranks: tuple[int, ...], high: bool) -> None:
    """However many plays there are: one play is judged for itself, and the list is no longer than it says."""
    board = sorted((n for n in range(NUMBER_CARDS) if RANK[n] in ranks), key=by_rank)[: 12 * len(ranks) - 1]
    hand = [n for n in range(NUMBER_CARDS) if RANK[n] in (12, 11, 3) and n not in board][:6]
    state = table(
        " ".join(CODES[n] for n in hand),
        None,
        board=" ".join(CODES[n] for n in board),
        options=Options(high_builds=high),
        deal=11,
    )
    begun = process_time()
    legal = state.legal_moves()
    assert len(legal) <= MOST_LISTED * len(hand) + len(hand)
    for move in [*legal[:3], *legal[-3:]]:
        assert not state.violations(move)
        fresh = CASINO.load(msgspec.json.encode(state))
        assert fresh.apply(move) == state.apply(move)
    for card in hand:
        for count in (1, 2, 5, len(board)):
            state.violations(Take(0, CARDS[card], tuple(CARDS[n] for n in board[:count])))
        state.violations(Put(0, CARDS[card]))
    assert process_time() - begun < 5.0


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
