"""Cribbage's fast counters agree with the slow one, and every combination is listed for people."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.cribbage.counting import combinations, pegged, points
from companion.games.shared.cards.deck import CARDS, NUMBER_CARDS, card
from tests.companion.games.cribbage import slow_cribbage
from tests.companion.games.cribbage.short_cribbage import numbers


def random_hand(rng: Random) -> list[int]:
    """Seven or nine cards, often of few ranks or of one shade, so that rare combinations are common."""
    size = rng.choice((7, 7, 7, 7, 9))
    kind = rng.randrange(4)
    if kind == 0:
        return rng.sample(range(NUMBER_CARDS), size)
    if kind == 1:
        low = rng.randrange(1, 9)
        return rng.sample([card(color, low + step) for color in range(12) for step in range(5)], size)
    primary = rng.randrange(0, 12, 2)
    shade = [card((primary + step) % 12, rank) for step in (-1, 0, 1) for rank in range(1, 13)]
    hand = rng.sample(shade, size)
    if kind == 3:
        hand[-1] = rng.choice([number for number in range(NUMBER_CARDS) if number not in hand])
    return hand


def counts_agree(rng: Random, hands: int) -> set[int]:
    found = set()
    for _ in range(hands):
        *hand, starter = random_hand(rng)
        crib = rng.random() < 0.3
        slow = slow_cribbage.counts([CARDS[one] for one in hand], CARDS[starter], crib)
        assert points(hand, starter, crib=crib) == slow, (hand, starter, crib)
        assert sum(line.points for line in combinations(hand, starter, crib=crib)) == slow
        found.add(slow)
    return found


def test_fast_counter_slow_counter_and_list_agree() -> None:
    found = counts_agree(Random(1), 250)
    assert min(found) < 6 and max(found) > 40


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_counters_agree_on_a_hundred_thousand_hands() -> None:
    assert max(counts_agree(Random(2), 100_000)) > 50


def pegging_agrees(rng: Random, cards: int) -> int:
    most = 0
    for _ in range(cards):
        ranks = []
        low = rng.randrange(1, 10)
        while len(ranks) < 10:
            rank = rng.choice((rng.randrange(1, 13), rng.randrange(low, low + 4), low))
            if sum(ranks) + rank > 37:
                break
            ranks.append(rank)
            total = sum(points for points, _ in pegged(ranks))
            assert total == slow_cribbage.pegs(ranks), ranks
            most = max(most, total)
    return most


def test_pegging_of_random_counts() -> None:
    assert pegging_agrees(Random(3), 800) >= 20


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_pegging_of_a_hundred_thousand_counts() -> None:
    assert pegging_agrees(Random(4), 100_000) >= 42


def test_every_combination_is_named() -> None:
    hand = numbers("R10 RO8 R7 PR9 RO1 PR10")
    lines = combinations(hand, numbers("O8")[0])
    texts = [line.text for line in lines]
    assert "RO8 + R10 = 18" in texts and "O8 + R10 = 18" in texts
    assert "RO1 + R7 + R10 = 18" in texts
    assert "pair RO8 O8" in texts and "pair R10 PR10" in texts
    assert "run of 4: R7 RO8 PR9 R10" in texts and texts.count("run of 4: R7 O8 PR9 PR10") == 1
    assert "flush in red: all 6 cards" in texts
    assert not any("nobs" in text for text in texts)
    assert {line.rule for line in lines} == {"CRB-7", "CRB-8"}
    nobs = combinations(numbers("R10 B3 G5 Y12 P1 O2"), numbers("PR4")[0])
    assert "nobs: R10 shares red with the starter PR4" in [line.text for line in nobs]
