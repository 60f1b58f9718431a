"""Looks of games, by the games' names; a game without one cannot be shown and is not offered for set-up."""

from __future__ import annotations

from collections.abc import Mapping

from web.boards.casino import CasinoPresenter
from web.boards.cribbage import CribbagePresenter
from web.boards.escape import EscapePresenter
from web.boards.five_hundred import FiveHundredPresenter
from web.boards.ice_stalks import IceStalksPresenter
from web.boards.poker import PokerPresenter
from web.boards.presenter import Aim, Hand, NoSuchPiece, NoSuchSpot, Presenter
from web.boards.regenbogen import RegenbogenPresenter
from web.boards.roll_and_color import RollAndColorPresenter
from web.boards.solitaire import SolitairePresenter
from web.boards.spectra import SpectraPresenter
from web.boards.spectrangle import SpectranglePresenter
from web.boards.spectrum import SpectrumPresenter
from web.boards.spectrumo import SpectrumoPresenter
from web.boards.spectrump import SpectrumpPresenter

PRESENTERS: Mapping[str, Presenter] = {
    "spectrangle": SpectranglePresenter(),
    "spectra": SpectraPresenter(),
    "ice-stalks": IceStalksPresenter(),
    "regenbogen": RegenbogenPresenter(),
    "spectrum": SpectrumPresenter(),
    "escape": EscapePresenter(),
    "roll-and-color": RollAndColorPresenter(),
    "casino": CasinoPresenter(),
    "spectrumo": SpectrumoPresenter(),
    "spectrump": SpectrumpPresenter(),
    "cribbage": CribbagePresenter(),
    "five-hundred": FiveHundredPresenter(),
    "poker": PokerPresenter(),
    "solitaire": SolitairePresenter(),
}

__all__ = ["PRESENTERS", "Aim", "Hand", "NoSuchPiece", "NoSuchSpot", "Presenter"]
