"""Where each part of Spectrangle is found."""

from __future__ import annotations

from companion.core.manifest import Manifest
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.plan import plan, recorded

MANIFEST = Manifest(
    game=SPECTRANGLE,
    length="short",
    position=10,
    plan=plan,
    recorded=recorded,
    lights=tuple(f"c{cell}" for cell in range(36)),
    presenter="web.boards.spectrangle:SpectranglePresenter",
)
