"""Where each part of Spectrum is found."""

from __future__ import annotations

from companion.core.manifest import Manifest, SeatColors
from companion.core.pieces import WHEEL
from companion.games.shared.forms.own_manifest import own_manifest
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.plan import plan, printed, recorded

MANIFEST = own_manifest(
    Manifest(
        game=SPECTRUM,
        length="middle",
        about="Roll color dice, race your pawns along twelve paths, and capture the stars first.",
        position=50,
        adviser="web.games.spectrum_advice:SpectrumAdviser",
        plan=plan,
        recorded=recorded,
        printed=("Spectrum board", printed()),
        lights=tuple(f"{path}.{space}" for path in WHEEL for space in range(1, 10)),
        more_rules=("spectrum-variants",),
        seat_colors=SeatColors(("red", "orange", "yellow", "green", "blue", "purple"), "pawns", "BRD-5"),
    )
)
