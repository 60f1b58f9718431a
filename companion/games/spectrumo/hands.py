"""The beginning and the end of a hand: the deal, the table card, and the count (UMO-1, UMO-16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.games.shared.cards.deck import CARDS_IN_ALL, COLOR, NUMBER_CARDS, RANK
from companion.games.shared.cards.hands import changed
from companion.games.spectrumo import scoring
from companion.games.spectrumo.fitting import ANYTHING
from companion.games.spectrumo.scoring import FinishedHand
from companion.games.spectrumo.situation import HAND, ONE, UNKNOWN, Situation

_S = TypeVar("_S", bound=Situation)


def dealt(state: _S, seat: Seat, cards: Sequence[int]) -> _S:
    """Returns the position after cards are dealt to a hand; after the last one the rest is split in two decks
    (UMO-1).
    """
    known = [card for card in cards if card != UNKNOWN]
    pool = state.pool
    for card in known:
        pool -= ONE[card]
    after = replace(
        state,
        hands=changed(state.hands, seat, tuple(sorted((*state.hands[seat], *known)))),
        hidden=changed(state.hidden, seat, state.hidden[seat] + len(cards) - len(known)),
        draw=state.draw - len(cards),
    )
    rest = after.draw
    if rest == CARDS_IN_ALL - HAND * after.dropped.count(0):
        after = replace(after, stage="turn-up", draw=rest - rest // 2, buried=rest // 2)
    after.__dict__["pool"] = pool
    after.__dict__["ending"] = None
    return after


def turned_up(state: _S, card: int) -> _S:
    """Returns the position after the first table card; a special goes under the discard deck and another is turned up
    (UMO-1).
    """
    after = replace(state, draw=state.draw - 1, discard=(*state.discard, card))
    if card < NUMBER_CARDS:
        after = replace(after, stage="play", turn=state.first, color=COLOR[card], rank=RANK[card])
    after.__dict__["pool"] = state.pool - ONE[card]
    return after


def counted(state: _S) -> _S:
    """Returns the position after the hand is scored; the next hand begins unless the game is over (UMO-16)."""
    seats = state.seats
    winner = next((seat for seat in state.around(0) if not state.hands[seat]), None)
    over = (*state.over, FinishedHand(winner, state.hands))
    totals = [score.total for score in scoring.scores(over, state.brought, seats)]
    dropped = state.dropped
    if state.options.elimination:
        dropped = tuple(
            hand or (len(over) if total > state.options.limit else 0)
            for hand, total in zip(dropped, totals, strict=True)
        )
    first = next((seat for seat in state.around((state.first + 1) % seats) if not dropped[seat]), state.first)
    return replace(state, **before_a_deal(seats, first), dropped=dropped, over=over)


def before_a_deal(seats: int, first: Seat) -> dict[str, Any]:
    """Returns the fields of a position before a deal, whatever came before it (UMO-1)."""
    return {
        "stage": "deal",
        "hands": ((),) * seats,
        "hidden": (0,) * seats,
        "draw": CARDS_IN_ALL,
        "discard": (),
        "buried": 0,
        "first": first,
        "turn": first,
        "way": 1,
        "color": ANYTHING,
        "rank": 0,
        "specials": 0,
        "drawn": None,
        "owed": (0,) * seats,
        "seeking": False,
        "swapping": None,
        "passes": 0,
    }
