"""Where each part of Poker is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.poker.game import POKER

MANIFEST = card_manifest(POKER, "poker", "Poker", length="short", position=140)
