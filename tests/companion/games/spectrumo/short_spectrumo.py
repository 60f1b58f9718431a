"""Spectrumo in few words, for tests: a position is a few texts, a move is its notation."""

from __future__ import annotations

from typing import Any

from companion.games.deck import written
from companion.games.spectrumo import SPECTRUMO
from companion.games.spectrumo.options import Options


def table(card: str, *hands: str | None, **more: Any) -> Any:
    """A position with this table card and these hands by seat; `options` among the rest."""
    options = Options(**more.pop("options", {}))
    return SPECTRUMO.from_record(len(hands), options, {"table": card, "hands": hands, **more})


def play(state: Any, *lines: str) -> Any:
    """The position after these lines, each of them legal."""
    for line in lines:
        state = state.apply(SPECTRUMO.parse(state, line))
    return state


def broken(state: Any, line: str) -> list[str]:
    """Numbers of the rules that a line breaks."""
    return [breach.rule for breach in state.explain(SPECTRUMO.parse(state, line))]


def judged(state: Any, code: str) -> list[str]:
    """Numbers of the rules that a card of the seat on turn breaks."""
    return broken(state, f"player {state.turn + 1} plays {code}")


def legal(state: Any) -> set[str]:
    """Every legal move, written without its player."""
    return {SPECTRUMO.text(move).partition(" ")[2].partition(" ")[2] for move in state.legal_moves()}


def hand(state: Any, seat: int) -> str:
    """The known cards of a hand."""
    return written(state.hands[seat])
