"""Who tells what about a game, by the games' names."""

from __future__ import annotations

from collections.abc import Mapping

from web.telling.adviser import Adviser
from web.telling.escape import EscapeAdviser
from web.telling.ice_stalks import IceStalksAdviser
from web.telling.regenbogen import RegenbogenAdviser
from web.telling.roll_and_color import RollAndColorAdviser
from web.telling.spectra import SpectraAdviser
from web.telling.spectrum import SpectrumAdviser

ADVISERS: Mapping[str, Adviser] = {
    "spectra": SpectraAdviser(),
    "ice-stalks": IceStalksAdviser(),
    "regenbogen": RegenbogenAdviser(),
    "spectrum": SpectrumAdviser(),
    "escape": EscapeAdviser(),
    "roll-and-color": RollAndColorAdviser(),
}

__all__ = ["ADVISERS", "Adviser"]
