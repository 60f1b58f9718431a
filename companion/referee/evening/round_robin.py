"""Everybody meets everybody once, by the circle method, which Berger's tables come from.

One entrant stands still and the others go round. Who begins alternates so that over the rounds nobody begins more than
once oftener than not.
"""

from __future__ import annotations

from collections.abc import Sequence


def round_robin(entrants: Sequence[str], number: int) -> list[tuple[str, str | None]]:
    """The pairs of a round; who begins stands first, and who has a bye stands alone.

    :param number: of the round, counted from 0; as many as there are entrants, or one less if they are even.
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
