"""The state of Cribbage: applies events to a position (CRB-1 to CRB-12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from companion.core.contract import Drawn, Seat, Shown, ToMove, Violation
from companion.games.cribbage import observation
from companion.games.cribbage.counting import FULL, NOBS_RANK, pegged
from companion.games.cribbage.moves import Count, CribbageEvent, Go, LayAway, Move, Play
from companion.games.cribbage.scoring import counted, outcome, scores
from companion.games.cribbage.situation import FITTING, OUT, SIZES, WAITING, Peg, Situation, may_play
from companion.games.cribbage.violations import violations_of
from companion.games.shared.cards.deck import NUMBER, RANK
from companion.games.shared.cards.hands import WHOLE_DECK, Hands, changed, numbers_in
from companion.games.shared.ruled_state import RuledState
from companion.games.shared.search.bit_sets import mask_of


class Running(NamedTuple):
    """The play after a card or a Go, before the next player is known."""

    hands: Hands
    played: tuple[tuple[int, ...], ...]
    cards: tuple[int, ...]
    """The cards of the running count."""
    last: Seat
    """The seat that played the last card."""
    gone: int
    scored: bool
    total: int


GO, LAST, EXACT = 1, 1, 2
"""The points of a Go, of the last card, and of exactly 37 (CRB-4, CRB-12)."""
HEELS = 2
"""The points of a 10 as the starter (CRB-3)."""


class CribbageState(Situation, RuledState, frozen=True, dict=True, tag="cribbage", forbid_unknown_fields=True):
    """A position of Cribbage with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: CribbageEvent) -> Self:
        if self.starter is not None and event in self.moves:
            return self._done(event)
        if isinstance(event, Drawn) and (hands := self.hands.dealt(event, self.due)) is not None:
            return replace(self, hands=hands, to_deal=self.to_deal - len(event.pieces))
        return super()._applied(event)

    def _done(self, event: CribbageEvent) -> Self:
        match event:
            case Play():
                return self._played(event.seat, NUMBER[event.card])
            case LayAway():
                return self._laid_away(event)
            case Go():
                return self._went(event.seat)
            case Count():
                return self._counted(event)
            case Shown():
                numbers = [NUMBER[piece] for piece in event.pieces]
                return replace(self, hands=self.hands.shown(event.seat, numbers))
        return self._drawn(event)

    def _forced(self, move: CribbageEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts.

        A card that exceeds 37 begins a new count; a count pegs the points that its player says.

        None if the move is impossible: a card is not there, or it is not the time for such a move.
        """
        if isinstance(move, Move) and 0 <= move.seat < self.seats and self.dealer is not None and not self.to_deal:
            if self.starter is None:
                if isinstance(move, LayAway) and move.seat in self.to_lay and self._can_lay(move):
                    return self._laid_away(move)
            elif not self.is_played:
                if isinstance(move, Play) and self.hands.may_hold(move.seat, NUMBER.get(move.card, -1)):
                    return self._played(move.seat, NUMBER[move.card])
                if isinstance(move, Go) and self.count:
                    return self._went(move.seat)
            elif isinstance(move, Count) and isinstance(self.due, ToMove) and (move.seat, move.of) == self.counting:
                return self._counted(move)
        return None

    def _can_lay(self, move: LayAway) -> bool:
        numbers = [NUMBER.get(card, -1) for card in move.cards if card is not None]
        unknown = len(move.cards) - len(numbers)
        own = all(self.hands.holds(move.seat, number) for number in numbers) and len(set(numbers)) == len(numbers)
        return own and len(move.cards) == self.sizes.laid and unknown <= self.hands.hidden[move.seat]

    def _laid_away(self, move: LayAway) -> Self:
        seat = move.seat
        numbers = tuple([NUMBER[card] for card in move.cards if card is not None])
        unknown = len(move.cards) - len(numbers)
        known = tuple([card for card in self.hands.known[seat] if card not in numbers])
        hidden = self.hands.hidden
        if unknown:
            hidden = changed(hidden, seat, hidden[seat] - unknown)
        return replace(
            self,
            hands=Hands(changed(self.hands.known, seat, known), hidden, self.hands.pool),
            laid=changed(self.laid, seat, numbers),
            laid_hidden=changed(self.laid_hidden, seat, unknown),
        )

    def _played(self, seat: Seat, card: int) -> Self:
        """Returns the position after a card: it pegs its points, and the next seat plays or the count ends (CRB-4,
        CRB-5, CRB-12).

        A card that exceeds 37, which only an agreement allows, begins a new count.
        """
        count, gone, scored = self.count, self.gone, self.scored
        if self.total + RANK[card] > FULL:
            count, gone, scored = (), 0, False
        count = (*count, card)
        hands = self.hands.without(seat, card)
        played = changed(self.played, seat, (*self.played[seat], card))
        ranks = [RANK[one] for one in count]
        total = sum(ranks)
        found = pegged(ranks)
        if total == FULL:
            found.append((EXACT - GO if scored else EXACT, "37"))
        elif not any(hands.known) and not any(hands.hidden):
            if not scored:
                found.append((LAST, "last"))
        else:
            return self._onward(seat, Running(hands, played, count, seat, gone, scored, total), found)
        return self._new_count(Running(hands, played, count, seat, gone, scored, total), found)

    def _went(self, seat: Seat) -> Self:
        """Returns the position after a seat said Go and left this count (CRB-4, CRB-11)."""
        assert self.last is not None
        gone = self.gone | 1 << seat
        now = Running(self.hands, self.played, self.count, self.last, gone, self.scored, self.total)
        return self._onward(seat, now, [])

    def _onward(self, seat: Seat, now: Running, found: list[tuple[int, str]]) -> Self:
        """Returns the position with the next player of this count. If all others are out of it, the last player pegs
        the Go and plays on.
        """
        hands, gone, last, seats = now.hands, now.gone, now.last, len(self.played)
        following = last
        for step in range(1, seats + 1):
            turn = (seat + step) % seats
            if not gone >> turn & 1 and (hands.known[turn] or hands.hidden[turn]):
                if turn != last:
                    return self._go_on(now, self._next_in(seat, now), found)
                following = turn
        scored = now.scored
        if not scored:
            found.append((GO, "go"))
        alone = now._replace(scored=True)
        if not gone >> following & 1 and may_play(hands, following, FITTING[now.total]):
            return self._go_on(alone, following, found)
        return self._new_count(alone, found)

    def _next_in(self, seat: Seat, now: Running) -> Seat:
        """Returns the next seat, clockwise, that has cards and has not said Go; the caller ensures that there is
        one.
        """
        turn = (seat + 1) % len(self.played)
        while now.gone >> turn & 1 or not now.hands.size(turn):
            turn = (turn + 1) % len(self.played)
        return turn

    def _new_count(self, now: Running, found: list[tuple[int, str]]) -> Self:
        """Returns the position after the end of a count: the next seat with cards after the last player leads from
        0.
        """
        seats, last = len(self.played), now.last
        turn = self.turn
        for step in range(1, seats + 1):
            leader = (last + step) % seats
            if now.hands.size(leader):
                turn = leader
                break
        return self._go_on(now, turn, found, ended=True)

    def _go_on(self, now: Running, turn: Seat, found: list[tuple[int, str]], *, ended: bool = False) -> Self:
        """Returns the position with these points pegged for the seat that played last, and `turn` to play."""
        totals, pegs = self._with(now.last, found)
        if ended:
            after = replace(
                self, hands=now.hands, played=now.played, totals=totals, pegs=pegs, turn=turn,
                count=(), last=None, gone=0, scored=False,
            )  # fmt: skip
        else:
            after = replace(
                self, hands=now.hands, played=now.played, totals=totals, pegs=pegs, turn=turn,
                count=now.cards, last=now.last, gone=now.gone, scored=now.scored,
            )  # fmt: skip
        after.__dict__["total"] = 0 if ended else now.total
        return after

    def _counted(self, move: Count) -> Self:
        """Returns the position after a count of a hand or the crib; after the crib the next seat deals (CRB-1,
        CRB-6).
        """
        right = counted(self)
        if move.points != sum([points for points, _ in right]):
            right = [(move.points, move.of)] if move.points else []
        totals, pegs = self._with(move.seat, right)
        if move.of == "hand" or max(totals) >= self.options.target:
            return replace(self, totals=totals, pegs=pegs, counted=self.counted + 1)
        assert self.dealer is not None
        return self._dealing((self.dealer + 1) % self.seats, totals, pegs)

    def _with(self, seat: Seat, found: Sequence[tuple[int, str]]) -> tuple[tuple[int, ...], tuple[Peg, ...]]:
        """Returns the totals and pegs with these points added for a seat."""
        if not found:
            return self.totals, self.pegs
        side = seat % 2
        totals = changed(self.totals, side, self.totals[side] + sum([points for points, _ in found]))
        return totals, (*self.pegs, *[Peg(seat, points, kind) for points, kind in found])

    def _dealing(self, dealer: Seat, totals: tuple[int, ...], pegs: tuple[Peg, ...]) -> Self:
        """Returns the position of a new hand before the first card is dealt."""
        seats = self.seats
        return replace(
            self,
            hands=Hands.empty(seats),
            dealer=dealer,
            totals=totals,
            pegs=pegs,
            cut=(),
            to_deal=SIZES[seats].dealt * seats,
            laid=((),) * seats,
            laid_hidden=(0,) * seats,
            starter=None,
            played=((),) * seats,
            turn=(dealer + 1) % seats,
            counted=0,
        )

    def _drawn(self, drawn: Drawn) -> Self:
        numbers = numbers_in(drawn.pieces)
        if self.to_deal:
            return replace(self, hands=self.hands.drawn(drawn.seat, numbers), to_deal=self.to_deal - len(numbers))
        named = tuple([number for number in numbers if number is not None])
        hands = replace(self.hands, pool=self.hands.pool & ~mask_of(named))
        if self.dealer is None:
            return replace(self, hands=hands)._cut(drawn.seat, named[0])
        if self.starter is None:
            heels = [(HEELS, "heels")] if RANK[named[0]] == NOBS_RANK else []
            totals, pegs = self._with(self.dealer, heels)
            return replace(self, hands=hands, starter=named[0], totals=totals, pegs=pegs)
        return replace(self, hands=hands)._crib_turned_up(named)

    def _cut(self, seat: Seat, card: int) -> Self:
        """Returns the position after a seat cut a card; the lowest rank deals, and equal lowest ranks cut again
        (CRB-1).
        """
        cut = changed(self.cut, seat, card)
        if WAITING in cut:
            return replace(self, cut=cut)
        lowest = min(RANK[one] for one in cut if one != OUT)
        first = [seat for seat, one in enumerate(cut) if one != OUT and RANK[one] == lowest]
        if len(first) == 1:
            return self._dealing(first[0], self.totals, self.pegs)
        again = tuple([WAITING if seat in first else OUT for seat in range(self.seats)])
        return replace(self, cut=again, hands=Hands.empty(self.seats))

    def _crib_turned_up(self, named: Sequence[int]) -> Self:
        """Returns the position after unknown cards of the crib became known; it no longer matters who laid them
        away.
        """
        laid, hidden = list(self.laid), list(self.laid_hidden)
        rest = list(named)
        for seat in range(self.seats):
            while hidden[seat] and rest:
                laid[seat] = tuple(sorted((*laid[seat], rest.pop())))
                hidden[seat] -= 1
        return replace(self, laid=tuple(laid), laid_hidden=tuple(hidden))

    scores = scores
    outcome = outcome
    layout = observation.layout


def start(seats: int, options: Any, dealer: Seat | None = None, brought: tuple[int, ...] = ()) -> CribbageState:
    """Returns the position before a hand; without a dealer, the players cut for the deal (CRB-1)."""
    empty = CribbageState(
        options,
        Hands.empty(seats, WHOLE_DECK),
        None,
        brought or (0, 0),
        brought=brought,
        cut=(WAITING,) * seats,
        laid=((),) * seats,
        laid_hidden=(0,) * seats,
        played=((),) * seats,
    )
    return empty if dealer is None else empty._dealing(dealer, empty.totals, ())
