"""The effects of specials beyond another turn (UMO-9 to UMO-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.games.shared.cards.deck import NUMBER
from companion.games.shared.cards.hands import changed
from companion.games.spectrumo.moves import DECK_SWAP, DRAW_CARDS, PASS_LEFT, PASS_RIGHT, REVERSE_DRAW, SWAP_CARDS, Give
from companion.games.spectrumo.situation import UNKNOWN, Situation, Swapping

_S = TypeVar("_S", bound=Situation)


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The cards without one of them."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def of_special(after: _S, card: int) -> _S:
    """The position after one of the six specials that go on anything was played; it is the table card already."""
    found: _S = _EFFECTS[card](after)
    return found


def _trading(state: _S) -> _S:
    """Cards are chosen for a trade (UMO-9)."""
    return replace(state, swapping=Swapping())


def _owing_next(state: _S) -> _S:
    """The next player draws half the rank of the last number card, rounded down (UMO-10)."""
    seat = state.neighbor(state.turn, state.way)
    count = min(state.rank // 2, state.available)
    return replace(state, owed=changed(state.owed, seat, count)) if count else state


def _decks_swapped(state: _S) -> _S:
    """Draw deck and discard deck change roles, both flipped; the Deck Swap card stays the table card (UMO-11).

    Everybody could work out the order of the new draw deck, but a table that shuffles it is not wrong, so its cards
    count as unknown from now on.
    """
    below = state.discard[:-1]
    return replace(state, draw=len(below) + state.buried, buried=state.draw, discard=state.discard[-1:])


def _passed_on(state: _S, way: int) -> _S:
    """All hands move one seat; a player who got fewer cards than given away draws up to the old number (UMO-12)."""
    hands, hidden, owed = list(state.hands), list(state.hidden), list(state.owed)
    left = state.available
    for seat in state.around(state.turn):
        source = state.neighbor(seat, -way)
        hands[seat], hidden[seat] = state.hands[source], state.hidden[source]
        owed[seat] = min(max(state.count(seat) - state.count(source), 0), left)
        left -= owed[seat]
    return replace(state, hands=tuple(hands), hidden=tuple(hidden), owed=tuple(owed))


_EFFECTS: Mapping[int, Callable[..., Any]] = {
    SWAP_CARDS: _trading,
    DRAW_CARDS: _owing_next,
    REVERSE_DRAW: lambda state: _owing_next(replace(state, way=-state.way)),
    DECK_SWAP: _decks_swapped,
    PASS_RIGHT: lambda state: _passed_on(state, -1),
    PASS_LEFT: lambda state: _passed_on(state, 1),
}
"""By number of the special."""


def laid_aside(state: _S, give: Give) -> _S:
    """One more card for a trade (UMO-9)."""
    swapping = state.swapping
    assert swapping is not None
    if give.card is None:
        hidden = changed(state.hidden, give.seat, state.hidden[give.seat] - 1)
        return replace(state, hidden=hidden, swapping=replace(swapping, to=give.to, unknown=swapping.unknown + 1))
    card = NUMBER[give.card]
    hands = changed(state.hands, give.seat, without(state.hands[give.seat], card))
    given = tuple(sorted((*swapping.given, card)))
    return replace(state, hands=hands, swapping=replace(swapping, to=give.to, given=given))


def drawn_blind(state: _S, cards: Sequence[int]) -> _S:
    """Cards of the other hand come over; after the last one the cards laid aside go there (UMO-9).

    If a card is not shown to the referee although it knew that hand, it does not know the rest of it any more either.
    """
    swapping = state.swapping
    assert swapping is not None and swapping.to is not None
    me, other = state.turn, swapping.to
    mine, my_hidden = list(state.hands[me]), state.hidden[me]
    theirs, their_hidden = list(state.hands[other]), state.hidden[other]
    for card in cards:
        if card in theirs:
            theirs.remove(card)
            mine.append(card)
            continue
        if card == UNKNOWN:
            theirs, their_hidden = [], their_hidden + len(theirs)
            my_hidden += 1
        else:
            mine.append(card)
        their_hidden -= 1
    due = swapping.due - len(cards)
    if not due:
        theirs += swapping.given
        their_hidden += swapping.unknown
    hands = changed(changed(state.hands, me, tuple(sorted(mine))), other, tuple(sorted(theirs)))
    hidden = changed(changed(state.hidden, me, my_hidden), other, their_hidden)
    return replace(state, hands=hands, hidden=hidden, swapping=replace(swapping, due=due) if due else None)
