"""The condition for an accusation: all legal accounts together must explain the reading far worse.

Legal accounts come from many sources: the same picture, pieces that were misread when they came or
just now, the picture before, rows that the record may lack, and, always, an unknown event. Each has
a cost in nats, as the accusation has. So one rule covers every kind of doubt:

    sum over legal accounts of exp(cost(accusation) - cost(account)) <= MOST_DOUBT
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

from companion.core.layout import Layout
from companion.core.pieces import Card, Special

MOST_DOUBT = 0.135
"""The largest odds of all legal accounts together, against the accusation, at which the accusation is still made. They
are 2 nats, which is also the lead that a legal move of measured pieces needs. An illegal move has a prior of ln 50
against it, so a player who keeps the rules is accused about once in 370 times. `python -m simulation.drawn.games`
checks the value."""
UNTOLD = 10.0
"""Nats (22,000 to 1) against an unknown event. An explanation with a higher cost is not accepted, legal or not.
Chosen."""
UNRECORDED = 2.3
"""Nats (10 to 1) against a row that the record lacks, after an unexplained reading. Chosen."""


def is_plain(cost: float, legal: Iterable[float]) -> bool:
    """Returns true if a player may be accused.

    Args:
        cost: The cost of the accusation, in nats; `legal`: the cost of each legal account.
    """
    return sum(exp(cost - one) for one in (UNTOLD, *legal)) <= MOST_DOUBT


def shows_cards(layout: Layout) -> bool:
    """Returns true if cards were read.

    A deck has 168 of them, and those that look alike are confused by the dozen, so the answers of a question about
    cards are never all of them. What follows from these answers is asked about and accuses nobody.
    """
    read = [*layout.cells.values(), *(one for pile in layout.heaps.values() for one in pile)]
    return any(isinstance(one.piece, Card | Special) for one in read)
