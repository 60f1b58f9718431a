"""Where each part of Roll and Color is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.roll_and_color.plan import plan, recorded
from companion.games.shared.forms.own_manifest import own_manifest

MANIFEST = own_manifest(Manifest(game=ROLL_AND_COLOR, length="middle", position=80, plan=plan, recorded=recorded))
