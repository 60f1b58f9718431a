"""Who tells what about a game, by the games' names."""

from __future__ import annotations

from collections.abc import Mapping

from web.boards.advice import Adviser
from web.boards.ice_stalks_advice import IceStalksAdviser
from web.boards.spectra_advice import SpectraAdviser

ADVISERS: Mapping[str, Adviser] = {"spectra": SpectraAdviser(), "ice-stalks": IceStalksAdviser()}
