"""Legal accounts that leave no trace: dice rolled twice between two pictures, or a pawn that went out and came back.

A search guided by the picture never finds them, because they leave nothing in it. They are rare, but where one exists
an accusation would rest on a picture that was never taken, so the players are asked instead.

The limits of the search are chosen; `python -m bench.part_seen` checks them: no player may be accused there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from companion.core.contract import Event, Rolled, ToDraw, ToMove, ToRoll, named_seat, seats_due
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout
from companion.core.verdict import Choice, Unclear
from companion.referee.matching.clearing import likely
from companion.referee.matching.doubts import off_the_table
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.foresight import after_all, predict_changes
from companion.referee.matching.hypotheses import ILLEGAL, Hypothesis
from companion.referee.matching.rolls import DICE, rolled_since

ROLLS = 400
"""The number of results of a roll that are tried."""
TRACE = 0.5
"""The largest cost of a move where the camera does not look, in nats."""
TURN, WIDTH = 3, 8
"""The largest number of moves in a turn that is seen, and the number of ways to it that are followed."""
POSITIONS = 60
"""The number of positions that are examined on the way out and back."""


def excused_silently(game: Game[Any], same: Hypothesis, accusation: Hypothesis, evidence: Evidence) -> Unclear | None:
    """Returns the question about a legal event without a trace; None if no such event is possible."""
    state, events = same.state, accusation.events
    way = way_out_and_back(state, events)
    excused = bool(way) or rolled_since(events, evidence.seen) or rolled_twice(game, state, events)
    excused = excused or passed_after_other_roll(game, state, events)
    excused = excused or move_out_of_sight(game, state, events, evidence)
    if not excused and not roll_not_seen(game, state, events, likely(same.table, evidence)):
        return None
    words = f"{game.told(accusation.events)}, and nothing else since the last picture"
    illegal = Choice(accusation.events, words, accusation.breaches, ILLEGAL)
    return Unclear((*([Choice(way, game.told(way), (), 0.0)] if way else []), illegal))


def held(game: Game[Any], accusation: Hypothesis, evidence: Evidence) -> Unclear | None:
    """Returns the question about an accusation while pieces that it does not explain are off the table.

    A player may have moved with them unseen, so neither the turn nor the used pieces are sure. Returns None if no piece
    is off the table.
    """
    gone = off_the_table(accusation.table, evidence)
    if not gone:
        return None
    words = f"{game.told(accusation.events)}, while {gone}"
    return Unclear((Choice(accusation.events, words, accusation.breaches, ILLEGAL),))


def rolled_twice(game: Game[Any], state: Any, events: Sequence[Event]) -> bool:
    """Returns true if all events would be legal after another roll, because the present roll may be the next player's.

    The last event may then be a move after that next roll.

    Args:
        events: Legal ones with a roll among them, and an illegal one at the end.
    """
    for shown, then in _with_other_rolls(game, state, events[:-1]):
        if _may_follow(then, events[-1]):
            return True
        due = isinstance(then.expects(), ToRoll) and not then.violations(shown)
        if due and _may_follow(then.apply(shown), events[-1]):
            return True
    return False


def passed_after_other_roll(game: Game[Any], state: Any, events: Sequence[Event]) -> bool:
    """Returns true if the roll and the event after it may be the next player's, because the player whose roll was due
    had to pass after a roll that was not seen.

    Args:
        events: Legal ones with a roll among them, and an illegal one of another player at the end.
    """
    at = next((place for place, event in enumerate(events[:-1]) if isinstance(event, Rolled)), None)
    if at is None:
        return False
    try:
        before = after_all(state, events[:at])
    except MoveError:
        return False
    if named_seat(events[-1]) in (None, *seats_due(before.expects())):
        return False
    table = before.layout()
    for fall, _ in _falls(game, before):
        rolled = before.apply(fall)
        moves = list(islice(rolled.legal_moves(), 2))
        passed = rolled.apply(moves[0]) if len(moves) == 1 else None
        if passed is None or not isinstance(passed.expects(), ToRoll):
            continue
        if any(one.spot != DICE for one in table.differences(passed.layout())):
            continue
        try:
            then = after_all(passed, events[at:-1])
        except MoveError:
            continue
        if _may_follow(then, events[-1]):
            return True
    return False


def rolled_by_next(game: Game[Any], before: Any, told: Sequence[Event], events: Sequence[Event]) -> bool:
    """Returns true if the roll in one picture may be the next player's, and all events are legal after an unseen roll.

    Args:
        before: The position before `told`; `told`: the events of that picture, a roll and moves after it.
        events: The events of the next picture, an illegal one at the end.
    """
    for shown, then in _with_other_rolls(game, before, told):
        if shown is told[-1] or not isinstance(then.expects(), ToRoll):
            continue
        try:
            after_all(then, (shown, *events))
        except MoveError:
            continue
        return True
    return False


def roll_not_seen(game: Game[Any], state: Any, events: Sequence[Event], seen: Layout) -> bool:
    """Returns true if a player who is not on turn breaks none of these rules after seen moves and an unseen roll.

    Other rules do not count: what looks like one move may be several legal ones.

    Args:
        events: Legal ones, and an illegal one at the end.
        seen: The picture, with its possible readings.
    """
    candidates = None if game.proposer is None else game.proposer.candidates
    if candidates is None:
        return False
    try:
        frontier = [after_all(state, events[:-1])]
    except MoveError:
        return False
    due = frontier[0].expects()
    if not isinstance(due, ToMove) or named_seat(events[-1]) in (None, *due.seats):
        return False
    rules = {breach.rule for breach in frontier[0].violations(events[-1])}
    for _ in range(TURN):
        following = []
        for here in frontier:
            for event in candidates(here, seen):
                then = here.apply(event)
                if not isinstance(then.expects(), ToRoll):
                    following.append(then)
                elif any(_breaks_none(then.apply(fall), events[-1], rules) for fall, _ in _falls(game, then)):
                    return True
        frontier = following[:WIDTH]
    return False


def move_out_of_sight(game: Game[Any], state: Any, events: Sequence[Event], evidence: Evidence) -> bool:
    """Returns true if the last event would be legal after a move whose traces are all out of view.

    Args:
        events: Legal ones, and an illegal one at the end.
    """
    try:
        before = after_all(state, events[:-1])
    except MoveError:
        return False
    for one in predict_changes(before, False):
        if one.left(evidence, but=evidence.seen.partial) > TRACE:
            continue
        then = before.apply(one.event)
        if isinstance(then.expects(), ToDraw):
            fall = next(iter(game.outcomes(then)), None)
            then = then if fall is None else then.apply(fall[0])
        if not then.violations(events[-1]):
            return True
    return False


def way_out_and_back(state: Any, events: Sequence[Event]) -> tuple[Event, ...]:
    """Returns the events with added legal moves that leave the table as it was, so that an illegal roll is legal; () if
    there are none.

    A declaration before the roll that leaves no trace, such as a usage, may be replaced by another one.

    Args:
        events: Legal ones, and an illegal one at the end.
    """
    last = events[-1]
    if not isinstance(last, Rolled):
        return ()
    for kept in range(len(events) - 1, -1, -1):
        try:
            before = after_all(state, events[:kept])
            untraced = not before.layout().differences(after_all(before, events[kept:-1]).layout())
        except MoveError:
            return ()
        if not untraced:
            return ()
        way = _out_and_back(before, last)
        if way:
            return (*events[:kept], *way, last)
    return ()


def _out_and_back(before: Any, last: Event) -> tuple[Event, ...]:
    """Returns legal moves that leave the table as it was, after which an event is legal; () if none are found."""
    table = before.layout()
    reached: set[Any] = {before}
    frontier: list[tuple[tuple[Event, ...], Any]] = [((), before)]
    while frontier:
        way, here = frontier.pop(0)
        for move in here.legal_moves():
            then = here.apply(move)
            if then in reached:
                continue
            if len(reached) == POSITIONS:
                return ()
            reached.add(then)
            if not then.violations(last) and not table.differences(then.layout()):
                return (*way, move)
            frontier.append(((*way, move), then))
    return ()


def _with_other_rolls(game: Game[Any], state: Any, events: Sequence[Event]) -> Iterator[tuple[Event, Any]]:
    """Yields the first roll among events, each time with the position after them in which it has another result."""
    at = next((place for place, event in enumerate(events) if isinstance(event, Rolled)), None)
    if at is None:
        return
    try:
        before = after_all(state, events[:at])
    except MoveError:
        return
    for fall, _ in _falls(game, before):
        try:
            then = after_all(before, (fall, *events[at + 1 :]))
        except MoveError:
            continue
        yield events[at], then


def _falls(game: Game[Any], state: Any) -> Iterator[tuple[Event, int]]:
    return islice(game.outcomes(state), ROLLS)


def _may_follow(state: Any, event: Event) -> bool:
    """Returns true if an event is legal, perhaps after a declaration that leaves no trace, such as a usage."""
    if not state.violations(event):
        return True
    table, due = state.layout(), state.expects()
    if not isinstance(due, ToMove):
        return False
    for said in state.legal_moves():
        then = state.apply(said)
        if then.expects() == due and not table.differences(then.layout()) and not then.violations(event):
            return True
    return False


def _breaks_none(state: Any, event: Event, rules: set[str]) -> bool:
    return not rules & {breach.rule for breach in state.violations(event)}
