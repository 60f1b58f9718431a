"""The data of a position of Spectrumo: the cards, the seat to move, playable cards, and unseen cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from companion.core.contract import Expect, Outcome, Over, Seat, ToDraw, ToMove
from companion.games.shared.cards.deck import COPIES, KINDS, NUMBER_CARDS, PIECES
from companion.games.shared.lazy import lazy
from companion.games.spectrumo import scoring
from companion.games.spectrumo.fitting import Fits, can_follow_swap, fits_on, is_swap
from companion.games.spectrumo.moves import DRAWS, PASSES, PENALTIES, PLAYS, TRADES, Give, Move
from companion.games.spectrumo.options import Options

HAND = 12
"""The number of cards dealt to each player (UMO-1)."""
UNKNOWN = -1
"""The number that stands for a card which the referee has not seen."""

Stage = Literal["deal", "turn-up", "play", "count"]

_OVER = Over()
_TO_MOVE: tuple[ToMove, ...] = tuple(ToMove((seat,)) for seat in range(8))
_DRAW_ONE: tuple[ToDraw, ...] = tuple(ToDraw(seat, 1, "draw deck", False) for seat in range(8))

POOL_BITS = 2
"""The number of bits for each kind's count in a pool."""
ONE: tuple[int, ...] = tuple(1 << POOL_BITS * card for card in range(KINDS))
"""The pool with one card of each kind, by card number."""
WHOLE_DECK = sum(one * copies for one, copies in zip(ONE, COPIES, strict=True))
"""The pool of all 168 cards."""


