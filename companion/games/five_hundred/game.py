"""500 as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import Proposer
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.five_hundred import advice, notation, sighted
from companion.games.five_hundred.hidden import FiveHundredCards
from companion.games.five_hundred.moves import MOST_PLAYERS, FiveHundredEvent
from companion.games.five_hundred.options import Options as FiveHundredOptions
from companion.games.five_hundred.position import check, read
from companion.games.five_hundred.state import FiveHundredState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game


def _next_position(state: FiveHundredState) -> Mapping[str, Any] | None:
    """The position with which a game of the next hand begins; None while this goes on or the match is won."""
    totals = [score.total for score in state.scores()]
    if not state.is_counted or max(totals) >= state.options.target:
        return None
    return {"scores": totals, "dealer": (state.dealer + 1) % state.seats}


FIVE_HUNDRED: Game[FiveHundredState] = card_game(
    GameInfo(
        "five-hundred", "500", rules=1, seats=range(2, MOST_PLAYERS + 1), seats_rule="500-1", Options=FiveHundredOptions
    ),
    Positions(FiveHundredState, start, read, check),
    EventCodec(FiveHundredEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    FiveHundredCards(),
    Capabilities(
        proposer=Proposer(suggest=sighted.suggest), score_breakdown=advice.score_breakdown, next_position=_next_position
    ),
)
"""The one game object."""
