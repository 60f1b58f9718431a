"""Explanations of a picture in games whose turns are long: the game says which events may lie behind it.

A draw, additions and exchanges may lie under one hand, and a piece may come and go again before anybody saw it. No such
event makes the picture more plausible by itself, so progress is no guide; but the states of such games offer the few
events that may lead from here to what is seen: `candidates(seen)` the legal ones, `wrongs(seen)` the illegal ones that
would end there. All of them are followed, each position once, by the likeliest way that leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import Any, Protocol, TypeGuard

from companion.contract import Event, State
from companion.layout import Layout
from companion.matching.clearing import cleaned, likely, read
from companion.matching.evidence import Evidence
from companion.matching.hypotheses import (
    DEPTH,
    EXPLAINED,
    PROGRESS,
    Hypothesis,
    Search,
    cost,
)

WIDTH = 32
"""So many unfinished explanations are followed at each depth."""
RIVALRY = 3.5
"""An explanation whose prior alone is so much worse than the best one found is no rival to it."""
LEAD = 4
"""An illegal event is looked for after at most so many legal ones: the bag passed on, a draw, two exchanges."""
LEADS = 48
"""After so many legal ways, those that are likeliest beforehand, an illegal event is looked for."""
FOLLOWED = 8
"""So many of the likeliest illegal events are followed by legal ones that the same picture may show."""
TAIL = 2
"""So many legal events may have followed an illegal one before the picture was taken."""


class Guide(Protocol):
    """What the states of a game with long turns offer beside the contract."""

    def candidates(self, seen: Layout) -> Iterable[Event]:
        """The legal events that may be the next step from here towards `seen`."""


class FullGuide(Guide, Protocol):
    """What they may offer beside that."""

    def wrongs(self, seen: Layout) -> Iterable[Event]:
        """Events that look like lying between here and the crisp `seen`; the illegal ones of them are considered.

        Without it `suggest` is asked.
        """


def is_guide(state: Any) -> TypeGuard[Guide]:
    """Whether a game's states offer legal events."""
    return hasattr(state, "candidates")


def is_full_guide(state: Any) -> TypeGuard[FullGuide]:
    """Whether a game's states offer illegal events too."""
    return is_guide(state) and hasattr(state, "wrongs")


class GuidedSearch(Search):
    """All explanations of one picture from one position."""

    def __init__(self, state: State, evidence: Evidence, draws_unseen: bool) -> None:
        super().__init__(state, evidence, draws_unseen)
        self._seen = likely(self.same.table, evidence)
        self._ways = [self.same]

    def legal(self) -> list[Hypothesis]:
        """Legal sequences that change something visible; where one explains all, its rivals are one event longer."""
        cheapest = {self.same.state: 0.0}
        found: list[Hypothesis] = []
        frontier = [self.same]
        least = self.same.regret
        explained = False
        for _ in range(DEPTH):
            following: dict[Any, Hypothesis] = {}
            for node in frontier:
                for child in self._offered(node, node.state.candidates(self._seen)):
                    if child.prior < min(cheapest.get(child.state, 1e9), least + RIVALRY):
                        cheapest[child.state] = child.prior
                        following[child.state] = child
            self._ways += following.values()
            found += [child for child in following.values() if child.shown]
            if explained:
                break
            least = min([least, *(one.cost for one in found)])
            explained = any(one.regret <= EXPLAINED for one in found)
            frontier = nsmallest(WIDTH, [one for one in following.values() if one.regret > EXPLAINED], key=cost)
        return found

    def illegal(self, legal: Iterable[Hypothesis]) -> list[Hypothesis]:
        """Illegal events that the picture looks like, alone or after legal ones that can be seen in it."""
        if not is_full_guide(self.same.state):
            return super().illegal(legal)
        pictures = [cleaned(self.same.table, self.evidence)]
        if (best := read(self.evidence)).heaps != pictures[0].heaps:
            pictures.append(best)
        ways = [way for way in self._ways if len(way.events) <= LEAD and not way.unseen]
        ways = nsmallest(LEADS, ways, key=lambda way: way.prior)
        found = [wrong for seen in pictures for wrong in self._wrongs(ways, seen)]
        found.sort(key=cost)
        return [*map(self._followed, found[:FOLLOWED]), *found[FOLLOWED:]]

    def _wrongs(self, ways: Iterable[Hypothesis], seen: Layout) -> Iterator[Hypothesis]:
        """The illegal events after each way, by one reading of the picture, that make it more plausible."""
        for way in ways:
            for event in way.state.wrongs(seen):
                breaches = way.state.explain(event)
                wrong = self._wrong(way, event, breaches) if breaches else way
                if wrong.state is not None and wrong.regret < way.regret - PROGRESS:
                    yield wrong

    def _followed(self, wrong: Hypothesis) -> Hypothesis:
        """An illegal event with the legal ones after it that explain the picture best, should there be any."""
        best, frontier = wrong, [wrong]
        for _ in range(TAIL):
            if best.regret <= EXPLAINED:
                break
            following = []
            for node in frontier:
                if node.state is None:
                    continue
                following += list(self._offered(node, node.state.candidates(self._seen)))
            best = min([best, *following], key=cost)
            frontier = nsmallest(WIDTH // 4, following, key=cost)
        if best is wrong:
            return wrong
        return wrong._replace(regret=best.regret, prior=best.prior, table=best.table, unseen=best.unseen)


def search_of(state: State, evidence: Evidence, draws_unseen: bool) -> Search:
    """The search that fits a game.

    :param draws_unseen: draws that fall due happen at once and unseen.
    """
    kind = GuidedSearch if is_guide(state) else Search
    return kind(state, evidence, draws_unseen)
