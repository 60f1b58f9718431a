"""Looks of games, by the games' names; a game without one cannot be shown and is not offered for set-up."""

from __future__ import annotations

from collections.abc import Mapping

from web.boards.presenter import Aim, Hand, NoSuchPiece, NoSuchSpot, Presenter
from web.boards.spectrangle import SpectranglePresenter

PRESENTERS: Mapping[str, Presenter] = {"spectrangle": SpectranglePresenter()}

__all__ = ["PRESENTERS", "Aim", "Hand", "NoSuchPiece", "NoSuchSpot", "Presenter"]
