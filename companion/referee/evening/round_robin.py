"""All entrants meet once, by the circle method of Berger's tables.

One entrant stands still and the others rotate. The right to begin alternates, so that over all rounds no entrant begins
more than one game more often than its opponents.
"""

from __future__ import annotations

from collections.abc import Sequence


def round_robin(entrants: Sequence[str], number: int) -> list[tuple[str, str | None]]:
    """The pairs of a round, the beginner first; an entrant with a bye stands alone. :param number: of the round,
    counted from 0; there are as many rounds as entrants, or one less if they are even."""
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
