"""Where each part of 500 is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

MANIFEST = own_manifest(
    Manifest(
        game=FIVE_HUNDRED,
        length="middle",
        about="Draw, lay down melds, go out. The first to 500 points wins.",
        position=130,
    ),
    CARDS,
)
