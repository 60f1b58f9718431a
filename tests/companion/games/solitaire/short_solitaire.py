"""Solitaire in few words, for tests: a position is a text, a move is its notation."""

from __future__ import annotations

from typing import Any

from companion.games.deck import written
from companion.games.solitaire import SOLITAIRE
from companion.games.solitaire.options import Options


def table(piles: str, **more: Any) -> Any:
    """A position: piles with bars between them, "??" for a face-down card; `options` among the rest."""
    options = Options(**more.pop("options", {}))
    written = [pile.strip() for pile in piles.split("|")]
    return SOLITAIRE.from_record(1, options, {"piles": written, **more})


def play(state: Any, *lines: str) -> Any:
    """The position after these lines, each of them legal."""
    for line in lines:
        state = state.apply(SOLITAIRE.parse(state, line))
    return state


def broken(state: Any, line: str) -> list[str]:
    """Numbers of the rules that a line breaks."""
    return [breach.rule for breach in state.explain(SOLITAIRE.parse(state, line))]


def legal(state: Any) -> set[str]:
    """Every legal move, written."""
    return {SOLITAIRE.text(move) for move in state.legal_moves()}


def up(state: Any, pile: int) -> str:
    """The face-up cards of a pile, counted from 1, from below."""
    return written(state.ups[pile - 1])
