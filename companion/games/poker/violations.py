"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first. Unknown cards are never evidence against a player.
"""

from __future__ import annotations

from itertools import combinations

from companion.core.contract import Drawn, Over, Seat, Shown, ToDraw, Violation
from companion.core.layout import Spot
from companion.games.poker.categories import BY_TITLE, CONTAINED, MEANINGS, Category
from companion.games.poker.moves import Exchange, Fold, PokerEvent, TurnUp
from companion.games.poker.observation import SHARED_SPOT
from companion.games.poker.odds import HAND
from companion.games.poker.situation import Situation
from companion.games.poker.strength import met
from companion.games.shared.cards.card_game import breaches_of_cards_laid, breaches_of_draw, breaches_of_shown
from companion.games.shared.cards.deck import written
from companion.games.shared.cards.hands import count_phrase, hand_spot

_ADVICE = ("Unknown cards are exchanged as ??, or shown to the referee before.", "Exchange cards of the own hand.")


def violations_of(situation: Situation, event: PokerEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    due = situation.due
    if isinstance(due, Over):
        return (Violation("POK-2", "The hand is over. Begin another one to play on."),)
    match event:
        case Drawn():
            return _of_drawn(situation, event)
        case Shown():
            return breaches_of_shown(situation.hands, event, "POK-1", "POK-1")
        case TurnUp():
            return _standing(situation, event.seat) or _of_turn_up(situation, event)
        case Exchange():
            return _standing(situation, event.seat) or _of_exchange(situation, event)
        case Fold():
            return _standing(situation, event.seat)
    return (
        Violation("POK-1", f"{type(event).__name__} is no event of Poker: cards are exchanged, turned up or folded."),
    )


def _standing(situation: Situation, seat: Seat) -> tuple[Violation, ...]:
    """Returns the reasons why this seat cannot act now."""
    due = situation.due
    if isinstance(due, ToDraw):
        what = "The hand that was turned up is still to be read" if due.source == "hand" else "Cards are still to come"
        text = f"{what}: {count_phrase(due.count)} for player {due.seat + 1}. Do that first."
        return (Violation("POK-1", text, _where(due)),)
    if seat != situation.turn:
        text = (
            f"It is player {situation.turn + 1}'s turn; exchanges and the showdown go clockwise from the dealer's left."
            f" Player {seat + 1} waits."
        )
        return (Violation("POK-4", text),)
    return ()


def _of_turn_up(situation: Situation, move: TurnUp) -> tuple[Violation, ...]:
    here = (hand_spot(move.seat),)
    if situation.exchanges:
        text = f"Player {move.seat + 1} may exchange cards first; hands are turned up when all have. Exchange, or fold."
        return (Violation("POK-1", text, here),)
    if move.called is None:
        return ()
    called = BY_TITLE.get(move.called)
    if called is None:
        text = f'"{move.called}" is no category. There are: {", ".join(BY_TITLE)}.'
        return (Violation("POK-1", text, here),)
    if not situation.is_known(move.seat):
        text = "The referee does not know this hand, so nothing can be called yet. Turn it up without a call."
        return (Violation("POK-2", text, here),)
    found = situation.strength(move.seat)
    if called is found.category:
        return ()
    counts = f"counts as {found.category.title}: {written(found.cards)}"
    cards = (*situation.hands.known[move.seat], *situation.shared)
    if any(_has(met(five), called) for five in combinations(cards, HAND)):
        text = (
            f"The hand has {called.title}, but {counts}, which is higher in the {situation.options.ranking} order. Call"
            f" {found.category.title}."
        )
        return (Violation("POK-2", text, here),)
    text = (
        f"The hand is not {called.title}, which is {MEANINGS[called]}. The hand {counts}. Call {found.category.title}."
    )
    return (Violation("POK-1", text, here),)


def _has(mask: int, called: Category) -> bool:
    """True if five cards meet a category, or one that contains it."""
    return bool(mask & called.bit) or any(mask & more.bit and called in CONTAINED[more] for more in CONTAINED)


def _of_exchange(situation: Situation, move: Exchange) -> tuple[Violation, ...]:
    here = (hand_spot(move.seat),)
    if not situation.exchanges:
        text = "No exchange is due: the table has agreed on so many, and all are made. Turn the hand up, or fold."
        return (Violation("POK-1", text, here),)
    return breaches_of_cards_laid(situation.hands, move.seat, move.cards, "POK-1", here, _ADVICE)


def _of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due = situation.due
    if not isinstance(due, ToDraw):
        text = f"No card is due; it is player {situation.turn + 1}'s turn. Say what the player does."
        return (Violation("POK-1", text),)
    return breaches_of_draw(situation.hands, drawn, due, "POK-1", _where(due))


def _where(due: ToDraw) -> tuple[Spot, ...]:
    return (SHARED_SPOT,) if due.source == "deck, open" else (hand_spot(due.seat),)
