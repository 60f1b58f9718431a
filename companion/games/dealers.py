"""Who deals a game by software: for each game of the deck a dealer that follows from a secret seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, Self

from companion.contract import Drawn, Event
from companion.games.casino import CASINO
from companion.games.cribbage import CRIBBAGE
from companion.games.dealing import Dealer
from companion.games.five_hundred import FIVE_HUNDRED
from companion.games.poker import POKER
from companion.games.solitaire import SOLITAIRE
from companion.games.solitaire.deal import Deal as SolitaireDeal
from companion.games.spectrumo import SPECTRUMO
from companion.games.spectrumo.deal import Deal as SpectrumoDeal
from companion.games.spectrump import SPECTRUMP


class SoftwareDealer(Protocol):
    """The face-down cards of one game: a value that follows from a seed and from what has happened."""

    def serve(self, state: Any) -> tuple[tuple[Drawn, ...], Self]:
        """The draws that are due in a position, and the dealer after them."""

    def follow(self, state: Any, event: Event) -> Self:
        """The dealer after a move that was made in a position."""


DEALERS: Mapping[str, Callable[[bytes], SoftwareDealer]] = {
    SOLITAIRE.name: SolitaireDeal.of,
    SPECTRUMO.name: SpectrumoDeal,
    **{game.name: Dealer for game in (CASINO, SPECTRUMP, CRIBBAGE, FIVE_HUNDRED, POKER)},
}
"""By the game's name; games that are not here are dealt by hand."""
