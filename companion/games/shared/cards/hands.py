"""Hands of cards that the referee knows fully, in part, or not at all.

A hand consists of the known cards and the number of unknown ones. `pool` holds every card that may be among the unknown
ones or face down elsewhere: a player who plays an unknown card names it, and it leaves the pool. The referee, one
seat's phone and the public use the same form: a view is the same hands with more unknown cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Event, Expect, Seat, Shown, ToDraw
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS, PIECES, UNKNOWN_CODE, number_cards, written
from companion.games.shared.cards.deck_events import SINGLE
from companion.games.shared.search.bit_sets import bits, mask_of

T = TypeVar("T")

CardNumber = Annotated[int, Meta(ge=0, lt=NUMBER_CARDS)]
"""The number of a number card (`companion.games.shared.cards.deck`)."""
Cards = tuple[CardNumber, ...]
"""Different cards; in a hand they are sorted."""

BIT: tuple[int, ...] = tuple(1 << number for number in range(NUMBER_CARDS))
"""The bit of each card in a mask."""
WHOLE_DECK = (1 << NUMBER_CARDS) - 1
"""The mask of all number cards."""

_LIKELY_SHARE = 0.01
"""The least probability of a candidate for a card, relative to that of the likeliest one."""
_SPARSE = 20
"""Masks with fewer cards than this are listed instead of sampled, because that is quicker."""


def single_cards(due: Expect, pool: int) -> Iterator[tuple[Drawn, int]]:
    """Yields the next card of a due draw, with its weight: all face-down cards are equally likely."""
    if isinstance(due, ToDraw):
        for number in bits(pool):
            yield SINGLE[due.seat][number], 1


def sampled(due: Expect, pool: int, rng: Random) -> Drawn:
    """Returns a due draw as a whole, chosen at random from the face-down cards.

    Raises:
        BadEvent: No draw is due.
    """
    if not isinstance(due, ToDraw):
        raise BadEvent("No card is drawn now. Make a move.")
    return Drawn(due.seat, picked(pool, due.count, rng))


def picked(pool: int, count: int, rng: Random) -> tuple[Piece, ...]:
    """Returns `count` different cards of a mask at random, all equally likely.

    Numbers are tried until one is in the mask; where few are, or most of them are wanted, the mask is listed.
    """
    if pool.bit_count() < _SPARSE + count:
        return tuple([PIECES[number] for number in rng.sample(list(bits(pool)), count)])
    chance = rng.random
    found: list[Piece] = []
    while len(found) < count:
        number = int(chance() * NUMBER_CARDS)
        if pool >> number & 1:
            pool ^= 1 << number
            found.append(PIECES[number])
    return tuple(found)


def hand_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's hand."""
    return f"seat{seat}.hand"


