"""Regenbogen as the command line, the page and the journal meet it."""

from __future__ import annotations

from typing import Any

from companion.core.capabilities import LIFE, Heuristics, HiddenInformation, Horizon, Proposer
from companion.core.foundation.errors import BadEvent, GameOver
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions, own_fields
from companion.games.regenbogen import notation, prospects, search, suggesting
from companion.games.regenbogen.data import SIDES
from companion.games.regenbogen.moves import EndTurn, Fight, Go, Heal, Move, Recover, SelfDestruct, Summon
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.position import check, read, start
from companion.games.regenbogen.set_out import set_out, turns
from companion.games.regenbogen.state import RegenbogenState


def _words_of(state: RegenbogenState, event: Move) -> dict[str, Any] | None:
    """The move in the words of a recording; None for what a recording does not name, such as a turn's end."""
    if not isinstance(event, Go | Fight | Summon | Heal | Recover | SelfDestruct):
        return None
    return own_fields(state, event)


def _needs_confirmation(state: RegenbogenState, event: Move) -> bool:
    """True if a picture alone is no proof of an event, so that people are asked (RGB-29)."""
    return search.needs_confirmation(event)


def _gives_up(state: RegenbogenState, event: Move) -> bool:
    """False for the end of a turn in which a piece has moved: it need not act as well (RGB-9)."""
    return not isinstance(event, EndTurn)


def _looks_alike(state: RegenbogenState, one: Move, other: Move) -> bool:
    """True if two moves leave the same tops of pieces, so that no camera can distinguish them (RGB-29)."""
    if one == other:
        return True
    try:
        return state.apply_unchecked(one).tops == state.apply_unchecked(other).tops
    except (BadEvent, GameOver):
        return False


REGENBOGEN: Game[RegenbogenState] = Game.of(
    GameInfo(
        "regenbogen",
        "Regenbogen",
        rules=2,
        seats=range(len(SIDES), len(SIDES) + 1),
        seats_rule="RGB-1",
        Options=Options,
        lead="nothing",
    ),
    Positions(RegenbogenState, start, read, check),
    EventCodec(Move, notation.text, notation.parse, _words_of),
    Capabilities(
        hidden=HiddenInformation(unseen=RegenbogenState.unseen),
        proposer=Proposer(
            infer_event=suggesting.infer_event,
            looks_alike=_looks_alike,
            candidates=search.candidates,
            rarity=suggesting.rarity,
            gives_up=_gives_up,
            needs_confirmation=_needs_confirmation,
            set_out=set_out,
            turns=turns,
        ),
        heuristics=Heuristics(prospects=prospects.prospects, horizon=Horizon(decided=LIFE)),
    ),
)
"""The one game object."""
