"""Computes the points of hands and of the game as lines (UMO-16)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.games.shared.cards.deck import NUMBER_CARDS, RANK, written
from companion.games.shared.ruled_state import places
from companion.games.spectrumo.options import Options

SPECIAL_POINTS = 20
"""The cost of a special left in a hand."""


class FinishedHand(Struct, frozen=True):
    """A hand that is over."""

    winner: Seat | None
    """The seat that went out; None if no seat could play or draw (UMO-15)."""
    left: tuple[tuple[int, ...], ...]
    """For each seat, the cards that were left."""


def points_of(cards: Sequence[int]) -> int:
    """Returns the cost of cards left in a hand: ranks, and 20 for each special.

    >>> from companion.games.shared.cards.deck import numbers_of
    >>> points_of(numbers_of("R7, B12, draw"))
    39
    """
    return sum(RANK[card] if card < NUMBER_CARDS else SPECIAL_POINTS for card in cards)


def line_of(hand: FinishedHand, seat: Seat, number: int) -> ScoreLine:
    """Returns the cost of hand `number` for a seat."""
    if seat == hand.winner:
        return ScoreLine(0, "UMO-16", f"hand {number}: went out")
    cards = hand.left[seat]
    return ScoreLine(points_of(cards), "UMO-16", f"hand {number}: {written(cards) or 'not in play'}")


def scores(hands: Sequence[FinishedHand], brought: Sequence[int], seats: int) -> tuple[Score, ...]:
    """Returns the score of each seat, one line for each hand; the lowest score is best."""
    found = []
    for seat in range(seats):
        lines = [line_of(hand, seat, number) for number, hand in enumerate(hands, 1)]
        if brought and brought[seat]:
            lines.insert(0, ScoreLine(brought[seat], "UMO-16", "hands before this record"))
        found.append(Score.of(lines))
    return tuple(found)


def ending(totals: Sequence[float], dropped: Sequence[int], options: Options) -> Outcome | None:
    """Returns the outcome with these totals; None while the game goes on.

    Args:
        dropped: By seat: the number of the hand after which it dropped out, 0 for who is still in.
    """
    if not options.elimination:
        if max(totals) < options.limit:
            return None
        text = f"{max(totals)} points: the game ends at {options.limit}, and the lowest total wins."
        ranks = [(0, total) for total in totals]
    else:
        left = dropped.count(0)
        if left > 1:
            return None
        last = "one player is left" if left else "all who were left went above it together; the lowest total wins"
        text = f"With {options.limit} points as the limit {last}."
        latest = max(dropped) + 1
        ranks = [(latest - (hand or latest), total) for hand, total in zip(dropped, totals, strict=True)]
    return Outcome(places(ranks, least_first=True), "UMO-16", text)
