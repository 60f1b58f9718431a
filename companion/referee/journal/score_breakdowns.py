"""The reason for a change of score: the lines of one event.

Scores keep sums. A game whose counting is error-prone has a `score_breakdown`, which lists the points of an event card
by card; for other games the lines follow from the two scores. History, replay and score sheets use these lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Score, ScoreLine
from companion.core.game import Game


def listed(game: Game[Any], before: Any, event: Any) -> tuple[ScoreLine, ...]:
    """The lines that a game itself lists for an event that comes to a position; empty if it lists none."""
    return () if game.score_breakdown is None else game.score_breakdown(before, event)


def score_breakdown(game: Game[Any], before: Any, event: Any, after: Any) -> tuple[ScoreLine, ...]:
    """The lines of an event.

    :param before: the position that it came to.
    :param after: the position after it, by which points that the game did not list are found out.
    """
    lines = listed(game, before, event)
    had, has = before.scores(), after.scores()
    gained = sum({id(now): now.total - was.total for was, now in zip(had, has, strict=True)}.values())
    if lines and gained == sum(line.points for line in lines):
        return lines
    return (*lines, *_added(had, has))


def _added(had: Sequence[Score], has: Sequence[Score]) -> list[ScoreLine]:
    """Lines that were added to any seat's score; partners show the same ones once."""
    found: list[ScoreLine] = []
    for was, now in zip(had, has, strict=True):
        found += [line for line in now.lines[len(was.lines) :] if line not in found]
    return found
