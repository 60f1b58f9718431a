"""Where each part of Spectra is found."""

from __future__ import annotations

from companion.core.manifest import Manifest, SeatColors
from companion.games.shared.forms.own_manifest import own_manifest
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.plan import plan, recorded

MANIFEST = own_manifest(
    Manifest(
        game=SPECTRA,
        length="long",
        position=20,
        plan=plan,
        recorded=recorded,
        seat_colors=SeatColors(("red", "orange", "yellow", "green", "blue", "purple"), "trees", "SPA-2"),
    )
)
