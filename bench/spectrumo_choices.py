"""What Spectrumo leaves to choose: small deals played out in every way, and how near the greedy player is to the best.

Two hands of a few cards and a deck whose order is known are a game without luck, so each move has a value: the points
by which the hand is won if both go on as well as can be. The mean over many guesses at the other hand and at
the deck says what a move is worth to its player, and rather too much, since whoever goes on knows more than a player
can. A line of play ends early with a trade of cards, whose ways are too many, and
after a number of choices; it is then counted by the points of the hands.

The best move is picked by half of the guesses and judged by the other half: the same guesses for both would find an
edge where there is only luck.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from bench.figure import Figure
from companion.core.contract import Drawn
from companion.games.shared.cards.deck import CARDS_IN_ALL, COPIES, KINDS, NUMBER_CARDS, PIECES, written
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.options import Options
from companion.games.spectrumo.scoring import points_of
from companion.referee.players.player import Greedy

HAND = 3
"""Cards of a hand."""
CHOICES, GUESSES = 80, 16
"""Deals in which there is a choice, and guesses at what is hidden, for each."""
MOST_CHOICES = 6
"""A line of play with so many choices is counted as it stands."""


def deal(rng: Random) -> Any:
    """Returns a position with two open hands, seat 0 on turn."""
    cards = [card for card in range(KINDS) for _ in range(COPIES[card])]
    rng.shuffle(cards)
    table = next(card for card in cards if card < NUMBER_CARDS)
    cards.remove(table)
    hands = [written(sorted(hand)) for hand in (cards[:HAND], cards[HAND : 2 * HAND])]
    position = {"table": written((table,)), "hands": hands, "draw": CARDS_IN_ALL - 2 * HAND - 1}
    return SPECTRUMO.from_record(2, Options(), position)


class ChoiceLuck:
    """The order in which cards come: the next one that may come is the one that does."""

    def __init__(self, state: Any, random: Random) -> None:
        rest = [card for card, count in state.in_pool() for _ in range(count)]
        self._order = random.sample(rest, len(rest))

    @property
    def enough(self) -> int:
        """Cards that may come before a line of play is counted as it stands; after that the deck is nearly used up."""
        return len(self._order) // 2

    def drawn(self, state: Any, at: int) -> tuple[Any, int]:
        """Returns the position after the draw that is due, and the place in the order from where the next one comes."""
        due = state.due
        may = {event.pieces[0]: event for event, _ in SPECTRUMO.outcomes(state)}
        while PIECES[self._order[at]] not in may:
            at += 1
        return state.apply(Drawn(due.seat, (PIECES[self._order[at]],))), at + 1


def value(
    state: Any, luck: ChoiceLuck, at: int, low: float = -inf, high: float = inf, left: int = MOST_CHOICES
) -> float:
    """Returns points by which seat 0 wins the hand if both play as well as can be: alpha-beta search (Knuth and Moore
    1975).
    """
    while True:
        if state.over:
            mine, other = (score.total for score in state.scores())
            return float(other - mine)
        if state.swapping is not None or at >= luck.enough:
            return _standing(state)
        if state.due is not None:
            state, at = luck.drawn(state, at)
            continue
        moves = state.moves
        if len(moves) > 1:
            break
        state = state.apply(moves[0])
    if not left:
        return _standing(state)
    best = -inf if state.turn == 0 else inf
    for move in moves:
        found = value(state.apply(move), luck, at, low, high, left - 1)
        if state.turn == 0:
            best = max(best, found)
            low = max(low, found)
        else:
            best = min(best, found)
            high = min(high, found)
        if low >= high:
            break
    return best


def _standing(state: Any) -> float:
    """Returns the points of the hands as they are."""
    mine, other = (points_of(hand) for hand in state.hands)
    return float(other - mine)


def values(known: Any, seed: int) -> list[list[float]]:
    """Returns for each guess at the other hand and the deck: what every move of a position is worth, as its seat knows
    it.
    """
    table = []
    for number in range(GUESSES):
        random = Random(seed * GUESSES + number)
        state = SPECTRUMO.determinize(known, random)
        luck = ChoiceLuck(state, random)
        table.append([value(state.apply(move), luck, 0) for move in known.moves])
    return table


def figures() -> Iterator[Figure]:
    """Yields how much better than greedy's move the best one is, and how much better greedy's is than the mean of
    all.
    """
    rng = Random(1)
    best_gain, greedy_gain, spread, same = [], [], [], 0
    while len(best_gain) < CHOICES:
        state = deal(rng)
        known = SPECTRUMO.view(state, 0)
        if len(known.moves) < 2:
            continue
        table = values(known, len(best_gain))
        picked = [fmean(column) for column in zip(*table[::2], strict=True)]
        judged = [fmean(column) for column in zip(*table[1::2], strict=True)]
        greedy = known.moves.index(Greedy().choose(SPECTRUMO, state, 0, rng))
        best = max(range(len(picked)), key=picked.__getitem__)
        same += best == greedy
        best_gain.append(judged[best] - judged[greedy])
        greedy_gain.append(judged[greedy] - fmean(judged))
        spread.append(stdev(row[greedy] for row in table))
    error = sqrt(1 / CHOICES)
    yield Figure(f"the best of small deals is better than greedy, {CHOICES} choices", fmean(best_gain), "points")
    yield Figure("  standard error", stdev(best_gain) * error, "points")
    yield Figure("greedy is better than the mean of all moves", fmean(greedy_gain), "points")
    yield Figure("  standard error", stdev(greedy_gain) * error, "points")
    yield Figure("standard deviation from one guess to another", fmean(spread), "points")
    yield Figure("greedy takes the best move", 100 * same / CHOICES, "%")
