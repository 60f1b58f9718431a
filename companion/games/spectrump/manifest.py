"""Where each part of Spectrump is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.spectrump.game import SPECTRUMP

MANIFEST = own_manifest(Manifest(game=SPECTRUMP, length="long", position=110), CARDS)
