"""Where each part of Solitaire is found."""

from __future__ import annotations

from companion.games.solitaire.game import SOLITAIRE
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=SOLITAIRE,
    length="short",
    position=60,
    presenter="web.boards.solitaire:SolitairePresenter",
    adviser="web.telling.solitaire:SolitaireAdviser",
    panel="games/cards.js",
)
