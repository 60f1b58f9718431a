"""Where each part of Spectrump is found."""

from __future__ import annotations

from companion.games.card_manifest import card_manifest
from companion.games.spectrump.game import SPECTRUMP

MANIFEST = card_manifest(SPECTRUMP, "spectrump", "Spectrump", length="long", position=110)
