"""The state of Spectra: applies events to a position (SPA-5 to SPA-26)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Self

from msgspec.structs import replace

from companion.core.contract import Drawn, Outcome, Score, ScoreLine, Seat, Violation, named_seat
from companion.core.foundation.errors import BadEvent, GameOver, IllegalMove
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.shared.ruled_state import RuledState, places, sentences
from companion.games.shared.search.ways import once_a_picture
from companion.games.spectra import violations
from companion.games.spectra.moves import PARTS, Add, Draw, EndTurn, Exchange, Source, SpectraEvent, Withdraw
from companion.games.spectra.situation import OWN_KINDS, Situation
from companion.games.spectra.stash import KIND, KINDS, NOTHING, Pile, changed, name, supply_spot, trees_spot
from companion.games.spectra.violations import (
    given_from_trees,
    impossible_draw,
    kind_of,
    takes_from_trees,
    violations_of,
)

# Predicts the reading of a position, and compares it with a seen table.
#
# Trees and supplies are heaps of single pieces, whichever way they stand: a tree may be stacked, laid out as a loose
# trio or nested. In a nest the smaller pieces stand unseen inside the larger ones; the layout names them as `covered`.

FLOOR = 0.02
"""Candidates less likely than this are ignored."""
SURE = 0.9
"""A best candidate with at least this probability is not doubted, although its runners-up remain possible."""

_SIGHTINGS = tuple(Detection.sure(piece) for piece in KINDS)


def layout(situation: Situation) -> Layout:
    """Returns both heaps of every seat, and which tree pieces may be covered."""
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for seat in range(situation.seats):
        heaps[trees_spot(seat)] = _sightings(situation.trees[seat])
        heaps[supply_spot(seat)] = _sightings(situation.supplies[seat])
        hidden = hideable(situation.colors[seat], situation.trees[seat])
        if hidden:
            covered[trees_spot(seat)] = hidden
    return Layout(heaps=heaps, covered=covered)


@lru_cache(maxsize=1 << 12)
def _sightings(pile: Pile) -> tuple[Detection, ...]:
    return tuple([_SIGHTINGS[kind] for kind, count in enumerate(pile) if count for _ in range(count)])


@lru_cache(maxsize=1 << 12)
def hideable(color: str, trees: Pile) -> tuple[Pyramid, ...]:
    """Returns the tree pieces of the own color that may stand inside larger ones: a medium in a large, a small in
    either.
    """
    large, medium, small = OWN_KINDS[color]
    mediums = min(trees[medium], trees[large])
    smalls = min(trees[small], trees[large] + trees[medium])
    return (KINDS[medium],) * mediums + (KINDS[small],) * smalls


class HeapChange(NamedTuple):
    """The numbers, by seat and kind, of pieces that the table may have more or fewer than the position.

    For certain readings this is the plain difference. An uncertain reading counts on both sides: its best candidate may
    be missing, and each runner-up may have come.
    """

    came_supply: tuple[Pile, ...]
    gone_supply: tuple[Pile, ...]
    came_trees: tuple[Pile, ...]
    gone_trees: tuple[Pile, ...]

    def touches(self, seat: int) -> bool:
        """True if anything in front of a seat may have changed."""
        return any(any(piles[seat]) for piles in self)


def change(situation: Situation, seen: Layout) -> HeapChange:
    """Returns the difference of `seen` to the position; heaps that were not looked at have none."""
    seats = range(situation.seats)
    supplies = [_difference(situation.supplies[seat], seen, supply_spot(seat)) for seat in seats]
    trees = [_difference(situation.trees[seat], seen, trees_spot(seat)) for seat in seats]
    return HeapChange(
        tuple(came for came, _ in supplies),
        tuple(gone for _, gone in supplies),
        tuple(came for came, _ in trees),
        tuple(gone for _, gone in trees),
    )


def _difference(pile: Pile, seen: Layout, spot: Spot) -> tuple[Pile, Pile]:
    known = _counted(seen).get(spot)
    if known is None:
        return NOTHING, NOTHING
    possible, sure = known
    if possible == pile == sure:
        return NOTHING, NOTHING
    came = tuple([may - have if may > have else 0 for may, have in zip(possible, pile, strict=True)])
    gone = tuple([have - must if have > must else 0 for must, have in zip(sure, pile, strict=True)])
    return came, gone


@once_a_picture
def _counted(seen: Layout) -> dict[Spot, tuple[Pile, Pile]]:
    """Returns, for each heap, the numbers of each kind that may and that must lie there."""
    return {spot: _count(heap) for spot, heap in seen.heaps.items()}


def _count(sightings: tuple[Detection, ...]) -> tuple[Pile, Pile]:
    possible, sure = [0] * len(KINDS), [0] * len(KINDS)
    for sighting in sightings:
        listed = [c.piece for c in sighting.candidates if c.probability >= FLOOR or c.piece == sighting.piece]
        for piece in listed:
            if isinstance(piece, Pyramid) and piece in KIND:
                possible[KIND[piece]] += 1
        best = sighting.piece
        if isinstance(best, Pyramid) and best in KIND and (len(listed) == 1 or sighting.confidence >= SURE):
            sure[KIND[best]] += 1
    return tuple(possible), tuple(sure)


def sharpened(seen: Layout) -> Layout:
    """Returns the same table, every best candidate being certain."""
    return Layout(heaps={spot: tuple(Detection.sure(s.piece) for s in heap) for spot, heap in seen.heaps.items()})


SPOTS = (supply_spot, trees_spot)
"""The names of a seat's heaps: its supply, its trees."""


