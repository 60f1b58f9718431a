"""What games of number cards in hands that others do not see are made of alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Protocol, TypeVar

from companion.capabilities import ChanceEvents, HiddenInformation
from companion.contract import Chance, Event, Seat, State
from companion.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.dealing import Dealer
from companion.pieces import Piece

S = TypeVar("S", bound=State)


class HiddenCards(Protocol[S]):
    """A game's module about the cards that not everybody sees; see `HiddenInformation` and `ChanceEvents`."""

    def outcomes(self, state: S) -> Iterable[tuple[Chance, int]]: ...

    def sample(self, state: S, rng: Random) -> Chance: ...

    def unseen(self, state: S) -> Mapping[Piece, int]: ...

    def view(self, state: S, seat: Seat | None) -> S: ...

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None: ...

    def determinize(self, state: S, rng: Random) -> S: ...


def card_game(
    info: GameInfo, positions: Positions[S], codec: EventCodec[S], cards: HiddenCards[S], offers: Capabilities[S]
) -> Game[S]:
    """A game whose draws and hands follow from its cards; without a dealer of its own, software shuffles the deck."""
    chance = ChanceEvents(cards.outcomes, cards.sample)
    hidden = HiddenInformation(cards.unseen, cards.view, cards.redact, cards.determinize)
    return Game.of(
        info, positions, codec, replace(offers, chance=chance, hidden=hidden, dealer=offers.dealer or Dealer)
    )
