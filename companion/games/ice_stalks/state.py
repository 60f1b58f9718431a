"""One position of Ice Stalks and what changes it (ICE-4 to ICE-22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Self

from msgspec.structs import replace

from companion.contract import Breach, Chance, Drawn, Outcome, Score, Seat
from companion.errors import BadEvent, GameOver, IllegalMove
from companion.games.ice_stalks import breaches, scoring, search, sighted
from companion.games.ice_stalks.breaches import color_of, impossible_draw
from companion.games.ice_stalks.growth import is_complete
from companion.games.ice_stalks.moves import IceStalksEvent, Move, Pass, Place, Take
from companion.games.ice_stalks.rainbow import CODES, KIND, RAINBOW, ROCKS, STALKS_SPOT, stalk_of
from companion.games.ice_stalks.sighted import stalk_in
from companion.games.ice_stalks.situation import UNKNOWN, Situation
from companion.games.likeness import same_table
from companion.layout import Layout, Spot
from companion.pieces import Piece


class IceStalksState(Situation, frozen=True, dict=True, tag="ice-stalks", forbid_unknown_fields=True):
    """One position of Ice Stalks (the contract's `State`)."""

    def legal_moves(self) -> Sequence[Move]:
        """Every legal addition, or the base where there is none; or taking the completed stalk (ICE-6, ICE-16)."""
        return self.moves

    def explain(self, move: IceStalksEvent) -> tuple[Breach, ...]:
        """The rules that a move, or a told draw, breaks; empty if and only if it may happen now."""
        return breaches.explain(self, move)

    def apply(self, event: IceStalksEvent, force: bool = False) -> Self:
        """The position after `event`; self never changes.

        :param force: carry out an illegal event that the whole table lets stand, if it can be (`_forced`).
        :raises IllegalMove: the event breaks rules.
        :raises BadEvent: the told rock cannot have come out of the bag now.
        :raises GameOver: the game has ended.
        """
        if force and (found := self.explain(event)):
            return self._forced(event, found)
        if isinstance(event, Drawn):
            if event.seat != self.turn or self.done is not None or impossible_draw(self, event):
                raise self._refusal(event)
            return self._drawn(event)
        if event not in self.moves:
            raise self._refusal(event)
        if isinstance(event, Place):
            return self._placed(event)
        return self._passed() if isinstance(event, Pass) else self._took(event.seat)

    def _refusal(self, event: IceStalksEvent) -> IllegalMove | BadEvent | GameOver:
        found = self.explain(event)
        if self.is_over:
            return GameOver(_sentences(found))
        if isinstance(event, Drawn) and impossible_draw(self, event):
            return BadEvent(_sentences(found))
        return IllegalMove(found)

    def reread(self, spot: Spot, was: Piece | None, now: Piece | None) -> Self | None:
        """The same position, had a growing stalk been another one all along; None if the set cannot have it.

        :param was: what it was held for, `now` what it is; None: nothing.
        """
        old, new = stalk_in(was), stalk_in(now)
        if spot != STALKS_SPOT or (was is not None and old not in self.stalks) or (now is not None and new is None):
            return None
        stalks = list(self.stalks)
        if old is not None:
            stalks.remove(old)
        if new is not None:
            if len(new) > 2 and is_complete(new):
                return None
            stalks.append(new)
        then = replace(self, stalks=tuple(sorted(stalks)))
        return None if min(then.left) < 0 else then

    def _forced(self, move: IceStalksEvent, found: tuple[Breach, ...]) -> Self:
        """The position after an illegal event that the whole table lets stand.

        The rock in the hand, if there is one, is spent; the turn passes to the player after the one who placed.

        :raises BadEvent: it cannot be carried out: no such stalk, no such piece left, no such rock in the bag.
        :raises GameOver: the game has ended.
        """
        if self.is_over:
            raise GameOver(_sentences(found))
        if not 0 <= move.seat < self.seats:
            raise BadEvent(f"There is no player {move.seat + 1}; the game has {self.seats}.")
        if isinstance(move, Take):
            if self.done is None:
                raise BadEvent(_sentences(found))
            return self._took(move.seat)
        if isinstance(move, Drawn):
            if impossible_draw(self, move) or self.done is not None:
                raise BadEvent(_sentences(found))
            return self._drawn(move)
        if isinstance(move, Pass):
            if self.hand is None:
                raise BadEvent(_sentences(found))
            return self._passed()
        kind = KIND.get(move.piece)
        there = not move.on or (all(piece in KIND for piece in move.on) and stalk_of(move.on) in self.stalks)
        if kind is None or self.left[kind] <= 0 or not there or self.done is not None:
            raise BadEvent(_sentences(found))
        return self._placed(move)

    def _drawn(self, drawn: Drawn) -> Self:
        color = color_of(drawn.pieces[0])
        assert color is not None
        rocks = self.rocks
        if color != UNKNOWN:
            rocks = _one_less(rocks, RAINBOW.index(color))
        after = type(self)(self.options, self.stalks, self.taken, rocks, drawn.seat, color)
        self._hand_on(after)
        return after

    def _placed(self, place: Place) -> Self:
        kind = KIND[place.piece]
        stalk = stalk_of(place.on)
        grown = stalk + CODES[kind]
        stalks = list(self.stalks)
        if stalk:
            stalks.remove(stalk)
        rocks = self.rocks
        if self.hand == UNKNOWN and rocks[kind // 3]:
            rocks = _one_less(rocks, kind // 3)
        if len(grown) > 2 and is_complete(grown):
            after = type(self)(self.options, tuple(stalks), self.taken, rocks, place.seat, None, grown)
        else:
            stalks.append(grown)
            stalks.sort()
            turn = (place.seat + 1) % len(self.taken)
            after = type(self)(self.options, tuple(stalks), self.taken, rocks, turn)
        left = after.__dict__["left"] = _one_less(self.left, kind)
        after.__dict__["kinds_left"] = self.kinds_left if left[kind] > 0 else self.kinds_left & ~(1 << kind)
        return after

    def _passed(self) -> Self:
        """The rock is spent without a piece; one that was never shown is the first that the bag misses."""
        rocks = self.rocks
        if self.hand == UNKNOWN:
            rocks = _one_less(rocks, next(color for color, count in enumerate(rocks) if count))
        after = type(self)(self.options, self.stalks, self.taken, rocks, self.following)
        self._hand_on(after)
        return after

    def _took(self, seat: Seat) -> Self:
        assert self.done is not None
        taken = (*self.taken[:seat], (*self.taken[seat], self.done), *self.taken[seat + 1 :])
        after = type(self)(self.options, self.stalks, taken, self.rocks, self.following)
        self._hand_on(after)
        return after

    def _hand_on(self, after: Self) -> None:
        """Nothing was placed, so what is left is known already."""
        after.__dict__["left"] = self.left
        after.__dict__["kinds_left"] = self.kinds_left

    def scores(self) -> tuple[Score, ...]:
        """Points by seat (ICE-18, ICE-19)."""
        return scoring.scores(self)

    def outcome(self) -> Outcome | None:
        """Places with ties, or None while the game goes on (ICE-17, ICE-20)."""
        return scoring.outcome(self)

    def layout(self) -> Layout:
        """The growing stalks, the taken ones of every seat, and the rocks that lie aside."""
        return sighted.layout(self)

    def candidates(self, seen: Layout) -> Sequence[IceStalksEvent]:
        """The legal events that may lie between this position and `seen` (an addition to the contract)."""
        return search.candidates(self, seen)

    def wrongs(self, seen: Layout) -> Iterable[IceStalksEvent]:
        """What the change to `seen` looks like, legal or not (an addition to the contract)."""
        return search.wrongs(self, seen)

    def story(self, events: Sequence[IceStalksEvent]) -> Hashable:
        """Who drew which rock and placed which piece (an addition to the contract)."""
        return frozenset(Counter(events).items())

    def suggest(self, seen: Layout) -> IceStalksEvent | None:
        """The first event, legal or not, of the shortest change to `seen`; None if none explains it."""
        return search.suggest(self, seen)

    def alike(self, one: IceStalksEvent, other: IceStalksEvent) -> bool:
        """Whether two events leave the same table."""
        return same_table(self, one, other)

    def unseen(self) -> Mapping[Piece, int]:
        """The rocks in the bag, and the one in the hand if the referee was not shown it."""
        return {ROCKS[color]: count for color, count in zip(RAINBOW, self.rocks, strict=True) if count}

    def view(self, seat: Seat | None) -> Self:
        """Everything outside the bag lies in view (ICE-4)."""
        return self

    def chances(self) -> Iterable[tuple[Chance, int]]:
        """The rocks that may be drawn now."""
        if self.hand is None and self.done is None:
            for color, count in zip(RAINBOW, self.rocks, strict=True):
                if count:
                    yield Drawn(self.turn, (ROCKS[color],)), count

    def guess(self, rng: Random) -> Self:
        """A rock in the hand that was not shown, filled in from the bag."""
        if self.hand != UNKNOWN:
            return self
        color = rng.choices(range(len(RAINBOW)), self.rocks)[0]
        return type(self)(
            self.options, self.stalks, self.taken, _one_less(self.rocks, color), self.turn, RAINBOW[color]
        )


def _one_less(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])


def _sentences(found: Sequence[Breach]) -> str:
    return " ".join(f"{breach.rule}: {breach.text}" for breach in found)
