"""Spectrump in few words, for tests: a position is a few texts, a move is its notation."""

from __future__ import annotations

from typing import Any

from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.options import Options
from tests.companion.games.short import Lines

_LINES = Lines(SPECTRUMP)
play, broken, legal = _LINES.play, _LINES.broken, _LINES.legal_of_all


def table(*hands: Any, bid: str | None = None, **more: Any) -> Any:
    """A position with these hands by seat; `options` among the rest."""
    options = Options(**more.pop("options", {}))
    return SPECTRUMP.from_record(len(hands), options, {"hands": hands, "bid": bid, **more})


def cards(state: Any, text: str) -> Any:
    """The position after these cards, each by the seat on turn, each legal."""
    for code in text.split():
        state = play(state, f"player {state.mover + 1} plays {code}")
    return state


def judged(state: Any, code: str) -> list[str]:
    """Numbers of the rules that a card of the seat on turn breaks."""
    return broken(state, f"player {state.mover + 1} plays {code}")
