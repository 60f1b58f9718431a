"""Cards that lie face down in Solitaire: which may be turned up, and which will be where software deals."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.capabilities import Unseen
from companion.core.contract import Drawn, Event
from companion.core.pieces import Piece
from companion.games.shared.cards.dealing import shuffled
from companion.games.shared.cards.deck import NUMBER_CARDS, PIECES
from companion.games.shared.search.bit_sets import bits
from companion.games.solitaire.situation import UNKNOWN
from companion.games.solitaire.state import SolitaireState


def unseen(state: SolitaireState) -> Mapping[Piece, int]:
    """The cards that lie face down, those of the stock that were seen before among them."""
    known = [card for card in state.stock if card != UNKNOWN]
    return dict.fromkeys([PIECES[card] for card in (*bits(state.unknown), *known)], 1)


class SolitaireDeal(Struct, frozen=True):
    """A deal by software: every face-down card has its place from the beginning, whatever is turned up first."""

    order: tuple[int, ...]
    """The cards of pile after pile from below, then the stock, the next card first."""

    @staticmethod
    def of(seed: bytes) -> SolitaireDeal:
        """The deal that a seed gives (`companion.games.shared.cards.dealing`).

        :raises BadRecord: the seed is not 32 bytes long.
        """
        return SolitaireDeal(shuffled(seed, range(NUMBER_CARDS)))

    def follow(self, state: SolitaireState, event: Event) -> SolitaireDeal:
        """The deal itself: no card leaves its place before it is named."""
        return self

    def serve(self, state: SolitaireState, unseen: Unseen) -> tuple[tuple[Drawn, ...], SolitaireDeal]:
        """The cards that were turned up in this position, if any, and the deal."""
        due = state.due
        if due is None:
            return (), self
        if state.turning:
            first = NUMBER_CARDS - state.stock.count(UNKNOWN)
            cards = self.order[first : first + due.count]
        else:
            cards = tuple(self.order[pile * (pile + 1) // 2 + state.downs[pile] - 1] for pile in state.uncovered)
        return (Drawn(0, tuple(PIECES[card] for card in cards)),), self
