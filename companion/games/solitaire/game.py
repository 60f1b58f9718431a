"""The game object of Solitaire, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from companion.core.capabilities import HiddenInformation, Proposer, Unseen
from companion.core.contract import Drawn, Event, ScoreLine
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.pieces import Piece
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import drawn_from
from companion.games.shared.cards.dealing import shuffled
from companion.games.shared.cards.deck import NUMBER_CARDS, PIECES
from companion.games.shared.search.bit_sets import bits
from companion.games.solitaire import moves as notation
from companion.games.solitaire import observation, scoring
from companion.games.solitaire.moves import SolitaireEvent
from companion.games.solitaire.options import Options
from companion.games.solitaire.position import check, read, start
from companion.games.solitaire.situation import UNKNOWN
from companion.games.solitaire.state import SolitaireState


def unseen(state: SolitaireState) -> Mapping[Piece, int]:
    """Returns the face-down cards, including the cards of the stock that were seen before."""
    known = [card for card in state.stock if card != UNKNOWN]
    return dict.fromkeys([PIECES[card] for card in (*bits(state.unknown), *known)], 1)


def _words(state: SolitaireState, event: Event) -> dict[str, Any]:
    """Returns the event as a recording names it."""
    return deck_events.card_words(event)


class SolitaireDeal(Struct, frozen=True):
    """A deal by software in which every face-down card has a fixed place, in whatever order the cards are turned up."""

    order: tuple[int, ...]
    """The cards of pile after pile from below, then the stock, the next card first."""

    @staticmethod
    def of(seed: bytes) -> SolitaireDeal:
        """Returns the deal that a seed gives (`companion.games.shared.cards.dealing`).

        Raises:
            BadRecord: The seed is not 32 bytes long.
        """
        return SolitaireDeal(shuffled(seed, range(NUMBER_CARDS)))

    def follow(self, state: SolitaireState, event: Event) -> SolitaireDeal:
        """Returns the deal unchanged: no card leaves its place before it is named."""
        return self

    def serve(self, state: SolitaireState, unseen: Unseen) -> tuple[tuple[Drawn, ...], SolitaireDeal]:
        """Returns the cards that were turned up in this position, if any, and the deal."""
        due = state.due
        if due is None:
            return (), self
        if state.turning:
            first = NUMBER_CARDS - state.stock.count(UNKNOWN)
            cards = self.order[first : first + due.count]
        else:
            cards = tuple(self.order[pile * (pile + 1) // 2 + state.downs[pile] - 1] for pile in state.uncovered)
        return (Drawn(0, tuple(PIECES[card] for card in cards)),), self


def _score_breakdown(state: SolitaireState, event: SolitaireEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines; the event that ends the game has the whole score (SOL-10,
    SOL-11).
    """
    after = state if state.violations(event) else state.apply(event)
    return scoring.lines(after) if after.is_over and not state.is_over else ()


SOLITAIRE: Game[SolitaireState] = Game.of(
    GameInfo("solitaire", "Solitaire", rules=1, seats=range(1, 2), seats_rule="SOL-1", Options=Options),
    Positions(SolitaireState, start, read, check),
    EventCodec(SolitaireEvent, notation.text_of, notation.parse, _words, plain=deck_events.plain),
    Capabilities(
        dealer=SolitaireDeal.of,
        proposer=Proposer(infer_event=observation.infer_event, seen_position=observation.seen_position),
        chance=drawn_from(lambda state: state.unknown),
        hidden=HiddenInformation(unseen=unseen),
        score_breakdown=_score_breakdown,
    ),
)
"""The game object of Spectrum Solitaire."""
