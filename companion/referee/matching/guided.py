"""Explanations of a picture in games whose turns are long: the game proposes the possible events.

A draw, additions and exchanges may happen under one hand, and a piece may come and go again before a picture shows it.
No such event makes the picture more plausible by itself, so progress cannot guide the search. But such a game proposes
the few events that may lead from a position to the reading: `candidates` are the legal ones, `illegal_candidates` those
that would lead there against the rules. The search follows all of them, each position once, by the likeliest way that
leads to it. If the game says that ways differ (`history_key`), it also follows the next likeliest ones, because people
are asked which way it was. The extent of the search is chosen, and checked as the priors of `hypotheses` are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from heapq import nsmallest
from math import inf
from typing import Any

from companion.core.contract import Event, State
from companion.core.game import Game
from companion.core.layout import Layout
from companion.referee.matching.clearing import cleaned, likely, read
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.foresight import after
from companion.referee.matching.hypotheses import DEPTH, EXPLAINED, PROGRESS, Hypothesis, Search, cost

WIDTH = 32
"""The number of positions of unfinished explanations that are followed at each depth."""
STORIES = 3
"""The number of ways with different stories that are kept of those that lead to one position."""
RIVALRY = 4.5
"""Nats by which the prior alone of an explanation may exceed the lowest cost found so far and leave it a rival."""
LEAD = 4
"""The largest number of legal events before an illegal one: the bag passed on, a draw, two exchanges."""
LEADS = 48
"""The number of legal ways, those with the best prior, after which an illegal event is searched."""
FOLLOWED = 8
"""The number of the likeliest illegal events after which legal ones are searched that the same picture may show."""
TAIL = 2
"""The largest number of legal events after an illegal one in the same picture."""


def history_key_of(game: Game[Any], state: Any, events: Sequence[Event]) -> Hashable:
    """Returns the key of a way from `state` to a position; the same for all ways if the game does not distinguish
    them.
    """
    key = None if game.proposer is None else game.proposer.history_key
    return None if key is None else key(state, events)


def is_rereadable(game: Game[Any]) -> bool:
    """Returns true if pieces are followed one by one and may turn out to have been misread."""
    return game.proposer is not None and game.proposer.reread is not None


def is_guided(game: Game[Any]) -> bool:
    """Returns true if a game proposes the legal events behind a picture."""
    return game.proposer is not None and game.proposer.candidates is not None


def needs_confirmation(game: Game[Any], state: Any, event: Event) -> bool:
    """Returns true if people are asked about a legal event even if no other event explains the picture."""
    asked = None if game.proposer is None else game.proposer.needs_confirmation
    return asked is not None and asked(state, event)


def any_needs_confirmation(game: Game[Any], state: Any, events: Sequence[Event], draws_unseen: bool) -> bool:
    """Returns true if people are asked about one of the events of a story.

    Args:
        draws_unseen: True if draws that fall due happen at once and unseen.
    """
    here = state
    if game.proposer is None or game.proposer.needs_confirmation is None:
        return False
    for event in events:
        if needs_confirmation(game, here, event):
            return True
        here = after(here, event, draws_unseen)
    return False


def are_alike(game: Game[Any], state: Any, best: Hypothesis, other: Hypothesis, draws_unseen: bool) -> bool:
    """Returns true if two explanations are equivalent: then the cheaper one, or the first listed, stands.

    Events that end in the same position are one story unless the game minds how it was reached. The same illegal event
    after other legal ones is the same accusation; and some events leave the same table by the word of the rules
    (`Game.looks_alike`).
    """
    if best.breaches and other.breaches and (best.seat, best.events[-1]) == (other.seat, other.events[-1]):
        return True
    if bool(best.breaches) != bool(other.breaches):
        return False
    if best.state is not None and best.state == other.state:
        return history_key_of(game, state, best.events) == history_key_of(game, state, other.events)
    if len(best.events) != len(other.events) or best.table != other.table:
        return False
    here = state
    for mine, theirs in zip(best.events, other.events, strict=True):
        if mine != theirs:
            return game.looks_alike(here, mine, theirs) and not needs_confirmation(game, here, mine)
        here = after(here, mine, draws_unseen)
    return True


class GuidedSearch(Search):
    """The search for all explanations of one picture from one position."""

    def __init__(
        self, game: Game[Any], state: State, evidence: Evidence, draws_unseen: bool, depth: int = DEPTH
    ) -> None:
        super().__init__(game, state, evidence, draws_unseen, depth)
        assert game.proposer is not None and game.proposer.candidates is not None
        self._propose = game.proposer.candidates
        self._propose_illegal = game.proposer.illegal_candidates
        self._seen = likely(self.same.table, evidence)
        self._ways = [self.same]
        self._offers: dict[Any, tuple[Event, ...]] = {}

    def legal(self) -> list[Hypothesis]:
        """Returns legal sequences that change something visible; where one explains all, its rivals are one event
        longer.
        """
        known: dict[Any, dict[Hashable, float]] = {
            self.same.state: {history_key_of(self.game, self.same.state, ()): 0.0}
        }
        found: list[Hypothesis] = []
        frontier = [self.same]
        least = self.same.nll_ratio
        explained = False
        for _ in range(self.depth):
            following: dict[Any, dict[Hashable, Hypothesis]] = {}
            for node in frontier:
                for child in self._offered(node, self._candidates(node.state)):
                    if child.prior < least + RIVALRY:
                        story = history_key_of(self.game, self.same.state, child.events)
                        _keep(child, story, known.setdefault(child.state, {}), following.setdefault(child.state, {}))
            ways = [list(stories.values()) for stories in following.values() if stories]
            self._ways += [min(stories, key=cost) for stories in ways]
            found += [child for stories in ways for child in stories if child.shown]
            if explained:
                break
            least = min([least, *(one.cost for one in found)])
            explained = any(one.nll_ratio <= EXPLAINED for one in found)
            unfinished = [stories for stories in ways if stories[0].nll_ratio > EXPLAINED or not stories[0].shown]
            nearest = nsmallest(WIDTH, unfinished, key=lambda stories: min(map(cost, stories)))
            frontier = [child for stories in nearest for child in stories]
        return found

    def _candidates(self, state: Any) -> Sequence[Event]:
        """Returns the events that a position proposes toward the picture; they are computed once."""
        offered = self._offers.get(state)
        if offered is None:
            offered = self._offers[state] = tuple(self._propose(state, self._seen))
        return offered

    def illegal(self, legal: Iterable[Hypothesis], ended: Iterable[Hypothesis] = ()) -> list[Hypothesis]:
        """Returns illegal events that the picture looks like, alone or after legal ones that it shows."""
        propose = self._propose_illegal
        if propose is None:
            ended = [way for way in self._ways if len(way.events) == 1 and not way.shown and way.passed is None]
            return super().illegal(legal, ended)
        pictures = [cleaned(self.same.table, self.evidence)]
        if (best := read(self.evidence)).heaps != pictures[0].heaps:
            pictures.append(best)
        ways = [way for way in self._ways if len(way.events) <= LEAD and not way.unseen]
        ways = nsmallest(LEADS, ways, key=lambda way: way.prior)
        found = sorted((wrong for seen in pictures for wrong in self._illegal_near(propose, ways, seen)), key=cost)
        if not found and all(one.nll_ratio > EXPLAINED for one in self._ways):
            doubtful = [picture(self.same.table) for picture in self._doubtful_pictures()]
            found = sorted((wrong for seen in doubtful for wrong in self._illegal_near(propose, ways, seen)), key=cost)
        found = list({wrong.events: wrong for wrong in reversed(found)}.values())[::-1]
        return [*map(self._followed, found[:FOLLOWED]), *found[FOLLOWED:]]

    def _illegal_near(
        self, propose: Callable[[Any, Layout], Iterable[Event]], ways: Iterable[Hypothesis], seen: Layout
    ) -> Iterator[Hypothesis]:
        """Returns the illegal events after each way that make one reading of the picture more plausible."""
        for way in ways:
            for event in propose(way.state, seen):
                breaches = way.state.violations(event)
                wrong = self._wrong(way, event, breaches) if breaches else way
                if wrong.state is not None and wrong.nll_ratio < way.nll_ratio - PROGRESS:
                    yield wrong

    def _followed(self, wrong: Hypothesis) -> Hypothesis:
        """Returns an illegal event with the legal events after it that explain the picture best, if there are any."""
        best, frontier = wrong, [wrong]
        for _ in range(TAIL):
            if best.nll_ratio <= EXPLAINED:
                break
            following = []
            for node in frontier:
                if node.state is None:
                    continue
                following += list(self._offered(node, self._candidates(node.state)))
            best = min([best, *following], key=cost)
            frontier = nsmallest(WIDTH // 4, following, key=cost)
        if best is wrong:
            return wrong
        return wrong._replace(
            nll_ratio=best.nll_ratio, prior=best.prior, table=best.table, unseen=best.unseen, phantom=best.phantom
        )


def _keep(
    child: Hypothesis, story: Hashable, known: dict[Hashable, float], following: dict[Hashable, Hypothesis]
) -> None:
    """Keeps a way to a position unless an equally likely way has the same story, or enough ways with other stories are
    kept.

    Args:
        known: The prior of every way kept so far, by story; `following` holds those of this depth.
    """
    if child.prior >= known.get(story, inf):
        return
    if story not in known and len(known) >= STORIES:
        unlikeliest = max(known, key=lambda one: known[one])
        if child.prior >= known[unlikeliest]:
            return
        del known[unlikeliest]
        following.pop(unlikeliest, None)
    known[story] = child.prior
    following[story] = child


def search_of(game: Game[Any], state: State, evidence: Evidence, draws_unseen: bool, depth: int = DEPTH) -> Search:
    """Returns the search that fits a game.

    Args:
        draws_unseen: True if draws that fall due happen at once and unseen.
        depth: The largest number of events in an explanation.
    """
    kind = GuidedSearch if is_guided(game) else Search
    return kind(game, state, evidence, draws_unseen, depth)
