"""Looks of games, by the games' names; a game without one cannot be shown and is not offered for set-up."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import MANIFESTS
from web.boards.parts.named import made
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, Presenter, ShownHand

_MADE, LEFT_OUT = made((one, one.presenter) for one in MANIFESTS.values())

PRESENTERS: Mapping[str, Presenter] = _MADE

__all__ = ["LEFT_OUT", "PRESENTERS", "Aim", "NoSuchPiece", "NoSuchSpot", "Presenter", "ShownHand"]
