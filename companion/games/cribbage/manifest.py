"""Where each part of Cribbage is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.cribbage.game import CRIBBAGE

MANIFEST = card_manifest(CRIBBAGE, "cribbage", "Cribbage", length="short", position=120)
