"""Explains why a move of Solitaire is refused, rule by rule."""

from __future__ import annotations

from companion.core.contract import Drawn, ToDraw, Violation
from companion.core.layout import Spot
from companion.core.pieces import Card
from companion.games.shared.cards.deck import CODES, COLOR, LETTERS, RANK, RANKS, number_card
from companion.games.shared.cards.hands import BIT, count_phrase
from companion.games.solitaire import scoring
from companion.games.solitaire.moves import Concede, Home, Put, SolitaireEvent, Turn, TurnOver
from companion.games.solitaire.situation import FOUNDATION_SPOTS, PILE_SPOTS, Situation


def violations_of(state: Situation, event: SolitaireEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    outcome, due = scoring.outcome(state), state.due
    if outcome is not None:
        return (Violation(outcome.rule, f"The game has ended. {outcome.text}"),)
    if isinstance(event, Drawn):
        return _of_told(state, event)
    if due is not None:
        return (_not_told(state, due),)
    match event:
        case Put():
            return _of_put(state, event)
        case Home():
            return _of_home(state, event.card)
        case Turn() | TurnOver():
            return _of_stock(state, event)
        case Concede():
            return ()
    return (
        Violation("SOL-3", f"{type(event).__name__} is no event of Solitaire: cards move, or the stock is turned."),
    )


def _not_told(state: Situation, due: ToDraw) -> Violation:
    cards = "1 card was" if due.count == 1 else f"{due.count} cards were"
    spots = state.due_spots
    if state.turning:
        return Violation("SOL-7", f"{cards} turned from the stock and not entered yet. Say which.", spots)
    return Violation("SOL-4", f"{cards} turned up on {', '.join(spots)} and not entered yet. Say which.", spots)


def place_of(state: Situation, card: int) -> Spot | None:
    """Returns the spot where a card lies face up; None if its place is unknown."""
    for spot, cards in zip(("waste", *PILE_SPOTS), (state.waste, *state.ups), strict=True):
        if card in cards:
            return spot
    return FOUNDATION_SPOTS[COLOR[card]] if state.foundations[COLOR[card]] >= RANK[card] else None


def _cannot_leave(state: Situation, card: int, alone: bool) -> tuple[Violation, ...]:
    """Returns the reasons why a card cannot leave its place; with `alone`, no card may lie on it (SOL-2, SOL-5, SOL-7,
    SOL-9).
    """
    free = card in state.tops if alone else state.open_cards & BIT[card]
    if free:
        return ()
    code, place = CODES[card], place_of(state, card)
    if place is None:
        return (Violation("SOL-4", f"{code} does not lie face up anywhere. Only face-up cards move."),)
    if place.startswith("foundation"):
        return (Violation("SOL-9", f"{code} lies on its foundation and stays there.", (place,)),)
    if place == "waste":
        top = CODES[state.waste[-1]]
        return (Violation("SOL-7", f"{code} lies below {top} in the waste. Only the top card moves.", (place,)),)
    if alone:
        return (
            Violation("SOL-2", f"{code} lies below other cards. Cards go home one by one, from the top.", (place,)),
        )
    return (Violation("SOL-5", f"The cards on {code} are no run with it, so they do not move as one.", (place,)),)


def _of_put(state: Situation, put: Put) -> tuple[Violation, ...]:
    card = number_card(put.card)
    if card is None or not 0 <= put.pile < len(PILE_SPOTS):
        return (Violation("SOL-1", f"{put.card} on pile {put.pile + 1} is no number card on one of the twelve piles."),)
    if card in state.ups[put.pile]:
        text = f"{CODES[card]} lies on pile {put.pile + 1} already."
        return (Violation("SOL-3", text, (PILE_SPOTS[put.pile],)),)
    found = _cannot_leave(state, card, alone=False)
    return found if state.fits[put.pile] & BIT[card] else (*found, _does_not_fit(state, card, put.pile))


def _does_not_fit(state: Situation, card: int, pile: int) -> Violation:
    where = (PILE_SPOTS[pile],)
    if not state.ups[pile]:
        return Violation("SOL-6", f"Pile {pile + 1} is empty: only a {RANKS} goes there, not {CODES[card]}.", where)
    top = state.ups[pile][-1]
    if RANK[top] == 1:
        return Violation("SOL-3", f"Nothing goes on {CODES[top]}: no rank is lower.", where)
    letters = LETTERS[COLOR[top]]
    color = f"a shade of {letters}" if state.options.strict_shades else f"{letters} or a shade of it"
    text = f"{CODES[card]} does not go on {CODES[top]}: that takes a {RANK[top] - 1} in {color}."
    return Violation("SOL-3", text, where)


def _of_home(state: Situation, piece: Card) -> tuple[Violation, ...]:
    card = number_card(piece)
    if card is None:
        return (Violation("SOL-1", f"{piece} is no number card."),)
    found, color = _cannot_leave(state, card, alone=True), COLOR[card]
    if found or RANK[card] == state.foundations[color] + 1:
        return found
    due = f"{LETTERS[color]}{state.foundations[color] + 1}"
    text = f"{CODES[card]} does not go home yet: the next one on that foundation is {due}."
    return (Violation("SOL-2", text, (FOUNDATION_SPOTS[color],)),)


def _of_stock(state: Situation, event: Turn | TurnOver) -> tuple[Violation, ...]:
    """Returns the violations of turning the stock, which needs cards, or the waste, which needs an empty stock and a
    pass left.
    """
    turned = isinstance(event, Turn)
    spots = ("stock",) if turned or state.stock else ("waste",)
    if state.stock:
        text = f"The stock still holds {count_phrase(len(state.stock))}. It is turned over when it is empty."
        return () if turned else (Violation("SOL-8", text, spots),)
    if not state.waste:
        text = "Stock and waste are empty, so nothing is left to turn. Play on with the piles, or concede."
    elif not state.may_turn_over:
        text = f"The stock is empty in the last of {state.options.max_passes} passes. Play on with what lies open."
    elif turned:
        text = "The stock is empty. Turn the waste over to begin the next pass."
    else:
        return ()
    return (Violation("SOL-8", text, spots),)


def _of_told(state: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due, rule = state.due, "SOL-7" if state.turning else "SOL-4"
    if due is None:
        return (Violation("SOL-4", "No card was turned up that is not entered yet."),)
    if drawn.seat != 0 or not 1 <= len(drawn.pieces) <= due.count:
        told, seat = len(drawn.pieces), drawn.seat
        one = f"1 card is due, not {told} of player {seat + 1}."
        several = f"{due.count} cards are due, not {told} of player {seat + 1}."
        return (Violation(rule, one if due.count == 1 else several),)
    for place, piece in enumerate(drawn.pieces):
        number = number_card(piece)
        if piece is None:
            return (Violation(rule, "A card that is turned up lies open. Say which it is."),)
        if number is None:
            return (Violation("SOL-1", f"{piece} is no number card of the deck (DEK-4)."),)
        if piece in drawn.pieces[:place] or not state.unknown & BIT[number]:
            return (Violation("SOL-1", f"{CODES[number]} lies elsewhere already; the deck has it once."),)
    return ()
