"""The data of a position of Spectrump: the cards, the seat to move, playable cards, and unseen cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from companion.core.contract import Expect, Outcome, Over, Seat, ToDraw, ToMove
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CARDS, COLOR, COLORS, RANKS, SHADES_MASK
from companion.games.shared.lazy import lazy
from companion.games.spectrump import scoring
from companion.games.spectrump.moves import BIDS, PASSES, PLAYS, READIES, Bid, Move, Swap, order_of
from companion.games.spectrump.options import DECK_BITS, SHAPES, CardShape, Options
from companion.games.spectrump.scoring import Round

ANY = (1 << COLORS) - 1
"""The mask of all colors."""
OPENS: tuple[int, ...] = tuple(1 << color | SHADES_MASK[color] for color in range(COLORS))
"""The colors that a card of each color opens: itself and both shades."""

TRUMP_PLAYED = 1
SCORING_PLAYED = 2
"""The bits of `broken`: the kinds of cards played in this set."""


def colors_of(cards: Iterable[int]) -> int:
    """Returns the colors of cards."""
    found = 0
    for card in cards:
        found |= 1 << COLOR[card]
    return found


def barred(trump: int, broken: int) -> int:
    """Returns the colors that may not be led yet, if there is another way (UMP-10)."""
    found = 0 if broken & TRUMP_PLAYED else 1 << trump
    return found if broken & SCORING_PLAYED else found | SHADES_MASK[trump]


def opened(trump: int, cards: Sequence[int]) -> int:
    """Returns the colors that the cards of a trick have opened (UMP-11)."""
    found = OPENS[COLOR[cards[0]]]
    special = OPENS[trump]
    for card in cards[1:]:
        if not special >> COLOR[card] & 1:
            found |= OPENS[COLOR[card]]
    return found


def binding(trump: int, cards: Sequence[int]) -> int:
    """Returns the opened colors that bind a player who holds one: all but a scoring color that was led (UMP-12)."""
    lead = COLOR[cards[0]]
    found = opened(trump, cards)
    return found & ~(1 << lead) if SHADES_MASK[trump] >> lead & 1 else found


def to_follow(trump: int, cards: Sequence[int], held: int) -> int:
    """Returns the colors that a player with the colors `held` may play to a trick (UMP-11, UMP-12)."""
    lead = COLOR[cards[0]]
    if lead == trump and held >> trump & 1:
        return 1 << trump
    found = opened(trump, cards)
    must = found & ~(1 << lead) if SHADES_MASK[trump] >> lead & 1 else found
    return found if held & must else ANY


def to_lead(trump: int, broken: int, held: int) -> int:
    """Returns the colors that a player with the colors `held` may lead (UMP-10)."""
    free = ANY & ~barred(trump, broken)
    return free if held & free else ANY


def denied(trump: int, broken: int, cards: Sequence[int], color: int) -> int:
    """Returns the colors that a player claims not to hold by playing `color` after these cards, or as a lead without
    cards.
    """
    if not cards:
        free = ANY & ~barred(trump, broken)
        return 0 if free >> color & 1 else free
    found = 0 if opened(trump, cards) >> color & 1 else binding(trump, cards)
    return found | 1 << trump if COLOR[cards[0]] == trump != color else found


Sets = tuple[tuple[int, ...], ...]
"""The sets of one seat; cards are numbers of `companion.games.shared.cards.deck`."""
COLOR_NUMBER = {name: color for color, name in enumerate(WHEEL)}

Phase = Literal["deal", "bid", "load", "play"]

_OVER = Over()
_TO_MOVE: tuple[ToMove, ...] = tuple(ToMove((seat,)) for seat in range(8))


class Revoke(Struct, frozen=True):
    """A card that a seat held when it played or led as if it had none (UMP-10 to UMP-12)."""

    seat: Seat
    card: int
    round: int
    """The number of the round, from 1."""


class Situation(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """The position. Cards are numbers; the known cards of hands are listed, the others only counted."""

    options: Options
    dealer: Seat
    session: int
    """The number of the session in the round, from 0."""
    dealing: bool
    """True if the sets of this session are still being dealt."""
    sets: tuple[Sets, ...]
    """For each seat, the known cards of each set."""
    hidden: tuple[tuple[int, ...], ...]
    """For each seat, how many cards of each set the referee was not shown."""
    turn: Seat
    """The seat that bids next; unused once trump is named."""
    bid: Bid | None
    """The highest bid of the round."""
    passed: int
    """The seats that have passed, as a bit mask."""
    ready: int
    """The seats that have ended their exchanges between sets, as a bit mask."""
    swaps: tuple[int, ...]
    """For each seat, exchanges between the own sets in this session."""
    playing: int
    """The set that is being played: 0 or 1."""
    leader: Seat
    """The seat that led the trick on the table, or leads the next one."""
    trick: tuple[int, ...]
    broken: int
    """The kinds of cards played in this set: trump, scoring colors (`following.TRUMP_PLAYED`, `SCORING_PLAYED`)."""
    denied: tuple[int, ...]
    """The colors that each seat has shown not to hold in this set, as bit masks."""
    won: tuple[tuple[int, ...], ...]
    """For each seat, the cards taken in this round."""
    last: tuple[int, ...]
    """The previous trick, in the order of play."""
    last_leader: Seat
    played: int
    """The number of trump cards that the bidder has played from the sets of the bid (UMP-6)."""
    rounds: tuple[Round, ...] = ()
    """The rounds that are over."""
    revokes: tuple[Revoke, ...] = ()
    """The violations that a later card revealed."""
    earlier: int = 0
    """The number of rounds before this record."""
    brought: tuple[int, ...] = ()
    """The points of each seat from those rounds."""

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.sets)

    @property
    def shape(self) -> CardShape:
        """The shape of the round (UMP-1)."""
        return SHAPES[self.options.deck][len(self.sets)]

    @property
    def trump(self) -> int:
        """The number of the trump color; valid only after the bidding."""
        assert self.bid is not None
        return COLOR_NUMBER[self.bid.color]

    @lazy
    def phase(self) -> Phase:
        """The present phase: the deal, the bidding, exchanges between the sets, or tricks.

        A bid is possible while more than one seat has not passed, or the last one has not spoken (UMP-3).
        """
        if self.dealing:
            return "deal"
        seats = len(self.sets)
        if seats - self.passed.bit_count() > 1 or self.bid is None:
            return "bid"
        return "load" if self.ready.bit_count() < seats else "play"

    @property
    def mover(self) -> Seat:
        """The seat that plays the next card (UMP-10)."""
        return (self.leader + len(self.trick)) % len(self.sets)

    @lazy
    def ending(self) -> Outcome | None:
        """The outcome; None while the match goes on."""
        if not self.dealing or self.session or self.dealt:
            return None
        return scoring.ending(self.rounds, self.earlier, self.brought, len(self.sets), self.options)

    @property
    def dealt(self) -> int:
        """The number of cards in sets."""
        return sum(len(cards) for sets in self.sets for cards in sets) + sum(map(sum, self.hidden))

    def expects(self) -> Expect:
        """Returns the deal, the bidding, exchanges between the sets, or the next card."""
        phase = self.phase
        if phase == "play":
            return _TO_MOVE[self.mover]
        if phase == "bid":
            return _TO_MOVE[self.turn]
        if phase == "load":
            return ToMove(tuple(seat for seat in range(len(self.sets)) if not self.ready >> seat & 1))
        return _OVER if self.ending is not None else self.due

    @lazy
    def due(self) -> ToDraw:
        """The next set to be dealt, from the dealer's left; valid only while dealing."""
        for seat in self.clockwise((self.dealer + 1) % len(self.sets)):
            for place in range(self.shape.sets):
                missing = self.missing(seat, place)
                if missing:
                    return ToDraw(seat, missing, f"set {place + 1}", False)
        raise AssertionError("dealing ends when nothing is missing")

    def missing(self, seat: Seat, place: int) -> int:
        """Returns the number of cards that a set still lacks in the deal."""
        return self.shape.cards - len(self.sets[seat][place]) - self.hidden[seat][place]

    def clockwise(self, first: Seat) -> Iterator[Seat]:
        """Yields all seats from `first` on."""
        for step in range(len(self.sets)):
            yield (first + step) % len(self.sets)

    @lazy
    def pool(self) -> int:
        """The cards that are in no known set and were not played in this round, as a bit mask."""
        found = DECK_BITS[self.options.deck]
        for sets in self.sets:
            for cards in sets:
                for card in cards:
                    found ^= 1 << card
        for cards in (*self.won, self.trick):
            for card in cards:
                found ^= 1 << card
        return found

    def in_pool(self) -> list[int]:
        """Returns the numbers of the cards in `pool`, rising."""
        return [card for card in range(COLORS * RANKS) if self.pool >> card & 1]

    def may_hold(self, seat: Seat) -> list[int]:
        """Returns, for each color, the largest number of its cards that a seat can have in all its sets (UMP-3)."""
        found = [0] * COLORS
        for cards in self.sets[seat]:
            for card in cards:
                found[COLOR[card]] += 1
        unknown = sum(self.hidden[seat])
        if unknown:
            for color in range(COLORS):
                found[color] += min(unknown, (self.pool >> color * RANKS & (1 << RANKS) - 1).bit_count())
        return found

    @property
    def height(self) -> int:
        """The height of the highest bid; 0 before the first."""
        return 0 if self.bid is None else order_of(COLOR_NUMBER[self.bid.color], self.bid.number)

    @lazy
    def allowed(self) -> int:
        """The mask of the colors that the mover may play, judged by its known cards (UMP-10 to UMP-12)."""
        held = colors_of(self.sets[self.mover][self.playing])
        if self.trick:
            return to_follow(self.trump, self.trick, held)
        return to_lead(self.trump, self.broken, held)

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move, in a stable order."""
        phase = self.phase
        if phase != "play":
            return self._bids() if phase == "bid" else self._exchanges() if phase == "load" else ()
        seat = self.mover
        plays, cards, allowed = PLAYS[seat], self.sets[seat][self.playing], self.allowed
        if self.hidden[seat][self.playing]:
            cards = tuple(sorted((*cards, *self.in_pool())))
        return tuple([plays[card] for card in cards if allowed >> COLOR[card] & 1])

    def _bids(self) -> tuple[Move, ...]:
        seat, height = self.turn, self.height
        most = self.may_hold(seat)
        found: list[Move] = [
            BIDS[seat][color][number]
            for number in range(max(height // 2, 1), max(most) + 1)
            for color in (*range(1, COLORS, 2), *range(0, COLORS, 2))
            if number <= most[color] and order_of(color, number) > height
        ]
        found.append(PASSES[seat])
        return tuple(found)

    def _exchanges(self) -> tuple[Move, ...]:
        found: list[Move] = []
        for seat, sets in enumerate(self.sets):
            if self.ready >> seat & 1:
                continue
            if self.swaps[seat] < self.shape.cards:
                found += [Swap(seat, CARDS[one], CARDS[other]) for one in sets[0] for other in sets[1]]
            found.append(READIES[seat])
        return tuple(found)

    @property
    def still_to_play(self) -> int:
        """The number of trump cards that the bidder must still play from the sets of the bid; a die shows it
        (UMP-6).
        """
        return 0 if self.bid is None or self.session else max(self.bid.number - self.played, 0)

    @property
    def current(self) -> Round | None:
        """The round in play with the cards taken so far; None before trump is named."""
        if self.bid is None or self.phase == "bid":
            return None
        trump = self.trump
        taken = tuple(scoring.taken(trump, cards) for cards in self.won)
        return Round(trump, self.bid.seat, self.bid.number, self.played, self.session > 0, taken)

    def outcome(self) -> Outcome | None:
        """Returns places with ties, or None while the match goes on (UMP-13)."""
        return self.ending
