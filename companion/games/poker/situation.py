"""The options and the data of a position of Poker: what lies where, whose turn it is, and the legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.games.poker.categories import RankingName
from companion.games.poker.moves import FOLDS, MOST_CARDS, MOST_PLAYERS, TURN_UPS, Exchange, Move, TurnUp
from companion.games.poker.odds import HAND
from companion.games.poker.strength import Strength, best_five, strength
from companion.games.shared.cards.deck import CARDS
from companion.games.shared.cards.hands import CardNumber, Hands
from companion.games.shared.lazy import LazyList, lazy


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Poker."""

    ranking: Annotated[
        RankingName,
        Meta(
            title="Which hand beats which?",
            description="Which category beats which; high card is always the lowest. POK-2.",
            extra_json_schema={
                "labels": {"book": "as the rule book lists them", "statistical": "the rarer beats the commoner"}
            },
        ),
    ] = "book"
    cards: Annotated[
        int, Meta(title="How many cards each?", ge=2, le=7, description="How many cards each player is dealt. POK-1.")
    ] = 5
    shared: Annotated[
        int,
        Meta(
            title="How many open cards for all?",
            ge=0,
            le=5,
            description="How many open cards count with every hand, as in hold'em. POK-1.",
        ),
    ] = 0
    exchanges: Annotated[
        int,
        Meta(
            title="How often can you exchange cards?",
            ge=0,
            le=2,
            description="How often each player may exchange cards before the showdown, as in draw. POK-1.",
        ),
    ] = 0


_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
_Seats = Annotated[int, Meta(ge=0, lt=1 << MOST_PLAYERS)]
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))
_OVER = Over()


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    hands: Hands
    """The hands; their pool holds the deck, the hidden cards of hands and the unknown cards laid away."""
    shared: tuple[CardNumber, ...]
    """The open cards, which count with every hand, rising."""
    given: tuple[int, ...]
    """The mask of the known cards that each seat has laid away in exchanges."""
    given_hidden: tuple[Annotated[int, Meta(ge=0)], ...]
    """The number of unknown cards that each seat has laid away."""
    dealer: _Seat
    turn: _Seat
    """The seat that exchanges or shows next once no draw is pending."""
    to_deal: Annotated[int, Meta(ge=0, le=MOST_CARDS * MOST_PLAYERS)] = 0
    """The number of cards that are still to be dealt."""
    to_share: Annotated[int, Meta(ge=0, le=5)] = 0
    """The number of open cards that still come after all exchanges."""
    owed: Annotated[int, Meta(ge=0, le=MOST_CARDS)] = 0
    """The number of cards that the seat to move must still draw for its exchange."""
    exchanges: Annotated[int, Meta(ge=0, le=2)] = 0
    """The number of rounds of exchanges to come, including the running one."""
    folded: _Seats = 0
    """The seats that have folded, as a bit mask."""
    shown: _Seats = 0
    """The seats that have turned their hands up, as a bit mask."""

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
        """True if every remaining seat has shown its hand, or only one seat remains."""
        done = (self.folded | self.shown).bit_count() == len(self.given)
        return self.is_alone or (done and self.unknown_shown is None)

    @property
    def unknown_shown(self) -> Seat | None:
        """The seat that has turned its hand up although the referee does not know all of its cards yet; None without
        one.
        """
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
        """Yields the exchanges of any number of known cards with any number of unknown ones."""
        known = [CARDS[card] for card in self.hands.known[seat]]
        for count in range(len(known) + 1):
            for cards in combinations(known, count):
                for unknown in range(self.hands.hidden[seat] + 1):
                    yield Exchange(seat, (*cards, *(None,) * unknown))


class Showdown(LazyList[Move]):
    """The moves of a showdown: turning up a known hand, folding, and calling its category, which is computed on
    access.
    """

    def __init__(self, situation: Situation, seat: Seat) -> None:
        self._situation, self._seat = situation, seat
        self.last_called: TurnUp | None = None
        """The last call that this list made; None before."""

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
