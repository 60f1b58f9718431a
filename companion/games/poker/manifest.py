"""Where each part of Poker is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.poker.game import POKER
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

MANIFEST = own_manifest(
    Manifest(game=POKER, length="short", about="The best five cards win, in twelve colors.", position=140), CARDS
)
