"""Where each part of 500 is found."""

from __future__ import annotations

from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.own_manifest import CARDS, own_manifest
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=FIVE_HUNDRED, length="middle", position=130), CARDS)
