"""The worth of melded cards, the cost of cards left in hands, and the winner (500-7, 500-9)."""

from __future__ import annotations

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.games.five_hundred.situation import Situation
from companion.games.shared.cards.deck import NUMBER_CARDS, RANK, written
from companion.games.shared.ruled_state import places
from companion.games.shared.search.bit_sets import mask_of

VALUES: tuple[int, ...] = tuple(
    5 if RANK[card] <= 5 else 10 if RANK[card] <= 10 else 15 for card in range(NUMBER_CARDS)
)
"""The value of each card (500-7)."""
_OF_VALUE = {value: mask_of(card for card in range(NUMBER_CARDS) if VALUES[card] == value) for value in (5, 10, 15)}


def value_of(cards: int) -> int:
    """Returns the worth of the cards of a mask."""
    return sum([value * (cards & some).bit_count() for value, some in _OF_VALUE.items()])


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns the match points of each seat: melded cards count at once, cards left in hands at the end of the hand."""
    return tuple(_score(situation, seat) for seat in range(situation.seats))


def _score(situation: Situation, seat: Seat) -> Score:
    lines = []
    if situation.brought:
        lines.append(ScoreLine(situation.brought[seat], "500-9", "the match before"))
    laid = situation.laid[seat]
    if laid:
        lines.append(ScoreLine(value_of(laid), "500-7", f"{laid.bit_count()} cards melded"))
    left = situation.hands.known[seat]
    if situation.is_ended and situation.options.minus_hand and left:
        lines.append(ScoreLine(-value_of(mask_of(left)), "500-7", f"left in the hand: {written(left)}"))
    return Score.of(lines)


def outcome(situation: Situation) -> Outcome | None:
    """Returns the places by the totals of the match once the hand is over and counted; None before."""
    if not situation.is_counted:
        return None
    totals = [score.total for score in scores(situation)]
    order = places(totals)
    how = "A hand is empty." if situation.step == "out" else "The stock is empty, and the discards are not wanted."
    target = situation.options.target
    if max(totals) >= target:
        return Outcome(
            places(totals), "500-9", f"{how} The match is won with {max(totals)} points; {target} were needed."
        )
    text = f"{how} Nobody has {target} points yet, so the match goes on with another hand."
    return Outcome(order, "500-6", text)
