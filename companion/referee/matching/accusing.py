"""What an accusation needs: everything legal together must explain what is seen far worse.

Legal accounts are gathered from wherever one may come: the same picture, pieces that were misread when they came or
just now, the picture before, rows that the record may lack, and, always, something that no story here tells. Each has
a cost in nats, as the accusation has. So one rule says what is needed, whatever the doubt is about:

    sum over legal accounts of exp(cost(accusation) - cost(account)) <= MOST_DOUBT
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

MOST_DOUBT = 0.135
"""Odds of all legal accounts together, as against the accusation, at which it is still made: 2 nats, by which a legal
move of measured pieces must be ahead, too. An illegal move has ln 50 against it beforehand, so this is 1 in 370 for who
plays by the rules. Held by `python -m simulation.drawn.games`."""
UNTOLD = 10.0
"""Nats (22,000 to 1) against something that no story tells. What speaks more strongly against a story is not taken for
true, legal or not. Chosen."""
UNRECORDED = 2.3
"""Nats (10 to 1) against a row that the record lacks, after what nothing explained. Chosen."""


def is_plain(cost: float, legal: Iterable[float]) -> bool:
    """Whether somebody may be accused.

    :param cost: all that speaks against the accusation, in nats; `legal`: the same of each legal account.
    """
    return sum(exp(cost - one) for one in (UNTOLD, *legal)) <= MOST_DOUBT
