"""Decides whether table and record agree.

Before a game is judged, table and record have to agree: at its beginning, after a break, and whenever they have
diverged. While they disagree, the table neither judges nor asks; it only compares readings with the record. The page
and the referee use the same result of these comparisons.
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
"""The number of looks at an unmoved table that suffice to compare it with the record."""
STEADY_S = 1.0
"""The number of seconds between two looks after which two are enough."""
KEPT = 5
"""The number of the last looks that are combined into one reading."""
RESTLESS = 6
"""The number of differing looks in a row after which the last one is shown nevertheless, so that people can decide."""
LIKELY = 0.25
"""The probability up to which a piece that reads as the record has it is still a doubt, so that table and record do not
agree without confirmation. It is low because readings of small pieces are often unsure, and a matching best candidate
is strong evidence."""
LEAST = 0.001
"""The probability below which candidates are left out of a combined reading."""


class TimedReading(NamedTuple):
    """One reading, and the time when it came."""

    layout: Layout
    at_s: float


class Looks(Struct, frozen=True, eq=False):
    """The last looks at an unchanged table."""

    taken: tuple[TimedReading, ...] = ()
    restless: int = 0
    """The number of successive looks each of which may have shown another table than the one before."""

    def followed_by(self, layout: Layout, at_s: float) -> Looks:
        """Returns these looks and a further one; only the further one if it shows another table."""
        same = bool(self.taken) and (layout.again or _shows_the_same(self.taken[-1].layout, layout))
        taken = (*self.taken[1 - KEPT :], TimedReading(layout, at_s)) if same else (TimedReading(layout, at_s),)
        found = Looks(taken, self.restless + 1)
        return replace(found, restless=0) if found.are_steady else found

    @property
    def are_steady(self) -> bool:
        """True if the looks show one table for long enough to compare it with the record."""
        lasted_s = self.taken[-1].at_s - self.taken[0].at_s if self.taken else 0.0
        return len(self.taken) >= LOOKS or lasted_s >= STEADY_S

    @property
    def are_enough(self) -> bool:
        """True if the result can be shown to people: the looks are steady, or the table does not come to rest."""
        return self.are_steady or (self.restless > 0 and self.restless % RESTLESS == 0)

    def folded(self) -> Layout:
        """Returns the combined reading of the looks: at each spot and place the mean of their probabilities."""
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
    """The differences between a reading and the record, at the spots that both of them know."""

    differences: tuple[Difference, ...] = ()
    """The spots where something else is seen. Dice are excluded: they lie anywhere until they are rolled."""
    doubted: tuple[Spot, ...] = ()
    """The spots that read as in the record, but with low confidence."""
    dice: tuple[Spot, ...] = ()
    """The spots with other dice than in the record."""
    unseen: Mapping[Spot, tuple[Piece, ...]] = MappingProxyType({})
    """By heap: recorded pieces that are not seen but may be there: inside others, under a cloth or out of the
    picture."""

    @property
    def agrees(self) -> bool:
        """True if the table clearly shows the recorded position."""
        return not self.differences and not self.doubted


def compare(table: Layout, seen: Layout, away: Mapping[Spot, Sequence[Piece]]) -> Comparison:
    """Compares the prediction of a position with a reading.

    Args:
        away: By heap: the pieces that cannot be seen, so that their absence does not count.
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
    """The reading of a table that is not known to agree with the record."""

    number: int = 0
    """A number that rises whenever another reading is shown, so that people confirm the reading that they saw."""
    seen: Layout | None = None
    """The combined reading of enough looks; None until then."""
    found: Comparison = Comparison()
    """The differences between that reading and the record."""


class Agreement:
    """The state of agreement between table and record, and the looks that decide it. Callers hold the session's
    lock.
    """

    def __init__(self, agreed: bool, clock: Callable[[], float]) -> None:
        """
        Args:
            agreed: True if table and record are known to agree at first.
            clock: Returns the time in seconds; only differences matter.
        """
        self.apart: Apart | None = None if agreed else Apart()
        """The reading while table and record may disagree; None: they agree, and the game is judged."""
        self._clock = clock
        self._looks = Looks()
        self._number = 0

    def doubt(self) -> None:
        """Stops judging until table and record have been compared again, because an event may have been missed."""
        self.apart, self._looks = self._next(None, Comparison()), Looks()

    def settle(self) -> None:
        """Records that table and record agree, because a reading or a person showed it."""
        self.apart, self._looks = None, Looks()

    def clear(self) -> None:
        """Forgets the unexplained looks, because a later reading was explained."""
        self._looks = Looks()

    def look(self, layout: Layout, compared: Callable[[Layout], Comparison]) -> Layout | None:
        """Takes one more look at a table that disagrees with the record, or that no event explains.

        Returns the combined reading of enough looks, or None if more are needed. Afterwards `apart` is None if steady
        looks agree with the record, and has the reading otherwise.

        Args:
            compared: Compares a reading with the record.
        """
        self._looks = self._looks.followed_by(layout, self._clock())
        return self.again(compared)

    def again(self, compared: Callable[[Layout], Comparison]) -> Layout | None:
        """Compares the last reading once more, with a record that may have changed; returns the same as `look`."""
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
    """True if two readings show one table: the same things at the same places, whatever the best candidates are."""
    return _standing(one) == _standing(other)


def _standing(layout: Layout) -> tuple[object, ...]:
    """Returns the part that all readings of one table share: places, or best readings if pieces are not tracked."""
    cells = {spot: sighting.piece for spot, sighting in layout.cells.items()}
    heaps = {spot: sorted(one.place or repr(one.piece) for one in heap) for spot, heap in layout.heaps.items()}
    return cells, heaps


def _by_key(heap: tuple[Detection, ...]) -> dict[str, Detection]:
    """Returns the pieces of a heap by place, or by best reading and a counter among equal ones."""
    found: dict[str, Detection] = {}
    for sighting in heap:
        key = sighting.place or repr(sighting.piece)
        while key in found:
            key += "+"
        found[key] = sighting
    return found


def _mean(sightings: Sequence[Detection], place: str) -> Detection:
    """Returns the mean of several readings of one piece."""
    pieces: dict[Piece | None, float] = {}
    for sighting in sightings:
        for candidate in sighting.candidates:
            pieces[candidate.piece] = pieces.get(candidate.piece, 0.0) + candidate.probability / len(sightings)
    ranked = sorted(pieces.items(), key=lambda item: -item[1])
    kept = ranked[:1] + [item for item in ranked[1:] if item[1] >= LEAST]
    return Detection(tuple(Candidate(piece, probability) for piece, probability in kept), place)


def _are_dice(difference: Difference) -> bool:
    """True if only dice differ."""
    pieces = [piece for piece in (*difference.expected, *difference.seen) if piece is not None]
    return bool(pieces) and all(observation_of(piece).thrown for piece in pieces)


def _is_shown_as(apart: Apart, seen: Layout, found: Comparison) -> bool:
    """True if people would see the same again: the same readings, with the same doubts and differences."""
    assert apart.seen is not None
    best, other = ([_by_best(layout.cells), _by_best_heaps(layout)] for layout in (apart.seen, seen))
    return best == other and apart.found == found


def _by_best(cells: Mapping[Spot, Detection]) -> dict[Spot, Piece | None]:
    return {spot: sighting.piece for spot, sighting in cells.items()}


def _by_best_heaps(layout: Layout) -> dict[Spot, list[tuple[str, Piece | None]]]:
    return {spot: [(one.place, one.piece) for one in heap] for spot, heap in layout.heaps.items()}
