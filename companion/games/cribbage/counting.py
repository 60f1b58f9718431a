"""Counts a hand or the crib and names every combination (CRB-7 to CRB-10).

`points` counts quickly; `combinations` lists each eighteen, pair, run and flush for people who want to see where the
points come from. The tests compare both with a third, slow counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations as subsets
from itertools import product

from companion.core.contract import ScoreLine
from companion.core.pieces import PRIMARIES
from companion.games.shared.cards.deck import CARD_PRIMARIES, CODES, RANK, common_shades, written

EIGHTEEN = 18
"""The sum that cards must make (CRB-7)."""
NOBS_RANK = 10
"""The rank of nobs and heels (CRB-3, CRB-9)."""
SHORTEST_RUN = 3
KINDS = ("18", "pair", "run", "flush", "nobs")
"""The kinds of combinations, in the order in which they are counted."""
RULES = {"18": "CRB-7", "pair": "CRB-7", "run": "CRB-7", "flush": "CRB-8", "nobs": "CRB-9"}


def points_by_kind(hand: Sequence[int], starter: int, *, crib: bool) -> tuple[int, ...]:
    """Returns the points of a hand or crib with the starter, by the kinds of `KINDS`.

    Args:
        hand: The cards without the starter.
    """
    ranks = [RANK[card] for card in hand]
    ranks.append(RANK[starter])
    ways = [1] + [0] * EIGHTEEN
    held = [0] * 14
    for rank in ranks:
        held[rank] += 1
        for total in range(EIGHTEEN, rank - 1, -1):
            ways[total] += ways[total - rank]
    pairs = runs = length = 0
    times = 1
    for count in held:
        if count:
            pairs += count * (count - 1)
            length += 1
            times *= count
        else:
            if length >= SHORTEST_RUN:
                runs += length * times
            length, times = 0, 1
    return 2 * ways[EIGHTEEN], pairs, runs, _flush(hand, starter, crib), _nobs(hand, starter)


def points(hand: Sequence[int], starter: int, *, crib: bool) -> int:
    """Returns the points of a hand or crib with the starter."""
    return sum(points_by_kind(hand, starter, crib=crib))


def _flush(hand: Sequence[int], starter: int, crib: bool) -> int:
    common = common_shades(hand)
    if common & CARD_PRIMARIES[starter]:
        return len(hand) + 1
    return len(hand) if common and not crib else 0


def _nobs(hand: Sequence[int], starter: int) -> int:
    return len([card for card in hand if RANK[card] == NOBS_RANK and CARD_PRIMARIES[card] & CARD_PRIMARIES[starter]])


def combinations(hand: Sequence[int], starter: int, *, crib: bool = False) -> tuple[ScoreLine, ...]:
    """Returns every combination that counts, with points, rule and cards: eighteens, pairs, runs, flush, nobs."""
    cards = sorted((*hand, starter), key=lambda card: (RANK[card], card))
    lines = [ScoreLine(2, "CRB-7", f"{_sum(some)} = {EIGHTEEN}") for some in _eighteens(cards)]
    lines += [ScoreLine(2, "CRB-7", f"pair {_sum(pair, ' ')}") for pair in subsets(cards, 2) if _same_rank(pair)]
    lines += [ScoreLine(len(run), "CRB-7", f"run of {len(run)}: {_sum(run, ' ')}") for run in _runs(cards)]
    flush = _flush(hand, starter, crib)
    if flush:
        shared = common_shades((*hand, starter) if flush > len(hand) else hand)
        with_starter = ", the starter too" if flush > len(hand) else ""
        lines.append(ScoreLine(flush, "CRB-8", f"flush in {_shade(shared)}: all {len(hand)} cards{with_starter}"))
    for card in cards:
        if card != starter and RANK[card] == NOBS_RANK and CARD_PRIMARIES[card] & CARD_PRIMARIES[starter]:
            shade = _shade(CARD_PRIMARIES[card] & CARD_PRIMARIES[starter])
            lines.append(ScoreLine(1, "CRB-9", f"nobs: {CODES[card]} shares {shade} with the starter {CODES[starter]}"))
    return tuple(lines)


def _eighteens(cards: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Yields every set of cards that adds up to 18, smaller sets first."""
    for size in range(2, len(cards) + 1):
        for some in subsets(cards, size):
            if sum(RANK[card] for card in some) == EIGHTEEN:
                yield some


def _same_rank(pair: tuple[int, ...]) -> bool:
    return RANK[pair[0]] == RANK[pair[1]]


def _runs(cards: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Yields every longest run: a rank that is held twice makes two of them."""
    by_rank: dict[int, list[int]] = {}
    for card in cards:
        by_rank.setdefault(RANK[card], []).append(card)
    stretch: list[int] = []
    for rank in range(1, 15):
        if rank in by_rank:
            stretch.append(rank)
            continue
        if len(stretch) >= SHORTEST_RUN:
            yield from product(*(by_rank[one] for one in stretch))
        stretch = []


def _sum(cards: Iterable[int], between: str = " + ") -> str:
    return written(cards).replace(", ", between)


def _shade(primaries: int) -> str:
    return " and ".join(name for bit, name in enumerate(PRIMARIES) if primaries >> bit & 1)


# The points for a played card (CRB-5).
#
# Cards of one rank peg two for each pair among them: 2, 6, 12, 20, 30 for two to six.

FULL = 37
"""The highest count that a card may reach (CRB-4)."""
Pegged = tuple[int, str]
"""Points and their reason: "18", "pair" or "run"."""


def pegged(ranks: Sequence[int]) -> list[Pegged]:
    """Returns the points of the last card of a count, without those for a Go or for exactly 37.

    Args:
        ranks: Ranks of all cards of the count, in the order in which they were played.
    """
    found: list[Pegged] = []
    if sum(ranks) == EIGHTEEN:
        found.append((2, "18"))
    last = ranks[-1]
    alike = 1
    while alike < len(ranks) and ranks[-1 - alike] == last:
        alike += 1
    if alike > 1:
        found.append((alike * (alike - 1), "pair"))
    else:
        run = longest_run(ranks)
        if run:
            found.append((run, "run"))
    return found


def longest_run(ranks: Sequence[int]) -> int:
    """Returns the length of the longest run that the last cards form in any order; 0 if fewer than three do."""
    if len(ranks) < SHORTEST_RUN:
        return 0
    longest = seen = 0
    low = high = ranks[-1]
    for length, rank in enumerate(reversed(ranks), 1):
        bit = 1 << rank
        if seen & bit:
            break
        seen |= bit
        low, high = min(low, rank), max(high, rank)
        if length >= SHORTEST_RUN and high - low == length - 1:
            longest = length
    return longest
