"""The hands, who has folded or shown, and what follows from them (POK-1 to POK-4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.games.poker.moves import FOLDS, MOST_CARDS, MOST_PLAYERS, TURN_UPS, Exchange, Move, TurnUp
from companion.games.poker.odds import HAND
from companion.games.poker.options import Options
from companion.games.poker.strength import Strength, best_five, strength
from companion.games.shared.cards.deck import CARDS
from companion.games.shared.cards.hands import CardNumber, Hands
from companion.games.shared.search.lazy import LazyList, lazy

_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
_Seats = Annotated[int, Meta(ge=0, lt=1 << MOST_PLAYERS)]
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))
_OVER = Over()


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    hands: Hands
    """Its pool is the deck, hidden cards of hands and unknown cards laid away."""
    shared: tuple[CardNumber, ...]
    """Open cards that count with every hand, rising."""
    given: tuple[int, ...]
    """For each seat, the mask of the known cards that it has laid away in exchanges."""
    given_hidden: tuple[Annotated[int, Meta(ge=0)], ...]
    """The number of unknown cards that each seat has laid away."""
    dealer: _Seat
    turn: _Seat
    """The seat whose exchange or showdown is next, once no draw is due."""
    to_deal: Annotated[int, Meta(ge=0, le=MOST_CARDS * MOST_PLAYERS)] = 0
    """Cards that must still be dealt into hands."""
    to_share: Annotated[int, Meta(ge=0, le=5)] = 0
    """Open cards that must still come, once all exchanges are made."""
    owed: Annotated[int, Meta(ge=0, le=MOST_CARDS)] = 0
    """Cards that the seat on turn must still draw for those that it has laid away."""
    exchanges: Annotated[int, Meta(ge=0, le=2)] = 0
    """Rounds of exchanges that are still to come, the running one included."""
    folded: _Seats = 0
    """Seats that have folded, a bit each."""
    shown: _Seats = 0
    """Seats that have turned their hands up."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.given)

    def is_in(self, seat: Seat) -> bool:
        """True if a seat has not folded."""
        return not self.folded >> seat & 1

    @property
    def is_alone(self) -> bool:
        """True if all but one have folded."""
        return self.folded != 0 and self.folded.bit_count() == len(self.given) - 1

    @property
    def is_over(self) -> bool:
        """True if everybody who is left has shown, or only one is left."""
        done = (self.folded | self.shown).bit_count() == len(self.given)
        return self.is_alone or (done and self.unknown_shown is None)

    @property
    def unknown_shown(self) -> Seat | None:
        """A seat that has turned its hand up while the referee does not know all of it yet."""
        if self.shown and any(self.hands.hidden):
            for seat, hidden in enumerate(self.hands.hidden):
                if hidden and self.shown >> seat & 1:
                    return seat
        return None

    @lazy
    def due(self) -> Expect:
        """The event that must come next."""
        if self.to_deal:
            each, seats = self.options.cards, len(self.given)
            dealt = each * seats - self.to_deal
            seat = (self.dealer + 1 + dealt // each) % seats
            return ToDraw(seat, each - dealt % each, "deck", shown=False)
        if self.is_alone:
            return _OVER
        unknown = self.unknown_shown
        if unknown is not None:
            return ToDraw(unknown, self.hands.hidden[unknown], "hand", shown=True)
        if self.is_over:
            return _OVER
        if self.owed:
            return ToDraw(self.turn, self.owed, "deck", shown=False)
        if self.to_share and not self.exchanges:
            return ToDraw(self.dealer, self.to_share, "deck, open", shown=True)
        return _TO_MOVE[self.turn]

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        return self.due

    def is_known(self, seat: Seat) -> bool:
        """True if the referee knows a hand throughout, with enough cards for five."""
        return not self.hands.hidden[seat] and len(self.hands.known[seat]) + len(self.shared) >= HAND

    def strength(self, seat: Seat) -> Strength:
        """Returns the category of a known hand with the open cards (POK-1, POK-2)."""
        cards = (*self.hands.known[seat], *self.shared)
        ranking = self.options.ranking
        return strength(cards, ranking) if len(cards) == HAND else best_five(cards, ranking)

    @lazy
    def moves(self) -> Sequence[Move]:
        """Every legal move of the seat to move."""
        if not isinstance(self.due, ToMove):
            return ()
        seat = self.turn
        if self.exchanges:
            return [*self._ways_to_exchange(seat), FOLDS[seat]]
        return Showdown(self, seat) if self.is_known(seat) else (TURN_UPS[seat], FOLDS[seat])

    def _ways_to_exchange(self, seat: Seat) -> Iterator[Exchange]:
        """Any number of known cards, and any number of unknown ones."""
        known = [CARDS[card] for card in self.hands.known[seat]]
        for count in range(len(known) + 1):
            for cards in combinations(known, count):
                for unknown in range(self.hands.hidden[seat] + 1):
                    yield Exchange(seat, (*cards, *(None,) * unknown))


class Showdown(LazyList[Move]):
    """Turning up a known hand, folding, and turning it up with its category called, which is worked out last."""

    def __init__(self, situation: Situation, seat: Seat) -> None:
        self._situation, self._seat = situation, seat
        self.last_called: TurnUp | None = None
        """The call that was made of this list, if it was looked at."""

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[Move]:
        return iter((TURN_UPS[self._seat], FOLDS[self._seat], self._call()))

    def _made(self, place: int) -> Move:
        return self._call() if place == 2 else (TURN_UPS[self._seat], FOLDS[self._seat])[place]

    def _call(self) -> TurnUp:
        if self.last_called is None:
            self.last_called = TurnUp(self._seat, self._situation.strength(self._seat).category.title)
        return self.last_called
