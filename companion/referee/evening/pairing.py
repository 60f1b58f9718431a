"""The next round of an evening, by its system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from companion.core.foundation.errors import RoundNotDue
from companion.referee.evening.evening import (
    WIN,
    Evening,
    EveningRound,
    GameResult,
    Matchup,
    is_open,
    over,
    without_absent,
)
from companion.referee.evening.standings import standings
from companion.referee.evening.swiss import swiss

# All entrants meet once, by the circle method of Berger's tables.
#
# One entrant stands still and the others rotate. The right to begin alternates, so that over all rounds no entrant
# begins more than one game more often than its opponents.


def round_robin(entrants: Sequence[str], number: int) -> list[tuple[str, str | None]]:
    """The pairs of a round, the beginner first; an entrant with a bye stands alone.

    Args:
        number: Of the round, counted from 0; there are as many rounds as entrants, or one less if they are even.
    """
    circle: list[str | None] = [*entrants] if len(entrants) % 2 == 0 else [*entrants, None]
    size = len(circle)
    moving = circle[:-1]
    turned = moving[-number % (size - 1) :] + moving[: -number % (size - 1)] if number % (size - 1) else moving
    pairs: list[tuple[str, str | None]] = []
    for place in range(size // 2):
        one, other = (turned[0], circle[-1]) if place == 0 else (turned[place], turned[-place])
        # The one who stands still begins in every other round; of the others the places take turns.
        if (place == 0 and number % 2) or (place and place % 2):
            one, other = other, one
        if one is None:
            one, other = other, one
        assert one is not None
        pairs.append((one, other))
    return pairs


Known = Callable[[Sequence[str]], tuple[str, ...]]
"""The games of two players that the journals have already."""


def pair(evening: Evening, *, known: Known, tables: Sequence[str] = ()) -> Evening:
    """The evening with its next round.

    Args:
        known: Asks the journals, so that an earlier game of two players does not count.
        tables: The tables of the first games; the others wait.

    Raises:
        RoundNotDue: A game is still to be played, or all rounds were.
        WrongUsage: Swiss rounds, and the package networkx is missing.
    """
    if is_open(evening):
        raise RoundNotDue("A game of this round is still to be played. The next round follows when it is over.")
    if over(evening):
        raise RoundNotDue("All rounds were played. Begin a new evening.")
    pairs = _pairs(evening)
    free = iter(tables)
    found = []
    for one in pairs:
        at = "" if one.second is None else next(free, "")
        bye = GameResult((WIN, 0.0)) if one.second is None else None
        before = () if one.second is None else known(one.players)
        found.append(without_absent(replace(one, table=at, before=before, result=bye), evening.left))
    return replace(evening, rounds=(*evening.rounds, EveningRound(tuple(found))))


def _pairs(evening: Evening) -> list[Matchup]:
    number = len(evening.rounds)
    if evening.system == "teams":
        members = {team.name: team.members for team in evening.teams}
        found = []
        for one, other in round_robin(evening.entrants, number):
            if other is None:
                found.append(Matchup(members[one][0], None, board=1))
                continue
            for board, (ours, theirs) in enumerate(zip(members[one], members[other], strict=True), 1):
                # Boards take turns in who begins, so that no team begins on all of them.
                found.append(Matchup(*((ours, theirs) if board % 2 else (theirs, ours)), board=board))
        return found
    if evening.system == "round-robin":
        return [Matchup(one, other) for one, other in round_robin(evening.players, number)]
    return [Matchup(one, other) for one, other in _swiss(evening)]


def _swiss(evening: Evening) -> list[tuple[str, str | None]]:
    lines = [line for line in standings(evening) if line.name not in evening.left]
    if len(lines) < 2:
        raise RoundNotDue("Fewer than two players are left. The evening is over.")
    pairings = [one for round_ in evening.rounds for one in round_.pairings]
    return swiss(
        [line.name for line in lines],
        {line.name: line.points for line in lines},
        {frozenset(one.players) for one in pairings if one.second is not None},
        {one.first for one in pairings if one.second is None},
        Counter(one.first for one in pairings if one.second is not None),
    )
