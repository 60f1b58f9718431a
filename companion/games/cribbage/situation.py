"""The options and the data of a position of Cribbage: what lies where, whose turn it is, and the legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.games.cribbage.counting import FULL, points_by_kind
from companion.games.cribbage.moves import GOES, MOST_PLAYERS, PLAYS, Count, Counted, LayAway, Move, lay_aways
from companion.games.shared.cards.deck import CARDS, NUMBER_CARDS, RANK, RANKS
from companion.games.shared.cards.hands import CardNumber, Cards, Hands
from companion.games.shared.lazy import LazyList, lazy
from companion.games.shared.search.bit_sets import bits, mask_of


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Cribbage."""

    target: Annotated[
        int,
        Meta(
            title="How many points win?",
            ge=30,
            le=500,
            description="Points that win the game, usually 121, 150 or 200. CRB-1.",
        ),
    ] = 121


WAITING, OUT = -1, -2
"""Entries of `cut`: a seat that must still cut, and a seat that has cut too high to deal (CRB-1)."""


class HandSizes(NamedTuple):
    """The number of cards dealt, laid away and kept, for a number of players (CRB-2, CRB-11)."""

    dealt: int
    laid: int
    hand: int


SIZES = {2: HandSizes(9, 3, 6), 4: HandSizes(10, 2, 8)}
UP_TO: tuple[int, ...] = tuple(
    mask_of(card for card in range(NUMBER_CARDS) if RANK[card] <= limit) for limit in range(RANKS + 1)
)
"""Rank to the mask of all cards of that rank or less."""
FITTING: tuple[int, ...] = tuple(UP_TO[min(FULL - total, RANKS)] for total in range(FULL + 1))
"""Count to the mask of all cards that keep it at 37 or below."""

