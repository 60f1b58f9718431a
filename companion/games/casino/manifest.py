"""Where each part of Casino is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.casino.game import CASINO

MANIFEST = card_manifest(CASINO, "casino", "Casino", length="middle", position=90)
