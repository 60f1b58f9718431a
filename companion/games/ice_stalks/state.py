"""The state of Ice Stalks: applies events to a position (ICE-4 to ICE-22)."""

from __future__ import annotations

from typing import Self

from companion.core.contract import Drawn, Seat, Violation
from companion.core.foundation.errors import BadEvent, GameOver, IllegalMove
from companion.games.ice_stalks import observation, scoring
from companion.games.ice_stalks.growth import CODES, KIND, RAINBOW, is_complete, stalk_of
from companion.games.ice_stalks.moves import IceStalksEvent, Pass, PlacePiece, Take
from companion.games.ice_stalks.situation import UNKNOWN, Situation
from companion.games.ice_stalks.violations import color_of, impossible_draw, violations_of
from companion.games.shared.ruled_state import RuledState, sentences


class IceStalksState(Situation, RuledState, frozen=True, dict=True, tag="ice-stalks", forbid_unknown_fields=True):
    """A position of Ice Stalks with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: IceStalksEvent) -> Self:
        due = self._may_be_drawn(event) and event.seat == self.turn if isinstance(event, Drawn) else event in self.moves
        if not due:
            raise self._refusal(event)
        return self._done(event)

    def _done(self, event: IceStalksEvent) -> Self:
        match event:
            case Drawn():
                return self._drawn(event)
            case PlacePiece():
                return self._placed(event)
            case Pass():
                return self._passed()
        return self._took(event.seat)

    def _may_be_drawn(self, drawn: Drawn) -> bool:
        return self.done is None and not impossible_draw(self, drawn)

    def _refusal(self, event: IceStalksEvent) -> IllegalMove | BadEvent | GameOver:
        found = self.violations(event)
        if self.is_over:
            return GameOver(sentences(found))
        if isinstance(event, Drawn) and impossible_draw(self, event):
            return BadEvent(sentences(found))
        return IllegalMove(found)

    def _forced(self, move: IceStalksEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal event that the whole table accepts.

        The rock in the hand, if there is one, is spent; the turn passes to the player after the one who placed.

        None if the move is impossible: no such stalk, no such piece left, no such rock in the bag.
        """
        if not 0 <= move.seat < self.seats:
            raise BadEvent(f"There is no player {move.seat + 1}; the game has {self.seats}.")
        match move:
            case Take():
                there = self.done is not None
            case Drawn():
                there = self._may_be_drawn(move)
            case Pass():
                there = self.hand is not None
            case _:
                kind = KIND.get(move.piece)
                there = kind is not None and self.left[kind] > 0 and self.done is None
                there &= not move.on or (all(piece in KIND for piece in move.on) and stalk_of(move.on) in self.stalks)
        return self._done(move) if there else None

    def _drawn(self, drawn: Drawn) -> Self:
        color = color_of(drawn.pieces[0])
        assert color is not None
        rocks = self.rocks
        if color != UNKNOWN:
            rocks = one_less(rocks, RAINBOW.index(color))
        after = type(self)(self.options, self.stalks, self.taken, rocks, drawn.seat, color)
        self._hand_on(after)
        return after

    def _placed(self, place: PlacePiece) -> Self:
        kind = KIND[place.piece]
        stalk = stalk_of(place.on)
        grown = stalk + CODES[kind]
        stalks = list(self.stalks)
        if stalk:
            stalks.remove(stalk)
        rocks = self.rocks
        if self.hand == UNKNOWN and rocks[kind // 3]:
            rocks = one_less(rocks, kind // 3)
        if len(grown) > 2 and is_complete(grown):
            after = type(self)(self.options, tuple(stalks), self.taken, rocks, place.seat, None, grown)
        else:
            stalks.append(grown)
            stalks.sort()
            turn = (place.seat + 1) % len(self.taken)
            after = type(self)(self.options, tuple(stalks), self.taken, rocks, turn)
        left = after.__dict__["left"] = one_less(self.left, kind)
        after.__dict__["kinds_left"] = self.kinds_left if left[kind] > 0 else self.kinds_left & ~(1 << kind)
        return after

    def _passed(self) -> Self:
        """Returns the position after a rock is spent without a piece; a rock that was never shown gets the first color
        left in the bag.
        """
        rocks = self.rocks
        if self.hand == UNKNOWN:
            rocks = one_less(rocks, next(color for color, count in enumerate(rocks) if count))
        after = type(self)(self.options, self.stalks, self.taken, rocks, self.next_seat)
        self._hand_on(after)
        return after

    def _took(self, seat: Seat) -> Self:
        assert self.done is not None
        taken = (*self.taken[:seat], (*self.taken[seat], self.done), *self.taken[seat + 1 :])
        after = type(self)(self.options, self.stalks, taken, self.rocks, self.next_seat)
        self._hand_on(after)
        return after

    def _hand_on(self, after: Self) -> None:
        """Copies the cached stock to the position after a pass, which does not change it."""
        after.__dict__["left"] = self.left
        after.__dict__["kinds_left"] = self.kinds_left

    scores = scoring.scores
    outcome = scoring.outcome
    layout = observation.layout


def one_less(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])
