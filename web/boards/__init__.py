"""Looks of games, by the games' names; a game without one cannot be shown and is not offered for set-up."""

from __future__ import annotations

from companion.games import MANIFESTS
from web.boards.parts.named import NamedParts
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, Presenter, ShownHand

PRESENTERS = NamedParts[Presenter](MANIFESTS.values(), lambda one: one.presenter)

__all__ = ["PRESENTERS", "Aim", "NoSuchPiece", "NoSuchSpot", "Presenter", "ShownHand"]
