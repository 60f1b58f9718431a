"""Where each part of Spectrump is found."""

from __future__ import annotations

from companion.games.own_manifest import CARDS, own_manifest
from companion.games.spectrump.game import SPECTRUMP
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=SPECTRUMP, length="long", position=110), CARDS)
