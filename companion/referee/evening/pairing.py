"""Pairs the next round of an evening by its system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from itertools import combinations
from math import ceil
from random import Random

from msgspec.structs import replace

from companion.core.foundation.errors import RoundNotDue, WrongUsage
from companion.referee.evening.evening import (
    MOST_AT_TABLE,
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

# Swiss rounds: entrants of equal standing meet, no pair meets twice, and a bye goes to the lowest entrant without one.
#
# Each round is the best of all matchings (Edmonds' algorithm, by networkx), not the first that a greedy list leads
# to: so two entrants never meet again while another pairing is possible.

_AGAIN = 10**9
"""The cost of a second meeting; it exceeds all other costs together."""
_APART = 10**4
"""The cost factor of the squared difference in half points."""


def swiss(
    ranked: Sequence[str],
    points: Mapping[str, float],
    met: Collection[frozenset[str]],
    byes: Collection[str],
    begun: Mapping[str, int],
) -> list[tuple[str, str | None]]:
    """Returns the pairs of the next round, the player who begins first; an entrant with a bye is the last pair, without
    a partner.

    Args:
        ranked: The entrants by standing, the best first.
        met: The pairs that have already met.
        byes: The entrants who have already had a bye.
        begun: The number of games in which each entrant has begun.

    Raises:
        WrongUsage: The package networkx is missing.
    """
    pairs, resting = best_pairs(ranked, points, met, byes)
    found: list[tuple[str, str | None]] = []
    for one, other in pairs:
        if begun.get(other, 0) < begun.get(one, 0):
            one, other = other, one
        found.append((one, other))
    return found if resting is None else [*found, (resting, None)]


def best_pairs(
    ranked: Sequence[str], points: Mapping[str, float], met: Collection[frozenset[str]], byes: Collection[str]
) -> tuple[list[tuple[str, str]], str | None]:
    """Returns the pairs in the order of the standings, and the entrant who rests, if any.

    Raises:
        WrongUsage: The package networkx is missing.
    """
    if find_spec("networkx") is None:
        raise WrongUsage('Swiss rounds need the package networkx: pip install "tabletop-companion[club]".')
    import networkx

    place = {name: n for n, name in enumerate(ranked)}
    graph = networkx.Graph()
    nobody = ""
    for one in ranked:
        for other in ranked[place[one] + 1 :]:
            cost = cost_of(one, other, place, points, len(ranked)) + _AGAIN * (frozenset((one, other)) in met)
            graph.add_edge(one, other, weight=-cost)
    if len(ranked) % 2:
        for one in ranked:
            # The lowest entrant rests first, and no entrant rests twice before all others have rested once.
            graph.add_edge(one, nobody, weight=-(_rest_cost(one, ranked, points) + _AGAIN * (one in byes)))
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs, resting = [], None
    for pair in matched:
        one, other = sorted(pair, key=lambda name: place.get(name, len(ranked)))
        if other == nobody:
            resting = one
        else:
            pairs.append((one, other))
    return sorted(pairs, key=lambda pair: place[pair[0]]), resting


def cost_of(one: str, other: str, place: Mapping[str, int], points: Mapping[str, float], count: int) -> int:
    """Returns the cost of a pairing: the distance in the standings. Within a group, the upper half meets the lower
    half.
    """
    apart = round(2 * abs(points[one] - points[other]))
    group = [name for name in place if points[name] == points[one]]
    half = len(group) // 2 if apart == 0 else 0
    return _APART * apart * apart + abs(abs(place[one] - place[other]) - half)


def _rest_cost(one: str, ranked: Sequence[str], points: Mapping[str, float]) -> int:
    above = round(2 * (points[one] - min(points[name] for name in ranked)))
    return _APART * 4 * above * above + len(ranked) - 1 - ranked.index(one)


# All entrants meet once, by the circle method of Berger's tables.
#
# One entrant stands still and the others rotate. The right to begin alternates, so that over all rounds no entrant
# begins more than one game more often than its opponents.


def round_robin(entrants: Sequence[str], number: int) -> list[tuple[str, str | None]]:
    """Returns the pairs of a round, the player who begins first; an entrant with a bye has no partner.

    Args:
        number: The number of the round, from 0. There are as many rounds as entrants, or one fewer if their number is
            even.
    """
    circle: list[str | None] = [*entrants] if len(entrants) % 2 == 0 else [*entrants, None]
    size = len(circle)
    moving = circle[:-1]
    turned = moving[-number % (size - 1) :] + moving[: -number % (size - 1)] if number % (size - 1) else moving
    pairs: list[tuple[str, str | None]] = []
    for place in range(size // 2):
        one, other = (turned[0], circle[-1]) if place == 0 else (turned[place], turned[-place])
        # The entrant who stands still begins every other round; among the others the right to begin depends on the
        # place.
        if (place == 0 and number % 2) or (place and place % 2):
            one, other = other, one
        if one is None:
            one, other = other, one
        assert one is not None
        pairs.append((one, other))
    return pairs


# Everybody plays, three or four at a table, and meets as many others as possible before meeting anybody again.

_DEALS = 12
"""The number of random deals from which tables are improved; the best one counts."""


def seat_at_tables(
    players: Sequence[str], met: Mapping[frozenset[str], int], begun: Mapping[str, int], random: Random
) -> list[tuple[str, ...]]:
    """Returns the tables of the next round, the player who begins first.

    Tables differ by one player at most. Two players change places as long as that makes repeated meetings fewer.

    Args:
        met: The number of tables at which two players have met.
        begun: The number of games in which each player has begun.
    """

    def cost(table: Sequence[str]) -> int:
        return sum(met.get(frozenset(pair), 0) ** 2 for pair in combinations(table, 2))

    count = ceil(len(players) / MOST_AT_TABLE)
    found: list[list[str]] = []
    for deal in range(_DEALS):
        dealt = list(players) if deal == 0 else random.sample(players, len(players))
        tables = [dealt[n::count] for n in range(count)]
        while _improve(tables, cost):
            pass
        if not found or sum(map(cost, tables)) < sum(map(cost, found)):
            found = tables
    place = {name: n for n, name in enumerate(players)}
    return [tuple(sorted(table, key=lambda name: (begun.get(name, 0), place[name]))) for table in found]


def _improve(tables: list[list[str]], cost: Callable[[Sequence[str]], int]) -> bool:
    """Swaps the first two players whose swap lowers the cost; False if there are none."""
    for one, other in combinations(tables, 2):
        before = cost(one) + cost(other)
        for here in range(len(one)):
            for there in range(len(other)):
                one[here], other[there] = other[there], one[here]
                if cost(one) + cost(other) < before:
                    return True
                one[here], other[there] = other[there], one[here]
    return False


Known = Callable[[Sequence[str]], tuple[str, ...]]
"""Returns the ids of the games of these players that the journals already have."""


def pair(evening: Evening, *, known: Known, tables: Sequence[str] = ()) -> Evening:
    """Returns the evening with its next round.

    Args:
        known: Returns the earlier games of the same players, which do not count for the new round.
        tables: The tables for the first games; the other games wait.

    Raises:
        RoundNotDue: A game is still open, or all rounds have been played.
        WrongUsage: The system is Swiss and the package networkx is missing.
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
        found.append(without_absent(evening, replace(one, table=at, before=before, result=bye)))
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
                # The right to begin alternates from board to board, so that no team begins on all boards.
                found.append(Matchup(*((ours, theirs) if board % 2 else (theirs, ours)), board=board))
        return found
    if evening.system == "tables":
        return [Matchup(one, other, tuple(others)) for one, other, *others in _at_tables(evening)]
    if evening.system == "round-robin":
        return [Matchup(one, other) for one, other in round_robin(evening.players, number)]
    return [Matchup(one, other) for one, other in _swiss(evening)]


def _at_tables(evening: Evening) -> list[tuple[str, ...]]:
    players = [name for name in evening.players if name not in evening.left]
    if len(players) < 2:
        raise RoundNotDue("Fewer than two players are left. The evening is over.")
    played = [one for round_ in evening.rounds for one in round_.pairings]
    met = Counter(frozenset(pair) for one in played for pair in combinations(one.players, 2))
    return seat_at_tables(players, met, Counter(one.first for one in played), Random(len(evening.rounds)))


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
