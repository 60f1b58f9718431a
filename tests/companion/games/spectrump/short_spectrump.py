"""Spectrump in few words, for tests: a position is a few texts, a move is its notation."""

from __future__ import annotations

from typing import Any

from companion.games.spectrump import SPECTRUMP
from companion.games.spectrump.options import Options


def table(*hands: Any, bid: str | None = None, **more: Any) -> Any:
    """A position with these hands by seat; `options` among the rest."""
    options = Options(**more.pop("options", {}))
    return SPECTRUMP.from_record(len(hands), options, {"hands": hands, "bid": bid, **more})


def play(state: Any, *lines: str) -> Any:
    """The position after these lines, each of them legal."""
    for line in lines:
        state = state.apply(SPECTRUMP.parse(state, line))
    return state


def cards(state: Any, text: str) -> Any:
    """The position after these cards, each by the seat on turn, each legal."""
    for code in text.split():
        state = play(state, f"player {state.mover + 1} plays {code}")
    return state


def broken(state: Any, line: str) -> list[str]:
    """Numbers of the rules that a line breaks."""
    return [breach.rule for breach in state.explain(SPECTRUMP.parse(state, line))]


def judged(state: Any, code: str) -> list[str]:
    """Numbers of the rules that a card of the seat on turn breaks."""
    return broken(state, f"player {state.mover + 1} plays {code}")


def legal(state: Any) -> set[str]:
    """Every legal move, written without its player."""
    return {SPECTRUMP.text(move).partition(" ")[2].partition(" ")[2] for move in state.legal_moves()}