class Hands(Struct, frozen=True, forbid_unknown_fields=True):
    """All hands of a position."""

    known: tuple[Cards, ...]
    """For each seat, the cards that are known, rising."""
    hidden: tuple[Annotated[int, Meta(ge=0, le=NUMBER_CARDS)], ...]
    """The number of hidden cards in each hand."""
    pool: int
    """The mask of all cards that are face down, in the deck or among the hidden cards of hands."""

    @staticmethod
    def empty(seats: int, pool: int = WHOLE_DECK) -> Hands:
        """Returns empty hands."""
        return Hands(((),) * seats, (0,) * seats, pool)

    @staticmethod
    def told(hands: Sequence[Sequence[str] | None], sizes: Sequence[int], elsewhere: int) -> Hands:
        """Returns hands from their written form: cards as codes, "??" for an unseen one.

        Args:
            hands: The hand of each seat; None for an unseen hand.
            sizes: The number of cards of an unseen hand, for each seat.
            elsewhere: The mask of the cards that lie open or in known places outside the hands.

        Raises:
            BadNotation: The deck has no such card, or it is a special.
        """
        codes = [(UNKNOWN_CODE,) * size if hand is None else hand for hand, size in zip(hands, sizes, strict=True)]
        known = [tuple(sorted(number_cards(code for code in hand if code != UNKNOWN_CODE))) for hand in codes]
        hidden = [len(hand) - len(named) for hand, named in zip(codes, known, strict=True)]
        held = mask_of(card for hand in known for card in hand)
        return Hands(tuple(known), tuple(hidden), WHOLE_DECK & ~elsewhere & ~held)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.known)

    def size(self, seat: Seat) -> int:
        """Returns the number of cards in a hand."""
        return len(self.known[seat]) + self.hidden[seat]

    def holds(self, seat: Seat, card: int) -> bool:
        """True if a hand is known to hold a card."""
        return card in self.known[seat]

    def may_hold(self, seat: Seat, card: int) -> bool:
        """True if a hand holds a card, or may hold it unseen."""
        return card in self.known[seat] or bool(self.hidden[seat] and self.pool >> card & 1)

    def may_be(self, seat: Seat) -> tuple[int, ...]:
        """Returns every card that a hand may hold: the known ones, then, if it has hidden ones, all that are face
        down.
        """
        known = self.known[seat]
        return (*known, *bits(self.pool)) if self.hidden[seat] else known

    def drawn(self, seat: Seat, numbers: Sequence[int | None]) -> Hands:
        """Returns the hands after a seat took these cards from the face-down ones; None stands for an unseen card."""
        named = [number for number in numbers if number is not None]
        hand = tuple(sorted((*self.known[seat], *named)))
        hidden, unknown = self.hidden, len(numbers) - len(named)
        if unknown:
            hidden = changed(hidden, seat, hidden[seat] + unknown)
        return Hands(changed(self.known, seat, hand), hidden, self.pool & ~mask_of(named))

    def dealt(self, drawn: Drawn, due: Expect) -> Hands | None:
        """Returns the hands after a usual draw, as a shortcut of `drawn`: known cards come from the deck to the seat
        that draws.

        None for any other event; then `fault_of_draw` checks whether it is possible.
        """
        if not isinstance(due, ToDraw) or due.shown or drawn.seat != due.seat or len(drawn.pieces) > due.count:
            return None
        numbers = [NUMBER.get(piece, NUMBER_CARDS) for piece in drawn.pieces]
        mask = mask_of(numbers)
        if not mask or mask & self.pool != mask or mask.bit_count() != len(numbers):
            return None
        hand = tuple(sorted((*self.known[drawn.seat], *numbers)))
        return Hands(changed(self.known, drawn.seat, hand), self.hidden, self.pool ^ mask)

    def taken(self, seat: Seat, cards: Sequence[int]) -> Hands:
        """Returns the hands after a seat has taken up cards that lay open."""
        hand = tuple(sorted((*self.known[seat], *cards)))
        return Hands(changed(self.known, seat, hand), self.hidden, self.pool)

    def without(self, seat: Seat, card: int) -> Hands:
        """Returns the hands after a seat has played a card that it may hold: a known card, or a hidden one that is now
        known.
        """
        hand = self.known[seat]
        if card in hand:
            rest = list(hand)
            rest.remove(card)
            return Hands(changed(self.known, seat, tuple(rest)), self.hidden, self.pool)
        return Hands(self.known, changed(self.hidden, seat, self.hidden[seat] - 1), self.pool & ~(1 << card))

    def without_all(self, seat: Seat, cards: Sequence[int]) -> Hands:
        """Returns the hands after a seat has played several cards that it may hold."""
        hand = self.known[seat]
        rest = tuple([card for card in hand if card not in cards])
        named = len(hand) - len(rest)
        if named == len(cards):
            return Hands(changed(self.known, seat, rest), self.hidden, self.pool)
        hidden = changed(self.hidden, seat, self.hidden[seat] - (len(cards) - named))
        return Hands(changed(self.known, seat, rest), hidden, self.pool & ~mask_of(cards))

    def shown(self, seat: Seat, cards: Sequence[int]) -> Hands:
        """Returns the hands after hidden cards of a seat have become known."""
        hand = tuple(sorted((*self.known[seat], *cards)))
        hidden = changed(self.hidden, seat, self.hidden[seat] - len(cards))
        return Hands(changed(self.known, seat, hand), hidden, self.pool & ~mask_of(cards))

    def seen_by(self, seat: Seat | None, opened: Sequence[int] = ()) -> Hands:
        """Returns the hands as one seat, or with None the public, may know them: other hands are hidden but for the
        cards in `opened`.

        Args:
            opened: By seat, a mask of the cards that went openly into the hand; empty is none.
        """
        known, hidden, pool = list(self.known), list(self.hidden), self.pool
        for other, hand in enumerate(self.known):
            if other == seat:
                continue
            public = opened[other] if opened else 0
            kept = tuple([card for card in hand if public >> card & 1])
            if len(kept) < len(hand):
                pool |= mask_of(hand) & ~mask_of(kept)
                hidden[other] += len(hand) - len(kept)
                known[other] = kept
        return Hands(tuple(known), tuple(hidden), pool)

    def determinized(self, rng: Random) -> Hands:
        """Returns the hands with every hidden card filled in from the pool, all cards equally likely."""
        numbers = list(bits(self.pool))
        rng.shuffle(numbers)
        hands = self
        for seat, count in enumerate(self.hidden):
            if count:
                hands = hands.shown(seat, [numbers.pop() for _ in range(count)])
        return hands

    def dealt_elsewhere(self, counts: Sequence[int], rng: Random) -> tuple[Hands, list[list[int]]]:
        """Returns the hands with every hidden card filled in, and for each seat `counts[seat]` more unseen cards."""
        hands = self.determinized(rng)
        rest = list(bits(hands.pool))
        rng.shuffle(rest)
        dealt = [[rest.pop() for _ in range(count)] for count in counts]
        return Hands(hands.known, hands.hidden, mask_of(rest)), dealt

    def fault_of_draw(self, drawn: Drawn, most: int, *, open_to_all: bool = False) -> str | None:
        """Returns a sentence that says why these cards cannot have come from the face-down ones; None if they can.

        Args:
            most: The number of cards due; fewer may be entered at a time.
            open_to_all: True if the cards are public and must be named.
        """
        count = len(drawn.pieces)
        if not 1 <= count <= most:
            return f"{count_phrase(count)} cannot come now; {count_phrase(most)} can. Say which cards came."
        named = [NUMBER.get(piece, -1) for piece in drawn.pieces if piece is not None]
        if open_to_all and len(named) < count:
            return "A card that lies open must be named. Say which card it is."
        return self._fault_of(named)

    def fault_of_shown(self, shown: Shown) -> str | None:
        """Returns a sentence that says why these cards cannot be hidden cards of that hand; None if they can."""
        if not shown.pieces or len(shown.pieces) > self.hidden[shown.seat]:
            return (
                f"{count_phrase(self.hidden[shown.seat])} of this hand are unknown, so"
                f" {count_phrase(len(shown.pieces))} cannot become"
                " known. Correct an entry."
            )
        return self._fault_of([NUMBER.get(piece, -1) for piece in shown.pieces])

    def _fault_of(self, named: Sequence[int]) -> str | None:
        if named and not 0 <= min(named) <= max(named) < NUMBER_CARDS:
            return "This game is played with the 144 number cards alone. Correct an entry."
        mask = mask_of(named)
        if mask & self.pool == mask and mask.bit_count() == len(named):
            return None
        if mask.bit_count() != len(named):
            return "A card is named twice, and the deck has each once. Correct an entry."
        out = [number for number in named if not self.pool >> number & 1]
        return f"{written(out)} cannot come: it lies open, or is known to be elsewhere. Correct an entry."

    def unseen(self) -> Mapping[Piece, int]:
        """Returns every face-down card, including the hidden cards of hands."""
        return {PIECES[number]: 1 for number in bits(self.pool)}

    def fault(self, elsewhere: Sequence[int], hidden_elsewhere: int = 0) -> str | None:
        """Returns a sentence about a contradiction in hands that were read from a file; None without one.

        Args:
            elsewhere: Cards that lie open or in known places outside the hands.
            hidden_elsewhere: Cards outside the hands that are unseen, without the deck.
        """
        if len(self.known) != len(self.hidden):
            return "known and hidden hands are of different lengths."
        if any(list(hand) != sorted(hand) for hand in self.known):
            return "the cards of a hand do not rise."
        named = [*elsewhere, *(card for hand in self.known for card in hand)]
        if len(set(named)) != len(named):
            return "a card is in two places."
        if not 0 <= self.pool <= WHOLE_DECK:
            return "the face-down cards are none of the deck."
        if self.pool & mask_of(named):
            return "a card is both known and face down."
        if self.pool.bit_count() < sum(self.hidden) + hidden_elsewhere:
            return "more cards are hidden than are face down."
        return None


