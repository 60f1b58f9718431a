"""The agreement between table and record.

Before a game is judged, table and record have to agree: at its beginning, after a break, and whenever they have come
apart. While they are apart, the table neither judges nor asks; it only compares. The page shows the result of these
looks, so its words and the referee's actions come from one state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection, Difference, Layout, Spot
from companion.core.pieces import Piece
from companion.referee.observation import observation_of

LOOKS = 3
"""So many looks at a table that stands still are enough to compare it with the record."""
STEADY_S = 1.0
"""Two looks that lie so many seconds apart are enough as well."""
KEPT = 5
"""So many of the last looks are folded into one."""
RESTLESS = 6
"""After so many looks that differ from each other, the last one is shown all the same, so that people can choose."""
LIKELY = 0.25
"""A piece that reads as the record has it, but no more surely than this, is a doubt: table and record do not agree by
themselves. Readings of small pieces are honestly unsure, and that the best one is the recorded piece says much."""
LEAST = 0.001
"""Candidates below this probability are left out of a combined reading."""


class TimedReading(NamedTuple):
    """One reading, and when it came."""

    layout: Layout
    at_s: float


class Looks(Struct, frozen=True, eq=False):
    """The last looks at an unchanged table."""

    taken: tuple[TimedReading, ...] = ()
    restless: int = 0
    """Looks in a row, each of which may have shown something else than the one before."""

    def followed_by(self, layout: Layout, at_s: float) -> Looks:
        """These looks and a further one; only the further one where it shows another table."""
        same = bool(self.taken) and (layout.again or _shows_the_same(self.taken[-1].layout, layout))
        taken = (*self.taken[1 - KEPT :], TimedReading(layout, at_s)) if same else (TimedReading(layout, at_s),)
        found = Looks(taken, self.restless + 1)
        return replace(found, restless=0) if found.are_steady else found

    @property
    def are_steady(self) -> bool:
        """True if they show one table for long enough to compare it."""
        lasted_s = self.taken[-1].at_s - self.taken[0].at_s if self.taken else 0.0
        return len(self.taken) >= LOOKS or lasted_s >= STEADY_S

    @property
    def are_enough(self) -> bool:
        """True if what they show can be put before people: it is steady, or does not come to rest."""
        return self.are_steady or (self.restless > 0 and self.restless % RESTLESS == 0)

    def folded(self) -> Layout:
        """The combined reading of the looks: at each spot and place the mean of their probabilities."""
        layouts = [look.layout for look in self.taken]
        last = layouts[-1]
        cells = {
            spot: _mean([one.cells[spot] for one in layouts if spot in one.cells], sighting.place)
            for spot, sighting in last.cells.items()
        }
        heaps = {}
        for spot in last.heaps:
            things = [_by_key(one.heaps[spot]) for one in layouts if spot in one.heaps]
            heaps[spot] = tuple(
                _mean([one[key] for one in things if key in one], sighting.place)
                for key, sighting in things[-1].items()
            )
        return replace(last, cells=cells, heaps=heaps)


class Comparison(NamedTuple):
    """How a table that is seen differs from the record, by spots that both of them know."""

    differences: tuple[Difference, ...] = ()
    """Spots where something else is seen. Dice are not among them: they lie about until they are rolled."""
    doubted: tuple[Spot, ...] = ()
    """Spots that read as the record has them, but not surely."""
    dice: tuple[Spot, ...] = ()
    """Spots with other dice than the record has."""
    unseen: Mapping[Spot, tuple[Piece, ...]] = MappingProxyType({})
    """By heap, recorded pieces that are not seen and may be there all the same: inside others, under a cloth or out of
    the picture."""

    @property
    def agrees(self) -> bool:
        """True if the table surely shows the recorded position."""
        return not self.differences and not self.doubted


def compare(table: Layout, seen: Layout, away: Mapping[Spot, Sequence[Piece]]) -> Comparison:
    """Compares the prediction of a position with the reading.

    Args:
        away: By heap, pieces that cannot be seen, so that their absence does not count.
    """
    covered = dict(table.covered)
    for spot, pieces in away.items():
        covered[spot] = (*covered.get(spot, ()), *pieces)
    heaps = {spot: tuple(one for one in heap if one.piece is not None) for spot, heap in seen.heaps.items()}
    found = replace(table, covered=covered).differences(replace(seen, heaps=heaps))
    dice = tuple(one.spot for one in found if _are_dice(one))
    differing = {one.spot for one in found}
    doubted = [
        spot
        for spot, sighting in seen.cells.items()
        if spot in table.cells and spot not in differing and sighting.confidence < LIKELY
    ]
    doubted += [
        spot
        for spot, heap in heaps.items()
        if spot in table.heaps and spot not in differing and any(one.confidence < LIKELY for one in heap)
    ]
    unseen = {}
    for spot in table.heaps.keys() & heaps.keys():
        shown = Counter(one.piece for one in heaps[spot] if one.piece is not None)
        missing = Counter(one.piece for one in table.heaps[spot] if one.piece is not None) - shown
        may_hide = missing if spot in seen.partial else missing & Counter(covered.get(spot, ()))
        if may_hide:
            unseen[spot] = tuple(may_hide.elements())
    return Comparison(tuple(one for one in found if one.spot not in dice), tuple(doubted), dice, unseen)


class Apart(Struct, frozen=True, eq=False):
    """Table and record are not known to agree: the reading meanwhile."""

    number: int = 0
    """Rises whenever something else is shown, so that people confirm what they saw."""
    seen: Layout | None = None
    """The combined reading of enough looks; None before."""
    found: Comparison = Comparison()
    """How that differs from the record."""


class Agreement:
    """The state of agreement between table and record, and the looks that decide it. Call under the session's lock."""

    def __init__(self, agreed: bool, clock: Callable[[], float]) -> None:
        """
        Args:
            agreed: Table and record are known to agree at first.
            clock: Seconds; only differences matter.
        """
        self.apart: Apart | None = None if agreed else Apart()
        """None: they agree, and the game is judged."""
        self._clock = clock
        self._looks = Looks()
        self._number = 0

    def doubt(self) -> None:
        """Stops judging until a fresh comparison: an event may have been missed."""
        self.apart, self._looks = self._next(None, Comparison()), Looks()

    def settle(self) -> None:
        """Table and record agree: they were seen to, or people have said so."""
        self.apart, self._looks = None, Looks()

    def clear(self) -> None:
        """Forgets the unexplained looks: a later one is explained."""
        self._looks = Looks()

    def look(self, layout: Layout, compared: Callable[[Layout], Comparison]) -> Layout | None:
        """Takes one more look at a table that is apart from the record, or unexplained.

        Returns the combined reading of enough looks, None if more are needed. Afterwards `apart` is None if steady
        looks agree with the record, and else has the reading.

        Args:
            compared: Compares a reading with the record.
        """
        self._looks = self._looks.followed_by(layout, self._clock())
        return self.again(compared)

    def again(self, compared: Callable[[Layout], Comparison]) -> Layout | None:
        """Compares the last reading once more, with a record that may have changed; returns as `look` does."""
        if not self._looks.are_enough:
            return None
        seen = self._looks.folded()
        found = compared(seen)
        if found.agrees and self._looks.are_steady:
            self.settle()
        elif self.apart is None or self.apart.seen is None or not _is_shown_as(self.apart, seen, found):
            self.apart = self._next(seen, found)
        return seen

    def _next(self, seen: Layout | None, found: Comparison) -> Apart:
        self._number += 1
        return Apart(self._number, seen, found)


