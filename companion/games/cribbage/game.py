"""Cribbage as the command line, the page and the journal meet it."""

from __future__ import annotations

from typing import Any

from companion.game import Game
from companion.games import deck_events
from companion.games.cribbage import notation
from companion.games.cribbage.moves import Count, CribbageEvent, Go, LayAway, Play
from companion.games.cribbage.options import Options as CribbageOptions
from companion.games.cribbage.position import check, read
from companion.games.cribbage.state import CribbageState, start

_EVENTS_PER_HAND = 120
"""Four players: 40 cards dealt and a starter, 4 lots laid away, 32 plays and as many Goes, 5 counts."""
_CUTS = 500
"""Cuts for the deal may tie again and again; after a hundred ties of four players nobody would believe it."""


def _words_of(state: CribbageState, event: CribbageEvent) -> dict[str, Any] | None:
    """The event in the words of a recording; None for cards that are dealt.

    :param state: the position before the event.
    """
    match event:
        case LayAway():
            cards = [deck_events.code_of(card) for card in event.cards]
            return {"player": event.seat, "type": "lay-away", "cards": cards}
        case Play():
            return {"player": event.seat, "type": "play", "card": deck_events.code_of(event.card)}
        case Go():
            return {"player": event.seat, "type": "go"}
        case Count():
            return {"player": event.seat, "type": "count", "of": event.of, "points": event.points}
    return None


def _bound(state: CribbageState) -> int:
    """No game from here is longer than this many events: the last card of every hand pegs at least one point."""
    return _CUTS + _EVENTS_PER_HAND * (2 * state.options.target + 1)


CRIBBAGE = Game(
    name="cribbage",
    title="Cribbage",
    rules=2,
    seats=range(2, 5, 2),
    seats_rule="CRB-2, CRB-11",
    Options=CribbageOptions,
    state_type=CribbageState,
    event_type=CribbageEvent,
    begin=start,
    read=read,
    check=check,
    text=notation.text,
    parse=notation.parse,
    words=_words_of,
    plain=deck_events.plain,
    bound=_bound,
)
"""The one game object."""
