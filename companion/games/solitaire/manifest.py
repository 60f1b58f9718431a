"""Where each part of Solitaire is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.solitaire.game import SOLITAIRE

MANIFEST = card_manifest(SOLITAIRE, "solitaire", "Solitaire", length="short", position=60)
