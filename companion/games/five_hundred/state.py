"""The state of 500: applies events to a position (500-1 to 500-9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from msgspec.structs import replace

from companion.core.contract import Drawn, Seat, Shown, Violation
from companion.games.five_hundred import observation
from companion.games.five_hundred.melds import PACKED, LaidMelds, extended, known_shape, pack
from companion.games.five_hundred.moves import (
    CallSpectrum,
    Discard,
    DrawStock,
    FiveHundredEvent,
    LayMeld,
    LayOff,
    Move,
    Stop,
    TakeDiscards,
)
from companion.games.five_hundred.scoring import outcome, scores
from companion.games.five_hundred.situation import EACH, Situation
from companion.games.five_hundred.violations import violations_of
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS
from companion.games.shared.cards.hands import Hands, changed, numbers_in
from companion.games.shared.ruled_state import RuledState
from companion.games.shared.search.bit_sets import mask_of


class FiveHundredState(Situation, RuledState, frozen=True, dict=True, tag="five-hundred", forbid_unknown_fields=True):
    """A position of 500 with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: FiveHundredEvent) -> Self:
        if isinstance(event, Drawn) and (hands := self.hands.dealt(event, self.expected)) is not None:
            if self.step == "deal":
                return replace(self, hands=hands, to_deal=self.to_deal - len(event.pieces))
            packed = self.packed + PACKED[NUMBER[event.pieces[0]]]
            return self._handed_on(replace(self, hands=hands, step="play"), packed, self.piled)
        if type(event) is Discard and event.seat == self.turn and self.step == "play" and self.due is None:
            number, hand = NUMBER.get(event.card, NUMBER_CARDS), self.hands.known[event.seat]
            if number in hand and number != self.barred:
                return self._discarded(event.seat, number)
        elif type(moves := self.moves) is list and event in moves:
            return self._done(event)
        return super()._applied(event)

    def _done(self, event: FiveHundredEvent) -> Self:
        match event:
            case Discard():
                return self._discarded(event.seat, NUMBER[event.card])
            case DrawStock():
                return self._begun(event.seat, step="drawing")
            case TakeDiscards():
                return self._took(event.seat, NUMBER[event.card])
            case LayMeld():
                return self._melded(event.seat, [NUMBER[card] for card in event.cards])
            case LayOff():
                return self._laid_off(event.seat, NUMBER[event.card], event.meld)
            case CallSpectrum():
                return self._called(event.seat, NUMBER[event.card])
            case Stop():
                return replace(self, step="stock", window=None)
            case Shown():
                numbers = [NUMBER[piece] for piece in event.pieces]
                return replace(self, hands=self.hands.shown(event.seat, numbers))
        return self._drawn(event)

    def _forced(self, move: FiveHundredEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts.

        None if the move is impossible: a card that is not there, or it is not the time for such a move.
        """
        if isinstance(move, Move) and 0 <= move.seat < self.seats and self._can_be_carried_out(move):
            return self._done(move)
        return None

    def _can_be_carried_out(self, move: Move) -> bool:
        hands, seat = self.hands, move.seat
        match move:
            case DrawStock():
                return self.step == "draw" and self.stock > 0
            case TakeDiscards() | CallSpectrum():
                return self.step == "draw" and NUMBER.get(move.card, -1) in self.discards
            case LayMeld():
                numbers = [NUMBER.get(card, -1) for card in move.cards]
                unknown = [number for number in numbers if not hands.holds(seat, number)]
                own = all(hands.may_hold(seat, number) for number in numbers) and len(unknown) <= hands.hidden[seat]
                return self.step == "play" and own and len(set(numbers)) == len(numbers) > 0
            case LayOff():
                there = move.meld < len(self.melds)
                return self.step == "play" and there and hands.may_hold(seat, NUMBER.get(move.card, -1))
            case Discard():
                return self.step == "play" and hands.may_hold(seat, NUMBER.get(move.card, -1))
        return self.step == "draw"

    def _begun(self, seat: Seat, step: Any) -> Self:
        """Returns the position after a seat began its turn; calls are over (500-8)."""
        after = replace(
            self, turn=seat, step=step, next_turn=(seat + 1) % self.seats, window=None, due=None, source=0, barred=None
        )
        return self._handed_on(after, self.packed, self.piled)

    def _handed_on(self, after: Self, packed: int | None, piled: int) -> Self:
        """Carries derived values over to a position with the same melds: the lay-offs, the packed hand and the packed
        discards.
        """
        known = after.__dict__
        known["table"], known["piled"] = self.table, piled
        if packed is not None:
            known["packed"] = packed
        return after

    def _taken_up(self, seat: Seat, card: int) -> tuple[Hands, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Returns the hands, the opened cards and the discards after a seat took the discards down to a card, and these
        cards.
        """
        place = self.discards.index(card)
        taken = self.discards[place:]
        opened = changed(self.opened, seat, self.opened[seat] | mask_of(taken))
        return self.hands.taken(seat, taken), opened, self.discards[:place], taken

    def _took(self, seat: Seat, card: int) -> Self:
        hands, opened, discards, taken = self._taken_up(seat, card)
        alone = len(taken) == 1
        after = replace(
            self, hands=hands, opened=opened, discards=discards, turn=seat, step="play",
            next_turn=(seat + 1) % self.seats, window=None, due=None if alone else card, source=0,
            barred=card if alone else None,
        )  # fmt: skip
        packed = PACKED[card] if alone else pack(taken)
        return self._handed_on(after, self.packed + packed, self.piled - packed) if seat == self.turn else after

    def _called(self, seat: Seat, card: int) -> Self:
        """Returns the position after a call; play goes on left of the discarder (500-8)."""
        hands, opened, discards, taken = self._taken_up(seat, card)
        discarder = self.turn if self.window is None else self.window
        after = replace(
            self, hands=hands, opened=opened, discards=discards, turn=seat, step="play",
            next_turn=(discarder + 1) % self.seats, window=None, due=card, source=mask_of(taken), barred=None,
        )  # fmt: skip
        return self._handed_on(after, None, self.piled - pack(taken))

    def _melded(self, seat: Seat, cards: Sequence[int]) -> Self:
        after = self._laid(seat, cards, (*self.melds, mask_of(cards)))
        after.__dict__["table"] = LaidMelds.of((*self.table.shapes, known_shape(after.melds[-1])))
        return after

    def _laid_off(self, seat: Seat, card: int, number: int) -> Self:
        after = self._laid(seat, (card,), changed(self.melds, number, self.melds[number] | 1 << card))
        fits = self.table.fits[number] >> card & 1
        shape = extended(self.table.shapes[number], card) if fits else known_shape(after.melds[number])
        after.__dict__["table"] = LaidMelds.of(changed(self.table.shapes, number, shape))
        return after

    def _laid(self, seat: Seat, cards: Sequence[int], melds: tuple[int, ...]) -> Self:
        """Returns the position after a seat laid cards on the table; the hand may be over (500-4, 500-6)."""
        mask = mask_of(cards)
        hands = self.hands.without_all(seat, cards)
        opened, due = self.opened, self.due
        if opened[seat] & mask:
            opened = changed(opened, seat, opened[seat] & ~mask)
        source = self.source & ~mask
        if due is not None and mask >> due & 1:
            due, source = None, 0
        out = not hands.known[seat] and not hands.hidden[seat]
        after = replace(
            self, hands=hands, opened=opened, laid=changed(self.laid, seat, self.laid[seat] | mask), melds=melds,
            due=due, source=source, step="out" if out else "play",
        )  # fmt: skip
        after.__dict__["piled"] = self.piled
        return after

    def _discarded(self, seat: Seat, card: int) -> Self:
        hands = self.hands.without(seat, card)
        opened = self.opened
        if opened[seat] >> card & 1:
            opened = changed(opened, seat, opened[seat] & ~(1 << card))
        out = not hands.known[seat] and not hands.hidden[seat]
        after = replace(
            self, hands=hands, opened=opened, discards=(*self.discards, card), turn=seat if out else self.next_turn,
            step="out" if out else "draw", window=None if out else seat, due=None, source=0, barred=None,
        )  # fmt: skip
        return self._handed_on(after, None, self.piled + PACKED[card])

    def _drawn(self, drawn: Drawn) -> Self:
        numbers = numbers_in(drawn.pieces)
        if self.is_ended:
            named = [number for number in numbers if number is not None]
            return replace(self, hands=self.hands.shown(drawn.seat, named))
        if self.step == "deal" and not self.to_deal:
            top = numbers[0]
            assert top is not None
            hands = replace(self.hands, pool=self.hands.pool & ~(1 << top))
            return replace(self, hands=hands, discards=(top,), step="draw", turn=(self.dealer + 1) % self.seats)
        hands = self.hands.drawn(drawn.seat, numbers)
        if self.to_deal:
            return replace(self, hands=hands, to_deal=self.to_deal - len(numbers))
        return replace(self, hands=hands, step="play")

    scores = scores
    outcome = outcome
    layout = observation.layout


def start(seats: int, options: Any, dealer: Seat = -1, brought: tuple[int, ...] = ()) -> FiveHundredState:
    """Returns the position before the first card of a hand; at first the last seat deals, so the first one begins
    (500-1).
    """
    nothing = (0,) * seats
    dealer, turn = dealer % seats, (dealer + 1) % seats
    return FiveHundredState(
        options, Hands.empty(seats), nothing, nothing, (), (), dealer, turn, to_deal=EACH * seats, brought=brought
    )
