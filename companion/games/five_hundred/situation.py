"""The options and the data of a position of 500: what lies where, whose turn it is, and the legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.games.five_hundred.melds import (
    Cards,
    LaidMelds,
    MeldCards,
    can_be_laid_on,
    can_be_melded,
    chains,
    extended,
    known_shape,
    meldable_depths,
    melds_in,
    melds_with,
    pack,
)
from companion.games.five_hundred.moves import (
    CALLS,
    DISCARDS,
    DRAWS,
    MOST_PLAYERS,
    STOPS,
    TAKES,
    Move,
    lay_meld,
    lay_off,
)
from companion.games.five_hundred.possible_melds import PossibleMelds
from companion.games.shared.cards.deck import RANK
from companion.games.shared.cards.hands import WHOLE_DECK, CardNumber, Hands
from companion.games.shared.lazy import LazyList, lazy
from companion.games.shared.search.bit_sets import bits, mask_of

LeastMeld = Literal[4, 3]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of 500."""

    min_meld: Annotated[
        LeastMeld,
        Meta(
            title="How many cards make a meld?",
            description="How many cards a meld has at least: 4, or 3 as in the usual rummy. 500-2.",
        ),
    ] = 4
    minus_hand: Annotated[
        bool,
        Meta(
            title="Do cards left in hand count against you?",
            description="Cards that are left in a hand at the end count against it. 500-7.",
        ),
    ] = True
    target: Annotated[
        int, Meta(title="How many points win?", ge=50, le=5000, description="Points that win the match. 500-9.")
    ] = 500


FEW = 20
"""The largest number of known cards whose melds are listed immediately; more cards may have millions of melds."""
EACH = 12
"""The number of cards dealt to each player (500-1)."""
Step = Literal["deal", "draw", "drawing", "play", "out", "stock"]
"""The step of the hand, in this order: the deal; before a draw, while others may call; waiting for the stock's card;
melds and the discard; the hand is over because a hand is empty, or because the stock is.
"""