def redacted(event: Event, seat: Seat | None, due: Expect) -> Event | None:
    """Returns drawn and shown cards as a seat, or with None the public, may know them; None if that viewer learns
    nothing.

    Args:
        due: What the position before the event expects: open cards are public.
    """
    if event.seat == seat or (isinstance(event, Drawn) and isinstance(due, ToDraw) and due.shown):
        return event
    if isinstance(event, Shown):
        return None
    return Drawn(event.seat, (None,) * len(event.pieces)) if isinstance(event, Drawn) else event


def count_phrase(count: int) -> str:
    """Returns a number of cards in words: "1 card", "3 cards"."""
    return "1 card" if count == 1 else f"{count} cards"


def numbers_in(pieces: Iterable[Piece | None]) -> tuple[int | None, ...]:
    """Returns the numbers of cards that are known to be number cards, None for unknown ones."""
    return tuple([None if piece is None else NUMBER[piece] for piece in pieces])


def changed(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Returns the tuple with another value for one seat."""
    values = list(by_seat)
    values[seat] = value
    return tuple(values)


SURE: tuple[Detection, ...] = tuple(Detection.sure(piece) for piece in PIECES)
"""The certain detection of each card."""
NOTHING = Detection.sure(None)
"""The certain detection of an empty cell."""


def heap(cards: Iterable[int]) -> tuple[Detection, ...]:
    """Returns known cards as a heap."""
    return tuple([SURE[number] for number in cards])


def pieces(cards: Iterable[int]) -> tuple[Piece, ...]:
    """Returns known cards as pieces, for the covered part of a heap."""
    return tuple([PIECES[number] for number in cards])


def numbers_seen(seen: Layout, spot: Spot) -> set[int] | None:
    """Returns the number cards seen in a heap; None if it was not looked at."""
    there = seen.heaps.get(spot)
    if there is None:
        return None
    return {number for one in there if (number := NUMBER.get(one.piece, NUMBER_CARDS)) < NUMBER_CARDS}


def changed_cards(cards: Iterable[int], seen: Layout, spot: Spot) -> tuple[set[int], set[int]]:
    """Returns the cards that left a heap and the cards that came to it; both empty if the heap was not looked at."""
    there, held = numbers_seen(seen, spot), set(cards)
    return (set(), set()) if there is None else (held - there, there - held)


def come_to(cards: Iterable[int], seen: Layout, spot: Spot) -> list[int]:
    """Returns the number cards that may have come to a heap: every likely candidate of each reading that is not among
    the held cards. A card that was seen surely before it left is not taken for another one with which a move is legal.
    """
    held = set(cards)
    found: dict[int, None] = {}
    for one in seen.heaps.get(spot, ()):
        if NUMBER.get(one.piece, NUMBER_CARDS) in held:
            continue
        for candidate in one.candidates:
            number = NUMBER.get(candidate.piece, NUMBER_CARDS)
            likely = candidate.probability >= _LIKELY_SHARE * one.candidates[0].probability
            if number < NUMBER_CARDS and number not in held and likely:
                found[number] = None
    return list(found)


def player_seen(hands: Hands, turn: Seat, seen: Layout) -> Seat:
    """Returns the first seat, from `turn` on, whose open hand lacks a card; `turn` if no hand does."""
    for step in range(hands.seats):
        seat = (turn + step) % hands.seats
        if not hands.hidden[seat] and changed_cards(hands.known[seat], seen, hand_spot(seat))[0]:
            return seat
    return turn


def known_hands(hands: Hands) -> dict[Spot, tuple[Detection, ...]]:
    """Returns the heaps of fully known hands, for a camera that sees them laid open."""
    return {hand_spot(seat): heap(cards) for seat, cards in enumerate(hands.known) if not hands.hidden[seat]}


def drawn(due: ToDraw, come: Iterable[int]) -> Drawn | None:
    """Returns the pending draw with the cards that have come; None without such cards."""
    cards = pieces(sorted(come))
    return Drawn(due.seat, cards) if cards else None
