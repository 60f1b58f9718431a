"""Pieces that come to light: an event brought them, or they were there all along, or they moved while something covered
them.

A cloth, a hand or another piece hides places. What is seen there afterwards may be new or old, and its event may be
another one than the picture suggests. Both are weighed; where neither is clear, the table asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from math import log
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Event, named_seat
from companion.core.game import Game
from companion.core.layout import Detection, Layout, Spot, Uncovered
from companion.core.pieces import Piece
from companion.core.verdict import Accepted, Choice, Refused, Reread, Same, Unclear, Verdict, reread_words
from companion.referee.matching.accounts import Standpoint, against
from companion.referee.matching.alternatives import AGREED, BEHIND, legal_ways
from companion.referee.matching.foresight import change
from companion.referee.matching.memory import Memory
from companion.referee.matching.record_doubts import RecordDoubts
from companion.referee.observation import FLOOR

SET_DOWN_UNDER = 3.0
"""Nats (20 to 1) for a piece that comes to light having been there all along, if something foreign lay over its place
in every picture so far: players seldom set a piece down in just such a place. Chosen."""
SEEN_FREE = 2.5
"""Nats (12 to 1) by which each picture that showed a place free speaks against a piece having stood there. Chosen."""
MOST_FREE = 4
"""The number of pictures with a free place that count; more of them share their mistakes. Chosen."""
UNASKED = 6.0
"""Nats (400 to 1) by which an explanation must lead to be written down without a question, if it says that pieces which
came to light were there all along, or that a piece which has left never was one."""
MOST_LIT = 3
"""The largest number of pieces that are weighed one by one when they come to light; more are old or new together.
Chosen."""
OPEN = 2.0
"""Nats by which "they were there all along" may be less likely and still prevent an accusation that rests on their
coming. Chosen."""


class CameToLight(NamedTuple):
    """The explanations of one reading in which pieces that came to light had been in their places all along."""

    game: Game[Any]
    compared: Callable[..., Verdict]
    """The verdict on a reading for a standpoint and a memory."""
    here: Standpoint
    memory: Memory
    layout: Layout
    covered: Container[Spot]
    """Heaps over which something foreign lay in every picture so far."""
    agreed: bool
    """True if a person has named the pieces on the table."""

    def before(self, new: int | None = None) -> tuple[Reread, float] | None:
        """Returns the pieces that came to light, with the nats against all of them having been there all along.

        Returns None if no piece came to light.

        Args:
            new: The number of the piece that is left out, since an event brought it.
        """
        reread = None if self.game.proposer is None else self.game.proposer.reread
        if reread is None or not (self.layout.uncovered or self.covered):
            return None
        state, cost = self.here.state, 0.0
        found: list[Reread] = []
        for number, (spot, piece, evidence) in enumerate(self._lit):
            then = reread(state, spot, None, piece) if number != new else None
            if then is not None:
                state = then
                found.append(Reread(spot, None, piece, 0, then))
                cost += (0.0 if evidence is None else against_hiding(evidence)) + (AGREED if self.agreed else 0.0)
        return (replace(found[-1], also=tuple(found[:-1])), cost) if found else None

    @property
    def _lit(self) -> list[tuple[Spot, Piece, Uncovered | None]]:
        """Returns the pieces that came to light, each with its heap and the way its place was hidden."""
        new = list(self._in_new_places())
        return [one for one in new if one[2]] or [one for one in new if one[0] in self.covered]

    def explanations(self, *, lawful: bool) -> list[Choice]:
        """Returns the explanations in which the pieces that came to light had been in their places all along, the
        likeliest first.

        Where several pieces came to light, an event may have brought one of them.

        Args:
            lawful: True to leave out explanations after which something is illegal.
        """
        number = len(self._lit)
        ways = [None, *range(number)] if 1 < number <= MOST_LIT else [None]
        choices = [choice for new in ways for choice in self._explanations(new, lawful=lawful)]
        return sorted(choices, key=lambda choice: choice.score)

    def _explanations(self, new: int | None, *, lawful: bool) -> Iterator[Choice]:
        """Yields the explanations in which all pieces except the new one had been in their places all along."""
        found = self.before(new)
        if found is None:
            return
        given, cost = found
        words = reread_words(given)
        then = self._compared_after(given, lawful=lawful)
        if new is None and isinstance(then, Same):
            cost_of_same = cost + against(self.memory, given.state, self.layout)
            yield Choice((), words, (), cost_of_same, given)
        if new is None and isinstance(then, Refused | Unclear) and not (lawful and isinstance(then, Unclear)):
            # The next look names the illegal part, or asks about the rest.
            yield Choice((), words, (), cost + (then.cost or 0.0), given)
        elif not isinstance(then, Unclear) or lawful:
            for events, more in legal_ways(then):
                yield Choice(events, f"{self.game.told(events)} ({words})", (), cost + more, given)

    def without_them(self, refused: Refused) -> Refused:
        """Returns an accusation without those earlier events that did not happen if the pieces had been there all
        along.
        """
        found = self.before()
        if found is None:
            return refused
        given, cost = found
        then = self._compared_after(given, lawful=False)
        if not isinstance(then, Refused) or (then.seat, then.event) != (refused.seat, refused.event):
            return refused
        fewer = set(then.before) < set(refused.before) and then.cost + cost < refused.cost + OPEN
        return replace(refused, before=then.before) if fewer else refused

    def _compared_after(self, given: Reread, *, lawful: bool) -> Verdict:
        return self.compared(self.here._replace(state=given.state), self.memory, self.layout, lawful=lawful)

    def _in_new_places(self) -> Iterator[tuple[Spot, Piece, Uncovered | None]]:
        """Yields each piece in a new place, with its heap and the way the place was hidden; None if it was in view.

        Leaves out recorded pieces whose places were not known, or that have left their places: they were pushed.
        """
        record = self.here.state.layout().heaps
        shown = {one.place for heap in self.layout.heaps.values() for one in heap} | self.layout.hidden
        placed = [belief for key, belief in self.memory.places.items() if key in shown]
        for spot, heap in self.layout.heaps.items():
            known = Counter(belief.piece for belief in placed if belief.spot == spot)
            unplaced = _counted(record.get(spot, ())) - known
            for one in heap:
                if not one.place or one.piece is None or one.place in self.memory.places:
                    continue
                if unplaced[one.piece] > 0:
                    unplaced[one.piece] -= 1
                elif one.piece not in self.memory.absent.get(spot, ()):
                    yield spot, one.piece, self.layout.uncovered.get(one.place)


def against_hiding(evidence: Uncovered) -> float:
    """Returns the nats against a thing having stood in its place all along; below 0 if that is likelier than a move."""
    cramped = -log(max(evidence.room, FLOOR))
    if not evidence.seen_free:
        return cramped + (BEHIND if evidence.behind == "piece" else -SET_DOWN_UNDER)
    return cramped + BEHIND + SEEN_FREE * min(evidence.seen_free, MOST_FREE)


def may_have_come_otherwise(
    before: Layout, after: Layout, memory: Memory, layout: Layout, doubts: RecordDoubts, *, asked: bool, unseen: bool
) -> bool:
    """Returns true if a piece that legal events bring may have come otherwise, while something lay over the table.

    It came to light where the record already lacks something, or a piece like it was hidden among pieces that somebody
    has moved since, or was drawn unseen where a picture may have hidden another draw.

    Args:
        before: The table that the position predicts; `after`: the table after the events.
        asked: True if a question is open.
        unseen: True if the events rest on something that no picture shows.
    """
    come = {spot: _counted(heap) - _counted(before.heaps.get(spot, ())) for spot, heap in after.heaps.items()}
    new = {
        spot: [one for one in heap if one.place and one.place not in memory.places]
        for spot, heap in layout.heaps.items()
    }
    if unseen and any(come.get(spot) for spot in doubts.foreign):
        return True
    for spot, pieces in come.items():
        lit = [one.piece for one in new.get(spot, ()) if one.place in layout.uncovered]
        if (asked or memory.absent.get(spot)) and any(piece in pieces for piece in lit):
            return True
    for spot, hidden in memory.veiled(layout).items():
        moved = any(one.piece in hidden for one in new.get(spot, ()))
        if moved and any(piece in pieces for other, pieces in come.items() if other != spot for piece in hidden):
            return True
    return False


def came_earlier(state: Any, events: Sequence[Event], memory: Memory, layout: Layout) -> bool:
    """Returns true if legal events give a piece that came to light to a later turn than a piece that came in view.

    The piece that came to light may have been set down first, by the other player.
    """
    lit = {
        (spot, one.piece)
        for spot, heap in layout.heaps.items()
        for one in heap
        if one.place in layout.uncovered and one.place not in memory.places
    }
    if not lit:
        return False
    seen_since = None
    for event in events:
        then = state.apply(event)
        brought = {
            (heap.spot, piece)
            for heap in change(event, state.layout(), then.layout()).heaps
            if heap.before is not None and heap.after is not None
            for piece in Counter(heap.after.pieces) - Counter(heap.before.pieces)
        }
        if brought & lit and seen_since is not None and seen_since != named_seat(event):
            return True
        if brought - lit and seen_since is None:
            seen_since = named_seat(event)
        state = then
    return False


def taken_under(
    compared: Callable[..., Verdict],
    here: Standpoint,
    memory: Memory,
    layout: Layout,
    accepted: Accepted,
    foreign: Container[Spot],
) -> Iterator[tuple[Event, ...]]:
    """Yields the legal events by which a piece that something foreign has just hidden was taken away.

    Args:
        accepted: The explanation if the piece still lies there. Its events bring another piece to the same heap.
        foreign: Heaps over which something foreign lay before.
    """
    hidden = [(key, memory.places[key]) for key in sorted(layout.hidden) if key in memory.places]
    for key, belief in hidden:
        spot = belief.spot
        if belief.piece is None or spot not in layout.obscured or spot in foreign:
            continue
        if not any(one.place and one.place not in memory.places for one in layout.heaps.get(spot, ())):
            continue
        places = {place: one for place, one in memory.places.items() if place != key}
        gone = replace(layout, hidden=layout.hidden - {key}, obscured=layout.obscured - {spot})
        then = compared(here, replace(memory, places=places), gone, lawful=True)
        yield from (events for events, _ in legal_ways(then) if events != accepted.events)


def _counted(heap: Iterable[Detection]) -> Counter[Piece | None]:
    """Returns the number of pieces of each kind in a heap, by their best readings."""
    return Counter(one.piece for one in heap)
