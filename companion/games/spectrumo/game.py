"""Spectrumo as the command line, the page and the journal meet it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, Heuristics, Horizon, Penalties, Proposer
from companion.core.contract import Breach, Cost
from companion.core.foundation.errors import BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.spectrumo import breaches, hidden, notation, position, prospects, sighted
from companion.games.spectrumo.deal import SpectrumoDeal
from companion.games.spectrumo.moves import Penalty, Play, SpectrumoEvent
from companion.games.spectrumo.options import Options as SpectrumoOptions
from companion.games.spectrumo.state import PENALTY, SpectrumoState


def _fit(seats: int, options: SpectrumoOptions) -> None:
    if options.first > seats:
        raise BadOptions(f"Player {options.first} cannot start: {seats} play. Choose 1 to {seats} (UMO-1).")


def _after_refusal(state: SpectrumoState, event: SpectrumoEvent) -> SpectrumoState:
    """The position after a refused event: an illegal play costs a penalty (UMO-5; an addition to the contract)."""
    if not state.foul and breaches.is_foul(state, event):
        return state._kept(replace(state, foul=True))
    return state


def _cost_of(state: SpectrumoState, event: SpectrumoEvent) -> Cost | None:
    """The cost of an illegal play at a live table; None if it costs nothing, as a misnamed card."""
    if not isinstance(event, Play) or state.foul or not breaches.is_foul(state, event):
        return None
    count = min(PENALTY, state.available)
    text = (
        f"The card goes back, player {event.seat + 1} draws {count or 'nothing, since no card is left'}, and the"
        " turn is over. If the play was only mistyped, undo it."
    )
    return Cost(Penalty(event.seat, event.card), Breach("UMO-5", text))


SPECTRUMO: Game[SpectrumoState] = card_game(
    GameInfo(
        "spectrumo",
        "Spectrumo",
        rules=2,
        seats=range(2, 9),
        seats_rule="UMO-1",
        Options=SpectrumoOptions,
        lead="fewest",
    ),
    Positions(SpectrumoState, position.start, position.read, position.check, fit=_fit),
    EventCodec(SpectrumoEvent, notation.text_of, notation.parse, plain=deck_events.plain),
    hidden,
    Capabilities(
        chance=ChanceEvents(hidden.outcomes, hidden.sample),
        dealer=SpectrumoDeal,
        proposer=Proposer(suggest=sighted.suggest),
        penalties=Penalties(after_refusal=_after_refusal, cost=_cost_of),
        heuristics=Heuristics(prospects=prospects.prospects, horizon=Horizon(4, sure=3.0)),
    ),
)
"""The one game object."""
