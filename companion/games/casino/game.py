"""The game object of Casino, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import Proposer
from companion.core.contract import ScoreLine
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.casino import advice, observation, scoring
from companion.games.casino import moves as notation
from companion.games.casino.moves import CasinoEvent, Take
from companion.games.casino.options import Options
from companion.games.casino.position import check, read
from companion.games.casino.situation import DEAL, DEALS
from companion.games.casino.state import CasinoState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import NUMBER_CARDS

_EVENTS_PER_ROUND = 2 * NUMBER_CARDS
"""Twice the number of cards: each card is dealt at most once and played at most once."""


def _bound(state: CasinoState) -> int:
    """Returns an upper bound for the number of events until the game ends."""
    return _EVENTS_PER_ROUND * max(state.options.rounds - len(state.past), 1)


assert DEAL * DEALS + 12 == NUMBER_CARDS


def _score_breakdown(state: CasinoState, event: CasinoEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines: how the take adds up, and the points of its colors."""
    if not isinstance(event, Take):
        return ()
    found = advice.explained(state, event)
    return () if found is None else (*found.ways, *found.lines)


def _next_position(state: CasinoState) -> Mapping[str, Any] | None:
    """Returns the position that begins the game of the next round; None before this one ends or if the match is won."""
    points = scoring.totals(state)
    if not state.ended or scoring.is_won(points):
        return None
    return {"scores": list(points), "dealer": (state.dealer + 1) % state.seats}


CASINO: Game[CasinoState] = card_game(
    GameInfo("casino", "Casino", rules=2, seats=range(2, 5), seats_rule="CAS-1", Options=Options),
    Positions(CasinoState, start, read, check, bound=_bound),
    EventCodec(CasinoEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    DealtHands(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            candidates=observation.candidates,
            pending_prompt=observation.pending_prompt,
        ),
        score_breakdown=_score_breakdown,
        next_position=_next_position,
    ),
)
"""The game object of Casino."""
