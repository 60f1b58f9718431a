"""Infers events of 500 from what a camera sees: the discards, slightly spread, and the melds before the players.

Hands are private. A draw from the stock leaves no trace, so the next card that implies it also brings it.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.contract import Drawn, Over, Seat, ToDraw
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.games.five_hundred.moves import (
    CALLS,
    DISCARDS,
    DRAWS,
    STOPS,
    TAKES,
    Discard,
    DrawStock,
    FiveHundredEvent,
    LayMeld,
    LayOff,
    Stop,
    TakeDiscards,
    lay_meld,
    lay_off,
)
from companion.games.five_hundred.situation import Situation
from companion.games.five_hundred.violations import DISCARDS_SPOT, melds_spot, violations_of
from companion.games.shared.cards.deck import RANK
from companion.games.shared.cards.hands import changed_cards, come_to, drawn, hand_spot, heap, pieces, player_seen
from companion.games.shared.search.bit_sets import bits


def layout(situation: Situation) -> Layout:
    """Returns the layout of the discards, the melds before each seat, and the hands, which lie open once the hand is
    over.
    """
    heaps = {melds_spot(seat): heap(bits(cards)) for seat, cards in enumerate(situation.laid)}
    heaps[DISCARDS_SPOT] = heap(sorted(situation.discards))
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for seat, cards in enumerate(situation.hands.known):
        heaps[hand_spot(seat)] = heap(cards)
        if cards and not situation.is_ended:
            covered[hand_spot(seat)] = pieces(cards)
    return Layout(heaps=heaps, covered=covered)


def candidates(situation: Situation, seen: Layout) -> Iterator[FiveHundredEvent]:
    """Returns the legal events that may be the next step toward a seen table."""
    due = situation.expected
    if isinstance(due, Over):
        return
    if isinstance(due, ToDraw):
        found = _drawn(situation, due, seen)
        if found is not None and (due.source != "hand" or len(found.pieces) == due.count):
            yield found
        return
    events = _beginnings(situation, seen) if situation.step == "draw" else _plays(situation, seen)
    for event in events:
        if not violations_of(situation, event):
            yield event


def is_said(situation: Situation, event: FiveHundredEvent) -> bool:
    """True for a draw from the stock, and for a player who stops: a picture does not show them."""
    return isinstance(event, DrawStock | Stop)


def _beginnings(situation: Situation, seen: Layout) -> Iterator[FiveHundredEvent]:
    """Yields the events that may begin a turn: a draw from the stock, or taking discards that are gone."""
    turn = situation.turn
    gone, _ = changed_cards(situation.discards, seen, DISCARDS_SPOT)
    if gone:
        deepest = next(card for card in situation.discards if card in gone)
        yield TAKES[turn][deepest]
        for seat in situation.callers:
            if _came_to_hand(situation, seat, seen) or _come(situation, seat, seen):
                yield CALLS[seat][deepest]
    else:
        yield DRAWS[turn]
        yield STOPS[turn]


def _plays(situation: Situation, seen: Layout) -> Iterator[FiveHundredEvent]:
    """Yields the later events of a turn: melds, lay-offs and the discard."""
    seat = situation.turn
    come = _come(situation, seat, seen)
    least = situation.options.min_meld
    by_rank: dict[int, list[int]] = {}
    for card in sorted(come):
        by_rank.setdefault(RANK[card], []).append(card)
    for cards in (sorted(come), *by_rank.values()):
        if len(cards) >= least:
            yield lay_meld(seat, tuple(cards))
    for card in come_to(bits(situation.laid[seat]), seen, melds_spot(seat)):
        for number, fits in enumerate(situation.table.fits):
            if fits >> card & 1:
                yield lay_off(seat, card, number)
    for card in come_to(situation.discards, seen, DISCARDS_SPOT):
        yield DISCARDS[seat][card]


def _came_to_hand(situation: Situation, seat: Seat, seen: Layout) -> bool:
    """True if an open hand has more cards than before."""
    return bool(changed_cards(situation.hands.known[seat], seen, hand_spot(seat))[1])


def _come(situation: Situation, seat: Seat, seen: Layout) -> set[int]:
    """Returns the cards that have come before a seat."""
    return changed_cards(bits(situation.laid[seat]), seen, melds_spot(seat))[1]


def infer_event(
    situation: Situation, seen: Layout
) -> LayMeld | LayOff | Discard | TakeDiscards | DrawStock | Drawn | None:
    """Returns the event that best explains the change from the position to `seen`, by the best candidates; None without
    one.

    Discards that are gone were taken, a new one was discarded, and cards that have come before a player are a meld, or
    if it is one card, laid off where it fits. Where a draw is due, new cards are that draw.
    """
    due = situation.expected
    if isinstance(due, ToDraw):
        return _drawn(situation, due, seen)
    if isinstance(due, Over):
        return None
    gone, come = changed_cards(situation.discards, seen, DISCARDS_SPOT)
    seat = situation.turn
    if gone:
        deepest = next(card for card in situation.discards if card in gone)
        others = [other for other in range(situation.seats) if _came_to_hand(situation, other, seen)]
        return TAKES[others[0] if others else seat][deepest]
    laid = {other: cards for other in range(situation.seats) if (cards := _come(situation, other, seen))}
    if situation.step == "draw" and (come or laid) and not violations_of(situation, DRAWS[seat]):
        return DRAWS[seat]
    for other, cards in laid.items():
        if len(cards) == 1:
            card = min(cards)
            fits = [number for number, some in enumerate(situation.table.fits) if some >> card & 1]
            return lay_off(other, card, fits[0]) if fits else None
        return lay_meld(other, tuple(sorted(cards)))
    return DISCARDS[player_seen(situation.hands, seat, seen)][come.pop()] if len(come) == 1 else None


def _drawn(situation: Situation, due: ToDraw, seen: Layout) -> Drawn | None:
    spot = DISCARDS_SPOT if due.source == "first discard" else hand_spot(due.seat)
    held = () if due.source == "first discard" else situation.hands.known[due.seat]
    _, come = changed_cards(held, seen, spot)
    return drawn(due, come)
