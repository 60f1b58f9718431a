"""Cards as layouts hold them, one sure detection each, and the change among seen cards."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS, PIECES
from companion.games.shared.cards.hands import Hands, hand_spot

SURE: tuple[Detection, ...] = tuple(Detection.sure(piece) for piece in PIECES)
"""By number."""
NOTHING = Detection.sure(None)
"""An empty cell."""


def heap(cards: Iterable[int]) -> tuple[Detection, ...]:
    """Known cards as a heap."""
    return tuple([SURE[number] for number in cards])


def pieces(cards: Iterable[int]) -> tuple[Piece, ...]:
    """Known cards as pieces, for the covered part of a heap."""
    return tuple([PIECES[number] for number in cards])


def numbers_seen(seen: Layout, spot: Spot) -> set[int] | None:
    """The number cards seen in a heap; None if it was not looked at."""
    there = seen.heaps.get(spot)
    if there is None:
        return None
    return {number for one in there if (number := NUMBER.get(one.piece, NUMBER_CARDS)) < NUMBER_CARDS}


def changed_cards(cards: Iterable[int], seen: Layout, spot: Spot) -> tuple[set[int], set[int]]:
    """The cards that left a heap, and those that came to it; none if it was not looked at."""
    there, held = numbers_seen(seen, spot), set(cards)
    return (set(), set()) if there is None else (held - there, there - held)


def known_hands(hands: Hands) -> dict[Spot, tuple[Detection, ...]]:
    """The hands that are known throughout, for a camera that sees them laid open."""
    return {hand_spot(seat): heap(cards) for seat, cards in enumerate(hands.known) if not hands.hidden[seat]}


def drawn(due: ToDraw, come: Iterable[int]) -> Drawn | None:
    """The draw that is due, of cards that have come; None if none has."""
    cards = pieces(sorted(come))
    return Drawn(due.seat, cards) if cards else None
