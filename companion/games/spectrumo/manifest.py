"""Where each part of Spectrumo is found."""

from __future__ import annotations

from companion.games.own_manifest import CARDS, own_manifest
from companion.games.spectrumo.game import SPECTRUMO
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=SPECTRUMO, length="long", position=100), CARDS)
