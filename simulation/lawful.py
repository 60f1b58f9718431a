"""Finds out by the rules alone, without picture or likelihood, if legal events lead from a position to a table.

An illegal event whose table legal events can leave, too, cannot be recognized without having watched; a referee can
only ask about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.core.contract import Event, ToDraw
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout

DEPTH = 5
"""The default for the largest number of legal events between two pictures: a draw, exchanges and additions, the bag
passed on.
"""
BREADTH = 400
"""The largest number of positions that the search visits."""


def is_lawful(game: Game[Any], state: Any, table: Layout, depth: int = DEPTH) -> bool:
    """True if at least one and at most `depth` legal events lead from a position to a table, as far as its layout is
    known.
    """
    return next(reached(game, [state], table, depth), None) is not None


def reached(game: Game[Any], states: Iterable[Any], table: Layout, depth: int = DEPTH) -> Iterator[Any]:
    """Yields the positions with the given table that at least one and at most `depth` legal events lead to from one of
    the states.
    """
    proposed = game.proposer is not None and game.proposer.candidates is not None
    frontier = list(states)
    known = set(frontier)
    for _ in range(depth):
        following = []
        for here in frontier:
            for event in _offered(game, here, table):
                try:
                    after = here.apply(event)
                except MoveError:
                    continue
                if after in known:
                    continue
                known.add(after)
                left = len(after.layout().differences(table))
                if not left:
                    yield after
                if not left or proposed or left <= len(here.layout().differences(table)):
                    following.append(after)  # Only proposed events may lead away from the table.
                if len(known) > BREADTH:
                    return
        frontier = following


def _offered(game: Game[Any], state: Any, table: Layout) -> Iterable[Event]:
    """Returns the legal events that may be the next step toward a table; all legal events if the game proposes none."""
    if game.proposer is not None and game.proposer.candidates is not None:
        return game.proposer.candidates(state, table)
    if isinstance(state.expects(), ToDraw):
        return [event for event, _ in game.outcomes(state)]
    return state.legal_moves()  # type: ignore[no-any-return]