_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))
_TO_DRAW = tuple(ToDraw(seat, 1, "stock", shown=False) for seat in range(MOST_PLAYERS))
_OVER = Over()


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    hands: Hands
    """The hands; their pool holds the stock and the hidden cards of hands."""
    opened: tuple[int, ...]
    """For each seat, the mask of the cards that everybody has seen go into the hand and that are still there."""
    laid: tuple[int, ...]
    """The mask of the cards that each seat has on the table; they score for it."""
    melds: tuple[int, ...]
    """The mask of each meld's cards, the oldest meld first."""
    discards: tuple[CardNumber, ...]
    """The discards, the top one last."""
    dealer: _Seat
    turn: _Seat
    step: Step = "deal"
    to_deal: Annotated[int, Meta(ge=0, le=EACH * MOST_PLAYERS)] = 0
    """The number of cards that are still to be dealt."""
    next_turn: _Seat = 0
    """The seat on turn after this one, once cards are drawn or taken."""
    window: _Seat | None = None
    """The seat that has just discarded, as long as others may call (500-8)."""
    due: CardNumber | None = None
    """The deepest card taken, which must be melded immediately (500-3, 500-8)."""
    source: int = 0
    """After a call, the mask of the cards with which `due` must be melded; 0 allows any card of the hand."""
    barred: CardNumber | None = None
    """The discard that was taken alone and may not be discarded in this turn (500-5)."""
    brought: tuple[int, ...] = ()
    """For each seat, points of the match before this hand; empty is none."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.laid)

    @property
    def stock(self) -> int:
        """The number of cards in the stock."""
        return self.hands.pool.bit_count() - sum(self.hands.hidden)

    @property
    def is_ended(self) -> bool:
        """True if the hand is played out (500-6)."""
        return self.step in ("out", "stock")

    @property
    def is_counted(self) -> bool:
        """True if the hand is played out, and every card that counts is known."""
        return self.is_ended and not (self.options.minus_hand and any(self.hands.hidden))

    @lazy
    def expected(self) -> Expect:
        """The event that must come next."""
        step = self.step
        if step == "play":
            return _TO_MOVE[self.turn]
        if step == "drawing":
            return _TO_DRAW[self.turn]
        if step == "draw":
            return ToMove((self.turn, *self.callers)) if self.calls else _TO_MOVE[self.turn]
        if step == "deal":
            return self._deal_due()
        for seat, hidden in enumerate(self.hands.hidden):
            if hidden and self.options.minus_hand:
                return ToDraw(seat, hidden, "hand", shown=True)
        return _OVER

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        return self.expected

    def _deal_due(self) -> ToDraw:
        if not self.to_deal:
            return ToDraw(self.dealer, 1, "first discard", shown=True)
        dealt = EACH * self.seats - self.to_deal
        seat = (self.dealer + 1 + dealt // EACH) % self.seats
        return ToDraw(seat, EACH - dealt % EACH, "deck", shown=False)

    @property
    def callers(self) -> tuple[Seat, ...]:
        """The seats, other than the one to move, that may call; nearest to the discarder's left first (500-8)."""
        if self.window is None:
            return ()
        order = [(self.window + step) % self.seats for step in range(1, self.seats)]
        return tuple([seat for seat in order if seat != self.turn])

    @lazy
    def table(self) -> LaidMelds:
        """The kinds of the melds, and the cards that extend them."""
        return LaidMelds.of(tuple([known_shape(meld) for meld in self.melds]))

    @lazy
    def packed(self) -> int:
        """The known cards of the seat to move, in the form of `melds.pack`."""
        return pack(self.hands.known[self.turn])

    @lazy
    def piled(self) -> int:
        """The discards, in the form of `melds.pack`."""
        return pack(self.discards)

    @lazy
    def calls(self) -> tuple[int, ...]:
        """The discards down to which a call may take, from the top down: each can be melded with discards alone."""
        if self.window is None or self.step != "draw":
            return ()
        pile, least = self.discards, self.options.min_meld
        if len(pile) < least and not self.table.fits_anywhere & self.piled:
            return ()
        return tuple([pile[place] for place in meldable_depths(pile, self.piled, 0, self.table, least)])

    @lazy
    def takes(self) -> tuple[int, ...]:
        """The discards down to which the seat to move may take, from the top down (500-3)."""
        pile = self.discards
        if self.step != "draw" or not pile:
            return ()
        hands, turn, least = self.hands, self.turn, self.options.min_meld
        if hands.hidden[turn]:
            deep = self._possible_takes()
        else:
            if len(pile) == 1:
                return pile
            places = meldable_depths(pile, self.piled, self.packed, self.table, least)
            if not places:
                return pile[-1:]
            deep = [pile[place] for place in places]
        top = pile[-1]
        return (top, *[card for card in deep if card != top])

    def _possible_takes(self) -> list[int]:
        """Returns `takes` for a hand with hidden cards: a card that the hand may hold counts as held."""
        hands, turn, pile = self.hands, self.turn, self.discards
        known, found = mask_of(hands.known[turn]), []
        for place in range(len(pile) - 1, -1, -1):
            known |= 1 << pile[place]
            held = MeldCards(known, hands.pool, hands.hidden[turn])
            if can_be_melded(pile[place], held, self.table.shapes, self.options.min_meld):
                found.append(pile[place])
        return found

    @property
    def held(self) -> MeldCards:
        """The cards with which the seat to move may meld: those of a call, or its whole hand."""
        if self.source:
            return MeldCards(self.source)
        hands, turn = self.hands, self.turn
        hidden = hands.hidden[turn]
        return MeldCards(mask_of(hands.known[turn]), hands.pool if hidden else 0, hidden)

    @lazy
    def moves(self) -> Sequence[Move]:
        """Every legal move of the seats to move."""
        if self.step == "draw":
            return self._draw_moves()
        if self.step != "play":
            return ()
        if self.hands.hidden[self.turn] or len(self.hands.known[self.turn]) > FEW:
            return self._possible_moves()
        if self.due is not None:
            return self._due_moves(self.due)
        seat, packed = self.turn, self.packed
        found: list[Move] = [lay_meld(seat, cards) for cards in melds_in(packed, self.options.min_meld)]
        if self.table.fits_anywhere & packed:
            mask = packed & WHOLE_DECK
            for number, fits in enumerate(self.table.fits):
                some = fits & mask
                if some:
                    found += [lay_off(seat, card, number) for card in bits(some)]
        return found + self._discard_moves()

    def _discard_moves(self) -> list[Move]:
        seat = self.turn
        hand, discards = self.hands.known[seat], DISCARDS[seat]
        if self.barred is None or self.hands.size(seat) == 1:
            return [discards[card] for card in hand]
        return [discards[card] for card in hand if card != self.barred]

    def _due_moves(self, due: int) -> list[Move]:
        """Returns the moves while a card must be melded at once: melds that contain it, and lay-offs of it or of cards
        that lead to it.
        """
        seat, held = self.turn, self.held
        packed = self.packed if not self.source else pack(bits(self.source))
        found: list[Move] = [lay_meld(seat, cards) for cards in melds_with(due, packed, self.options.min_meld)]
        for number, fits in enumerate(self.table.fits):
            if fits >> due & 1:
                found.append(lay_off(seat, due, number))
            elif fits & held.known and due in chains(self.table.shapes[number]):
                some = bits(fits & held.known)
                found += [lay_off(seat, card, number) for card in some if self.is_on_the_way(card, number)]
        return found

    def _draw_moves(self) -> list[Move]:
        turn = self.turn
        empty = self.hands.pool.bit_count() == sum(self.hands.hidden)
        found: list[Move] = [STOPS[turn] if empty else DRAWS[turn]]
        found += [TAKES[turn][card] for card in self.takes]
        if self.calls:
            for seat in (*self.callers, turn):
                if seat != self.window:
                    found += [CALLS[seat][card] for card in self.calls]
        return found

    def _possible_moves(self) -> Sequence[Move]:
        """Returns the moves of a hand with many or hidden cards; a hidden card may be any face-down one."""
        seat, held, due = self.turn, self.held, self.due
        others: list[Move] = []
        for number, fits in enumerate(self.table.fits):
            for card in bits(fits & (held.known | held.unknown)):
                if due is None or card == due or self.is_on_the_way(card, number):
                    others.append(lay_off(seat, card, number))
        if due is None:
            barred = self.barred if self.hands.size(seat) > 1 else None
            others += [DISCARDS[seat][card] for card in self.hands.may_be(seat) if card != barred]
        return TurnMoves(seat, PossibleMelds(held, self.options.min_meld, due), others)

    def is_on_the_way(self, card: int, number: int) -> bool:
        """True if a card lies between meld `number` and the card that must be melded, which can then follow it."""
        due, shape, held = self.due, self.table.shapes[number], self.held
        assert due is not None
        same_side = (RANK[card] > shape.high) == (RANK[due] > shape.high)
        if not same_side or self.table.fits[number] >> due & 1 or not can_be_laid_on(due, held, shape):
            return False
        bit = 1 << card
        unknown = not held.known & bit
        rest = MeldCards(held.known & ~bit, held.unknown & ~bit, held.hidden - unknown)
        return can_be_laid_on(due, rest, extended(shape, card))


class TurnMoves(LazyList[Move]):
    """The melds, which may be too many to make at once, followed by the other moves."""

    def __init__(self, seat: Seat, melds: Sequence[Cards], others: Sequence[Move]) -> None:
        self._seat, self._melds, self._others = seat, melds, others

    def __len__(self) -> int:
        return len(self._melds) + len(self._others)

    def _made(self, place: int) -> Move:
        melds = len(self._melds)
        return lay_meld(self._seat, self._melds[place]) if place < melds else self._others[place - melds]

    def __iter__(self) -> Iterator[Move]:
        for cards in self._melds:
            yield lay_meld(self._seat, cards)
        yield from self._others
