"""The state of Poker: applies events to a position (POK-1 to POK-4)."""

from __future__ import annotations

from typing import Any, Self

from msgspec.structs import replace

from companion.core.contract import Drawn, Seat, Shown, ToDraw, Violation
from companion.games.poker import observation
from companion.games.poker.moves import Exchange, Fold, Move, PokerEvent, TurnUp
from companion.games.poker.scoring import outcome, scores
from companion.games.poker.situation import Showdown, Situation
from companion.games.poker.violations import violations_of
from companion.games.shared.cards.deck import NUMBER
from companion.games.shared.cards.hands import Hands, changed, numbers_in
from companion.games.shared.ruled_state import RuledState
from companion.games.shared.search.bit_sets import mask_of


class PokerState(Situation, RuledState, frozen=True, dict=True, tag="poker", forbid_unknown_fields=True):
    """A position of Poker with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: PokerEvent) -> Self:
        if isinstance(event, Drawn) and (hands := self.hands.dealt(event, self.due)) is not None:
            return self._taken_up(event.seat, hands, len(event.pieces))
        moves = self.moves
        if type(moves) is Showdown and (event is moves[0] or event is moves[1] or event is moves.last_called):
            return self._done(event)
        return super()._applied(event)

    def _done(self, event: PokerEvent) -> Self:
        match event:
            case TurnUp():
                return self._passed_on(event.seat, self.folded, self.shown | 1 << event.seat)
            case Fold():
                return self._passed_on(event.seat, self.folded | 1 << event.seat, self.shown)
            case Exchange():
                return self._exchanged(event)
            case Shown():
                numbers = [NUMBER[piece] for piece in event.pieces]
                return replace(self, hands=self.hands.shown(event.seat, numbers))
        return self._drawn(event)

    def _forced(self, move: PokerEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts: a hand that was called wrongly
        counts as what it is.

        None if the move is impossible: a card that is not there, or it is not the time for such a move.
        """
        if isinstance(move, Move) and not self.to_deal and not self.owed and 0 <= move.seat < self.seats:
            waiting = self.is_in(move.seat) and not self.shown >> move.seat & 1
            match move:
                case Fold() if waiting:
                    return self._done(move)
                case TurnUp() if waiting and not self.exchanges and not isinstance(self.due, ToDraw):
                    return self._done(move)
        return None

    def _passed_on(self, seat: Seat, folded: int, shown: int) -> Self:
        """Returns the position with the next seat to act; after the last one, the next round of exchanges or the
        showdown begins.
        """
        exchanges, turn = self._next(seat, folded | shown)
        return replace(self, folded=folded, shown=shown, exchanges=exchanges, turn=turn)

    def _next(self, seat: Seat, out: int) -> tuple[int, Seat]:
        """Returns the number of rounds of exchanges left, and the seat after `seat`; `out` masks seats that folded or
        showed.
        """
        seats = len(self.given)
        after = (seat - self.dealer - 1) % seats + 1
        for place in range(after, seats):
            other = (self.dealer + 1 + place) % seats
            if not out >> other & 1:
                return self.exchanges, other
        for place in range(after):
            other = (self.dealer + 1 + place) % seats
            if not out >> other & 1:
                return max(self.exchanges - 1, 0), other
        return 0, seat

    def _exchanged(self, move: Exchange) -> Self:
        seat = move.seat
        numbers = [NUMBER[card] for card in move.cards if card is not None]
        unknown = len(move.cards) - len(numbers)
        rest = tuple([card for card in self.hands.known[seat] if card not in numbers])
        hidden = changed(self.hands.hidden, seat, self.hands.hidden[seat] - unknown)
        after = replace(
            self,
            hands=Hands(changed(self.hands.known, seat, rest), hidden, self.hands.pool),
            given=changed(self.given, seat, self.given[seat] | mask_of(numbers)),
            given_hidden=changed(self.given_hidden, seat, self.given_hidden[seat] + unknown),
            owed=len(move.cards),
        )
        return after if move.cards else after._passed_on(seat, self.folded, self.shown)

    def _drawn(self, drawn: Drawn) -> Self:
        numbers = numbers_in(drawn.pieces)
        named = [number for number in numbers if number is not None]
        due = self.due
        assert isinstance(due, ToDraw)
        if due.source == "hand":
            return replace(self, hands=self.hands.shown(drawn.seat, named))
        if due.shown:
            hands = replace(self.hands, pool=self.hands.pool & ~mask_of(named))
            shared = tuple(sorted((*self.shared, *named)))
            return replace(self, hands=hands, shared=shared, to_share=self.to_share - len(named))
        return self._taken_up(drawn.seat, self.hands.drawn(drawn.seat, numbers), len(numbers))

    def _taken_up(self, seat: Seat, hands: Hands, count: int) -> Self:
        """Returns the position after `count` cards have come from the deck, for the deal or an exchange."""
        if self.to_deal:
            return replace(self, hands=hands, to_deal=self.to_deal - count)
        after = replace(self, hands=hands, owed=self.owed - count)
        return after if after.owed else after._passed_on(seat, self.folded, self.shown)

    scores = scores
    outcome = outcome
    layout = observation.layout


def start(seats: int, options: Any, dealer: Seat = -1) -> PokerState:
    """Returns the position before the first card of a hand; at first the last seat deals (POK-1)."""
    nothing = (0,) * seats
    return PokerState(
        options,
        Hands.empty(seats),
        (),
        nothing,
        nothing,
        dealer % seats,
        (dealer + 1) % seats,
        to_deal=options.cards * seats,
        to_share=options.shared,
        exchanges=options.exchanges,
    )
