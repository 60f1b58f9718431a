"""The presenters of games, by name of the game. A game without one cannot be shown and is not offered on the page."""

from __future__ import annotations

from companion.games import MANIFESTS
from web.boards.parts.named import NamedParts
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, Presenter, ShownHand

PRESENTERS = NamedParts[Presenter](MANIFESTS.values(), lambda one: one.presenter)

__all__ = ["PRESENTERS", "Aim", "NoSuchPiece", "NoSuchSpot", "Presenter", "ShownHand"]
