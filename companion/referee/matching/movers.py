"""Determines who made the moves that a picture shows, and recognizes chains of events that no picture shows.

Two players may have acted between two pictures, in one order or the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from companion.core.contract import Drawn, Event, Seat, seats_due
from companion.core.game import Game
from companion.core.layout import Spot
from companion.core.pieces import Piece, Stack
from companion.referee.matching.foresight import after, change
from companion.referee.matching.hypotheses import CONTINUED, Hypothesis, seat_of
from companion.referee.matching.out_of_sight import passed_on


def movers(state: Any, events: Iterable[Event], draws_unseen: bool) -> list[Seat]:
    """Returns the seats whose events leave a trace on the table, in order, each once for successive events.

    Args:
        draws_unseen: True if draws that fall due happen at once and unseen.
    """
    return _in_turn(_traced(state, events, draws_unseen))


def in_other_order(game: Game[Any], state: Any, best: Hypothesis, draws_unseen: bool) -> list[Hypothesis]:
    """Returns the same moves in the other order if two players made them and the first one had played already."""
    gives_up = None if game.proposer is None else game.proposer.gives_up
    if gives_up is None or best.breaches:
        return []
    moves = list(_traced(state, best.events, draws_unseen))
    if len(_in_turn(moves)) != 2:
        return []
    events: list[Event] = []
    for seat, event in sorted(moves, key=lambda move: move[0] == moves[0][0]):
        if seat not in seats_due(state.expects()):
            ends = [(end, then) for (end,), then in passed_on(state) if not gives_up(state, end)]
            if not ends:
                return []
            events, state = [*events, ends[0][0]], ends[0][1]
        if state.violations(event):
            return []
        events, state = [*events, event], after(state, event, draws_unseen)
    if state.layout().differences(best.table):
        return []
    longer = CONTINUED * (len(events) - len(best.events))
    return [best._replace(events=tuple(events), state=state, prior=best.prior + longer, seat=moves[0][0])]


def _in_turn(moves: Iterable[tuple[Seat, Event]]) -> list[Seat]:
    """Returns the seats of moves, each once for successive moves."""
    return [seat for seat, _ in groupby(seat for seat, _ in moves)]


def is_unseen_chain(state: Any, events: Sequence[Event], seen: Container[Spot]) -> bool:
    """Returns true if two pieces would have come to heaps and left the table again between two pictures, or if a piece
    would have done so by two moves.

    A piece that was drawn and used at once is common, and so is a stack that grew twice; anything longer is far-fetched
    without a picture.

    Args:
        seen: The heaps that are looked at.
    """
    come: dict[Spot, Counter[Piece | None]] = {}
    drawn: Counter[Piece | None] = Counter()
    passed: Counter[Piece | None] = Counter()
    came: Counter[Piece | None] = Counter()
    for event in events:
        then = after(state, event, False)
        one = change(event, state.layout(), then.layout())
        for spot, earlier, later in one.heaps:
            if earlier is None or later is None or spot not in seen:
                continue
            was, now = _single(earlier.pieces), _single(later.pieces)
            passed += come.get(spot, Counter()) & (was - now)
            come[spot] = come.get(spot, Counter()) - (was - now) + (now - was)
            drawn += now - was if isinstance(event, Drawn) else Counter()
        state = then
    for pieces in come.values():
        came += pieces
    passed -= came
    return passed.total() > 1 or bool(passed - drawn)


def _single(pieces: Iterable[Piece | None]) -> Counter[Piece | None]:
    """Returns the pieces that are no stacks, with their numbers."""
    return Counter([one for one in pieces if not isinstance(one, Stack)])


def _traced(state: Any, events: Iterable[Event], draws_unseen: bool) -> Iterator[tuple[Seat, Event]]:
    """Yields the events that leave a trace on the table, each with its seat."""
    for event in events:
        then = after(state, event, draws_unseen)
        if state.layout().differences(then.layout()):
            yield seat_of(state, event), event
        state = then
