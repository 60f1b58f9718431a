"""Where each part of Spectrump is found."""

from __future__ import annotations

from companion.games.spectrump.game import SPECTRUMP
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=SPECTRUMP,
    length="long",
    position=110,
    presenter="web.boards.spectrump:SpectrumpPresenter",
    adviser="web.telling.spectrump:SpectrumpAdviser",
    panel="games/cards.js",
)
