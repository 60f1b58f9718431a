"""Where each part of Spectrumo is found."""

from __future__ import annotations

from companion.games.spectrumo.game import SPECTRUMO
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=SPECTRUMO,
    length="long",
    position=100,
    presenter="web.boards.spectrumo:SpectrumoPresenter",
    adviser="web.telling.spectrumo:SpectrumoAdviser",
    panel="games/cards.js",
)
