"""Explanations of a picture: sequences of events, each with the table that it predicts.

Most pictures show one event. A turn may be made of several (a tile is laid and another drawn), and fast players make
two moves between pictures, so sequences are searched, guided by the picture: only an event that makes it more
plausible, or one that no camera can see, is followed further.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest
from math import log
from typing import Any, NamedTuple

from companion.contract import Breach, Drawn, Event, Over, Rolled, Seat, Shown, State, ToDraw, ToMove, ToRoll
from companion.draws import settle
from companion.errors import MoveError
from companion.layout import Layout, Sighting
from companion.matching.evidence import Evidence, choices_of, pieces_of
from companion.matching.foresight import Change, after, change, foresee

DEPTH = 4
"""No more events than this between two pictures: two whole turns of laying and drawing."""
WIDTH = 4
"""So many unfinished explanations are followed at each depth."""
FINALISTS = 12
"""So many explanations of one event are kept; the others are less plausible than all of these."""

ILLEGAL = log(50)
"""Prior against an illegal event: fewer than one move in fifty breaks a rule. A wrong accusation is the worst error."""
SECOND_MOVE = 3.5
"""Prior against one more move than needed: one in about thirty pictures shows two moves."""
HIDDEN_MOVE = log(100)
"""Prior against a move that leaves no trace (a pass) where a move with a trace was possible."""
DUE_DRAW = 0.2
"""Prior against a draw that is due and is shown together with a move: hardly any."""

PROGRESS = 1.0
"""Nats by which an event must make the picture more plausible to be followed."""
EXPLAINED = 1.0
"""Below this regret nothing is left to explain."""
CLEAR = 2.5
"""A reading that beats the prediction by less (12 to 1) is a doubt, not a change."""
LIKELY_ENOUGH = 0.05
"""Candidates of a drawn piece below this probability are not tried."""


def seat_of(state: State, event: Event) -> Seat:
    """Whose event it is: the seat that it names, else the seat that is due."""
    named = getattr(event, "seat", None)
    if isinstance(named, int):
        return named
    match state.expects():
        case ToMove(seats=seats):
            return seats[0]
        case ToRoll(seat=seat) | ToDraw(seat=seat):
            return seat
    return 0


class Hypothesis(NamedTuple):
    """One explanation."""

    events: tuple[Event, ...]
    state: Any
    """The position after them."""
    table: Layout
    """What it predicts."""
    regret: float
    """What still speaks against it, in nats."""
    prior: float
    """What spoke against it before the picture was taken."""
    breaches: tuple[Breach, ...] = ()
    """Why its last event is illegal."""
    shown: bool = True
    """Whether its last event changes anything that was looked at."""
    seat: int = 0
    """Whose the last event is."""

    @property
    def cost(self) -> float:
        """All that speaks against it; the lowest cost explains best."""
        return self.regret + self.prior


def nothing(state: State, evidence: Evidence) -> Hypothesis:
    """The explanation that nothing has happened."""
    table = state.layout()
    return Hypothesis((), state, table, evidence.total(table), 0.0)


def legal(root: Hypothesis, evidence: Evidence, draws_unseen: bool) -> list[Hypothesis]:
    """Legal sequences that change something visible."""
    found: list[Hypothesis] = []
    frontier = [root]
    for _ in range(DEPTH):
        following: list[Hypothesis] = []
        for node in frontier:
            for child in _children(node, evidence, draws_unseen):
                if child.shown:
                    found.append(child)
                if child.regret > EXPLAINED and (not child.shown or child.regret < node.regret - PROGRESS):
                    following.append(child)
        if any(one.regret <= EXPLAINED for one in found):
            break
        frontier = nsmallest(WIDTH, following, key=lambda one: one.cost)
    return found


def illegal(root: Hypothesis, legal_ones: list[Hypothesis], evidence: Evidence, draws_unseen: bool) -> list[Hypothesis]:
    """Illegal events that the picture looks like, alone or after legal ones."""
    better = [one for one in legal_ones if one.regret < root.regret - PROGRESS]
    found = []
    for node in [root, *nsmallest(3, better, key=_cost)]:
        event = None if isinstance(node.state.expects(), Over) else node.state.suggest(cleaned(node.table, evidence))
        if event is None or isinstance(event, Rolled | Drawn | Shown):
            continue
        breaches = node.state.explain(event)
        if breaches:
            found.append(_wrong(node, event, breaches, evidence, draws_unseen))
    return found


def _cost(hypothesis: Hypothesis) -> float:
    return hypothesis.cost


def _children(node: Hypothesis, evidence: Evidence, draws_unseen: bool) -> Iterator[Hypothesis]:
    """Explanations with one more event: the likeliest visible moves, or one move that leaves no trace, or a draw."""
    due = node.state.expects()
    if isinstance(due, ToDraw):
        yield from _draws(node, due, evidence, draws_unseen)
    if not isinstance(due, ToMove):
        return
    shown: list[tuple[float, int, Change]] = []
    hidden: list[Change] = []
    for place, one in enumerate(foresee(node.state, draws_unseen)):
        if one.shows(evidence.seen):
            shown.append((one.regret(evidence), place, one))
        else:
            hidden.append(one)
    prior = node.prior + (SECOND_MOVE if any(_is_move(event) for event in node.events) else 0.0)
    for more, _, one in nsmallest(FINALISTS, shown):
        yield _follow(node, one, node.regret + more, prior, evidence, draws_unseen)
    if hidden and (node.shown or not node.events):
        forced = 0.0 if not shown else HIDDEN_MOVE
        yield _follow(node, hidden[0], node.regret, node.prior + forced, evidence, draws_unseen)._replace(shown=False)


def _follow(
    node: Hypothesis, one: Change, regret: float, prior: float, evidence: Evidence, draws_unseen: bool
) -> Hypothesis:
    then = after(node.state, one.event, draws_unseen)
    return Hypothesis((*node.events, one.event), then, then.layout(), regret, prior, shown=True)


def _draws(node: Hypothesis, due: ToDraw, evidence: Evidence, draws_unseen: bool) -> Iterator[Hypothesis]:
    """Draws that are due: of what lies newly in a heap, or unseen where nobody looks at that heap."""
    tried = set()
    unseen = node.state.unseen()
    for spot, heap in node.table.heaps.items():
        extras = evidence.extras(spot, pieces_of(heap))
        for pieces in choices_of(extras, min(due.count, len(extras)), LIKELY_ENOUGH) if extras else ():
            if pieces not in tried and all(piece in unseen for piece in pieces):
                tried.add(pieces)
                yield from _draw(node, Drawn(due.seat, pieces), evidence, draws_unseen)
    for child in _draw(node, Drawn(due.seat, (None,) * due.count), evidence, draws_unseen):
        if not any(spot in evidence.seen.heaps and spot not in child.table.heaps for spot in node.table.heaps):
            yield child._replace(shown=False)


def _draw(node: Hypothesis, drawn: Drawn, evidence: Evidence, draws_unseen: bool) -> Iterator[Hypothesis]:
    """The explanation with this draw, if the rules take it."""
    try:
        then = after(node.state, drawn, draws_unseen)
    except MoveError:
        return
    table = then.layout()
    one = change(drawn, node.table, table)
    prior = node.prior + (DUE_DRAW if node.events else 0.0)
    yield Hypothesis(
        (*node.events, drawn),
        then,
        table,
        node.regret + one.regret(evidence),
        prior,
        shown=one.shows(evidence.seen),
    )


def _wrong(
    node: Hypothesis, event: Event, breaches: tuple[Breach, ...], evidence: Evidence, draws_unseen: bool
) -> Hypothesis:
    """An illegal event as an explanation.

    A draw after it, which a player makes as a matter of course, is not held against it. An event that cannot even be
    carried out on paper is taken at its word: it predicts the very change that suggested it.
    """
    prior = node.prior + ILLEGAL + (SECOND_MOVE if any(_is_move(one) for one in node.events) else 0.0)
    events = (*node.events, event)
    try:
        then = node.state.allow(event)
    except MoveError:
        doubts = evidence.total(cleaned(node.table, evidence))
        return Hypothesis(events, None, node.table, doubts, prior, breaches, seat=seat_of(node.state, event))
    then = settle(then) if draws_unseen else then
    table = then.layout()
    one = change(event, node.table, table)
    made = Hypothesis(
        events, then, table, node.regret + one.regret(evidence), prior, breaches,
        shown=one.shows(evidence.seen), seat=seat_of(node.state, event),
    )  # fmt: skip
    due = then.expects()
    drawn = list(_draws(made, due, evidence, draws_unseen)) if isinstance(due, ToDraw) else []
    best = min((one for one in drawn if one.shown), key=_cost, default=made)
    return made if best.regret >= made.regret else made._replace(regret=best.regret, table=best.table)


def cleaned(table: Layout, evidence: Evidence) -> Layout:
    """What is seen, with the doubtful spots taken as predicted: a flickering cell must not hide a clear change."""
    seen = evidence.seen
    cells = {}
    for spot, sighting in seen.cells.items():
        predicted = table.cells.get(spot)
        doubtful = predicted is not None and evidence.cell(spot, predicted.piece) < CLEAR
        cells[spot] = predicted if doubtful and predicted is not None else Sighting.sure(sighting.piece)
    heaps = {}
    for name, heap in seen.heaps.items():
        expected = table.heaps.get(name)
        doubtful = expected is not None and evidence.heap(name, pieces_of(expected)) < CLEAR
        heaps[name] = expected if doubtful and expected is not None else heap
    return Layout(cells, heaps)


def _is_move(event: Event) -> bool:
    return not isinstance(event, Rolled | Drawn | Shown)
