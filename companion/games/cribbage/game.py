"""Cribbage as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import WHOLE, Heuristics, Horizon, Proposer
from companion.core.contract import ScoreLine
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.cribbage import notation, observation, prospects
from companion.games.cribbage.counting import combinations
from companion.games.cribbage.hidden import CribbageCards
from companion.games.cribbage.moves import Count, CribbageEvent
from companion.games.cribbage.options import Options as CribbageOptions
from companion.games.cribbage.position import check, read
from companion.games.cribbage.state import CribbageState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game

_EVENTS_PER_HAND = 120
"""Four players: 40 cards dealt and a starter, 4 lots laid away, 32 plays and as many Goes, 5 counts."""
_CUTS = 500
"""Cuts for the deal may tie. A hundred ties of four players in a row are not plausible."""


def _bound(state: CribbageState) -> int:
    """No game from here is longer than this many events: the last card of every hand pegs at least one point."""
    return _CUTS + _EVENTS_PER_HAND * (2 * state.options.target + 1)


def _score_breakdown(state: CribbageState, event: CribbageEvent) -> tuple[ScoreLine, ...]:
    """The points of the next event, line by line: every combination of a rightly counted hand (CRB-7)."""
    if not isinstance(event, Count) or not state.is_played or (event.seat, event.of) != state.counting:
        return ()
    cards = state.crib if event.of == "crib" else state.played[event.seat]
    if state.starter is None or event.points != sum(state.worth):
        return ()
    return combinations(cards, state.starter, crib=event.of == "crib")


def _next_position(state: CribbageState) -> Mapping[str, Any] | None:
    """The position with which another game begins: a loser deals (CRB-1); None while this one goes on."""
    if not state.is_over:
        return None
    lost = state.totals.index(min(state.totals))
    last = state.dealer if state.dealer is not None else state.seats - 1
    order = [(last + step) % state.seats for step in range(1, state.seats + 1)]
    return {"dealer": next(seat for seat in order if state.side(seat) == lost)}


CRIBBAGE: Game[CribbageState] = card_game(
    GameInfo(
        "cribbage", "Cribbage", rules=2, seats=range(2, 5, 2), seats_rule="CRB-2, CRB-11", Options=CribbageOptions
    ),
    Positions(CribbageState, start, read, check, bound=_bound),
    EventCodec(CribbageEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    CribbageCards(),
    Capabilities(
        proposer=Proposer(infer_event=observation.infer_event),
        score_breakdown=_score_breakdown,
        next_position=_next_position,
        heuristics=Heuristics(prospects=prospects.prospects, horizon=Horizon(WHOLE, hand=lambda state: state.dealer)),
    ),
)
"""The one game object."""
