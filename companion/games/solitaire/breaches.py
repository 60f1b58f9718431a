"""Why a move of Solitaire is refused, rule by rule."""

from __future__ import annotations

from companion.contract import Breach, Drawn
from companion.games.deck import CODES, COLOR, LETTERS, NUMBER, NUMBER_CARDS, RANK, RANKS, number_card
from companion.games.hands import BIT
from companion.games.solitaire.moves import Concede, Home, Put, SolitaireEvent, Turn, TurnOver
from companion.games.solitaire.situation import Situation
from companion.pieces import WHEEL, Card


def explain(state: Situation, event: SolitaireEvent) -> tuple[Breach, ...]:
    """The rules that an event breaks; empty if and only if it may happen now."""
    if isinstance(event, Drawn):
        return _of_told(state, event)
    if not isinstance(event, Put | Home | Turn | TurnOver | Concede):
        return (
            Breach("SOL-3", f"{type(event).__name__} is no event of Solitaire: cards move, or the stock is turned."),
        )
    early = _too_early(state)
    if early is not None:
        return (early,)
    match event:
        case Put():
            return _of_put(state, event)
        case Home():
            return _of_home(state, event.card)
        case Turn():
            if not state.stock:
                return (Breach("SOL-8", _empty_stock(state), ("stock",)),)
        case TurnOver():
            return _of_turn_over(state)
    return ()


def _empty_stock(state: Situation) -> str:
    if not state.waste:
        return "Stock and waste are empty, so nothing is left to turn. Play on with the piles, or concede."
    if not state.may_turn_over:
        return f"The stock is empty in the last of {state.options.max_passes} passes. Play on with what lies open."
    return "The stock is empty. Turn the waste over to begin the next pass."


def _too_early(state: Situation) -> Breach | None:
    outcome = state.outcome()
    if outcome is not None:
        return Breach(outcome.rule, f"The game has ended. {outcome.text}")
    due = state.due
    if due is None:
        return None
    cards = "1 card was" if due.count == 1 else f"{due.count} cards were"
    if state.turning:
        return Breach("SOL-7", f"{cards} turned from the stock and not told yet. Say which.", ("waste",))
    spots = tuple(f"pile{pile + 1}" for pile in state.uncovered)
    return Breach("SOL-4", f"{cards} turned up on {', '.join(spots)} and not told yet. Say which.", spots)


def place_of(state: Situation, card: int) -> str | None:
    """The spot where a card lies face up; None if it is not known to."""
    if card in state.waste:
        return "waste"
    for pile, cards in enumerate(state.ups):
        if card in cards:
            return f"pile{pile + 1}"
    if state.foundations[COLOR[card]] >= RANK[card]:
        return f"foundation.{WHEEL[COLOR[card]]}"
    return None


def _cannot_leave(state: Situation, card: int, alone: bool) -> tuple[Breach, ...]:
    """Why a card cannot leave its place; `alone`: nothing may lie on it (SOL-2, SOL-5, SOL-7, SOL-9)."""
    code, place = CODES[card], place_of(state, card)
    if place is None:
        return (Breach("SOL-4", f"{code} does not lie face up anywhere. Only face-up cards move."),)
    if place.startswith("foundation"):
        if alone or state.foundations[COLOR[card]] > RANK[card] or not state.options.foundation_back:
            return (Breach("SOL-9", f"{code} lies on its foundation and stays there.", (place,)),)
        return ()
    if place == "waste":
        if state.waste[-1] != card:
            top = CODES[state.waste[-1]]
            return (Breach("SOL-7", f"{code} lies below {top} in the waste. Only the top card moves.", (place,)),)
        return ()
    if alone and not state.is_top(card):
        return (Breach("SOL-2", f"{code} lies below other cards. Cards go home one by one, from the top.", (place,)),)
    if not alone and not state.open_cards & BIT[card]:
        return (Breach("SOL-5", f"The cards on {code} are no run with it, so they do not move as one.", (place,)),)
    return ()


