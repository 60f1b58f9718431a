"""Where each part of Escape is found."""

from __future__ import annotations

from companion.games.escape.game import ESCAPE
from companion.games.escape.plan import plan, recorded
from companion.manifest import Manifest, SeatColors

MANIFEST = Manifest(
    game=ESCAPE,
    length="long",
    position=70,
    plan=plan,
    recorded=recorded,
    presenter="web.boards.escape:EscapePresenter",
    adviser="web.telling.escape:EscapeAdviser",
    panel="games/escape.js",
    seat_colors=SeatColors(("red", "blue", "yellow", "green", "orange", "purple"), "pawns", "ESC-1"),
)
