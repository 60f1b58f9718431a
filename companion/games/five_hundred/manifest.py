"""Where each part of 500 is found."""

from __future__ import annotations

from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=FIVE_HUNDRED,
    length="middle",
    position=130,
    presenter="web.boards.five_hundred:FiveHundredPresenter",
    adviser="web.telling.five_hundred:FiveHundredAdviser",
    panel="games/cards.js",
)
