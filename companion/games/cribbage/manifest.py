"""Where each part of Cribbage is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.cribbage.game import CRIBBAGE
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

MANIFEST = own_manifest(
    Manifest(
        game=CRIBBAGE, length="short", about="Count fifteens, pairs and runs, and peg to 121 first.", position=120
    ),
    CARDS,
)
