"""Where each part of Solitaire is found."""

from __future__ import annotations

from companion.games.own_manifest import CARDS, own_manifest
from companion.games.solitaire.game import SOLITAIRE
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=SOLITAIRE, length="short", position=60), CARDS)