def _counts(place: int, byte: int) -> tuple[tuple[int, int], ...]:
    """Returns cards and how many there are of each, as byte `place` of a pool says."""
    first = place * 8 // POOL_BITS
    return tuple(
        (first + step, byte >> POOL_BITS * step & 3) for step in range(8 // POOL_BITS) if byte >> POOL_BITS * step & 3
    )


_COUNTS = tuple(tuple(_counts(place, byte) for byte in range(256)) for place in range(KINDS * POOL_BITS // 8))
"""The cards and their numbers by index and value of a byte of a pool: a pool is read four kinds at a time."""


class Swapping(Struct, frozen=True):
    """A trade of cards that is not complete (UMO-9)."""

    to: Seat | None = None
    """The other player; None before the first card is laid aside."""
    given: tuple[int, ...] = ()
    """The known cards that are laid aside for that player."""
    unknown: int = 0
    """The number of further unseen cards."""
    due: int = 0
    """The number of cards still to be drawn blindly from the other hand; 0 while cards are chosen."""


class Situation(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """The position. Cards are numbers; the known cards of hands are listed, the others only counted."""

    options: Options
    stage: Stage
    hands: tuple[tuple[int, ...], ...]
    """For each seat, known cards, rising."""
    hidden: tuple[int, ...]
    """For each seat, how many cards the referee was not shown."""
    draw: int
    """The number of cards in the draw deck."""
    discard: tuple[int, ...]
    """The cards of the discard deck that were public; the last one is the table card."""
    buried: int
    """The number of unseen cards in the discard deck."""
    first: Seat
    """The seat that started this hand."""
    turn: Seat
    way: int
    """The direction of play: 1 is clockwise, -1 counter-clockwise."""
    color: int
    """The color of the table card, virtual or not; `fitting.ANYTHING` if any number card fits there."""
    rank: int
    """The rank of the last number card that was played or turned up; 0 before the first."""
    specials: int
    """The number of specials played in this turn."""
    drawn: int | None
    """The card drawn because none was playable, `UNKNOWN` if the referee has not seen it."""
    owed: tuple[int, ...]
    """For each seat, cards still to be drawn from the draw deck."""
    seeking: bool
    """True if the seat on turn draws for want of a playable card (UMO-4)."""
    swapping: Swapping | None
    passes: int
    """The number of consecutive turns that were passed."""
    dropped: tuple[int, ...]
    """The number of the hand after which each seat dropped out; 0 for a seat that is still in."""
    over: tuple[scoring.FinishedHand, ...] = ()
    """The hands that are over."""
    brought: tuple[int, ...] = ()
    """The points of each seat from before this record."""
    foul: bool = False
    """True if the seat to move has just played illegally: the card went back, and the penalty comes next (UMO-5)."""

    @property
    def seats(self) -> int:
        """The number of seats, including those that dropped out."""
        return len(self.hands)

    def count(self, seat: Seat) -> int:
        """Returns the number of cards that a seat holds."""
        return len(self.hands[seat]) + self.hidden[seat]

    def is_in(self, seat: Seat) -> bool:
        """True if a seat has not dropped out."""
        return not self.dropped[seat]

    def neighbor(self, seat: Seat, way: int) -> Seat:
        """Returns the next seat that is still in: clockwise for 1, counter-clockwise for -1."""
        seats = len(self.hands)
        following = (seat + way) % seats
        while self.dropped[following]:
            following = (following + way) % seats
        return following

    def around(self, first: Seat) -> Iterator[Seat]:
        """Yields the seats that are still in, clockwise from `first`."""
        for step in range(len(self.hands)):
            seat = (first + step) % len(self.hands)
            if not self.dropped[seat]:
                yield seat

    @property
    def available(self) -> int:
        """The number of cards that can be drawn: the draw deck, and the discard deck below the table card (UMO-15)."""
        return self.draw + self.buried + max(len(self.discard) - 1, 0)

    @lazy
    def ending(self) -> Outcome | None:
        """The outcome; None while the game goes on."""
        if self.stage != "deal" or any(map(self.count, range(self.seats))):
            return None
        totals = [score.total for score in scoring.scores(self.over, self.brought, self.seats)]
        return scoring.ending(totals, self.dropped, self.options)

    def expects(self) -> Expect:
        """Returns the deal, the table card, cards that are owed, the seat on turn; after a hand the cards that are
        left.
        """
        return self.due or (_OVER if self.ending is not None else _TO_MOVE[self.turn])

    @lazy
    def due(self) -> ToDraw | None:
        """The cards that are drawn or named next."""
        if self.stage == "play":
            return self._due_in_play()
        if self.stage == "deal":
            if self.ending is not None:
                return None
            seat = next(seat for seat in self.around(self.first) if self.count(seat) < HAND)
            return ToDraw(seat, HAND - self.count(seat), "draw deck", False)
        if self.stage == "turn-up":
            return ToDraw(self.first, 1, "table card", True)
        seat = next(seat for seat in self.around(0) if self.hidden[seat])
        return ToDraw(seat, self.hidden[seat], f"seat{seat}.hand", True)

    @property
    def trading(self) -> Swapping | None:
        """The trade whose cards are drawn blindly now; None if the next draw, if any, is from the deck."""
        return self.swapping if self.swapping is not None and self.swapping.due else None

    def _due_in_play(self) -> ToDraw | None:
        """Returns the next draw of a trade or of owed cards, the seat to move first; None without one."""
        if self.trading is not None:
            return ToDraw(self.turn, self.trading.due, f"seat{self.trading.to}.hand", False)
        if not any(self.owed):
            return None
        for seat in self.around(self.turn):
            owed = self.owed[seat]
            if owed:
                return _DRAW_ONE[seat] if owed == 1 else ToDraw(seat, min(owed, self.available), "draw deck", False)
        return None

    @lazy
    def pool(self) -> int:
        """The cards whose place is not known, with `POOL_BITS` bits for each kind: in the draw deck, buried, or hidden
        in hands.
        """
        found = WHOLE_DECK
        for cards in (*self.hands, self.discard, self.swapping.given if self.swapping else ()):
            for card in cards:
                found -= ONE[card]
        return found

    def in_pool(self) -> list[tuple[int, int]]:
        """Returns the cards of `pool` by rising number, each with its number of copies."""
        found: list[tuple[int, int]] = []
        for counts, byte in zip(_COUNTS, self.pool.to_bytes(len(_COUNTS), "little"), strict=True):
            found += counts[byte]
        return found

    def drawable(self) -> list[tuple[int, int]]:
        """Returns the cards that may come from the draw deck next, including discards if they are shuffled first
        (UMO-15).
        """
        if self.draw or self.stage != "play":
            return self.in_pool()
        found = dict(self.in_pool())
        for card in self.discard[:-1]:
            found[card] = found.get(card, 0) + 1
        return sorted(found.items())

    def holds_unknown(self, card: int) -> bool:
        """True if a card may be among those that the referee has not seen."""
        return bool(self.pool >> POOL_BITS * card & 3)

    @lazy
    def fits(self) -> Fits:
        """The cards that fit on the table card, regardless of the hand and of the number of specials played."""
        last = len(self.hands[self.turn]) + self.hidden[self.turn] == 1
        return fits_on(self.color, self.rank, last or self.options.same_color)

    def can_play(self, card: int) -> bool:
        """True if the seat to move could play a card, judged by its known cards (UMO-2 to UMO-14)."""
        turn = self.turn
        hand, hidden = self.hands[turn], self.hidden[turn]
        if not self.fits[card]:
            return False
        if len(hand) + hidden == 1:
            return card < NUMBER_CARDS and not self.specials
        if not is_swap(card):
            return True
        if card in hand:
            place = hand.index(card)
            rest = hand[:place] + hand[place + 1 :]
        else:
            rest, hidden = hand, hidden - 1
        return can_follow_swap(card, self.color, self.rank, rest, hidden, self.options.same_color)

    @lazy
    def playable(self) -> tuple[int, ...]:
        """The known playable cards of the seat to move, each kind once.

        If a card that was just drawn is playable, it is the only one, because it must be played (UMO-4).
        """
        drawn, fits, hand = self.drawn, self.fits, self.hands[self.turn]
        if drawn is not None and drawn != UNKNOWN and fits[drawn] and self.can_play(drawn):
            return (drawn,)
        found = [card for card in hand if fits[card]]
        if not found or (found[-1] < NUMBER_CARDS and len(hand) + self.hidden[self.turn] > 1):
            return tuple(found)
        return tuple([card for card in dict.fromkeys(found) if self.can_play(card)])

    @property
    def must_play_drawn(self) -> bool:
        """True if the card just drawn must be played (UMO-4)."""
        return self.drawn in self.playable

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: cards by number; without any, drawing or passing; in a trade, cards by player and
        number.
        """
        if self.stage != "play" or self.due is not None:
            return ()
        if self.swapping is not None:
            return self._gives(self.swapping)
        seat = self.turn
        if self.foul:
            return (PENALTIES[seat],)
        plays, playable = PLAYS[seat], self.playable
        found: list[Move] = [plays[card] for card in playable]
        if self.hidden[seat] and self.drawn not in playable:
            found += [plays[card] for card, _ in self.in_pool() if card not in playable and self.can_play(card)]
        if not playable:
            found.append(DRAWS[seat] if self.available else PASSES[seat])
        return tuple(found)

    def _gives(self, swapping: Swapping) -> tuple[Move, ...]:
        seat = self.turn
        count = len(swapping.given) + swapping.unknown
        found: list[Move] = []
        for to in self.partners(swapping):
            if self.count(seat) and count < self.count(to):
                found += [Give(seat, to, PIECES[card]) for card in dict.fromkeys(self.hands[seat])]
                if self.hidden[seat]:
                    found.append(Give(seat, to, None))
        if count:
            found.append(TRADES[seat])
        return tuple(found)

    def partners(self, swapping: Swapping) -> tuple[Seat, ...]:
        """Returns the seats for which cards may be laid aside: any other seat that is in, and then only the chosen
        one.
        """
        if swapping.to is not None:
            return (swapping.to,)
        return tuple(seat for seat in self.around(self.turn) if seat != self.turn)

    def outcome(self) -> Outcome | None:
        """Returns places with ties, the lowest total first, or None while the game goes on (UMO-16)."""
        return self.ending
