"""The state of Casino: applies events to a position (CAS-1 to CAS-10)."""

from __future__ import annotations

from typing import Any, Self

from msgspec.structs import replace

from companion.core.contract import Drawn, Seat, Shown, Violation
from companion.games.casino import observation, scoring, violations
from companion.games.casino.moves import CasinoEvent, Move, Put, Take
from companion.games.casino.situation import BOARD, DEAL, DEALS, LEAST_ON_BOARD, Situation, by_rank
from companion.games.casino.violations import violations_of
from companion.games.shared.cards.deck import COLOR, NUMBER, RANK
from companion.games.shared.cards.hands import Hands, changed, numbers_in
from companion.games.shared.ruled_state import RuledState


class CasinoState(Situation, RuledState, frozen=True, dict=True, tag="casino", forbid_unknown_fields=True):
    """A position of Casino with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: CasinoEvent) -> Self:
        if isinstance(event, Take):
            mask = self._legal_mask(event)
            if mask:
                return self._taken(event.seat, NUMBER[event.card], mask)
        elif isinstance(event, Put):
            card = NUMBER.get(event.card, -1)
            if event.seat == self.turn and "moves" in self.__dict__ and card in self.moves.puts:
                return self._put(event.seat, card)
        elif isinstance(event, Drawn) and (hands := self.hands.dealt(event, self.expects())) is not None:
            return replace(self, hands=hands, to_hands=self.to_hands - len(event.pieces))
        return super()._applied(event)

    def _done(self, event: CasinoEvent) -> Self:
        match event:
            case Take():
                return self._taken(event.seat, NUMBER[event.card], violations.mask_on(self, event.taken))
            case Put():
                return self._put(event.seat, NUMBER[event.card])
            case Drawn():
                return self._drawn(event)
        return self._shown(event)

    def _legal_mask(self, take: Take) -> int:
        """Returns the board cards of a legal take as a mask over their places; 0 if the take is not legal."""
        made, mask = self.moves.made if "moves" in self.__dict__ else (None, 0)
        if made is take:
            return mask
        card = NUMBER.get(take.card, -1)
        if take.base or take.seat != self.turn or not self._may_play(card):
            return 0 if self.violations(take) else violations.mask_on(self, take.taken)
        mask = violations.mask_on(self, take.taken)
        return mask if self.captures.may_take(RANK[card], mask) else 0

    def _may_play(self, card: int) -> bool:
        """True if a card is to be played now and the seat to move may hold this one."""
        return not (self.ended or self.to_board or self.to_hands) and self.hands.may_hold(self.turn, card)

    def _forced(self, move: CasinoEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts; the cards are taken or put as the
        move says.

        None if the move is impossible: a card is not there, or cards are still to be dealt.
        """
        if isinstance(move, Move) and not self.to_board and not self.to_hands and 0 <= move.seat < self.seats:
            there = isinstance(move, Put) or not move.taken or violations.mask_on(self, move.taken)
            if there and self.hands.may_hold(move.seat, NUMBER.get(move.card, -1)):
                return self._done(move)
        return None

    def _taken(self, seat: Seat, card: int, mask: int) -> Self:
        won, board = self.won[seat] | 1 << card, []
        for place, other in enumerate(self.board):
            if mask >> place & 1:
                won |= 1 << other
            else:
                board.append(other)
        return self._played(seat, card, tuple(board), changed(self.won, seat, won), seat)

    def _put(self, seat: Seat, card: int) -> Self:
        board = tuple(sorted((*self.board, card), key=by_rank))
        return self._played(seat, card, board, self.won, self.last)

    def _played(self, seat: Seat, card: int, board: tuple[int, ...], won: tuple[int, ...], last: Seat | None) -> Self:
        """Returns the position after a card has left the hand: the next seat with cards is to move, or the deal
        ends.
        """
        hands = self.hands.without(seat, card)
        seats = len(won)
        for step in range(1, seats + 1):
            turn = (seat + step) % seats
            if hands.known[turn] or hands.hidden[turn]:
                return type(self)(
                    self.options, hands, board, won, self.dealer, turn, self.chosen, 0, 0,
                    self.deal, self.pile, last, self.brought, self.past,
                )  # fmt: skip
        after = replace(self, hands=hands, board=board, won=won, last=last)
        return after._dealt_out() if self.deal < DEALS else after._round_over()

    def _dealt_out(self) -> Self:
        """Returns the position after a deal is played out: the board is filled up, and the next deal begins (CAS-7)."""
        if self.deal + 1 == DEALS:
            come = self.pile
        else:
            come = min(1, self.pile) if len(self.board) < LEAST_ON_BOARD else 0
        turn = (self.dealer + 1) % self.seats
        return replace(self, deal=self.deal + 1, to_board=come, to_hands=DEAL, pile=self.pile - come, turn=turn)

    def _round_over(self) -> Self:
        """Returns the position after a round: the last taker gets the board, and another round begins if one is left
        (CAS-7 to CAS-9).

        If no seat took a card, no seat gets the board.
        """
        won = self.won
        if self.last is not None:
            won = changed(won, self.last, won[self.last] | violations.mask_of_board(self))
        past = (*self.past, scoring.round_points(self.chosen, won))
        after = replace(self, board=() if self.last is not None else self.board, won=won, past=past)
        if scoring.is_won(scoring.totals(after)) or len(past) >= self.options.rounds:
            return replace(after, ended=True)
        dealer = (self.dealer + 1) % self.seats
        fresh = Hands.empty(self.seats)
        turn = (dealer + 1) % self.seats
        return type(self)(self.options, fresh, (), (0,) * self.seats, dealer, turn, brought=self.brought, past=past)

    def _drawn(self, drawn: Drawn) -> Self:
        numbers = numbers_in(drawn.pieces)
        if not self.to_board:
            hands = self.hands.drawn(drawn.seat, numbers)
            return replace(self, hands=hands, to_hands=self.to_hands - len(numbers))
        named = [number for number in numbers if number is not None]
        board = tuple(sorted((*self.board, *named), key=by_rank))
        pool = self.hands.pool
        for number in named:
            pool &= ~(1 << number)
        chosen = COLOR[named[0]] if self.chosen is None else self.chosen
        hands = replace(self.hands, pool=pool)
        return replace(self, hands=hands, board=board, chosen=chosen, to_board=self.to_board - len(named))

    def _shown(self, shown: Shown) -> Self:
        return replace(self, hands=self.hands.shown(shown.seat, [NUMBER[piece] for piece in shown.pieces]))

    scores = scoring.scores
    outcome = scoring.outcome
    layout = observation.layout


def start(seats: int, options: Any, dealer: Seat = -1, brought: tuple[Any, ...] = ()) -> CasinoState:
    """Returns the position before the first card of a round; by default the last seat deals (CAS-1, CAS-10)."""
    dealer, turn = dealer % seats, (dealer + 1) % seats
    return CasinoState(options, Hands.empty(seats), (), (0,) * seats, dealer, turn, to_board=BOARD, brought=brought)
