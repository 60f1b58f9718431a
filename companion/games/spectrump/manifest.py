"""Where each part of Spectrump is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.plan import plan, recorded

MANIFEST = own_manifest(
    Manifest(game=SPECTRUMP, length="long", position=110, plan=plan, recorded=recorded, read_surely=False), CARDS
)
