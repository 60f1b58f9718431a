"""Whether legal events lead from a position to a table, by the rules alone: no picture and no likelihood.

What is illegal and leaves a table that legal events leave as well cannot be told apart from them by anybody who did not
look on; a referee can only ask then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.core.contract import Event, ToDraw
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout

DEPTH = 5
"""No more legal events than this lie between two pictures: a draw, exchanges and additions, the bag passed on."""
BREADTH = 400
"""No more positions than this are looked at."""


def is_lawful(game: Game[Any], state: Any, table: Layout, depth: int = DEPTH) -> bool:
    """True if at most `depth` legal events from a position leave a table, as far as it is told."""
    return next(reached(game, [state], table, depth), None) is not None


def reached(game: Game[Any], states: Iterable[Any], table: Layout, depth: int = DEPTH) -> Iterator[Any]:
    """Yields the positions in which at most `depth` legal events from one of some positions leave a table; 0 events do
    not.
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
                    following.append(after)  # A step away from the table is made by who proposes it alone.
                if len(known) > BREADTH:
                    return
        frontier = following


def _offered(game: Game[Any], state: Any, table: Layout) -> Iterable[Event]:
    """Returns the legal events that may be the next step toward a table; all of them where the game proposes none."""
    if game.proposer is not None and game.proposer.candidates is not None:
        return game.proposer.candidates(state, table)
    if isinstance(state.expects(), ToDraw):
        return [event for event, _ in game.outcomes(state)]
    return state.legal_moves()  # type: ignore[no-any-return]
