"""Where each part of Poker is found."""

from __future__ import annotations

from companion.games.own_manifest import CARDS, own_manifest
from companion.games.poker.game import POKER
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=POKER, length="short", position=140), CARDS)
