"""Cards that lie face down in Solitaire, and those that may be turned up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from companion.contract import Chance, Drawn
from companion.errors import BadEvent
from companion.games.bit_sets import bits
from companion.games.deck import PIECES
from companion.games.deck_events import SINGLE
from companion.games.hands import picked
from companion.games.solitaire.situation import UNKNOWN
from companion.games.solitaire.state import SolitaireState
from companion.pieces import Piece


def unseen(state: SolitaireState) -> Mapping[Piece, int]:
    """The cards that lie face down, those of the stock that were seen before among them."""
    known = [card for card in state.stock if card != UNKNOWN]
    return dict.fromkeys([PIECES[card] for card in (*bits(state.unknown), *known)], 1)


def outcomes(state: SolitaireState) -> Iterable[tuple[Chance, int]]:
    """The next card that is told: each one that nobody has seen is as likely."""
    if state.outcome() is None and state.due is not None:
        for card in bits(state.unknown):
            yield SINGLE[0][card], 1


def sample(state: SolitaireState, rng: Random) -> Chance:
    """All the cards that are to be told, whole: each that nobody has seen is as likely.

    :raises BadEvent: no card is to be told.
    """
    due = state.due
    if due is None or state.outcome() is not None:
        raise BadEvent("No card is turned up now. Make a move.")
    return Drawn(0, picked(state.unknown, due.count, rng))