class SpectraState(Situation, RuledState, frozen=True, dict=True, tag="spectra", forbid_unknown_fields=True):
    """A position of Spectra with its rules (the contract's `State`)."""

    violations = violations_of

    def reminders(self) -> tuple[Violation, ...]:
        """Returns reminders for the player to move before the bag moves on; they are not violations (SPA-9)."""
        return violations.reminders(self)

    def _applied(self, event: SpectraEvent) -> Self:
        turn = self.turn
        if turn is None or event.seat != turn or self.reach is not None or self.ending is not None:
            return self._checked(event)
        if isinstance(event, Exchange):
            parts = PARTS.get(event)
            if parts is not None and self._may_exchange(turn, *parts, event.source):
                one, other, made = parts
                if event.source == "bag":
                    return self._exchanged_with_bag(turn, one, other, made)
                return self._exchanged_with_player(turn, one, other, made, event.source)
        elif isinstance(event, Add):
            kind = KIND.get(event.piece)
            if kind is not None and event.to is None and self.supplies[turn][kind] and self.fits(turn, kind):
                return self._added(turn, turn, kind)
        elif isinstance(event, EndTurn) and (self.drawn or self.is_bag_empty):
            return self._ended()
        return self._checked(event)

    def _may_exchange(self, seat: Seat, one: int, other: int, made: int, source: Source) -> bool:
        """True if the pieces of a possible exchange are where they must be (SPA-20 to SPA-22)."""
        supply = self.supplies[seat]
        if not supply[one] or not supply[other]:
            return False
        if source == "bag":
            return self.bag[made] > 0 and not self.holders(seat, made)
        return source != seat and source < len(self.supplies) and self.supplies[source][made] > 0

    def _checked(self, event: SpectraEvent) -> Self:
        """Applies an event with a full check: the slow way of `apply`, which gives reasons."""
        found = self.violations(event)
        if not found:
            return self._done(event)
        if self.ending is not None:
            raise GameOver(sentences(found))
        if isinstance(event, Drawn) and impossible_draw(self, event):
            raise BadEvent(sentences(found))
        raise IllegalMove(found)

    def _forced(self, move: SpectraEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal event that the whole table accepts (SPA-28).

        An event of the player whose turn comes next passes the bag on where that is allowed. A draw out of turn moves
        the turn to who drew; other events out of turn leave the turn where it is.

        None if the move is impossible: the pieces are not where it takes them from.
        """
        if named_seat(move) not in range(self.seats):
            return None
        if self.may_end and move.seat == self.next_seat:
            after = self._ended()
            return after.apply_unchecked(move) if after.ending is None else after
        return self._done(move)

    def _done(self, event: SpectraEvent) -> Self:
        """Returns the position after any event that the pieces on the table permit.

        Raises:
            BadEvent: They do not.
        """
        match event:
            case Drawn():
                return self._drawn(event)
            case Draw():
                if not any(self.bag[KIND[piece]] for piece in KINDS if piece.size == event.size):
                    raise BadEvent(f"The bag holds no {event.size} piece. Feel for another size.")
                return replace(self, turn=event.seat, reach=event.size)
            case EndTurn():
                return replace(self, turn=event.seat)._ended()
            case Add():
                return self._moved_to_trees(event)
            case Withdraw():
                kind = KIND.get(event.piece)
                if kind is None or not self.trees[event.seat][kind]:
                    raise BadEvent(f"There is no {name(event.piece)} in those trees. Correct what was misread.")
                trees = put(self.trees, event.seat, kind, -1)
                return replace(self, trees=trees, supplies=put(self.supplies, event.seat, kind, 1))
        return self._exchanged(event)

    def _drawn(self, drawn: Drawn) -> Self:
        broken = impossible_draw(self, drawn)
        if broken:
            raise BadEvent(sentences(broken))
        kind = kind_of(drawn.pieces[0])
        assert kind is not None
        stays = self.turn is None or self.turn == drawn.seat
        return type(self)(
            self.colors,
            self.trees,
            put(self.supplies, drawn.seat, kind, 1),
            changed(self.bag, kind, -1),
            drawn.seat,
            True,
            None,
            stays and self.exchanged,
            stays and self.added,
            self.still,
            self.barren,
        )

    def _ended(self) -> Self:
        """Returns the state after the bag is passed on. Turns count for SPA-26 while the bag is empty."""
        next_seat = self.next_seat
        quiet = not self.drawn and self.is_bag_empty
        still = self.still + 1 if quiet and not self.exchanged and not self.added else 0
        barren = self.barren + 1 if quiet and not self.added else 0
        return type(self)(
            self.colors, self.trees, self.supplies, self.bag, next_seat, False, None, False, False, still, barren
        )

    def _added(self, seat: Seat, owner: Seat, kind: int) -> Self:
        return type(self)(
            self.colors,
            put(self.trees, owner, kind, 1),
            put(self.supplies, seat, kind, -1),
            self.bag,
            seat if self.turn is None else self.turn,
            self.drawn,
            self.reach,
            self.exchanged,
            True,
            self.still,
            self.barren,
        )

    def _moved_to_trees(self, add: Add) -> Self:
        kind = KIND.get(add.piece)
        if kind is None or not self.supplies[add.seat][kind] or not 0 <= add.owner < self.seats:
            raise BadEvent(f"There is no {name(add.piece)} in that supply. Correct what was misread.")
        return self._added(add.seat, add.owner, kind)

    def _exchanged_with_bag(self, seat: Seat, one: int, other: int, made: int) -> Self:
        bag = list(self.bag)
        bag[made] -= 1
        bag[one] += 1
        bag[other] += 1
        supplies = _swapped(self.supplies, seat, one, other, made)
        return self._after_exchange(seat, supplies, tuple(bag))

    def _exchanged_with_player(self, seat: Seat, one: int, other: int, made: int, source: Seat) -> Self:
        supplies = _swapped(self.supplies, seat, one, other, made)
        pile = list(supplies[source])
        pile[made] -= 1
        pile[one] += 1
        pile[other] += 1
        supplies = (*supplies[:source], tuple(pile), *supplies[source + 1 :])
        return self._after_exchange(seat, supplies, self.bag)

    def _after_exchange(self, seat: Seat, supplies: tuple[Pile, ...], bag: Pile) -> Self:
        return type(self)(
            self.colors,
            self.trees,
            supplies,
            bag,
            seat if self.turn is None else self.turn,
            self.drawn,
            self.reach,
            True,
            self.added,
            self.still,
            self.barren,
        )

    def _exchanged(self, exchange: Exchange) -> Self:
        """Returns the position after any exchange, legal or not, piece by piece."""
        seat, source = exchange.seat, exchange.source
        if any(piece not in KIND for piece in (*exchange.gave, exchange.took)):
            raise BadEvent("The set has no such piece. Correct what was misread.")
        out = given_from_trees(self, exchange)
        if out is None:
            raise BadEvent(f"Player {seat + 1} does not have these pieces. Correct what was misread.")
        trees, supplies, bag = self.trees, self.supplies, self.bag
        from_trees = list(out)
        made = KIND[exchange.took]
        if source == "bag":
            if not bag[made]:
                raise BadEvent(f"No {name(exchange.took)} is left in the bag. Correct what was misread.")
            bag = changed(bag, made, -1)
        else:
            if not 0 <= source < self.seats or source == seat:
                raise BadEvent("An exchange needs the bag or another player. Correct what was misread.")
            if takes_from_trees(self, exchange):
                trees = put(trees, source, made, -1)
            elif supplies[source][made]:
                supplies = put(supplies, source, made, -1)
            else:
                raise BadEvent(f"Player {source + 1} has no {name(exchange.took)}. Correct what was misread.")
        for piece in exchange.gave:
            kind = KIND[piece]
            if piece in from_trees:
                from_trees.remove(piece)
                trees = put(trees, seat, kind, -1)
            else:
                supplies = put(supplies, seat, kind, -1)
            if source == "bag":
                bag = changed(bag, kind, 1)
            else:
                supplies = put(supplies, source, kind, 1)
        supplies = put(supplies, seat, made, 1)
        return replace(self, trees=trees)._after_exchange(seat, supplies, bag)

    def scores(self) -> tuple[Score, ...]:
        """Returns the number of complete trees of each seat as its score (SPA-25, SPA-26)."""
        return tuple(
            Score(complete, tuple(ScoreLine(1, "SPA-11", f"{color} tree") for _ in range(complete)))
            for color, complete in zip(self.colors, map(self.complete, range(self.seats)), strict=True)
        )

    def outcome(self) -> Outcome | None:
        """Returns the winner, or the places by complete trees and then by tree pieces (SPA-25, SPA-26)."""
        ending = self.ending
        if ending is None:
            return None
        winner = self.turn if ending.rule == "SPA-25" else None
        reached = [(seat == winner, self.complete(seat), self.tree_pieces(seat)) for seat in range(self.seats)]
        return Outcome(places(reached), ending.rule, ending.text)

    layout = layout


def put(piles: tuple[Pile, ...], seat: Seat, kind: int, by: int) -> tuple[Pile, ...]:
    return (*piles[:seat], changed(piles[seat], kind, by), *piles[seat + 1 :])


def _swapped(piles: tuple[Pile, ...], seat: Seat, one: int, other: int, made: int) -> tuple[Pile, ...]:
    pile = list(piles[seat])
    pile[one] -= 1
    pile[other] -= 1
    pile[made] += 1
    return (*piles[:seat], tuple(pile), *piles[seat + 1 :])