_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))
_OVER = Over()
_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class Peg(Struct, frozen=True, array_like=True):
    """Points that a seat has pegged, and their reason as a key of `scoring.TEXTS`."""

    seat: _Seat
    points: Annotated[int, Meta(ge=0)]
    kind: str


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    hands: Hands
    """The cards not yet played or laid away; the pool holds the deck and the hidden cards of hands and crib."""
    dealer: _Seat | None
    """The dealer's seat; None while the players cut for the deal."""
    totals: tuple[Annotated[int, Meta(ge=0)], ...]
    """The points of each side: each of two players, or each of two teams of four players."""
    pegs: tuple[Peg, ...] = ()
    """All points scored since the game or its position began, oldest first."""
    brought: tuple[Annotated[int, Meta(ge=0)], ...] = ()
    """The points of each side with which the position began; empty means none."""
    cut: tuple[Annotated[int, Meta(ge=OUT, lt=NUMBER_CARDS)], ...] = ()
    """The card that each seat cut for the deal, `WAITING` or `OUT`; empty once the dealer is known."""
    to_deal: Annotated[int, Meta(ge=0, le=40)] = 0
    """The number of cards that are still to be dealt."""
    laid: tuple[Cards, ...] = ()
    """The known cards that each seat laid away into the crib."""
    laid_hidden: tuple[Annotated[int, Meta(ge=0, le=3)], ...] = ()
    """The number of unknown cards that each seat laid away."""
    starter: CardNumber | None = None
    played: tuple[tuple[CardNumber, ...], ...] = ()
    """The cards that each seat has played in this hand, in their order."""
    count: tuple[CardNumber, ...] = ()
    """The cards of the running count, in their order."""
    last: _Seat | None = None
    """The seat that played the last card."""
    gone: Annotated[int, Meta(ge=0, lt=1 << MOST_PLAYERS)] = 0
    """The seats that have said Go in this count, as a bit mask."""
    scored: bool = False
    """True if the one point for Go has been pegged in this count."""
    turn: _Seat = 0
    """The seat to play once the starter is turned up; it has cards as long as any seat has."""
    counted: Annotated[int, Meta(ge=0, le=MOST_PLAYERS + 1)] = 0
    """The number of counted hands of this deal, including the crib."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.played)

    @property
    def sizes(self) -> HandSizes:
        """The number of cards dealt, laid away and kept."""
        return SIZES[len(self.played)]

    def side(self, seat: Seat) -> int:
        """Returns the side that a seat plays for: its own, or its team (CRB-11)."""
        return seat % 2

    @lazy
    def total(self) -> int:
        """The running count."""
        return sum([RANK[card] for card in self.count])

    @property
    def is_over(self) -> bool:
        """True if a side has reached the target (CRB-6)."""
        return max(self.totals) >= self.options.target

    @property
    def is_played(self) -> bool:
        """True if all cards of the hand are played and the counting begins."""
        return self.starter is not None and not self.hands.known[self.turn] and not self.hands.hidden[self.turn]

    @property
    def is_crib_up(self) -> bool:
        """True if the crib lies open: all hands are counted, and the crib is counted next (CRB-6)."""
        return self.counted == self.seats and self.is_played

    @property
    def crib_due(self) -> ToDraw:
        """The draw that turns up the unseen cards of the crib."""
        assert self.dealer is not None
        return ToDraw(self.dealer, sum(self.laid_hidden), "crib", shown=True)

    @lazy
    def to_lay(self) -> tuple[Seat, ...]:
        """The seats that must still lay cards away."""
        return tuple([seat for seat in range(self.seats) if not self.laid[seat] and not self.laid_hidden[seat]])

    @property
    def crib(self) -> tuple[int, ...]:
        """The known cards of the crib."""
        return tuple(sorted([card for cards in self.laid for card in cards]))

    @lazy
    def due(self) -> Expect:
        """The event that must come next."""
        totals, target = self.totals, self.options.target
        if totals[0] >= target or totals[1] >= target:
            return _OVER
        if self.dealer is None:
            seat = self.cut.index(WAITING)
            return ToDraw(seat, 1, "cut", shown=True)
        if self.to_deal:
            dealt, each = self.sizes.dealt * self.seats - self.to_deal, self.sizes.dealt
            seat = (self.dealer + 1 + dealt // each) % self.seats
            return ToDraw(seat, each - dealt % each, "deck", shown=False)
        if self.starter is None:
            waiting = self.to_lay
            return ToMove(waiting) if waiting else ToDraw(self.dealer, 1, "starter", shown=True)
        if not self.is_played:
            return _TO_MOVE[self.turn]
        if any(self.laid_hidden) and self.is_crib_up:
            return self.crib_due
        return _TO_MOVE[self.counting[0]]

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        return self.due

    @property
    def counting(self) -> tuple[Seat, Counted]:
        """The seat that counts next, and whether it counts its hand or the crib (CRB-6)."""
        assert self.dealer is not None
        if self.counted == self.seats:
            return self.dealer, "crib"
        return (self.dealer + 1 + self.counted) % self.seats, "hand"

    @lazy
    def worth(self) -> tuple[int, ...]:
        """The points of the hand or crib that is counted next, by the kinds of `counting.KINDS`."""
        assert self.starter is not None
        seat, of = self.counting
        return points_by_kind(self.crib if of == "crib" else self.played[seat], self.starter, crib=of == "crib")

    @lazy
    def fitting(self) -> int:
        """The mask of all cards that do not take the count above 37."""
        return FITTING[self.total]

    def knows_a_play(self, seat: Seat) -> bool:
        """True if a seat can certainly play: a known card fits, or every card that it may hold fits."""
        fitting = self.fitting
        for card in self.hands.known[seat]:
            if fitting >> card & 1:
                return True
        return bool(self.hands.hidden[seat]) and not self.hands.pool & ~fitting

    @lazy
    def moves(self) -> Sequence[Move]:
        """Every legal move: cards to lay away by seat, or cards to play, or Go, or the next count."""
        due = self.due
        if not isinstance(due, ToMove):
            return ()
        if self.starter is None:
            return LayAways(self.hands, due.seats, self.sizes.laid)
        if self.is_played:
            seat, of = self.counting
            return (Count(seat, of, sum(self.worth)),)
        seat, fitting, hands = self.turn, self.fitting, self.hands
        plays = PLAYS[seat]
        found: list[Move] = [plays[card] for card in hands.known[seat] if fitting >> card & 1]
        hidden = hands.hidden[seat]
        if hidden:
            found += [plays[card] for card in bits(hands.pool & fitting)]
        if not found or (hidden and not self.knows_a_play(seat)):
            found.append(GOES[seat])
        return found


def may_play(hands: Hands, seat: Seat, fitting: int) -> bool:
    """True if a seat may be able to play a card of the mask `fitting`."""
    for card in hands.known[seat]:
        if fitting >> card & 1:
            return True
    return bool(hands.hidden[seat] and hands.pool & fitting)


class LayAways(LazyList[Move]):
    """Every way to lay cards away, seat by seat, as a list that makes each move on access.

    In a hand with hidden cards, any number of the cards may be unknown.
    """

    def __init__(self, hands: Hands, seats: Sequence[Seat], laid: int) -> None:
        self._blocks = [
            (seat, hands.known[seat], _choices(len(hands.known[seat]), laid - unknown), unknown)
            for seat in seats
            for unknown in range(max(0, laid - len(hands.known[seat])), min(laid, hands.hidden[seat]) + 1)
        ]
        self._len = sum([len(choices) for _, _, choices, _ in self._blocks])

    def __len__(self) -> int:
        return self._len

    def _made(self, place: int) -> Move:
        for seat, known, choices, unknown in self._blocks:
            if place < len(choices):
                return _lay_away(seat, known, choices[place], unknown)
            place -= len(choices)
        raise IndexError(place)

    def __iter__(self) -> Iterator[Move]:
        for seat, known, choices, unknown in self._blocks:
            cards = [CARDS[card] for card in known]
            yield from lay_aways(seat, combinations(cards, len(choices[0])), unknown)


def _lay_away(seat: Seat, known: Sequence[int], choice: Sequence[int], unknown: int) -> LayAway:
    return LayAway(seat, (*[CARDS[known[place]] for place in choice], *(None,) * unknown))


@lru_cache(maxsize=64)
def _choices(of: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Returns every way to choose `count` of `of` places."""
    return tuple(combinations(range(of), count))
