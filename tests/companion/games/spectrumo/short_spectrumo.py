"""Spectrumo in few words, for tests: a position is a few texts, a move is its notation."""

from __future__ import annotations

from typing import Any

from companion.games.shared.cards.deck import written
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.options import Options
from tests.companion.games.short import Lines

_LINES = Lines(SPECTRUMO)
play, broken, legal = _LINES.play, _LINES.broken, _LINES.legal_of_all


def table(card: str, *hands: str | None, **more: Any) -> Any:
    """A position with this table card and these hands by seat; `options` among the rest."""
    options = Options(**more.pop("options", {}))
    return SPECTRUMO.from_record(len(hands), options, {"table": card, "hands": hands, **more})


def judged(state: Any, code: str) -> list[str]:
    """Numbers of the rules that a card of the seat on turn breaks."""
    return broken(state, f"player {state.turn + 1} plays {code}")


def hand(state: Any, seat: int) -> str:
    """The known cards of a hand."""
    return written(state.hands[seat])
