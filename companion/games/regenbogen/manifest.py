"""Where each part of Regenbogen is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.plan import plan, recorded
from companion.games.shared.forms.own_manifest import own_manifest

MANIFEST = own_manifest(
    Manifest(game=REGENBOGEN, length="long", position=40, plan=plan, recorded=recorded, read_surely=False)
)
