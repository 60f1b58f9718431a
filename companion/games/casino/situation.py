"""The options and the data of a position of Casino: what lies where, whose turn it is, and the legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, ToDraw, ToMove
from companion.games.casino.captures import Captures, captures
from companion.games.casino.moves import MOST_PLAYERS, PUTS, Move, Take
from companion.games.shared.cards.deck import CARDS, COLORS, NUMBER_CARDS, RANK, RANKS
from companion.games.shared.cards.hands import CardNumber, Hands
from companion.games.shared.lazy import LazyList, lazy

MOST_ROUNDS = 12
"""The largest number of rounds of a match. Each round gives 60 points and 100 points win."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Casino."""

    high_builds: Annotated[
        bool,
        Meta(
            title="Can builds go above 12?",
            description="A value that is built may be above 12 (on), or must be a rank (off). CAS-4.",
        ),
    ] = False
    free_discard: Annotated[
        bool,
        Meta(
            title="Can you lay a card although you could take?",
            description="A player may put a card on the board although something could be taken (on), or only a player "
            "who cannot take may (off). CAS-6.",
        ),
    ] = False
    rounds: Annotated[
        int,
        Meta(
            title="How many rounds?",
            ge=1,
            le=MOST_ROUNDS,
            description="How many rounds are played on end at most, fewer if the match is won before; a later game "
            "can begin with the totals. CAS-9.",
        ),
    ] = 1


DEAL = 12
"""The number of cards in one deal, all seats together (CAS-1)."""
DEALS = 11
"""The number of deals in a round (CAS-1)."""
BOARD = 6
"""The number of cards on the board at the beginning, and in the board pile (CAS-1)."""
LEAST_ON_BOARD = 2
"""If fewer cards than this are on the board after a deal, one comes from the board pile (CAS-7)."""
BOARD_SPOT = "board"

_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))
_OVER = Over()

Points = Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0)]
"""A number of points; a fraction if six points are split among four (CAS-8)."""


by_rank = tuple(card % RANKS * COLORS + card // RANKS for card in range(NUMBER_CARDS)).__getitem__
"""Sorting key for the cards on the board: by rank, then by color."""


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    hands: Hands
    """The hands; their pool holds the deck, the board pile and the hidden cards of hands."""
    board: tuple[CardNumber, ...]
    """The cards on the board, sorted by `by_rank`."""
    won: tuple[int, ...]
    """The mask of the cards that each seat has won in this round."""
    dealer: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
    turn: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
    chosen: Annotated[int, Meta(ge=0, lt=COLORS)] | None = None
    """The Chosen Color (CAS-2); None before the first card is on the board."""
    to_board: Annotated[int, Meta(ge=0, le=BOARD)] = BOARD
    """The number of cards to lay open on the board before anything else happens."""
    to_hands: Annotated[int, Meta(ge=0, le=DEAL)] = DEAL
    """The number of cards of this deal that are still to be dealt."""
    deal: Annotated[int, Meta(ge=1, le=DEALS)] = 1
    """The number of the deal in the round, from 1."""
    pile: Annotated[int, Meta(ge=0, le=BOARD)] = BOARD
    """The number of cards in the board pile, without those counted by `to_board`."""
    last: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)] | None = None
    """The seat that took cards last (CAS-7)."""
    brought: tuple[Points, ...] = ()
    """The match points of each seat before this game; empty means none."""
    past: tuple[tuple[Points, ...], ...] = ()
    """The points of each seat for every finished round of this game."""
    ended: bool = False
    """True if the last round of this game is finished; its cards are still in `won`."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.won)

    @property
    def each(self) -> int:
        """The number of cards that each hand gets in a deal (CAS-1)."""
        return DEAL // len(self.won)

    @property
    def is_last_play(self) -> bool:
        """True if the next play ends the round (CAS-7)."""
        held = sum(len(cards) for cards in self.hands.known) + sum(self.hands.hidden)
        return self.deal == DEALS and not self.to_hands and not self.to_board and held == 1

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        if self.ended:
            return _OVER
        if self.to_board:
            return self._board_due()
        if self.to_hands:
            dealt = DEAL - self.to_hands
            seat = (self.dealer + 1 + dealt // self.each) % self.seats
            return ToDraw(seat, self.each - dealt % self.each, "deck", shown=False)
        return _TO_MOVE[self.turn]

    def _board_due(self) -> ToDraw:
        if self.chosen is None:
            return ToDraw(self.dealer, 1, "deck, the first card of the board", shown=True)
        from_deck = self.deal == 1
        return ToDraw(self.dealer, self.to_board, "deck, to the board" if from_deck else "board pile", shown=True)

    @lazy
    def captures(self) -> Captures:
        """Returns the takes that the board allows."""
        return captures(tuple([RANK[card] for card in self.board]), self.options.high_builds)

    @lazy
    def takers(self) -> tuple[int, ...]:
        """Returns the known cards of the seat to move that can take something."""
        by = self.captures.by
        return tuple([card for card in self.hands.known[self.turn] if by[RANK[card]]])

    @lazy
    def moves(self) -> Plays:
        """Returns every legal move of the seat to move: takes by card and then by the cards taken, then puts (CAS-3 to
        CAS-6).

        If a hand has hidden cards, every card that is face down may be among them. It may be put on the board if
        neither it nor a known card takes any; hidden cards oblige no player.
        """
        if self.ended or self.to_board or self.to_hands:
            return Plays(self, [], ())
        hands, by = self.hands, self.captures.by
        hidden = hands.hidden[self.turn]
        cards = hands.may_be(self.turn) if hidden else hands.known[self.turn]
        takes = [(card, sets) for card in cards if (sets := by[RANK[card]])]
        if self.options.free_discard or not takes:
            return Plays(self, takes, cards)
        if not hidden or self.takers:
            return Plays(self, takes, ())
        return Plays(self, takes, tuple([card for card in cards if not by[RANK[card]]]))

    def taken(self, mask: int) -> tuple[int, ...]:
        """Returns the board's cards in a mask over its places."""
        return tuple([card for place, card in enumerate(self.board) if mask >> place & 1])


class Plays(LazyList[Move]):
    """The legal moves as a list that makes each move on access."""

    def __init__(
        self, situation: Situation, takes: Sequence[tuple[int, tuple[int, ...]]], puts: tuple[int, ...]
    ) -> None:
        """
        Args:
            takes: Cards with the masks, over the board's places, of what each can take.
        """
        self._situation = situation
        self.takes = takes
        self.puts = puts
        self.made: tuple[Take | None, int] = (None, 0)
        """The last take made by this list and the mask of the cards that it takes; applying it needs no second
        check.
        """
        self._len = len(puts)
        for _, sets in takes:
            self._len += len(sets)

    def __len__(self) -> int:
        return self._len

    def _made(self, place: int) -> Move:
        for card, sets in self.takes:
            if place < len(sets):
                return self._take(card, sets[place])
            place -= len(sets)
        return PUTS[self._situation.turn][self.puts[place]]

    def __iter__(self) -> Iterator[Move]:
        for card, sets in self.takes:
            for mask in sets:
                yield self._take(card, mask)
        for card in self.puts:
            yield PUTS[self._situation.turn][card]

    def _take(self, card: int, mask: int) -> Take:
        taken = tuple([CARDS[other] for other in self._situation.taken(mask)])
        take = Take(self._situation.turn, CARDS[card], taken)
        self.made = (take, mask)
        return take
