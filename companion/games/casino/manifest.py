"""Where each part of Casino is found."""

from __future__ import annotations

from companion.games.casino.game import CASINO
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=CASINO,
    length="middle",
    position=90,
    presenter="web.boards.casino:CasinoPresenter",
    adviser="web.telling.casino:CasinoAdviser",
    panel="games/cards.js",
)
