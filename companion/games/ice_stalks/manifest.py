"""Where each part of Ice Stalks is found."""

from __future__ import annotations

from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.plan import plan, recorded
from companion.games.own_manifest import own_manifest
from companion.manifest import Manifest

MANIFEST = own_manifest(Manifest(game=ICE_STALKS, length="short", position=30, plan=plan, recorded=recorded))
