"""Who tells what about a game, by the games' names."""

from __future__ import annotations

from collections.abc import Mapping

from web.telling.adviser import Adviser
from web.telling.casino import CasinoAdviser
from web.telling.cribbage import CribbageAdviser
from web.telling.escape import EscapeAdviser
from web.telling.five_hundred import FiveHundredAdviser
from web.telling.ice_stalks import IceStalksAdviser
from web.telling.poker import PokerAdviser
from web.telling.regenbogen import RegenbogenAdviser
from web.telling.roll_and_color import RollAndColorAdviser
from web.telling.solitaire import SolitaireAdviser
from web.telling.spectra import SpectraAdviser
from web.telling.spectrum import SpectrumAdviser
from web.telling.spectrumo import SpectrumoAdviser
from web.telling.spectrump import SpectrumpAdviser

ADVISERS: Mapping[str, Adviser] = {
    "spectra": SpectraAdviser(),
    "ice-stalks": IceStalksAdviser(),
    "regenbogen": RegenbogenAdviser(),
    "spectrum": SpectrumAdviser(),
    "escape": EscapeAdviser(),
    "roll-and-color": RollAndColorAdviser(),
    "casino": CasinoAdviser(),
    "spectrumo": SpectrumoAdviser(),
    "spectrump": SpectrumpAdviser(),
    "cribbage": CribbageAdviser(),
    "five-hundred": FiveHundredAdviser(),
    "poker": PokerAdviser(),
    "solitaire": SolitaireAdviser(),
}

__all__ = ["ADVISERS", "Adviser"]