def _shows_the_same(one: Layout, other: Layout) -> bool:
    """Returns true if two readings show one table: the same things at the same places, whatever they read as."""
    return _standing(one) == _standing(other)


def _standing(layout: Layout) -> tuple[object, ...]:
    """The constant part of all readings of one table: places, or readings without followed pieces."""
    cells = {spot: sighting.piece for spot, sighting in layout.cells.items()}
    heaps = {spot: sorted(one.place or repr(one.piece) for one in heap) for spot, heap in layout.heaps.items()}
    return cells, heaps


def _by_key(heap: tuple[Detection, ...]) -> dict[str, Detection]:
    """The things of a heap by place, or by what they read as and their number among equal ones."""
    found: dict[str, Detection] = {}
    for sighting in heap:
        key = sighting.place or repr(sighting.piece)
        while key in found:
            key += "+"
        found[key] = sighting
    return found


def _mean(sightings: Sequence[Detection], place: str) -> Detection:
    """One thing, read several times."""
    pieces: dict[Piece | None, float] = {}
    for sighting in sightings:
        for candidate in sighting.candidates:
            pieces[candidate.piece] = pieces.get(candidate.piece, 0.0) + candidate.probability / len(sightings)
    ranked = sorted(pieces.items(), key=lambda item: -item[1])
    kept = ranked[:1] + [item for item in ranked[1:] if item[1] >= LEAST]
    return Detection(tuple(Candidate(piece, probability) for piece, probability in kept), place)


def _are_dice(difference: Difference) -> bool:
    """Returns true if only dice differ."""
    pieces = [piece for piece in (*difference.expected, *difference.seen) if piece is not None]
    return bool(pieces) and all(observation_of(piece).thrown for piece in pieces)


def _is_shown_as(apart: Apart, seen: Layout, found: Comparison) -> bool:
    """Returns true if people would see the same again: the same readings, with the same doubts and differences."""
    assert apart.seen is not None
    best, other = ([_by_best(layout.cells), _by_best_heaps(layout)] for layout in (apart.seen, seen))
    return best == other and apart.found == found


def _by_best(cells: Mapping[Spot, Detection]) -> dict[Spot, Piece | None]:
    return {spot: sighting.piece for spot, sighting in cells.items()}


def _by_best_heaps(layout: Layout) -> dict[Spot, list[tuple[str, Piece | None]]]:
    return {spot: [(one.place, one.piece) for one in heap] for spot, heap in layout.heaps.items()}
