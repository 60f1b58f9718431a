"""Every game that can be refereed, by the name that the command line uses."""

from __future__ import annotations

from typing import Any

from companion.game import Game
from companion.games.casino import CASINO
from companion.games.cribbage import CRIBBAGE
from companion.games.escape import ESCAPE
from companion.games.five_hundred import FIVE_HUNDRED
from companion.games.ice_stalks import ICE_STALKS
from companion.games.poker import POKER
from companion.games.regenbogen import REGENBOGEN
from companion.games.roll_and_color import ROLL_AND_COLOR
from companion.games.solitaire import SOLITAIRE
from companion.games.spectra import SPECTRA
from companion.games.spectrangle import SPECTRANGLE
from companion.games.spectrum import SPECTRUM
from companion.games.spectrumo import SPECTRUMO
from companion.games.spectrump import SPECTRUMP

GAMES: dict[str, Game[Any]] = {
    game.name: game
    for game in (
        SPECTRANGLE,
        SPECTRA,
        ICE_STALKS,
        REGENBOGEN,
        SPECTRUM,
        SOLITAIRE,
        ESCAPE,
        ROLL_AND_COLOR,
        CASINO,
        SPECTRUMO,
        SPECTRUMP,
        CRIBBAGE,
        FIVE_HUNDRED,
        POKER,
    )
}
