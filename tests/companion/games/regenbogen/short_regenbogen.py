"""Positions of Regenbogen in short, for the tests: "b4 W red wizard 5, c5 B ultima spirit 0"."""

from __future__ import annotations

from typing import Any

from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.position import written
from companion.games.regenbogen.state import RegenbogenState
from tests.companion.games.short import Lines

_LINES = Lines(REGENBOGEN)
rules, play = _LINES.rules, _LINES.play

_SIDES = {"W": "white", "B": "black"}


def table(short: str, options: Options | None = None, **more: Any) -> RegenbogenState:
    """A position with these pieces; Wizards that are not named are dead."""
    pieces = {}
    for one in short.split(", "):
        cell, side, *rest = one.split()
        pieces[cell] = " ".join((_SIDES[side], *rest))
    return REGENBOGEN.from_record(2, options or Options(), {"pieces": pieces, **more})


def alive(short: str, options: Options | None = None, **more: Any) -> RegenbogenState:
    """The same in a game that no dead Wizard decides: nobody counts as dead."""
    state = table(short, options, **more)
    return type(state)(
        state.board, state.spells, state.turn, (0, 0), state.options, state.history, state.quiet, state.moved
    )


def at(state: RegenbogenState, cell: str) -> str | None:
    """What stands on a cell, in words: "white red wizard 5"."""
    found: str | None = written(state)["pieces"].get(cell)
    return found


def moves_of(state: RegenbogenState, cell: str) -> set[str]:
    """Where the piece on a cell may go."""
    return {move.to for move in state.legal_moves() if type(move).__name__ == "Go" and move.piece == cell}
