"""The categories of the shown hands, and the winner (POK-2, POK-3).

Bets are not refereed, so there is no score (POK-4).
"""

from __future__ import annotations

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.games.poker.situation import Situation
from companion.games.poker.strength import Strength, reasons
from companion.games.shared.cards.deck import written


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns, for each seat, a score without points whose line names the category of a shown hand."""
    return tuple(_score(situation, seat) for seat in range(situation.seats))


def _score(situation: Situation, seat: Seat) -> Score:
    if not situation.shown >> seat & 1 or not situation.is_known(seat):
        return Score(0)
    found = situation.strength(seat)
    return Score(0, (ScoreLine(0, "POK-2", describe(found)),))


def describe(found: Strength) -> str:
    """Returns a hand in words: "full house: R7, G7, B7, Y4, P4"."""
    return f"{found.category.title}: {written(found.cards)}"


def hand_lines(found: Strength) -> tuple[ScoreLine, ...]:
    """Returns every category that a hand meets, in the book's order, with its requirement; the hand counts as the first
    one in use.
    """
    return tuple(ScoreLine(0, "POK-1", f"{category.title}: {text}") for category, text in reasons(found.cards))


def outcome(situation: Situation) -> Outcome | None:
    """Returns the places once the hand is over: shown hands by strength, with ties, then the folded ones."""
    if not situation.is_over:
        return None
    folded = tuple(seat for seat in range(situation.seats) if not situation.is_in(seat))
    behind = (folded,) if folded else ()
    if situation.is_alone:
        winner = next(seat for seat in range(situation.seats) if situation.is_in(seat))
        text = f"All others have folded, so player {winner + 1} wins without showing."
        return Outcome(((winner,), *behind), "POK-4", text)
    found = {seat: situation.strength(seat) for seat in range(situation.seats) if situation.is_in(seat)}
    keys = sorted({one.key for one in found.values()}, reverse=True)
    places = tuple(tuple(seat for seat, one in found.items() if one.key == key) for key in keys)
    best = found[places[0][0]]
    rule = "POK-3" if any(one.category is best.category and one.key != best.key for one in found.values()) else "POK-2"
    if len(places[0]) > 1:
        rule = "POK-3"
    winners = " and ".join(f"player {seat + 1}" for seat in places[0]).capitalize()
    title, cards = best.category.title, written(best.cards)
    text = (
        f"{winners} split the pot ({title}): {cards}."
        if len(places[0]) > 1
        else f"{winners} has the best hand ({title}): {cards}."
    )
    return Outcome((*places, *behind), rule, text)
