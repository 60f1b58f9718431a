"""The state of Spectrump: applies events to a position (UMP-1 to UMP-13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from companion.core.contract import Drawn, Score, Seat, Shown, Violation, named_seat
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import CODES, COLOR, NUMBER, NUMBER_CARDS, SHADES_MASK
from companion.games.shared.cards.hands import heap, pieces
from companion.games.shared.ruled_state import RuledState
from companion.games.spectrump import scoring, trick
from companion.games.spectrump.moves import PLAYS, Bid, Pass, Play, Ready, SpectrumpEvent, Swap
from companion.games.spectrump.situation import (
    ANY,
    COLOR_NUMBER,
    SCORING_PLAYED,
    TRUMP_PLAYED,
    Revoke,
    Sets,
    Situation,
    denied,
)
from companion.games.spectrump.trick import Judged
from companion.games.spectrump.violations import violations_of


def trick_spot(seat: int) -> Spot:
    """Returns the name of the heap that holds the card that a seat has played to the trick."""
    return f"seat{seat}.trick"


def layout(state: Situation) -> Layout:
    """Returns the trick on the table, and the cards before each seat.

    A trick that is complete may lie there still or be gathered, until the next card is led. While cards are dealt the
    trick is not predicted. Taken cards lie face down in a pile, so they may be unseen.
    """
    seats = state.seats
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    shown = () if state.dealing else state.trick or (state.last if any(state.won) else ())
    leader = state.leader if state.trick else state.last_leader
    if not state.dealing:
        heaps = {trick_spot(seat): () for seat in range(seats)}
        for step, card in enumerate(shown):
            spot = trick_spot((leader + step) % seats)
            heaps[spot] = heap((card,))
            if not state.trick:
                covered[spot] = pieces((card,))
    lying = set() if state.trick else set(shown)
    for seat in range(seats):
        for place, cards in enumerate(state.sets[seat]):
            if not state.hidden[seat][place]:
                heaps[f"seat{seat}.set{place + 1}"] = heap(cards)
        taken = [card for card in state.won[seat] if card not in lying]
        heaps[f"seat{seat}.won"] = heap(taken)
        if taken:
            covered[f"seat{seat}.won"] = pieces(taken)
    return Layout({}, heaps, covered)


def infer_event(state: Situation, seen: Layout) -> SpectrumpEvent | None:
    """Returns the play of a new card before a seat, looking at the seat to move first."""
    if state.ending is not None or state.phase != "play":
        return None
    before = layout(state).heaps
    for seat in state.clockwise(state.mover):
        spot = trick_spot(seat)
        held = [one.piece for one in before[spot]]
        for sighting in seen.heaps.get(spot, ()):
            card = NUMBER.get(sighting.piece, NUMBER_CARDS)
            if card < NUMBER_CARDS and sighting.piece not in held:
                return PLAYS[seat][card]
    return None


_T = TypeVar("_T")
_STANDS = {"UMP-3", "UMP-10", "UMP-11", "UMP-12"}
"""The rules whose violation the table can accept: the event can still be carried out."""


class SpectrumpState(Situation, RuledState, frozen=True, dict=True, tag="spectrump", forbid_unknown_fields=True):
    """A position of Spectrump with its rules (the contract's `State`)."""

    violations = violations_of

    def late_breaches(self) -> tuple[Violation, ...]:
        """Returns violations that later cards revealed: a seat held a card when it played as if it had none.

        The trick counts, and the table decides on the consequence (a ruling of UMP-11).
        """
        return tuple(
            Violation(
                "UMP-11",
                f"Round {one.round}: player {one.seat + 1} held {CODES[one.card]} when another card was played in its"
                " stead. The tricks stand; the table decides what follows.",
            )
            for one in self.revokes
        )

    def _applied(self, event: SpectrumpEvent) -> Self:
        if type(event) is Play and self.phase == "play":
            card = NUMBER.get(event.card, -1)
            known = event.seat == self.mover and card in self.sets[event.seat][self.playing]
            if known and self.allowed >> COLOR[card] & 1:
                return self._played(event.seat, card)
        return super()._applied(event)

    def _forced(self, move: SpectrumpEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the table accepts: a bid, a lead, or a card that does not
        follow.

        None if the move is impossible: it is out of turn, or the card is not there.
        """
        in_turn = named_seat(move) == (self.turn if self.phase == "bid" else self.mover)
        can_be = isinstance(move, Play) or (isinstance(move, Bid) and move.color in COLOR_NUMBER)
        if can_be and in_turn and {breach.rule for breach in found} <= _STANDS:
            return self._done(move)
        return None

    def _done(self, event: SpectrumpEvent) -> Self:
        match event:
            case Drawn():
                return self._drawn(event.seat, event.pieces)
            case Shown():
                return self._shown(event.seat, event.pieces)
            case Bid():
                return replace(self, bid=event, turn=self._next_bidder(self.passed))._bid_on()
            case Pass():
                passed = self.passed | 1 << event.seat
                return replace(self, passed=passed, turn=self._next_bidder(passed))._bid_on()
            case Swap():
                return self._exchanged(event)
            case Ready():
                return replace(self, ready=self.ready | 1 << event.seat)
        return self._played(event.seat, NUMBER[event.card])

    def _next_bidder(self, passed: int) -> Seat:
        for seat in self.clockwise((self.turn + 1) % len(self.sets)):
            if not passed >> seat & 1:
                return seat
        return self.turn

    def _bid_on(self) -> Self:
        """Returns the position after a call: after the bidding the bidder leads; if all seats passed, a new deal
        begins.
        """
        if self.passed.bit_count() == len(self.sets):
            return self._fresh((self.dealer + 1) % len(self.sets))
        if self.phase == "bid":
            return self
        assert self.bid is not None
        return replace(self, leader=self.bid.seat, last_leader=self.bid.seat, ready=self._ready())

    def _ready(self) -> int:
        """Returns the seats that need not say so before a session's first trick: all, unless sets may be exchanged
        (UMP-2).
        """
        return 0 if self.options.hand_loading and self.shape.sets > 1 else (1 << len(self.sets)) - 1

    def _fresh(self, dealer: Seat, **more: Any) -> Self:
        """Returns the position before the deal of a round."""
        seats, empty = len(self.sets), ((),) * self.shape.sets
        return replace(
            self,
            dealer=dealer,
            session=0,
            dealing=True,
            sets=(empty,) * seats,
            hidden=((0,) * self.shape.sets,) * seats,
            turn=(dealer + 1) % seats,
            bid=None,
            passed=0,
            ready=0,
            swaps=(0,) * seats,
            playing=0,
            trick=(),
            broken=0,
            denied=(0,) * seats,
            won=((),) * seats,
            played=0,
            **more,
        )

    def _drawn(self, seat: Seat, cards: Sequence[Piece | None]) -> Self:
        """Returns the position after a seat is dealt cards; its first set is filled before the second."""
        sets, hidden, pool = list(self.sets[seat]), list(self.hidden[seat]), self.pool
        rest = [NUMBER[piece] if piece is not None else None for piece in cards]
        for place in range(len(sets)):
            count = self.missing(seat, place)
            mine, rest = rest[:count], rest[count:]
            known = [card for card in mine if card is not None]
            for card in known:
                pool ^= 1 << card
            sets[place] = tuple(sorted((*sets[place], *known)))
            hidden[place] += len(mine) - len(known)
        after = replace(
            self, sets=_changed(self.sets, seat, tuple(sets)), hidden=_changed(self.hidden, seat, tuple(hidden))
        )
        if after.dealt == len(after.sets) * after.shape.sets * after.shape.cards:
            after = replace(after, dealing=False, ready=after._ready(), swaps=(0,) * len(after.sets))
        else:
            after.__dict__["ending"] = None
        after.__dict__["pool"] = pool
        return after

    def _shown(self, seat: Seat, cards: Sequence[Piece]) -> Self:
        """Returns the position after hidden cards become known; the set that is played comes first."""
        sets, hidden = list(self.sets[seat]), list(self.hidden[seat])
        rest = [NUMBER[piece] for piece in cards]
        found = []
        for place in range(len(sets)):
            mine, rest = rest[: hidden[place]], rest[hidden[place] :]
            sets[place] = tuple(sorted((*sets[place], *mine)))
            hidden[place] -= len(mine)
            if place == self.playing:
                found = [card for card in mine if self.denied[seat] >> COLOR[card] & 1]
        after = replace(
            self, sets=_changed(self.sets, seat, tuple(sets)), hidden=_changed(self.hidden, seat, tuple(hidden))
        )
        return after._brought_to_light(seat, found)

    def _brought_to_light(self, seat: Seat, cards: Sequence[int]) -> Self:
        """Returns the position that records the violation: these cards were in the hand when the seat played without
        their color.
        """
        if not cards:
            return self
        number = len(self.rounds) + 1
        colors = 0
        for card in cards:
            colors |= 1 << COLOR[card]
        found = tuple(Revoke(seat, card, number) for card in cards)
        left = self.denied[seat] & ~colors
        return replace(self, revokes=self.revokes + found, denied=_changed(self.denied, seat, left))

    def _exchanged(self, swap: Swap) -> Self:
        one, other = NUMBER[swap.one], NUMBER[swap.other]
        first, second = self.sets[swap.seat]
        sets: Sets = (
            tuple(sorted(other if card == one else card for card in first)),
            tuple(sorted(one if card == other else card for card in second)),
        )
        swaps = _changed(self.swaps, swap.seat, self.swaps[swap.seat] + 1)
        return replace(self, sets=_changed(self.sets, swap.seat, sets), swaps=swaps)

    def _played(self, seat: Seat, card: int) -> Self:
        """Returns the position after a card goes to the trick, legal or not; a complete trick is taken."""
        trump, color, place = self.trump, COLOR[card], self.playing
        mine, hidden, pool = self.sets[seat], self.hidden, self.pool
        if card in mine[place]:
            mine = _changed(mine, place, tuple([one for one in mine[place] if one != card]))
        else:
            hidden = _changed(hidden, seat, _changed(hidden[seat], place, hidden[seat][place] - 1))
            pool &= ~(1 << card)
        sets = _changed(self.sets, seat, mine)
        broken = self.broken | (
            TRUMP_PLAYED if color == trump else SCORING_PLAYED if SHADES_MASK[trump] >> color & 1 else 0
        )
        bid = self.bid
        played = self.played
        if color == trump and bid is not None and seat == bid.seat and not self.session:
            played += 1
        follows = self.trick and self.allowed != ANY and COLOR[self.trick[0]] != trump
        says = 0 if follows and self.allowed >> color & 1 else denied(trump, self.broken, self.trick, color)
        denials = _changed(self.denied, seat, self.denied[seat] | says) if says else self.denied
        laid = (*self.trick, card)
        won, leader, last, last_leader = self.won, self.leader, self.last, self.last_leader
        complete = len(laid) == len(sets)
        if complete:
            last, last_leader = laid, leader
            leader = (leader + trick.winner(trump, laid)) % len(sets)
            won = _changed(won, leader, won[leader] + laid)
            laid = ()
        after = type(self)(
            self.options,
            self.dealer,
            self.session,
            False,
            sets,
            hidden,
            self.turn,
            bid,
            self.passed,
            self.ready,
            self.swaps,
            place,
            leader,
            laid,
            broken,
            denials,
            won,
            last,
            last_leader,
            played,
            self.rounds,
            self.revokes,
            self.earlier,
            self.brought,
        )
        known = after.__dict__
        known["pool"] = pool
        known["phase"] = "play"
        known["ending"] = None
        if self.denied[seat] >> color & 1:
            after = after._brought_to_light(seat, (card,))
        return after._set_over() if complete and not sets[0][place] else after

    def _set_over(self) -> Self:
        """Returns the position after a trick that emptied the set: the next set, session or round."""
        place = self.playing
        if any(sets[place] for sets in self.sets) or any(hidden[place] for hidden in self.hidden):
            return self
        seats = len(self.sets)
        for following in range(place + 1, self.shape.sets):
            if any(sets[following] for sets in self.sets) or any(hidden[following] for hidden in self.hidden):
                return replace(self, playing=following, broken=0, denied=(0,) * seats)
        if self.session + 1 < self.shape.sessions:
            after = replace(
                self, session=self.session + 1, dealing=True, playing=0, broken=0, denied=(0,) * seats, ready=0
            )
            after.__dict__["pool"] = self.pool
            return after
        over = self.current
        assert over is not None
        return self._fresh((self.dealer + 1) % seats, rounds=(*self.rounds, replace(over, bid_over=True)))

    def last_trick(self) -> Judged | None:
        """Returns the previous trick, card by card, with the reason for its winner; None before the first of the
        round.
        """
        return trick.judge(self.trump, self.last) if self.last and any(self.won) else None

    def scores(self) -> tuple[Score, ...]:
        """Returns the score of each seat with the points taken so far in the present round (UMP-5, UMP-6, UMP-13)."""
        now = self.current
        rounds = self.rounds if now is None else (*self.rounds, now)
        return scoring.scores(rounds, self.brought, len(self.sets), self.options)

    layout = layout


def _changed(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    """Returns the tuple with another value at one place."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)
