"""Cards that came to a pile and were covered before a picture was taken.

A camera sees only the top card of a pile. So a card that seems to break a rule may be legal: somebody may have played
another card before it that no picture shows. How likely that is depends on how often a hand was over the pile.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from companion.core.contract import Event, ToMove
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.pieces import Card, Special
from companion.core.verdict import Accepted, Refused
from companion.referee.matching.foresight import after, after_all
from companion.referee.matching.hypotheses import CONTINUED, SECOND_MOVE

ONE_VISIT = 4.0
"""Nats (55 to 1) against two players having laid a card in what looks like one visit of a hand. Chosen."""


MOST_MOVES = 500
"""The number of moves up to which covered moves are searched; games with piles have fewer."""
WITHDRAWN = 3.0
"""Nats (20 to 1) against "nothing has happened" where a card lay that is gone again: a player may have taken it back.
Chosen."""


def withdrawn(seen: Layout) -> float:
    """Returns the nats against "nothing has happened" since the record's last row, before the picture itself is
    weighed.
    """
    gone = any(
        one.piece not in {other.piece for other in seen.heaps.get(spot, ())}
        for spot, heap in seen.unexplained.items()
        for one in heap
    )
    return WITHDRAWN if gone else 0.0


def unseen_play(game: Game[Any], state: Any, refused: Refused, layout: Layout) -> float | None:
    """Returns the nats against a card that was laid and covered and that makes an accusation wrong; None if there is no
    such card.

    Args:
        state: The position of the record.
        layout: The reading, with how often something was over each zone since its cards were last known.
    """
    if game.proposer is None:
        return None
    try:
        before = after_all(state, refused.before)
    except MoveError:
        return None
    spots = [spot for spot in before.layout().heaps if _is_new_top(before.layout(), layout, spot)]
    if not spots or not isinstance(before.expects(), ToMove):
        return None
    if not any(_may_follow(game, before, move, spots, layout) for move in islice(before.legal_moves(), MOST_MOVES)):
        return None
    visits = max(layout.visits.get(spot, 0) for spot in spots)
    return CONTINUED if visits > 1 else SECOND_MOVE + (ONE_VISIT if visits else 0.0)


def fits_all(state: Any, accepted: Accepted, seen: Layout) -> bool:
    """Returns true if a reading shows exactly what legal events leave, and no pile may hold a card that no picture
    shows.

    Args:
        state: The position before the events.
    """
    before, then = state.layout(), after_all(state, accepted.events).layout()
    if then.differences(seen):
        return False
    for spot, heap in then.heaps.items():
        top = before.heaps[spot][-1].piece if before.heaps.get(spot) else None
        covered = isinstance(top, Card | Special) and top in then.covered.get(spot, ())
        if covered and heap[-1].piece != top:
            return False
    return True


def _is_new_top(table: Layout, seen: Layout, spot: Spot) -> bool:
    """Returns true if one card is seen where the position has another one that a card may cover."""
    there, expected = seen.heaps.get(spot, ()), table.heaps[spot]
    if len(there) != 1 or not expected or not isinstance(there[0].piece, Card | Special):
        return False
    return there[0].piece != expected[-1].piece


def _may_follow(game: Game[Any], state: Any, unseen: Event, spots: list[Spot], layout: Layout) -> bool:
    """Returns true if the picture is legal after a move that changes one of the piles and that no picture shows."""
    try:
        then = after(state, unseen, True)
    except MoveError:
        return False
    tables = state.layout(), then.layout()
    if all(tables[0].heaps.get(spot) == tables[1].heaps.get(spot) for spot in spots):
        return False
    assert game.proposer is not None
    event = game.proposer.infer_event(then, layout)
    return event is not None and not then.violations(event)
