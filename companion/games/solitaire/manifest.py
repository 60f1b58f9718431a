"""Where each part of Solitaire is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.solitaire.game import SOLITAIRE

MANIFEST = own_manifest(
    Manifest(
        game=SOLITAIRE,
        length="short",
        about="Sort twelve piles into twelve colors, alone against the deck.",
        position=60,
    ),
    CARDS,
)
