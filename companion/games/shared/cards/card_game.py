"""The parts that games of partly hidden number cards share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Protocol, TypeVar

from companion.core.capabilities import ChanceEvents, HiddenInformation
from companion.core.contract import Event, Seat, State
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.pieces import Piece
from companion.games.shared.cards.dealing import Dealer
from companion.games.shared.cards.hands import sampled, single_cards

S = TypeVar("S", bound=State)


class HiddenCards(Protocol[S]):
    """A game's module about the cards that not everybody sees; see `HiddenInformation`."""

    def unseen(self, state: S) -> Mapping[Piece, int]: ...

    def view(self, state: S, seat: Seat | None) -> S: ...

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None: ...

    def determinize(self, state: S, rng: Random) -> S: ...


def drawn_from(face_down: Callable[[S], int]) -> ChanceEvents[S]:
    """The draws that are due, card by card or whole: each card that is face down is as likely.

    Args:
        face_down: Of a position: the mask of those cards.
    """
    return ChanceEvents(
        lambda state: single_cards(state.expects(), face_down(state)),
        lambda state, rng: sampled(state.expects(), face_down(state), rng),
    )


def of_hands(state: Any) -> int:
    """The cards that are face down where all hidden cards are those of `companion.games.shared.cards.hands`."""
    pool: int = state.hands.pool
    return pool


def card_game(
    info: GameInfo, positions: Positions[S], codec: EventCodec[S], cards: HiddenCards[S], offers: Capabilities[S]
) -> Game[S]:
    """A game whose hidden hands and draws follow from its cards.

    Args:
        offers: Without chances, those of `hands` are the game's; without a dealer, software shuffles the deck.
    """
    chance, dealer = offers.chance or drawn_from(of_hands), offers.dealer or Dealer
    hidden = HiddenInformation(cards.unseen, cards.view, cards.redact, cards.determinize)
    return Game.of(info, positions, codec, replace(offers, chance=chance, hidden=hidden, dealer=dealer))
