"""Where each part of Ice Stalks is found."""

from __future__ import annotations

from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.plan import plan, recorded
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=ICE_STALKS,
    length="short",
    position=30,
    plan=plan,
    recorded=recorded,
    presenter="web.boards.ice_stalks:IceStalksPresenter",
    adviser="web.telling.ice_stalks:IceStalksAdviser",
    panel="games/ice-stalks.js",
)
