"""Swiss rounds: entrants of equal standing meet, no pair meets twice, and a bye goes to the lowest entrant without one.

Each round is the best of all matchings (Edmonds' algorithm, by networkx), not the first that a greedy list leads to: so
two entrants never meet again while another pairing is possible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec

from companion.core.foundation.errors import WrongUsage

_AGAIN = 10**9
"""The cost of a second meeting: more than all others together."""
_APART = 10**4
"""The cost of the square of a difference in half points."""


def swiss(
    ranked: Sequence[str],
    points: Mapping[str, float],
    met: Collection[frozenset[str]],
    byes: Collection[str],
    begun: Mapping[str, int],
) -> list[tuple[str, str | None]]:
    """The pairs of the next round, the beginner first; an entrant with a bye stands alone, at the end.

    Args:
        ranked: Entrants as they stand, the best first.
        met: Pairs that have played.
        byes: Entrants that have had a bye.
        begun: The number of games that each has begun.

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
    """Pairs in the order of the standings, and who rests.

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
            # From below: whoever stands lower rests first, and nobody twice while another has not.
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
    """The cost of a meeting of two entrants: their distance, and within a group the upper half meets the lower."""
    apart = round(2 * abs(points[one] - points[other]))
    group = [name for name in place if points[name] == points[one]]
    half = len(group) // 2 if apart == 0 else 0
    return _APART * apart * apart + abs(abs(place[one] - place[other]) - half)


def _rest_cost(one: str, ranked: Sequence[str], points: Mapping[str, float]) -> int:
    above = round(2 * (points[one] - min(points[name] for name in ranked)))
    return _APART * 4 * above * above + len(ranked) - 1 - ranked.index(one)
