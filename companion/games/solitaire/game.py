"""Solitaire as the command line, the page and the journal meet it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.capabilities import ChanceEvents, HiddenInformation, Proposer
from companion.contract import ScoreLine
from companion.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games import deck_events
from companion.games.deck import NUMBER_CARDS
from companion.games.solitaire import hidden, notation, position, sighted
from companion.games.solitaire.deal import SolitaireDeal
from companion.games.solitaire.moves import Concede, Home, SolitaireEvent
from companion.games.solitaire.options import Options as SolitaireOptions
from companion.games.solitaire.state import SolitaireState


def _begin(seats: int, options: SolitaireOptions) -> SolitaireState:
    """The first position: right after the deal, before the twelve top cards are turned up (SOL-1)."""
    return position.start(options)


def _words_of(state: SolitaireState, event: SolitaireEvent) -> dict[str, Any] | None:
    """The event as a recording would name it: its own fields."""
    return {"player": 0, **msgspec.to_builtins(event)}


def _score_breakdown(state: SolitaireState, event: SolitaireEvent) -> tuple[ScoreLine, ...]:
    """What an event that comes now counts, line by line: the whole score when it ends the game (SOL-10, SOL-11)."""
    if isinstance(event, Concede):
        return state.lines
    last = isinstance(event, Home) and sum(state.foundations) == NUMBER_CARDS - 1
    return state.apply(event).lines if last and not state.explain(event) else ()


SOLITAIRE: Game[SolitaireState] = Game.of(
    GameInfo("solitaire", "Solitaire", rules=1, seats=range(1, 2), seats_rule="SOL-1", Options=SolitaireOptions),
    Positions(SolitaireState, _begin, position.read, position.check),
    EventCodec(
        SolitaireEvent, notation.text_of, lambda state, text: notation.read(text), _words_of, plain=deck_events.plain
    ),
    Capabilities(
        dealer=SolitaireDeal.of,
        proposer=Proposer(suggest=sighted.suggest),
        chance=ChanceEvents(outcomes=hidden.outcomes, sample=hidden.sample),
        hidden=HiddenInformation(unseen=hidden.unseen),
        score_breakdown=_score_breakdown,
    ),
)
"""The one game object."""
