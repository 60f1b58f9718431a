"""How good a hand of Poker looks before it is shown, so that cards can be exchanged with sense (POK-1)."""

from __future__ import annotations

from collections import Counter

from companion.contract import Seat
from companion.games.deck import RANK
from companion.games.poker.categories import PLACE, Category
from companion.games.poker.situation import Situation

_GROUP = {1: 0.0, 2: 2.0, 3: 5.0, 4: 10.0, 5: 13.0}
"""By cards of one rank: what they are worth together."""
_FRESH = 0.3
"""What a card is worth that is still to come."""
_HIGH = 0.01
"""What a rank is worth."""


def prospects(state: Situation, seat: Seat) -> float:
    """The place of a full hand's category; of a hand that waits for cards, its groups and what may come."""
    if state.is_known(seat):
        found = state.strength(seat)
        return len(Category) - 1 - PLACE[state.options.ranking][found.category] + _HIGH * found.ranks[0]
    ranks = Counter(RANK[card] for card in (*state.hands.known[seat], *state.shared))
    owed = state.owed if state.turn == seat else 0
    return sum(_GROUP[min(count, 5)] + _HIGH * count * rank for rank, count in ranks.items()) / 1.5 + _FRESH * owed
