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
from companion.core.pieces import Piece, Pyramid, Stack
from companion.referee.matching.evidence import Evidence, Pile, owner_of, pile
from companion.referee.observation import observation_of

MOST_MOVES = 10_000
"""The number of moves in a position beyond which a game proposes those that a picture may show, as for melds of a
hidden hand."""


class CellChange(NamedTuple):
    """The contents of one cell before and after an event."""

    spot: Spot
    before: Piece | None
    after: Piece | None


class HeapPrediction(NamedTuple):
    """The contents of one heap before and after an event; None where they cannot be predicted."""

    spot: Spot
    before: Pile | None
    after: Pile | None


class PredictedChange(NamedTuple):
    """One event and the changes that it makes."""

    event: Event
    cells: tuple[CellChange, ...]
    heaps: tuple[HeapPrediction, ...]

    def nll_ratio(self, evidence: Evidence) -> float:
        """Returns the change in the cost of the picture by the event, in nats; below 0 if the picture fits better after
        it.
        """
        more = 0.0
        for spot, before, after in self.cells:
            more += evidence.cell(spot, after) - evidence.cell(spot, before)
        for name, earlier, later in self.heaps:
            more += evidence.heap(name, later) - evidence.heap(name, earlier)
        return more

    def left(self, evidence: Evidence, *, but: Container[Spot] = ()) -> float:
        """Returns the cost of the event at the spots that it changes, in nats.

        A piece that stays in its heap but is misread is no evidence about the event.

        Args:
            but: Heaps that are ignored, because a part out of the picture may hold the next draw.
        """
        cells = sum(evidence.cell(spot, after) for spot, _, after in self.cells)
        return cells + sum(_left_in_heap(evidence, one) for one in self.heaps if one.spot not in but)

    def beside(self, evidence: Evidence, after: Layout) -> float:
        """Returns the cost of missing pieces in other heaps of the same owner after the event ("seat0.trees" beside
        "seat0.supply").
        """
        changed = {one.spot for one in self.heaps}
        owners = {owner for spot in changed if (owner := owner_of(spot))}
        others = [spot for spot in after.heaps if spot not in changed and owner_of(spot) in owners]
        return sum(evidence.lost(spot, expected) for spot in others if (expected := pile(after, spot)) is not None)

    def moves(self, evidence: Evidence, after: Layout) -> bool:
        """Returns true if a piece that the event brings to a heap is missing from another one: then it was moved."""
        missing = evidence.missing(after)
        return bool(missing) and any(
            piece in missing
            for _, earlier, later in self.heaps
            if earlier is not None and later is not None
            for piece in Counter(later.pieces) - Counter(earlier.pieces)
        )

    def covers(self, evidence: Evidence) -> int:
        """Returns the number of pieces that stand unseen in others after the event, less those before it."""
        more = 0
        for name, earlier, later in self.heaps:
            if earlier is not None and later is not None and (earlier.covered or later.covered):
                more += len(evidence.pairing(name, later).covered) - len(evidence.pairing(name, earlier).covered)
        return more

    def goes_under_cover(self, seen: Layout) -> bool:
        """Returns true if the event puts a piece from a visible place on a cell that was not looked at."""
        return bool(seen.cells) and any(one.after is not None and one.spot not in seen.cells for one in self.cells)

    def lifts(self, evidence: Evidence) -> bool:
        """Returns true if a piece that stood unseen in another one is gone after the event; an unseen die is in a
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
        """Returns the pieces that the event takes from heaps, each with its heap."""
        return [
            (one.spot, piece)
            for one in self.heaps
            if one.before is not None and one.after is not None
            for piece in Counter(one.before.pieces) - Counter(one.after.pieces)
        ]

    def spots(self, seen: Layout) -> list[Spot]:
        """Returns the spots that the event changes and that were looked at."""
        cells = [one.spot for one in self.cells if one.spot in seen.cells]
        return cells + [one.spot for one in self.heaps if one.spot in seen.heaps]

    def shows(self, seen: Layout) -> bool:
        """Returns true if the event changes any spot that was looked at."""
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
    """Returns the difference between two predicted layouts. A cell that only one of them predicts is left out."""
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
    """Returns the changes by every legal move of a position, in the order of the moves; none if there are too many."""
    before, moves = state.layout(), state.legal_moves()
    if len(moves) > MOST_MOVES:
        return ()
    return tuple(change(move, before, after(state, move, draws_unseen).layout()) for move in moves)


def after(state: Any, event: Event, draws_unseen: bool) -> Any:
    """Returns the position after a legal event, and after unseen draws.

    Raises:
        MoveError: The event is not legal.
    """
    then = state.apply(event)
    return apply_due_draws(then) if draws_unseen else then


def after_all(state: Any, events: Iterable[Event]) -> Any:
    """Returns the position after legal events, one after the other.

    Raises:
        MoveError: One of the events is not legal.
    """
    for event in events:
        state = state.apply(event)
    return state


def is_of_remembered(before: Layout, after: Layout, seen: Layout) -> bool:
    """Returns true if only heaps of pyramids change in view.

    A new piece in such a heap is there or not, and a sentence may name it.
    """
    what = change(None, before, after)
    heaps = [heap for heap in what.heaps if heap.spot in seen.heaps]
    piles = [one for heap in heaps for one in (heap.before, heap.after)]
    return not what.cells and all(
        one is not None and all(observation_of(piece).remembered for piece in one.pieces) for one in piles
    )


def is_of_pyramids(before: Layout, after: Layout, seen: Layout) -> bool:
    """Returns true if cells of pyramids are the only changed spots that were looked at: their measured probabilities
    hold.
    """
    what = change(None, before, after)
    pieces = [piece for cell in what.cells for piece in (cell.before, cell.after) if piece is not None]
    heaps = any(heap.spot in seen.heaps for heap in what.heaps)
    return bool(pieces) and not heaps and all(observation_of(piece).remembered for piece in pieces)


def lie_alone(*tables: Layout) -> bool:
    """Returns true if all pieces of these tables are pyramids in heaps, listed one by one."""
    return not any(table.cells for table in tables) and all(
        isinstance(one.piece, Pyramid) for table in tables for heap in table.heaps.values() for one in heap
    )


def has_grown(table: Layout, seen: Layout) -> bool:
    """Returns true if a stack of a reading is a predicted one with more pieces on it, which is not predicted."""
    for spot, heap in seen.heaps.items():
        known = {one.piece for one in table.heaps.get(spot, ())}
        grown = {one.piece for one in heap if isinstance(one.piece, Stack)} - known
        if any(isinstance(one, Stack) and stack.extends(one) for stack in grown for one in known):
            return True
    return False
