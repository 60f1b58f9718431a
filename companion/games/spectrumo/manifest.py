"""Where each part of Spectrumo is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.plan import plan, recorded

MANIFEST = own_manifest(
    Manifest(game=SPECTRUMO, length="long", position=100, plan=plan, recorded=recorded, read_surely=False), CARDS
)
