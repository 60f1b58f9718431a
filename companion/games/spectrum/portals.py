"""Portals and missions: the players who may activate or declare them, and their effects.

Portals are VAR-22 to VAR-28, missions VAR-20 and VAR-21. Both are played from secret hands (`secrets`).
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.pieces import Card
from companion.games.shared.cards.deck import NUMBER, PIECES
from companion.games.spectrum import secrets
from companion.games.spectrum.board import STARTS
from companion.games.spectrum.moves import Activate, PlacePawn, Send
from companion.games.spectrum.situation import (
    COLOR_OF_LETTER,
    EMPTY,
    HIDDEN,
    Activation,
    Extras,
    Held,
    PortalHand,
    Situation,
)
from companion.games.spectrum.turns import go_on, over, put_back, with_pawn

S = TypeVar("S", bound=Situation)
DRAWN_FOR_ONE = 2
"""The number of cards that the owner of an activated portal draws (VAR-24)."""
LEAST = 2
"""A portal deck with fewer cards than this is exhausted (VAR-27)."""
ENOUGH = 5
"""The number of fulfilled missions that wins (VAR-20)."""


def waiting(situation: Situation) -> tuple[Seat, ...]:
    """Returns the seats that may still activate portals now, in their order (VAR-23)."""
    return situation.clockwise()[situation.extras.asked :]


def activations(situation: Situation) -> list[Activate]:
    """Returns every portal that may be activated now, as far as hands are known (VAR-23)."""
    found = []
    occupied = situation.occupied
    for seat in waiting(situation):
        hand = situation.extras.portals[seat]
        cards = {*hand.first, *hand.later}
        if HIDDEN in cards:
            cards |= {number for number in secrets.unknown(situation) if secrets.may_hold(situation, hand, number)}
        for number in sorted(cards - {HIDDEN}):
            if occupied >> secrets.space_on_card(number) & 1:
                found.append(Activate(seat, card_of(number)))
    return found


def card_of(number: int) -> Card:
    """Returns a secret card as a piece of an event."""
    piece = PIECES[number]
    assert isinstance(piece, Card)
    return piece


def activated(state: S, activate: Activate) -> S:
    """Returns the position after the portal is shown, and its owner draws (VAR-24)."""
    extras, seat = state.extras, activate.seat
    number = NUMBER[activate.card]
    assert state.phase == "start" or state.phase == "end"
    activation = Activation(seat, secrets.space_on_card(number), state.phase)
    portals = _with_hand(extras, seat, secrets.without(extras.portals[seat], number))
    asked = state.clockwise().index(seat)
    spent = (*extras.spent, number)
    return replace(
        state, phase="drawing", extras=replace(extras, portals=portals, spent=spent, activation=activation, asked=asked)
    )


def _with_hand(extras: Extras, seat: Seat, hand: PortalHand) -> tuple[PortalHand, ...]:
    return (*extras.portals[:seat], hand, *extras.portals[seat + 1 :])


def offered(state: S, cards: tuple[int, ...]) -> S:
    """Returns the position after cards are drawn for an activated portal (VAR-24)."""
    extras, activation = state.extras, state.extras.activation
    assert activation is not None
    offer = secrets.in_order((*activation.offer, *cards))
    extras = replace(extras, activation=replace(activation, offer=offer), deck=extras.deck - len(cards))
    return replace(state, phase="send" if len(offer) == DRAWN_FOR_ONE else "drawing", extras=extras)


def destinations(situation: Situation) -> list[Send]:
    """Returns every destination that the activated portal may have, as far as the drawn cards are known (VAR-24)."""
    activation = situation.extras.activation
    assert activation is not None
    cards = set(activation.offer)
    if HIDDEN in cards:
        cards |= secrets.unknown(situation)
    return [Send(activation.seat, card_of(number)) for number in sorted(cards - {HIDDEN})]


def sent(state: S, send: Send) -> S:
    """Returns the position after the pawn arrives, or resists; the other card is kept as a portal (VAR-24, VAR-25)."""
    extras, activation = state.extras, state.extras.activation
    assert activation is not None
    number, seat = NUMBER[send.card], send.seat
    kept = list(activation.offer)
    kept.remove(number if number in kept else HIDDEN)
    hand = extras.portals[seat]
    hand = replace(hand, later=secrets.in_order((*hand.later, *kept)))
    extras = replace(
        extras,
        portals=_with_hand(extras, seat, hand),
        spent=(*extras.spent, number),
        activation=replace(activation, offer=()),
    )
    there = secrets.space_on_card(number)
    moved, met = state.board[activation.space], state.board[there]
    owner = state.owner
    if met != EMPTY and owner[COLOR_OF_LETTER[met]] == owner[COLOR_OF_LETTER[moved]]:
        return _carried_out(replace(state, still=0, extras=extras))
    board = with_pawn(with_pawn(state.board, activation.space, EMPTY), there, moved)
    after = replace(state, board=board, still=0, extras=extras)
    if met != EMPTY and after.occupied & STARTS != STARTS:
        return replace(after, phase="place", held=Held(COLOR_OF_LETTER[met], seat))
    return _carried_out(after)


def placed(state: S, place: PlacePawn) -> S:
    """Returns the position after a pawn that a portal captured is put on a start (VAR-25)."""
    assert state.held is not None
    board, _ = put_back(state, state.held, place)
    return _carried_out(replace(state, board=board, held=None))


def _carried_out(state: S) -> S:
    """Returns the position after the activation is over, and the game too if that exhausted the deck (VAR-27)."""
    extras, activation = state.extras, state.extras.activation
    assert activation is not None
    after = replace(state, phase=activation.back, held=None, extras=replace(extras, activation=None))
    return over(after, "exhausted") if extras.deck < LEAST else after


def first_color(state: S, cards: tuple[int, ...]) -> S:
    """Returns the position after the first captured color has brought a portal, and the turn goes on (VAR-26,
    VAR-27).
    """
    extras, turn = state.extras, state.turn
    hand = extras.portals[turn]
    hand = replace(hand, later=secrets.in_order((*hand.later, *cards)))
    extras = replace(extras, portals=_with_hand(extras, turn, hand), deck=extras.deck - len(cards))
    if extras.deck < LEAST:
        return over(replace(state, extras=extras), "exhausted")
    return go_on(state, state.board, state.masks, state.used, state.left, state.walked, extras)


def may_fulfil(situation: Situation) -> bool:
    """True if the seat to move may declare: all six missions are known, and they win or are still secret (VAR-20)."""
    extras, turn = situation.extras, situation.turn
    if HIDDEN in extras.missions[turn]:
        return False
    return not extras.revealed[turn] or secrets.fulfilled(situation, turn) >= ENOUGH


def declared_missions(state: S) -> S:
    """Returns the position after the missions are shown: they win, or play goes on with open cards (VAR-20, VAR-21)."""
    extras, turn = state.extras, state.turn
    revealed = tuple(shown or seat == turn for seat, shown in enumerate(extras.revealed))
    after = replace(state, extras=replace(extras, revealed=revealed))
    return over(after, "mission") if secrets.fulfilled(state, turn) >= ENOUGH else after
