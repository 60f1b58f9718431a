"""Where each part of Casino is found."""

from __future__ import annotations

from companion.games.casino.game import CASINO
from companion.games.own_manifest import CARDS, own_manifest
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=CASINO, length="middle", position=90), CARDS)
