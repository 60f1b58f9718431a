"""A software deal for Solitaire: every face-down card has its place from the beginning, whatever is turned up first.

The order comes from `companion.games.dealing`, so its seed can be committed to before the game and revealed after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from companion.contract import Drawn, Event
from companion.games.dealing import Shuffle, shuffled
from companion.games.deck import NUMBER_CARDS, PIECES
from companion.games.solitaire.situation import UNKNOWN
from companion.games.solitaire.state import SolitaireState
from companion.pieces import Piece


class SolitaireDeal(Struct, frozen=True):
    """Which card lies where: `order` fills pile after pile from below, then the stock, the next card first."""

    order: tuple[int, ...]

    @staticmethod
    def of(seed: bytes) -> SolitaireDeal:
        """The deal that a seed gives.

        :raises BadRecord: the seed is not 32 bytes long.
        """
        return SolitaireDeal(shuffled(seed, range(NUMBER_CARDS)))

    @property
    def shuffle(self) -> Shuffle:
        """The shuffle, for `dealing.check`."""
        return Shuffle(0, tuple(range(NUMBER_CARDS)), self.order)

    def follow(self, state: SolitaireState, event: Event) -> SolitaireDeal:
        """The deal itself: no card leaves its place before it is told."""
        return self

    def serve(
        self, state: SolitaireState, unseen: Callable[[Any], Mapping[Piece, int]]
    ) -> tuple[tuple[Drawn, ...], SolitaireDeal]:
        """The cards that were turned up in this position, if any, and the deal."""
        told = self.tells(state)
        return () if told is None else (told,), self

    def tells(self, state: SolitaireState) -> Drawn | None:
        """The cards that were turned up in this position; None if none is due."""
        due = state.due
        if due is None:
            return None
        if state.turning:
            first = NUMBER_CARDS - state.stock.count(UNKNOWN)
            cards = self.order[first : first + due.count]
        else:
            cards = tuple(self.order[pile * (pile + 1) // 2 + state.downs[pile] - 1] for pile in state.uncovered)
        return Drawn(0, tuple(PIECES[card] for card in cards))
