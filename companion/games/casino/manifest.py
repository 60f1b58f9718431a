"""Where each part of Casino is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.casino.game import CASINO
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

MANIFEST = own_manifest(
    Manifest(
        game=CASINO,
        length="middle",
        about="Take cards from the table by value or by building, and collect the Chosen Color.",
        position=90,
    ),
    CARDS,
)
