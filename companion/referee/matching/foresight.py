"""The changes on the table by each event.

Applying every legal move and comparing layouts costs more than weighing the changes, and the same position is looked at
in picture after picture, so the changes of a position are computed once and kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from companion.core.contract import Event
from companion.core.game import apply_due_draws
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece, Pyramid
from companion.referee.matching.evidence import Evidence, Pile, owner_of, pile
from companion.referee.observation import observation_of

MOST_MOVES = 10_000
"""A game with more moves in a position, as melds of a hand that nobody sees, proposes those that a picture may show."""


class CellChange(NamedTuple):
    """One cell before and after."""

    spot: Spot
    before: Piece | None
    after: Piece | None


class HeapPrediction(NamedTuple):
    """One heap before and after; None where it cannot be predicted."""

    spot: Spot
    before: Pile | None
    after: Pile | None


class PredictedChange(NamedTuple):
    """One event and what it changes."""

    event: Event
    cells: tuple[CellChange, ...]
    heaps: tuple[HeapPrediction, ...]

    def nll_ratio(self, evidence: Evidence) -> float:
        """The change in cost of the picture by the event; below 0 if the picture fits better after it."""
        more = 0.0
        for spot, before, after in self.cells:
            more += evidence.cell(spot, after) - evidence.cell(spot, before)
        for name, earlier, later in self.heaps:
            more += evidence.heap(name, later) - evidence.heap(name, earlier)
        return more

    def left(self, evidence: Evidence, *, but: Container[Spot] = ()) -> float:
        """The cost of the event at the spots that it changes.

        A piece of a heap that lay there before and still does, but is misread, is no evidence about the event.

        Args:
            but: Ignored heaps: a part out of the picture may hold the next draw.
        """
        cells = sum(evidence.cell(spot, after) for spot, _, after in self.cells)
        return cells + sum(_left_in_heap(evidence, one) for one in self.heaps if one.spot not in but)

    def beside(self, evidence: Evidence, after: Layout) -> float:
        """The missing pieces of other heaps of an owner ("seat0.trees" beside "seat0.supply") after the event."""
        changed = {one.spot for one in self.heaps}
        owners = {owner for spot in changed if (owner := owner_of(spot))}
        others = [spot for spot in after.heaps if spot not in changed and owner_of(spot) in owners]
        return sum(evidence.lost(spot, expected) for spot in others if (expected := pile(after, spot)) is not None)

    def moves(self, evidence: Evidence, after: Layout) -> bool:
        """Returns true if a piece that it brings to a heap is missing from another: then it was moved."""
        missing = evidence.missing(after)
        return bool(missing) and any(
            piece in missing
            for _, earlier, later in self.heaps
            if earlier is not None and later is not None
            for piece in Counter(later.pieces) - Counter(earlier.pieces)
        )

    def covers(self, evidence: Evidence) -> int:
        """The number of pieces that stand unseen in others after the event, less those before it."""
        more = 0
        for name, earlier, later in self.heaps:
            if earlier is not None and later is not None and (earlier.covered or later.covered):
                more += len(evidence.pairing(name, later).covered) - len(evidence.pairing(name, earlier).covered)
        return more

    def goes_under_cover(self, seen: Layout) -> bool:
        """Returns true if it puts a piece from a visible place on a cell that was not looked at."""
        return bool(seen.cells) and any(one.after is not None and one.spot not in seen.cells for one in self.cells)

    def lifts(self, evidence: Evidence) -> bool:
        """Returns true if a piece is gone after it that stood unseen in another one before it; an unseen die is in a
        hand.
        """
        lifted: Counter[Piece] = Counter()
        come: Counter[Piece | None] = Counter()
        for name, earlier, later in self.heaps:
            if earlier is not None and later is not None:
                come += Counter(later.pieces) - Counter(earlier.pieces)
                if earlier.covered:
                    hidden = Counter(evidence.pairing(name, earlier).covered)
                    lifted += hidden - Counter(evidence.pairing(name, later).covered)
        return any(count > come[piece] and not observation_of(piece).thrown for piece, count in lifted.items())

    def leaving(self) -> list[tuple[Spot, Piece | None]]:
        """The pieces that it takes from heaps, each with its heap."""
        return [
            (one.spot, piece)
            for one in self.heaps
            if one.before is not None and one.after is not None
            for piece in Counter(one.before.pieces) - Counter(one.after.pieces)
        ]

    def spots(self, seen: Layout) -> list[Spot]:
        """Spots that it changes and that were looked at."""
        cells = [one.spot for one in self.cells if one.spot in seen.cells]
        return cells + [one.spot for one in self.heaps if one.spot in seen.heaps]

    def shows(self, seen: Layout) -> bool:
        """Returns true if it changes any spot that was looked at."""
        cells, heaps = seen.cells, seen.heaps
        return any(one.spot in cells for one in self.cells) or any(one.spot in heaps for one in self.heaps)


def _left_in_heap(evidence: Evidence, one: HeapPrediction) -> float:
    if one.before is None or one.after is None:
        return evidence.heap(one.spot, one.after)
    pairing = evidence.pairing(one.spot, one.after)
    if pairing.nll_ratio == 0.0:
        return 0.0
    lay_there = Counter(one.before.pieces)
    misread = 0.0
    for piece, sighting, nll_ratio in sorted(pairing.pairs, key=lambda pair: pair.nll_ratio):
        if lay_there[piece] > 0:
            lay_there[piece] -= 1
            misread += nll_ratio if sighting is not None else 0.0
    return pairing.nll_ratio - misread


def change(event: Event, before: Layout, after: Layout) -> PredictedChange:
    """The difference between two predicted layouts. A cell that only one of them predicts says nothing."""
    cells = []
    there = before.cells
    for spot, sighting in after.cells.items():
        old = there.get(spot)
        if old is not None and old is not sighting and old != sighting:
            cells.append(CellChange(spot, old.piece, sighting.piece))
    heaps = []
    if before.heaps != after.heaps or before.covered != after.covered:
        for name in {**before.heaps, **after.heaps}:
            if before.heaps.get(name) == after.heaps.get(name) and before.covered.get(name) == after.covered.get(name):
                continue
            earlier, later = pile(before, name), pile(after, name)
            if earlier != later:
                heaps.append(HeapPrediction(name, earlier, later))
    return PredictedChange(event, tuple(cells), tuple(heaps))


@lru_cache(maxsize=16)
def predict_changes(state: Any, draws_unseen: bool) -> tuple[PredictedChange, ...]:
    """The changes by every legal move of a position, in the order of the moves; none if there are too many."""
    before, moves = state.layout(), state.legal_moves()
    if len(moves) > MOST_MOVES:
        return ()
    return tuple(change(move, before, after(state, move, draws_unseen).layout()) for move in moves)


def after(state: Any, event: Event, draws_unseen: bool) -> Any:
    """The position after a legal event, and after unseen draws.

    Raises:
        MoveError: It is not legal.
    """
    then = state.apply(event)
    return apply_due_draws(then) if draws_unseen else then


def after_all(state: Any, events: Iterable[Event]) -> Any:
    """The position after legal events, one after the other.

    Raises:
        MoveError: One of them is not legal.
    """
    for event in events:
        state = state.apply(event)
    return state


def is_of_remembered(before: Layout, after: Layout, seen: Layout) -> bool:
    """Returns true if only heaps of pyramids change in view.

    A piece that has come to one is there or not, and may be named.
    """
    what = change(None, before, after)
    heaps = [heap for heap in what.heaps if heap.spot in seen.heaps]
    piles = [one for heap in heaps for one in (heap.before, heap.after)]
    return not what.cells and all(
        one is not None and all(observation_of(piece).remembered for piece in one.pieces) for one in piles
    )


def is_of_pyramids(before: Layout, after: Layout, seen: Layout) -> bool:
    """True if cells of pyramids are all that changes of what is looked at: how sure these are read comes true."""
    what = change(None, before, after)
    pieces = [piece for cell in what.cells for piece in (cell.before, cell.after) if piece is not None]
    heaps = any(heap.spot in seen.heaps for heap in what.heaps)
    return bool(pieces) and not heaps and all(observation_of(piece).remembered for piece in pieces)


def lie_alone(*tables: Layout) -> bool:
    """Returns true if all pieces of these tables are pyramids in heaps, listed one by one."""
    return not any(table.cells for table in tables) and all(
        isinstance(one.piece, Pyramid) for table in tables for heap in table.heaps.values() for one in heap
    )