def _of_put(state: Situation, put: Put) -> tuple[Breach, ...]:
    card = number_card(put.card)
    if card is None or not 0 <= put.pile < len(state.ups):
        return (Breach("SOL-1", f"{put.card} on pile {put.pile + 1} is no number card on one of the twelve piles."),)
    spot = f"pile{put.pile + 1}"
    if place_of(state, card) == spot:
        return (Breach("SOL-3", f"{CODES[card]} lies on pile {put.pile + 1} already.", (spot,)),)
    found = list(_cannot_leave(state, card, alone=False))
    if state.may_go_on(put.pile) & BIT[card]:
        return tuple(found)
    if not state.ups[put.pile]:
        found.append(
            Breach("SOL-6", f"Pile {put.pile + 1} is empty: only a {RANKS} goes there, not {CODES[card]}.", (spot,))
        )
        return tuple(found)
    top = state.ups[put.pile][-1]
    if RANK[top] == 1:
        found.append(Breach("SOL-3", f"Nothing goes on {CODES[top]}: no rank is lower.", (spot,)))
        return tuple(found)
    strict = state.options.strict_shades
    color = f"a shade of {LETTERS[COLOR[top]]}" if strict else f"{LETTERS[COLOR[top]]} or a shade of it"
    text = f"{CODES[card]} does not go on {CODES[top]}: that takes a {RANK[top] - 1} in {color}."
    found.append(Breach("SOL-3", text, (spot,)))
    return tuple(found)


def _of_home(state: Situation, piece: Card) -> tuple[Breach, ...]:
    card = number_card(piece)
    if card is None:
        return (Breach("SOL-1", f"{piece} is no number card."),)
    found = list(_cannot_leave(state, card, alone=True))
    if not found and not state.is_next_home(card):
        color = COLOR[card]
        due = f"{LETTERS[color]}{state.foundations[color] + 1}"
        text = f"{CODES[card]} does not go home yet: the next one on that foundation is {due}."
        found.append(Breach("SOL-2", text, (f"foundation.{WHEEL[color]}",)))
    return tuple(found)


def _of_turn_over(state: Situation) -> tuple[Breach, ...]:
    if state.stock:
        left = len(state.stock)
        text = f"The stock still holds {left} card{'s' if left > 1 else ''}. It is turned over when it is empty."
        return (Breach("SOL-8", text, ("stock",)),)
    if not state.waste:
        return (Breach("SOL-8", "Stock and waste are empty. There is nothing to turn over.", ("waste",)),)
    if not state.may_turn_over:
        text = f"This is pass {state.passes} of {state.options.max_passes}, so the waste is not turned over again."
        return (Breach("SOL-8", text, ("waste",)),)
    return ()


def _of_told(state: Situation, drawn: Drawn) -> tuple[Breach, ...]:
    outcome = state.outcome()
    if outcome is not None:
        return (Breach(outcome.rule, f"The game has ended. {outcome.text}"),)
    due = state.due
    rule = "SOL-7" if state.turning else "SOL-4"
    if due is None:
        return (Breach("SOL-4", "No card was turned up that is not told yet."),)
    if drawn.seat != 0 or not 1 <= len(drawn.pieces) <= due.count:
        return (Breach(rule, f"{due.count} cards are to be told, not {len(drawn.pieces)} of player {drawn.seat + 1}."),)
    told: set[int] = set()
    for piece in drawn.pieces:
        number = NUMBER.get(piece, NUMBER_CARDS)
        if piece is None:
            return (Breach(rule, "A card that is turned up lies open. Say which it is."),)
        if number >= NUMBER_CARDS:
            return (Breach("SOL-1", f"{piece} is no number card of the deck (DEK-4)."),)
        if number in told or not state.unknown & BIT[number]:
            return (Breach("SOL-1", f"{CODES[number]} lies elsewhere already; the deck has it once."),)
        told.add(number)
    return ()
