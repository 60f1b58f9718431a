"""Spectrum Escape as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Any

from companion.core.capabilities import ChanceEvents, Proposer
from companion.core.contract import Chance, Rolled
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.escape import notation, observation, search
from companion.games.escape.moves import OUT, EscapeEvent, Lose, Play, Withdraw
from companion.games.escape.options import NEEDED, Options
from companion.games.escape.position import check, read, set_out, start
from companion.games.escape.situation import dice_of
from companion.games.escape.state import EscapeState
from companion.games.shared import color_dice
from companion.games.shared.color_dice import D6, D12, TWELVE, die, thrown
from companion.games.shared.forms.player_lines import written_out


def outcomes(state: EscapeState) -> Iterable[tuple[Chance, int]]:
    """Every roll that is due with the number of ways in which it falls, lazily; there are very many."""
    if state.rolled or state.ending is not None:
        return
    kinds = dice_of(state.round, state.seats)
    own = kinds[: state.seats]
    common = [kinds[state.seats :].count(kind) for kind in (D6, D12)]
    faces = [[one for one in TWELVE if kind == D12] or [die(D6, color) for color in range(0, 12, 2)] for kind in own]
    for personal in product(*faces):
        for cubes, ways in color_dice.outcomes(D6, common[0]):
            for others, more in color_dice.outcomes(D12, common[1]):
                yield Rolled((*personal, *cubes, *others)), ways * more


def sample(state: EscapeState, rng: Random) -> Chance:
    """The roll that is due.

    Raises:
        BadEvent: None is due.
    """
    return thrown(state.expects(), rng)


def _words_of(state: EscapeState, event: EscapeEvent) -> dict[str, Any] | None:
    """The event in the words of `companion watch`; None for what a camera cannot see.

    Args:
        state: The position before the event.
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
        proposer=Proposer(infer_event=search.infer_event, candidates=observation.candidates, set_out=set_out),
        chance=ChanceEvents(outcomes=outcomes, sample=sample),
    ),
)
"""The one game object."""
