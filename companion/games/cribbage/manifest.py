"""Where each part of Cribbage is found."""

from __future__ import annotations

from companion.games.cribbage.game import CRIBBAGE
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=CRIBBAGE,
    length="short",
    position=120,
    presenter="web.boards.cribbage:CribbagePresenter",
    adviser="web.telling.cribbage:CribbageAdviser",
    panel="games/cards.js",
)
