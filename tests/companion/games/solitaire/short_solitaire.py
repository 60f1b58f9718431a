"""Solitaire in few words, for tests: a position is a text, a move is its notation."""

from __future__ import annotations

from typing import Any

from companion.games.shared.cards.deck import written
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.situation import Options
from tests.companion.games.short import Lines

_LINES = Lines(SOLITAIRE)
play, broken, legal = _LINES.play, _LINES.broken, _LINES.legal


def table(piles: str, **more: Any) -> Any:
    """A position: piles with bars between them, "??" for a face-down card; `options` among the rest."""
    options = Options(**more.pop("options", {}))
    written = [pile.strip() for pile in piles.split("|")]
    return SOLITAIRE.from_record(1, options, {"piles": written, **more})


def up(state: Any, pile: int) -> str:
    """The face-up cards of a pile, counted from 1, from below."""
    return written(state.ups[pile - 1])
