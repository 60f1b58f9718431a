"""Where each part of Cribbage is found."""

from __future__ import annotations

from companion.games.cribbage.game import CRIBBAGE
from companion.games.own_manifest import CARDS, own_manifest
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=CRIBBAGE, length="short", position=120), CARDS)
