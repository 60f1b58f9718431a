"""Where each part of Ice Stalks is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.plan import plan, recorded
from companion.games.shared.forms.own_manifest import own_manifest

MANIFEST = own_manifest(Manifest(game=ICE_STALKS, length="short", position=30, plan=plan, recorded=recorded))
