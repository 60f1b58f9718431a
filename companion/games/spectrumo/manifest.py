"""Where each part of Spectrumo is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.spectrumo.game import SPECTRUMO

MANIFEST = card_manifest(SPECTRUMO, "spectrumo", "Spectrumo", length="long", position=100)
