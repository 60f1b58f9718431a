"""Where each part of Poker is found."""

from __future__ import annotations

from companion.games.poker.game import POKER
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=POKER,
    length="short",
    position=140,
    presenter="web.boards.poker:PokerPresenter",
    adviser="web.telling.poker:PokerAdviser",
    panel="games/cards.js",
)
