"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first. Unknown cards are never evidence against a player.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.contract import Drawn, Over, Seat, Shown, ToDraw, Violation
from companion.core.layout import Spot
from companion.core.pieces import Card
from companion.games.five_hundred import moves
from companion.games.five_hundred.melds import known_shape, shape_of
from companion.games.five_hundred.situation import Situation
from companion.games.shared.cards.card_game import breaches_of_draw, breaches_of_shown
from companion.games.shared.cards.deck import CODES, NUMBER, NUMBER_CARDS, RANK, common_shades, written
from companion.games.shared.cards.hands import count_phrase, hand_spot
from companion.games.shared.search.bit_sets import bits

DISCARDS_SPOT = "discards"
_PILE = (DISCARDS_SPOT,)
_AGAIN = "Take it back and play again."
_RULES = {"deck": "500-1", "first discard": "500-1", "stock": "500-3", "hand": "500-7"}
"""Source of drawn cards to the rule that says where they come from."""


def melds_spot(seat: Seat) -> Spot:
    """Returns the name of the heap of the melds before a seat."""
    return f"seat{seat}.melds"


def violations_of(situation: Situation, event: moves.FiveHundredEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    due = situation.expected
    if isinstance(due, Over):
        return (Violation("500-6", "The hand is over and counted. Begin another game to play on."),)
    match event:
        case Drawn():
            return _of_drawn(situation, event)
        case Shown():
            return breaches_of_shown(situation.hands, event, "500-1", "500-1")
        case moves.CallSpectrum() if situation.step == "drawing":
            return _of_call(situation, event)
        case moves.DrawStock() | moves.TakeDiscards() | moves.CallSpectrum() | moves.Stop():
            return _waiting(situation, due) or _of_beginning(situation, event)
        case moves.LayMeld() | moves.LayOff() | moves.Discard():
            return _waiting(situation, due) or _of_turn(situation, event)
    return (Violation("500-3", f"{type(event).__name__} is no event of 500: a turn draws, melds and discards."),)


def _waiting(situation: Situation, due: object) -> tuple[Violation, ...]:
    """Returns the reasons why no player can move now."""
    if not isinstance(due, ToDraw):
        return ()
    what = {
        "stock": "The card from the stock has not been taken up yet",
        "hand": "The hand is over, and the cards left in it are still to be shown",
    }.get(due.source, "Cards are still to be dealt")
    text = f"{what}: {count_phrase(due.count)} for player {due.seat + 1}. Do that first."
    return (Violation(_RULES[due.source], text, _where(due)),)


def _of_beginning(
    situation: Situation, event: moves.DrawStock | moves.TakeDiscards | moves.CallSpectrum | moves.Stop
) -> tuple[Violation, ...]:
    if isinstance(event, moves.CallSpectrum):
        return _of_call(situation, event)
    if event.seat != situation.turn:
        return (_out_of_turn(situation, event.seat),)
    if situation.step != "draw":
        text = f"Player {event.seat + 1} has drawn already in this turn. Meld or discard."
        return (Violation("500-3", text, _PILE),)
    if isinstance(event, moves.TakeDiscards):
        return _of_take(situation, event)
    if isinstance(event, moves.Stop):
        if not situation.stock:
            return ()
        text = f"The stock still holds {count_phrase(situation.stock)}, so the hand goes on. Draw, or take discards."
        return (Violation("500-6", text),)
    if situation.stock:
        return ()
    return (Violation("500-6", "The stock is empty. Take discards, or end the hand.", _PILE),)


def _out_of_turn(situation: Situation, seat: Seat) -> Violation:
    text = f"It is player {situation.turn + 1}'s turn; turns go clockwise, and player {seat + 1} waits. {_AGAIN}"
    return Violation("500-1", text)


def _pile_down_to(situation: Situation, card: Card) -> tuple[int, tuple[Violation, ...]]:
    """Returns the number of a discard, and the violations if it cannot be taken at all."""
    number = NUMBER.get(card, NUMBER_CARDS)
    if number in situation.discards:
        return number, ()
    name = CODES[number] if number < NUMBER_CARDS else "That card"
    return number, (Violation("500-3", f"{name} is not among the discards. Name a card that lies there.", _PILE),)


def _of_take(situation: Situation, take: moves.TakeDiscards) -> tuple[Violation, ...]:
    number, found = _pile_down_to(situation, take.card)
    if found or number in situation.takes:
        return found
    text = (
        f"{CODES[number]} lies below the top, and it cannot be melded at once with the hand and the discards above it."
        " Take the top discard only, or draw from the stock."
    )
    return (Violation("500-3", text, _PILE),)


def _of_call(situation: Situation, call: moves.CallSpectrum) -> tuple[Violation, ...]:
    if not 0 <= call.seat < situation.seats:
        return (Violation("500-1", f"There is no player {call.seat + 1}; the game has {situation.seats}."),)
    if situation.step != "draw" or situation.window is None:
        text = "Nobody can call now: a call comes after a discard and before the next draw. Wait for the next discard."
        return (Violation("500-8", text, _PILE),)
    if call.seat == situation.window:
        text = f"Player {call.seat + 1} has just discarded; anybody else may call. Leave the discards."
        return (Violation("500-8", text, _PILE),)
    number, found = _pile_down_to(situation, call.card)
    if found or number in situation.calls:
        return tuple(Violation("500-8", breach.text, breach.where) for breach in found)
    text = (
        f"{CODES[number]} cannot be melded with the discards above it and the melds on the table alone; a call uses no"
        " card of a hand. Leave the discards."
    )
    return (Violation("500-8", text, _PILE),)


def _of_turn(situation: Situation, event: moves.LayMeld | moves.LayOff | moves.Discard) -> tuple[Violation, ...]:
    if event.seat != situation.turn:
        return (_out_of_turn(situation, event.seat),)
    if situation.step != "play":
        text = f"Player {event.seat + 1} has not drawn yet. Draw from the stock or take discards first."
        return (Violation("500-3", text, _PILE),)
    match event:
        case moves.LayMeld():
            return _of_meld(situation, event)
        case moves.LayOff():
            return _of_lay_off(situation, event)
    return _of_discard(situation, event)


def _held(situation: Situation, seat: Seat, cards: Sequence[Card], rule: str) -> tuple[Violation, ...]:
    """Returns the violations if the seat cannot hold these cards."""
    numbers = [NUMBER.get(card, NUMBER_CARDS) for card in cards]
    if any(number >= NUMBER_CARDS for number in numbers):
        return (Violation("500-1", "The deck has no such card. Correct an entry."),)
    if len(set(numbers)) != len(numbers):
        return (Violation(rule, "A card is named twice, and the deck has each once. Correct an entry."),)
    here = (hand_spot(seat),)
    absent = [number for number in numbers if not situation.hands.may_hold(seat, number)]
    if absent:
        text = f"{written(absent)} is not in player {seat + 1}'s hand. Cards of the own hand are played. {_AGAIN}"
        return (Violation(rule, text, here),)
    unknown = [number for number in numbers if not situation.hands.holds(seat, number)]
    if len(unknown) > situation.hands.hidden[seat]:
        text = f"Only {count_phrase(situation.hands.hidden[seat])} of this hand are unknown. Correct an entry."
        return (Violation(rule, text, here),)
    return ()


def _of_meld(situation: Situation, move: moves.LayMeld) -> tuple[Violation, ...]:
    found = list(_held(situation, move.seat, move.cards, "500-4"))
    numbers = [number for card in move.cards if (number := NUMBER.get(card, NUMBER_CARDS)) < NUMBER_CARDS]
    least = situation.options.min_meld
    if len(numbers) == len(move.cards) and shape_of(numbers, least) is None:
        found.append(Violation("500-2", f"{no_meld(numbers, least)} {_AGAIN}", (hand_spot(move.seat),)))
    if not found:
        found += _due_first(situation, numbers)
    return tuple(found)


def no_meld(cards: Sequence[int], least: int) -> str:
    """Returns the reasons why cards are no meld, as a sentence."""
    ranks = sorted(RANK[card] for card in cards)
    if len(cards) < least:
        return f"{written(cards) or 'Nothing'} has {count_phrase(len(cards))}; a meld has at least {least}."
    if len(set(ranks)) == 1:
        return f"{written(cards)} names a card twice."
    if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        return f"{written(cards)} is neither of one rank nor of ranks that follow each other."
    if not common_shades(cards):
        return f"{written(cards)} follow each other, but no primary is in all of them; a sequence has a common shade."
    return f"{written(cards)} is no meld."


def _due_first(situation: Situation, numbers: Sequence[int]) -> tuple[Violation, ...]:
    """Returns the violations if the card to be melded at once is in no meld, or if the meld of a call uses more than
    discards.
    """
    due = situation.due
    if due is None:
        return ()
    rule = "500-8" if situation.source else "500-3"
    if due not in numbers:
        return (Violation(rule, f"{CODES[due]} was taken and must be melded at once. Meld it first.", _PILE),)
    outside = [number for number in numbers if situation.source and not situation.source >> number & 1]
    if outside:
        text = (
            f"{written(outside)} was not among the discards taken; a call is melded without cards of the hand. Meld"
            f" {CODES[due]} with the discards first."
        )
        return (Violation("500-8", text, (hand_spot(situation.turn),)),)
    return ()


def _of_lay_off(situation: Situation, move: moves.LayOff) -> tuple[Violation, ...]:
    found = list(_held(situation, move.seat, [move.card], "500-4"))
    number = NUMBER.get(move.card, NUMBER_CARDS)
    if move.meld >= len(situation.melds):
        text = f"There is no meld {move.meld + 1} on the table; there are {len(situation.melds)}. Name one of them."
        return (*found, Violation("500-4", text))
    if number < NUMBER_CARDS and not situation.table.fits[move.meld] >> number & 1:
        found.append(Violation("500-4", f"{_no_fit(situation.melds[move.meld], number)} {_AGAIN}"))
    if found or situation.due is None:
        return tuple(found)
    source = situation.source
    outside = bool(source) and not source >> number & 1
    if number == situation.due or (not outside and situation.is_on_the_way(number, move.meld)):
        return ()
    return _due_first(situation, [number])


def _no_fit(meld: int, card: int) -> str:
    """Returns the reasons why a card does not go on a meld, as a sentence."""
    shape = known_shape(meld)
    cards = tuple(sorted(bits(meld), key=lambda one: (RANK[one], one)))
    named = written(cards)
    if shape.is_group:
        return f"{CODES[card]} does not go on {named}, a group of rank {shape.low}."
    if RANK[card] not in (shape.low - 1, shape.high + 1):
        ends = [str(rank) for rank in (shape.low - 1, shape.high + 1) if 1 <= rank <= 12]
        return f"{CODES[card]} does not go on {named}: the next rank there is {' or '.join(ends)}."
    return f"{CODES[card]} does not go on {named}: no primary would be in all of these cards."


def _of_discard(situation: Situation, move: moves.Discard) -> tuple[Violation, ...]:
    found = list(_held(situation, move.seat, [move.card], "500-5"))
    number = NUMBER.get(move.card, NUMBER_CARDS)
    if not found and situation.due is not None:
        rule = "500-8" if situation.source else "500-3"
        text = f"{CODES[situation.due]} was taken and must be melded at once. Meld it before the discard."
        found.append(Violation(rule, text, _PILE))
    if not found and number == situation.barred and situation.hands.size(move.seat) > 1:
        text = f"{CODES[number]} was the only discard taken in this turn and may not go back. Discard another card."
        found.append(Violation("500-5", text, _PILE))
    return tuple(found)


def _of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due = situation.expected
    if not isinstance(due, ToDraw):
        text = f"No card is due; it is player {situation.turn + 1}'s turn to move. Say what the turn begins with."
        return (Violation("500-3", text),)
    return breaches_of_draw(situation.hands, drawn, due, _RULES[due.source], _where(due))


def _where(due: ToDraw) -> tuple[Spot, ...]:
    return _PILE if due.source == "first discard" else (hand_spot(due.seat),)
