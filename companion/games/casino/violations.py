"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.contract import Drawn, Shown, ToDraw, Violation
from companion.core.layout import Spot
from companion.core.pieces import Card
from companion.games.casino.captures import may_split
from companion.games.casino.moves import CasinoEvent, Put, Take
from companion.games.casino.situation import BOARD_SPOT, Situation
from companion.games.shared.cards.card_game import breaches_of_shown
from companion.games.shared.cards.deck import CODES, NUMBER, NUMBER_CARDS, RANK, written
from companion.games.shared.cards.hands import hand_spot
from companion.games.shared.search.bit_sets import mask_of

_HERE = (BOARD_SPOT,)
_AGAIN = "Take it back and play again."


def mask_on(situation: Situation, taken: Iterable[Card]) -> int:
    """Returns board cards as a mask over their places; 0 if one of them is not on the board or is named twice."""
    mask = 0
    for piece in taken:
        card = NUMBER.get(piece, -1)
        if card not in situation.board:
            return 0
        bit = 1 << situation.board.index(card)
        if mask & bit:
            return 0
        mask |= bit
    return mask


def mask_of_board(situation: Situation) -> int:
    """Returns the cards on the board as a mask of card numbers."""
    return mask_of(situation.board)


def violations_of(situation: Situation, event: CasinoEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    if situation.ended:
        return (Violation("CAS-9", "The game is over: its last round is finished. Begin another game to play on."),)
    match event:
        case Take():
            return _standing(situation, event) or (*_held(situation, event), *_of_take(situation, event))
        case Put():
            return _standing(situation, event) or (*_held(situation, event), *_of_put(situation, event))
        case Drawn():
            return _of_drawn(situation, event)
        case Shown():
            return breaches_of_shown(situation.hands, event, "CAS-1", "CAS-1")
    return (Violation("CAS-3", f"{type(event).__name__} is no event of Casino: a card takes, or is put on the board."),)


def _standing(situation: Situation, event: Take | Put) -> tuple[Violation, ...]:
    """Returns the reasons why this seat cannot play any card now."""
    due = situation.expects()
    if isinstance(due, ToDraw):
        text = f"Cards are still to be dealt: {due.count} from {due.source}. Deal first, then play."
        return (Violation("CAS-7" if "pile" in due.source else "CAS-1", text, _where(situation, due)),)
    if event.seat != situation.turn:
        text = (
            f"It is player {situation.turn + 1}'s turn; play goes clockwise from the dealer's left, and player"
            f" {event.seat + 1} waits. {_AGAIN}"
        )
        return (Violation("CAS-10", text),)
    return ()


def _held(situation: Situation, event: Take | Put) -> tuple[Violation, ...]:
    """Returns the violations if the seat cannot hold the card."""
    card = NUMBER.get(event.card, NUMBER_CARDS)
    if card >= NUMBER_CARDS:
        return (Violation("CAS-1", "The deck has no such card. Correct an entry."),)
    if situation.hands.may_hold(event.seat, card):
        return ()
    where = _whereabouts(situation, card)
    text = f"{CODES[card]} is not in player {event.seat + 1}'s hand{where}. A card of the own hand is played. {_AGAIN}"
    return (Violation("CAS-3" if isinstance(event, Take) else "CAS-6", text, (hand_spot(event.seat),)),)


def _whereabouts(situation: Situation, card: int) -> str:
    """Returns the public place of a card as words; hidden cards are not searched."""
    if card in situation.board:
        return "; it lies on the board"
    for seat, won in enumerate(situation.won):
        if won >> card & 1:
            return f"; player {seat + 1} has won it"
    return ""


def _of_take(situation: Situation, take: Take) -> tuple[Violation, ...]:
    if not take.taken:
        return (Violation("CAS-5", f"A card that takes takes at least one group of cards. {_AGAIN}", _HERE),)
    mask = mask_on(situation, take.taken)
    if not mask:
        numbers = [NUMBER.get(piece, NUMBER_CARDS) for piece in take.taken]
        absent = [number for number in numbers if number < NUMBER_CARDS and number not in situation.board]
        what = f"{written(absent)} is not on the board" if absent else "A card is named twice, or is none of the deck"
        return (Violation("CAS-3", f"{what}. Only cards of the board are taken. Correct an entry.", _HERE),)
    card = NUMBER.get(take.card, NUMBER_CARDS)
    if card >= NUMBER_CARDS:
        return ()
    if take.base:
        return _of_build(situation, take, card, mask)
    if situation.captures.may_take(RANK[card], mask):
        return ()
    return _no_groups(situation, card, mask)


def _of_build(situation: Situation, take: Take, card: int, mask: int) -> tuple[Violation, ...]:
    """Returns the violations if the base does not make the named value or the other cards do not form groups of it
    (CAS-4).
    """
    base = mask_on(situation, take.base)
    if not base or base & ~mask:
        text = f"A card is laid on cards of the board, which are taken with the others. {_AGAIN}"
        return (Violation("CAS-4", text, _HERE),)
    laid_on, others = situation.taken(base), situation.taken(mask & ~base)
    value = RANK[card] + sum(RANK[one] for one in laid_on)
    made = f"{CODES[card]} on {written(laid_on)} makes {value}"
    if value > situation.captures.highest:
        text = f"{made}, and a value is a rank, at most {situation.captures.highest}. {_AGAIN}"
    elif not others:
        text = (
            f"{made}, but no further card or group of {value} is taken; a value that is built takes something. {_AGAIN}"
        )
    elif may_split([RANK[one] for one in others], value):
        return ()
    else:
        text = f"{made}. {written(others)} cannot be split into groups that add up to {value}. {_AGAIN}"
    return (Violation("CAS-4", text, _HERE),)


def _no_groups(situation: Situation, card: int, mask: int) -> tuple[Violation, ...]:
    """Returns the reasons why these cards form neither groups of the card's rank nor groups of a built value."""
    value = RANK[card]
    cards = situation.taken(mask)
    total = sum(RANK[one] for one in cards)
    left = [one for one in cards if RANK[one] > value]
    why = f"; {written(left)} is above {value}" if left else ""
    text = (
        f"{CODES[card]} takes cards of rank {value} and groups that add up to {value}. {written(cards)} cannot be split"
        f" into such groups{why}. {_AGAIN}"
    )
    found = [Violation("CAS-3", text, _HERE)]
    highest = situation.captures.highest
    if value + total <= highest:
        text = (
            f"{CODES[card]} on {written(cards)} makes {value + total}, but no further card or group of"
            f" {value + total} is taken; a value that is built must take something."
        )
    elif not situation.options.high_builds:
        text = (
            f"{CODES[card]} laid on some of these cards makes no value of at most {highest} by which the others are"
            " taken; a value is a rank."
        )
    else:
        text = f"{CODES[card]} laid on some of these cards makes no value by which the others are taken."
    found.append(Violation("CAS-4", f"{text} {_AGAIN}", _HERE))
    return tuple(found)


def _of_put(situation: Situation, put: Put) -> tuple[Violation, ...]:
    if situation.options.free_discard:
        return ()
    card = NUMBER.get(put.card, NUMBER_CARDS)
    if card >= NUMBER_CARDS or not situation.hands.may_hold(put.seat, card):
        return ()
    own = situation.captures.by[RANK[card]]
    if own:
        what = f"{CODES[card]} can take, for instance {written(situation.taken(own[0]))}"
    elif situation.takers:
        # The other players must not learn which card it is.
        what = f"Another card of player {put.seat + 1}'s hand can take something"
    else:
        return ()
    text = f"{what}. Only a player who cannot take puts a card on the board. {_AGAIN}"
    return (Violation("CAS-6", text, (BOARD_SPOT, hand_spot(put.seat))),)


def _of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due = situation.expects()
    if not isinstance(due, ToDraw):
        text = f"No card is due from the deck; player {situation.turn + 1} plays one. Play first."
        return (Violation("CAS-1", text),)
    rule = "CAS-7" if "pile" in due.source else "CAS-2" if situation.chosen is None else "CAS-1"
    if drawn.seat != due.seat:
        whose = "the dealer turns up the board" if due.shown else f"player {due.seat + 1} gets cards next"
        return (Violation(rule, f"It is not player {drawn.seat + 1} who draws: {whose}.", _where(situation, due)),)
    fault = situation.hands.fault_of_draw(drawn, due.count, open_to_all=due.shown)
    return () if fault is None else (Violation(rule, fault, _where(situation, due)),)


def _where(situation: Situation, due: ToDraw) -> tuple[Spot, ...]:
    return _HERE if due.shown else (hand_spot(due.seat),)
