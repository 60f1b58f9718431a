"""Where each part of 500 is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.five_hundred.game import FIVE_HUNDRED

MANIFEST = card_manifest(FIVE_HUNDRED, "five_hundred", "FiveHundred", length="middle", position=130)
