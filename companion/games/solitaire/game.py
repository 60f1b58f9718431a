"""Solitaire as the command line, the page and the journal meet it."""

from __future__ import annotations

from companion.core.capabilities import HiddenInformation, Proposer
from companion.core.contract import ScoreLine
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import drawn_from
from companion.games.solitaire import hidden, notation, position, scoring, sighted
from companion.games.solitaire.moves import SolitaireEvent
from companion.games.solitaire.options import Options as SolitaireOptions
from companion.games.solitaire.state import SolitaireState


def _score_breakdown(state: SolitaireState, event: SolitaireEvent) -> tuple[ScoreLine, ...]:
    """The points of the next event, line by line: the whole score when it ends the game (SOL-10, SOL-11)."""
    after = state if state.explain(event) else state.apply(event)
    return scoring.lines(after) if after.is_over and not state.is_over else ()


SOLITAIRE: Game[SolitaireState] = Game.of(
    GameInfo("solitaire", "Solitaire", rules=1, seats=range(1, 2), seats_rule="SOL-1", Options=SolitaireOptions),
    Positions(SolitaireState, position.start, position.read, position.check),
    EventCodec(SolitaireEvent, notation.text_of, notation.parse, plain=deck_events.plain),
    Capabilities(
        dealer=hidden.SolitaireDeal.of,
        proposer=Proposer(suggest=sighted.suggest),
        chance=drawn_from(lambda state: state.unknown),
        hidden=HiddenInformation(unseen=hidden.unseen),
        score_breakdown=_score_breakdown,
    ),
)
"""The one game object."""
