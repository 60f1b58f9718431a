"""Spectrum Escape as the command line, the page and the journal meet it."""

from __future__ import annotations

from typing import Any

from companion.core.capabilities import ChanceEvents, Proposer
from companion.core.contract import Rolled
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.escape import chance, notation, search, sighted
from companion.games.escape.columns import OUT
from companion.games.escape.moves import EscapeEvent, Lose, Play, Withdraw
from companion.games.escape.options import NEEDED, Options
from companion.games.escape.position import check, read, set_out, start
from companion.games.escape.state import EscapeState
from companion.games.shared import color_dice
from companion.games.shared.forms.short_forms import written_out


def _words_of(state: EscapeState, event: EscapeEvent) -> dict[str, Any] | None:
    """The event in the words of `companion watch`; None for what a camera cannot see.

    :param state: the position before the event.
    """
    match event:
        case Rolled():
            dice = [{"kind": one.kind, "face": one.face} for one in event.faces]
            return {"player": state.first, "type": "roll", "dice": dice}
        case Play():
            to: int | str = "out" if event.to == OUT else event.to
            return {"player": event.seat, "type": "play", "die": event.die, "color": event.color, "to": to}
        case Withdraw(owner=None):
            return {"player": event.seat, "type": "withdraw", "color": event.color}
        case Lose():
            return {"player": event.seat, "type": "lose", "die": event.die}
    return None


ESCAPE: Game[EscapeState] = Game.of(
    GameInfo(
        "escape",
        "Spectrum Escape",
        rules=1,
        seats=range(min(NEEDED), max(NEEDED) + 1),
        seats_rule="ESC-1",
        Options=Options,
    ),
    Positions(EscapeState, start, read, check),
    EventCodec(EscapeEvent, notation.text, notation.parse, _words_of, plain=written_out({"faces": color_dice.plain})),
    Capabilities(
        proposer=Proposer(suggest=search.suggest, candidates=sighted.candidates, set_out=set_out),
        chance=ChanceEvents(outcomes=chance.outcomes, sample=chance.sample),
    ),
)
"""The one game object."""
