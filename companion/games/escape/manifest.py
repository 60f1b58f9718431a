"""Where each part of Escape is found."""

from __future__ import annotations

from companion.core.manifest import Manifest, SeatColors
from companion.games.escape.game import ESCAPE
from companion.games.escape.plan import plan, recorded
from companion.games.shared.forms.own_manifest import own_manifest

MANIFEST = own_manifest(
    Manifest(
        game=ESCAPE,
        length="long",
        position=70,
        plan=plan,
        recorded=recorded,
        seat_colors=SeatColors(("red", "blue", "yellow", "green", "orange", "purple"), "pawns", "ESC-1"),
    )
)
