"""Spectrum as the command line, the page and the journal meet it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.capabilities import ChanceEvents, Heuristics, HiddenInformation, Proposer, TurnHints
from companion.core.contract import Rolled
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Layout
from companion.core.pieces import PRIMARIES
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.shared.forms.short_forms import written_out
from companion.games.spectrum import chance, notation, search, secrets, todo, told
from companion.games.spectrum.board import SPACE, STOCKS
from companion.games.spectrum.moves import Declare, Go, Pass, PlacePawn, SpectrumEvent, Surrender, TakeOff
from companion.games.spectrum.options import Options, teams_of
from companion.games.spectrum.position import check, read, seen_position, start
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.written import set_out, turns


def _begin(seats: int, options: Options) -> SpectrumState:
    """The first position: an empty board, and whatever the variants set up first (BRD-5, VAR-1 to VAR-22)."""
    return start(teams_of(seats, options), options)


def _read(seats: int, options: Options, position: Mapping[str, Any]) -> SpectrumState:
    return read(teams_of(seats, options), options, position)


def _seen_position(seats: int, options: Options, seen: Layout) -> Mapping[str, Any]:
    return seen_position(teams_of(seats, options), seen)


def _words_of(state: SpectrumState, event: SpectrumEvent) -> dict[str, Any] | None:
    """The event in the words of `companion watch`; None for what a camera cannot see.

    :param state: the position before the event.
    """
    match event:
        case Rolled():
            return {"player": state.turn, "type": "roll", "faces": [one.face for one in event.faces]}
        case Go():
            return _moved(state, event)
        case PlacePawn():
            return {"player": event.seat, "type": "place", "pawn": event.pawn, "to": event.to}
        case TakeOff():
            return {"player": event.seat, "type": "surrender", "from": event.pawn}
        case Declare():
            return {"player": event.seat, "type": "use", "usage": event.usage}
        case Pass():
            return {"player": event.seat, "type": "pass"}
    return None


def _moved(state: SpectrumState, go: Go) -> dict[str, Any]:
    space = SPACE.get(go.to)
    there = EMPTY if space is None else state.board[space]
    captured = {} if there == EMPTY else {"captured": COLOR_OF_LETTER[there]}
    came = None if go.pawn in STOCKS else go.pawn
    return {"player": go.seat, "type": "move", "from": came, "to": go.to, **captured}


def _plain_usage(data: Any) -> Any:
    return notation.usage_named(data) if isinstance(data, str) else data


def _plain_card(data: Any) -> Any:
    """A card as an object; None stays."""
    if isinstance(data, str):
        return None if data == "??" else msgspec.to_builtins(PIECES[number_of(data)])
    return {"type": "card", **data} if isinstance(data, Mapping) else data


def _needs_confirmation(state: SpectrumState, event: SpectrumEvent) -> bool:
    """True if a pawn's move may be one of several parts, which no picture tells (an addition to the contract)."""
    if not isinstance(event, Go) or not event.part:
        return False
    where = event.pawn, event.to
    return any(
        isinstance(move, Go) and (move.pawn, move.to) == where and move.part != event.part for move in state.moves
    )


SPECTRUM: Game[SpectrumState] = Game.of(
    GameInfo("spectrum", "Spectrum", rules=2, seats=range(1, len(PRIMARIES) + 1), seats_rule="BRD-5", Options=Options),
    Positions(SpectrumState, _begin, _read, check),
    EventCodec(
        SpectrumEvent,
        notation.text,
        notation.parse,
        _words_of,
        plain=written_out(
            {"faces": color_dice.plain, "pieces": _plain_card, "card": _plain_card, "usage": _plain_usage}
        ),
    ),
    Capabilities(
        proposer=dataclasses.replace(
            Proposer.of(search),
            needs_confirmation=_needs_confirmation,
            pending_prompt=todo.pending_prompt,
            seen_position=_seen_position,
            set_out=set_out,
            turns=turns,
        ),
        chance=ChanceEvents(outcomes=chance.outcomes, sample=chance.sample),
        hidden=HiddenInformation(
            unseen=secrets.unseen, view=secrets.view, redact=told.redact, determinize=secrets.determinize
        ),
        turn_hints=TurnHints(still_to_do=todo.still_to_do, lost=todo.lost),
        heuristics=Heuristics(undoing=(Surrender,)),
    ),
)
"""The one game object."""
