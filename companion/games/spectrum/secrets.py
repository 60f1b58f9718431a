"""The 60 secret cards: the seats that know them, and their possible values for the others (VAR-19, VAR-22).

Players hold missions and portals in their hands. The referee knows the cards that their owner has entered; the others
are `HIDDEN`. Cards that were shown lie face up and are public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import COLOR, PIECES, RANK, card
from companion.games.spectrum.board import COLORS, space_of
from companion.games.spectrum.situation import HIDDEN, Activation, PortalHand, Situation

S = TypeVar("S", bound=Situation)
RANKS = (3, 4, 5, 6, 7)
"""The ranks of the secret cards; spaces 1, 2, 8 and 9 have none (VAR-19, VAR-28)."""
SECRET = tuple(card(color, rank) for color in range(COLORS) for rank in RANKS)
"""The 60 cards as numbers of the deck."""
PRIMARY = frozenset(number for number in SECRET if COLOR[number] % 2 == 0)
SECONDARY = frozenset(SECRET) - PRIMARY
EACH = 3
"""The number of missions of either pile, and of portals at the start, for each player (VAR-19, VAR-22)."""
MOST_PORTALS = 4
"""The largest number of portals of a player (VAR-26)."""


def space_on_card(number: int) -> int:
    """Returns the space of the board that a card names."""
    return space_of(COLOR[number], RANK[number] - 1)


def face_up(situation: Situation) -> tuple[int, ...]:
    """Returns the cards that lie open: used portals and destinations, and missions that were revealed."""
    extras = situation.extras
    shown = [cards for cards, is_shown in zip(extras.missions, extras.revealed, strict=True) if is_shown]
    return (*extras.spent, *(number for cards in shown for number in cards if number != HIDDEN))


def _held(situation: Situation) -> Iterable[int]:
    extras = situation.extras
    for cards in extras.missions:
        yield from cards
    for hand in extras.portals:
        yield from hand.first
        yield from hand.later
    if extras.activation is not None:
        yield from extras.activation.offer


def unknown(situation: Situation) -> frozenset[int]:
    """Returns the unseen cards: in a deck, out of play, or hidden in a hand."""
    return frozenset(SECRET) - set(situation.extras.spent) - set(_held(situation))


def may_hold(situation: Situation, hand: PortalHand, number: int) -> bool:
    """True if a portal is in a hand, as far as is known."""
    if number in hand.first or number in hand.later:
        return True
    possible = HIDDEN in hand.later or (HIDDEN in hand.first and number in PRIMARY)
    return possible and number in unknown(situation)


def without(hand: PortalHand, number: int) -> PortalHand:
    """Returns a hand that has given a portal away; an unknown primary is taken for one of the start."""
    if number in hand.first:
        return replace(hand, first=_less(hand.first, number))
    if number in hand.later:
        return replace(hand, later=_less(hand.later, number))
    if number in PRIMARY and HIDDEN in hand.first:
        return replace(hand, first=_less(hand.first, HIDDEN))
    return replace(hand, later=_less(hand.later, HIDDEN))


def _less(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    place = cards.index(number)
    return cards[:place] + cards[place + 1 :]


def in_order(cards: Iterable[int]) -> tuple[int, ...]:
    """Returns cards of a hand in the order that states keep."""
    return tuple(sorted(cards))


def fulfilled(situation: Situation, seat: Seat) -> int:
    """Returns the number of a seat's known missions that it fulfils (VAR-20)."""
    pawns = situation.masks[seat]
    return sum(pawns >> space_on_card(number) & 1 for number in situation.extras.missions[seat] if number != HIDDEN)


def unseen(situation: Situation) -> dict[Piece, int]:
    """Returns the cards that do not lie open: decks, hands, and those out of play."""
    found: Counter[Piece] = Counter(PIECES[number] for number in situation.extras.pile)
    if situation.options.secret_cards:
        found.update(PIECES[number] for number in set(SECRET) - set(face_up(situation)))
    return dict(found)


def view(situation: S, seat: Seat | None) -> S:
    """Returns the position as a seat, or the public, may know it."""
    extras = situation.extras
    if not situation.options.secret_cards:
        return situation
    missions = tuple(
        cards if owner == seat or shown else (HIDDEN,) * len(cards)
        for owner, (cards, shown) in enumerate(zip(extras.missions, extras.revealed, strict=True))
    )
    portals = tuple(
        hand if owner == seat else PortalHand((HIDDEN,) * len(hand.first), (HIDDEN,) * len(hand.later))
        for owner, hand in enumerate(extras.portals)
    )
    activation = extras.activation
    if activation is not None and activation.seat != seat:
        activation = replace(activation, offer=(HIDDEN,) * len(activation.offer))
    return replace(situation, extras=replace(extras, missions=missions, portals=portals, activation=activation))


def determinize(situation: S, rng: Random) -> S:
    """Returns the position with every hidden card filled in, consistently with the known cards."""
    extras = situation.extras
    if HIDDEN not in _held(situation):
        return situation
    left = sorted(unknown(situation))
    rng.shuffle(left)

    def filled(cards: tuple[int, ...], of: frozenset[int]) -> tuple[int, ...]:
        found = []
        for number in cards:
            if number == HIDDEN:
                number = next(other for other in left if other in of)
                left.remove(number)
            found.append(number)
        return tuple(found)

    missions = tuple(
        in_order(filled(cards[:EACH], PRIMARY)) + in_order(filled(cards[EACH:], SECONDARY)) for cards in extras.missions
    )
    first = [in_order(filled(hand.first, PRIMARY)) for hand in extras.portals]
    every = PRIMARY | SECONDARY
    later = [in_order(filled(hand.later, every)) for hand in extras.portals]
    portals = tuple(PortalHand(one, other) for one, other in zip(first, later, strict=True))
    activation: Activation | None = extras.activation
    if activation is not None:
        activation = replace(activation, offer=in_order(filled(activation.offer, every)))
    return replace(situation, extras=replace(extras, missions=missions, portals=portals, activation=activation))
