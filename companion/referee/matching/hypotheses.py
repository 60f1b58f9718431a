"""Explanations of a picture: sequences of events, each with the table that it predicts.

Most pictures show one event. A turn may be made of several (a tile is laid and another drawn), and fast players make
two moves between pictures, so sequences are searched, guided by the picture: only an event that makes it more
plausible, or one that no camera can see, is followed further. Games with long turns are searched by `guided` instead.

Priors and widths are chosen, not fitted. With exact readings, they must never lead to a wrong event or accusation
(`python -m simulation.drawn.games --eyes truth`, `python -m bench.turns`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import nsmallest
from math import log
from typing import Any, NamedTuple

from companion.core.contract import (
    Drawn,
    Event,
    Over,
    Rolled,
    Seat,
    Shown,
    State,
    ToDraw,
    ToMove,
    ToRoll,
    Violation,
    named_seat,
)
from companion.core.foundation.errors import MoveError
from companion.core.game import Game, apply_due_draws
from companion.core.layout import Layout, Spot
from companion.core.pieces import Card, Piece, Special
from companion.referee.matching.clearing import cleaned, read_otherwise
from companion.referee.matching.evidence import LIKELY_ENOUGH, Evidence, Pile, choices_of, pile, whole_draws
from companion.referee.matching.foresight import PredictedChange, after, change, predict_changes

DEPTH = 6
"""The largest number of events between two pictures: two whole turns of laying and drawing, or many exchanges."""
WIDTH = 4
"""The number of unfinished explanations that are followed at each depth."""
FINALISTS = 12
"""The number of explanations of one event that are kept; the others are less plausible than all of these."""

ILLEGAL = log(50)
"""Prior against an illegal event: fewer than one move in fifty breaks a rule. A wrong accusation is the worst error."""
SEVERAL_RULES = log(5)
"""Prior against each rule past the second that an event breaks: it is more likely that the picture was misread."""
SECOND_MOVE = 3.5
"""Prior against an event of one more player: one in about thirty pictures shows what two players did."""
CONTINUED = 0.7
"""Prior against one more event in the same turn: the shorter of two explanations is the likelier."""
DUE_DRAW = 0.2
"""Prior against a draw that is due together with a move: hardly any."""
DRAW_SKIPPED = log(10)
"""Prior against an illegal event before a draw that is due and lies in the same picture. Chosen."""
OUT_OF_VIEW = log(2)
"""Prior against a draw that is due, of a piece that came to a heap out of view: the rules demand it, and only the
visible part speaks against it. Checked by `python -m bench.part_seen`."""
HIDDEN_MOVE = log(100)
"""Prior against a move that leaves no trace (a pass) where a move with a trace was possible."""
SECOND_ROLL = log(400)
"""Prior against a roll after another one in the same picture, because nothing shows the first one."""
RETURNED = 3.0
"""Prior against a player who passed without a trace, and acted again in the same picture on the next turn."""
HIDDEN_DRAW = log(20)
"""Prior against a draw of a piece that no picture shows: players look at a drawn piece before they use it."""
UNDER_COVER = log(10)
"""Prior against a piece that was put out of view, because it may also be in a hand."""
COVERED = log(20)
"""Prior against a card that came to a pile and was covered in the same picture, so that nothing shows it. Chosen."""
NESTED = 0.9
"""Prior against a piece that was put where it stands unseen, inside of another one."""
VANISHED = log(15)
"""Prior against a taken piece that no picture shows before it was put where it stands unseen."""
LIFTED = log(30)
"""Prior against an illegal event with a piece that stood unseen: no picture shows how it left."""

PROGRESS = 1.0
"""Nats by which an event must make the picture more plausible to be followed."""
EXPLAINED = 1.0
"""The ratio below which the reading is explained, in nats."""


def seat_of(state: State, event: Event) -> Seat:
    """Returns the seat that an event names, else the seat that is due, or that is due after an open draw."""
    named = named_seat(event)
    if named is not None:
        return named
    due = state.expects()
    if isinstance(due, ToDraw) and is_move(event):
        due = apply_due_draws(state).expects()
    match due:
        case ToMove(seats=seats):
            return seats[0]
        case ToRoll(seat=seat) | ToDraw(seat=seat):
            return seat
    return 0


class Hypothesis(NamedTuple):
    """One explanation of a picture."""

    events: tuple[Event, ...]
    state: Any
    """The position after the events; None if the rules cannot even imagine it."""
    table: Layout
    """The table that the explanation predicts."""
    nll_ratio: float
    """The cost of the reading if the explanation is true, in nats."""
    prior: float
    """The cost of the explanation before the picture, in nats."""
    breaches: tuple[Violation, ...] = ()
    """The rules that the last event breaks."""
    shown: bool = True
    """True if the last event changes any spot that was looked at."""
    seat: Seat = 0
    """The seat of the last event."""
    mover: Seat | None = None
    """The seat of the last event that can be seen; None if no event can."""
    unseen: bool = False
    """True if the explanation rests on an unseen piece: one put into another, or a phantom."""
    phantom: bool = False
    """True if an unseen piece took part: it was drawn or taken, and then was gone again."""
    turns: int = 0
    """The number of turns that the events span."""
    passed: Seat | None = None
    """The seat of the first event if it leaves no trace on the table; None if it leaves one."""

    @property
    def cost(self) -> float:
        """The total cost in nats; the explanation with the lowest cost is the best."""
        return self.nll_ratio + self.prior


class _Trace(NamedTuple):
    """The cost of an event that shows too little."""

    unlikely: float
    """The cost in nats."""
    phantom: bool = False
    """True if an unseen piece took part."""


_PLAIN = _Trace(0.0)


class Search:
    """The search for all explanations of one picture from one position."""

    def __init__(
        self, game: Game[Any], state: State, evidence: Evidence, draws_unseen: bool, depth: int = DEPTH
    ) -> None:
        """
        Args:
            draws_unseen: True if draws that fall due happen at once and unseen.
            depth: The largest number of events in an explanation.
        """
        self.game = game
        self.depth = depth
        self.evidence = evidence
        self._draws_unseen = draws_unseen
        table = state.layout()
        self.same = Hypothesis((), state, table, evidence.total(table), 0.0)
        """The explanation that nothing has happened."""
        self._come: tuple[Layout, set[Piece | None]] = table, evidence.unexplained(table)

    def legal(self) -> list[Hypothesis]:
        """Returns legal sequences that change something visible."""
        found: list[Hypothesis] = []
        frontier = [self.same]
        reached = {self.same.state}
        for _ in range(self.depth):
            following: list[Hypothesis] = []
            for node in frontier:
                for child in self._with_draws(self._children(node)):
                    if child.shown:
                        found.append(child)
                    if child.nll_ratio > EXPLAINED and child.state not in reached and _promising(child, node):
                        reached.add(child.state)
                        following.append(child)
            if any(one.nll_ratio <= EXPLAINED for one in found):
                break
            frontier = nsmallest(WIDTH, following, key=cost)
        return found

    def illegal(self, legal: Iterable[Hypothesis], ended: Iterable[Hypothesis] = ()) -> list[Hypothesis]:
        """Returns illegal events that the picture looks like, alone or after legal ones.

        If it looks like none and no legal event explains it, doubtful readings count, too.

        Args:
            ended: The explanations in which the player on turn has only ended a turn that was played before.
        """
        better = [one for one in legal if one.nll_ratio < self.same.nll_ratio - PROGRESS]
        picture = partial(cleaned, evidence=self.evidence)
        starts = [self.same, *ended, *nsmallest(3, better, key=cost)]
        found = _distinct(self._suggested(node, picture) for node in starts)
        if found or any(one.nll_ratio <= EXPLAINED for one in better):
            return found
        return _distinct(self._suggested(self.same, picture) for picture in self._doubtful_pictures())

    def _doubtful_pictures(self) -> Iterator[Callable[[Layout], Layout]]:
        """Yields pictures from a position's table in which doubtful readings count, or are replaced."""
        for seen in (self.evidence.seen, *read_otherwise(self.evidence.seen)):
            yield partial(cleaned, evidence=self.evidence.with_seen(seen), doubtful=EXPLAINED, swapped=EXPLAINED)

    def _suggested(self, node: Hypothesis, picture: Callable[[Layout], Layout]) -> Hypothesis | None:
        """Returns the first illegal event on the way that the game suggests from here to the picture.

        Args:
            picture: The reading, from a position's table.
        """
        if self.game.proposer is None:
            return None
        for _ in range(DEPTH):
            if isinstance(node.state.expects(), Over):
                return None
            event = self.game.proposer.infer_event(node.state, picture(node.table))
            if event is None:
                return None
            breaches = node.state.violations(event)
            if breaches:
                return self._wrong(node, event, breaches)
            child = next(iter(self._offered(node, [event])), None)
            if child is None:
                return None
            node = child
        return None

    def _children(self, node: Hypothesis) -> Iterator[Hypothesis]:
        """Yields one more event: the likeliest visible moves and one that leaves no trace, or a draw that is due."""
        due = node.state.expects()
        if isinstance(due, ToDraw):
            yield from self._draws(node, due)
        if not isinstance(due, ToMove):
            return
        shown: list[tuple[float, int, PredictedChange]] = []
        hidden: list[PredictedChange] = []
        for place, one in enumerate(predict_changes(node.state, self._draws_unseen)):
            if one.shows(self.evidence.seen):
                shown.append((one.nll_ratio(self.evidence), place, one))
            else:
                hidden.append(one)
        for _, _, one in nsmallest(FINALISTS, shown):
            yield from self._offered(node, [one.event])
        if hidden and (node.shown or not node.events):
            for child in self._offered(node, [hidden[0].event]):
                yield child._replace(prior=node.prior + (HIDDEN_MOVE if shown else 0.0))

    def _with_draws(self, children: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
        """Yields each explanation, and those in which the draw that follows is in the same picture.

        If a hand has lost one tile and gained another, the loss alone does not explain the picture better, so the
        search would not find these draws.
        """
        for child in children:
            yield child
            due = child.state.expects()
            if isinstance(due, ToDraw):
                yield from self._draws(child, due)

    def _offered(self, node: Hypothesis, events: Iterable[Event]) -> Iterator[Hypothesis]:
        """Yields the explanations with one more event; leaves out events that the rules do not allow."""
        for event in events:
            try:
                then = after(node.state, event, self._draws_unseen)
            except MoveError:
                continue
            table = then.layout()
            one = change(event, node.table, table)
            seat = seat_of(node.state, event)
            shown = one.shows(self.evidence.seen)
            more = one.nll_ratio(self.evidence)
            trace = self._trace(node, event, one) if shown else _PLAIN
            yield Hypothesis(
                (*node.events, event),
                then,
                table,
                node.nll_ratio + more,
                node.prior + self._before(node, event, seat, shown) + trace.unlikely,
                (),
                shown,
                seat,
                seat if shown and not trace.unlikely and not _is_due(node, event) else node.mover,
                node.unseen or trace.unlikely > 0.0,
                node.phantom or trace.phantom,
                node.turns + (not node.events or seat != node.seat),
                seat if not shown and not node.events and self._gives_up(node, event) else node.passed,
            )

    def _before(self, node: Hypothesis, event: Event, seat: Seat, shown: bool) -> float:
        """Returns the prior cost of one more event, in nats."""
        said = None if self.game.proposer is None else self.game.proposer.is_said
        return DUE_DRAW if said is not None and said(node.state, event) else _prior(node, event, seat, shown)

    def _gives_up(self, node: Hypothesis, event: Event) -> bool:
        """Returns true if an event that leaves no trace gives up a turn, and does not just end a played turn."""
        given = None if self.game.proposer is None else self.game.proposer.gives_up
        return given is None or given(node.state, event)

    def _trace(self, node: Hypothesis, event: Event, one: PredictedChange) -> _Trace:
        """Returns the cost of an event that should have left a trace in view and did not."""
        if isinstance(event, Drawn) and None not in event.pieces and not isinstance(node.state.expects(), ToDraw):
            come = self._come_to(node.table)
            if any(piece not in come for piece in event.pieces):
                return _Trace(HIDDEN_DRAW, phantom=True)
        if is_move(event) and self._covers_what_came(one):
            return _Trace(COVERED, phantom=True)
        unlikely = UNDER_COVER * one.goes_under_cover(self.evidence.seen)
        nested = max(0, one.covers(self.evidence))
        if not nested:
            return _Trace(unlikely) if unlikely else _PLAIN
        drawn = {piece for earlier in node.events if isinstance(earlier, Drawn) for piece in earlier.pieces}
        phantom = any(piece not in drawn and not self._lay_there(spot, piece) for spot, piece in one.leaving())
        return _Trace(unlikely + NESTED * nested + (VANISHED if phantom else 0.0), phantom)

    def _covers_what_came(self, one: PredictedChange) -> bool:
        """Returns true if an event covers a card that came to its pile in the same picture."""
        return any(
            not self._lay_there(heap.spot, piece)
            for heap in one.heaps
            if heap.before is not None and heap.after is not None
            for piece in heap.after.covered
            if isinstance(piece, Card | Special) and piece in heap.before.pieces
        )

    def _lay_there(self, spot: Spot, piece: Piece | None) -> bool:
        """Returns true if a piece lay in a heap at the beginning."""
        return any(sighting.piece == piece for sighting in self.same.table.heaps.get(spot, ()))

    def _come_to(self, table: Layout) -> set[Piece | None]:
        """Returns the pieces that may have come to a predicted table; they are computed once for all draws from one
        position.
        """
        if self._come[0] is not table:
            self._come = table, self.evidence.unexplained(table)
        return self._come[1]

    def _draws(self, node: Hypothesis, due: ToDraw) -> Iterator[Hypothesis]:
        """Yields due draws of new pieces in a heap, or of unseen ones if a part of the heap is out of sight."""
        seen = self.evidence.seen
        unseen = self.game.unseen(node.state)
        tried: dict[tuple[Any, ...], None] = {}
        for spot in node.table.heaps:
            expected = pile(node.table, spot)
            if expected is not None and any(isinstance(piece, Card | Special) for piece in expected.pieces):
                expected = Pile(expected.pieces, tuple(filter(None, expected.pieces)))  # a new piece may cover them
            extras = self.evidence.extras(spot, expected) if expected is not None else ()
            for pieces in choices_of(extras, min(due.count, len(extras)), LIKELY_ENOUGH) if extras else ():
                if all(piece in unseen for piece in pieces):
                    tried[pieces] = None
        told = self.game.proposer and self.game.proposer.infer_event(node.state, seen)
        yield from self._offered(node, [Drawn(due.seat, pieces) for pieces in whole_draws(tried, told, due.count)])
        for child in self._offered(node, [Drawn(due.seat, (None,) * due.count)]):
            watched = [spot for spot in node.table.heaps if spot in seen.heaps and spot not in child.table.heaps]
            if not watched:
                yield child._replace(shown=False, mover=node.mover)
            elif (seen.partial | seen.obscured).issuperset(watched):
                hidden = OUT_OF_VIEW if seen.partial.issuperset(watched) else UNDER_COVER
                yield child._replace(shown=False, mover=node.mover, prior=child.prior + hidden)
        laid = {one.piece for spot, one in seen.cells.items() if spot in node.table.cells}
        used = [piece for piece in unseen if piece in laid] if due.count == 1 else []
        for child in self._offered(node, [Drawn(due.seat, (piece,)) for piece in used]):
            prior = child.prior + HIDDEN_DRAW
            yield child._replace(shown=False, mover=node.mover, prior=prior, unseen=True, phantom=True)

    def _wrong(self, node: Hypothesis, event: Event, breaches: tuple[Violation, ...]) -> Hypothesis:
        """Returns an illegal event as an explanation.

        A draw after it costs nothing, because a player makes it as a matter of course. An event that cannot even be
        carried out on paper predicts the very change that suggested it.
        """
        seat = seat_of(node.state, event)
        prior = node.prior + ILLEGAL + _prior(node, event, seat, shown=True)
        rarity = None if self.game.proposer is None else self.game.proposer.rarity
        prior += 0.0 if rarity is None else rarity(node.state, event)
        due = node.state.expects()
        if isinstance(due, ToDraw) and is_move(event):
            drawn = any(child.shown and child.nll_ratio < node.nll_ratio for child in self._draws(node, due))
            prior += DRAW_SKIPPED if drawn else 0.0
        prior += SEVERAL_RULES * max(0, len({breach.rule for breach in breaches}) - 2)
        events = (*node.events, event)
        try:
            then = node.state.apply_unchecked(event)
        except MoveError:
            table = cleaned(node.table, self.evidence)
            return Hypothesis(events, None, table, self.evidence.total(table), prior, breaches, seat=seat)
        then = apply_due_draws(then) if self._draws_unseen else then
        table = then.layout()
        one = change(event, node.table, table)
        nll_ratio = node.nll_ratio + one.nll_ratio(self.evidence)
        prior += LIFTED if one.lifts(self.evidence) else 0.0
        made = Hypothesis(events, then, table, nll_ratio, prior, breaches, one.shows(self.evidence.seen), seat, seat)
        due = then.expects()
        draws = [child for child in self._draws(made, due) if child.shown] if isinstance(due, ToDraw) else []
        best = min(draws, key=cost, default=made)
        return made if best.nll_ratio >= made.nll_ratio else made._replace(nll_ratio=best.nll_ratio, table=best.table)


def _distinct(found: Iterable[Hypothesis | None]) -> list[Hypothesis]:
    """Returns the explanations without later ones that have the same events."""
    return list({one.events: one for one in reversed([one for one in found if one is not None])}.values())[::-1]


def cost(hypothesis: Hypothesis) -> float:
    """Returns the key to sort explanations by."""
    return hypothesis.cost


def is_move(event: Event) -> bool:
    """Returns true if a player chose the event, and not chance."""
    return not isinstance(event, Rolled | Drawn | Shown)


def _is_due(node: Hypothesis, event: Event) -> bool:
    """Returns true if an event is chance that had to come now, for any player."""
    return not is_move(event) and not isinstance(node.state.expects(), ToMove)


def _prior(node: Hypothesis, event: Event, seat: Seat, shown: bool) -> float:
    """Returns the cost of one more event after those of `node`, in nats."""
    if not node.events:
        return 0.0
    acted = node.mover is not None and (node.mover != seat or node.seat != seat)
    if shown and not _is_due(node, event) and acted:
        return SECOND_MOVE + (RETURNED if node.passed == seat else 0.0)
    if isinstance(event, Rolled) and any(isinstance(earlier, Rolled) for earlier in node.events):
        return SECOND_ROLL
    if not shown and is_move(event) and seat != node.seat and node.turns > 1:
        return SECOND_MOVE
    if not is_move(event) or not any(is_move(earlier) for earlier in node.events):
        return DUE_DRAW
    return CONTINUED


def _promising(child: Hypothesis, node: Hypothesis) -> bool:
    """Returns true if later events should be searched: the picture fits better, or one event left no trace in it."""
    unseen = not child.shown and len(child.events) == len(node.events) + 1
    return unseen or child.nll_ratio < node.nll_ratio - PROGRESS
