"""From a picture to a verdict: the event, legal or not, that explains the reading.

One room for all games: it knows layouts and the game contract, no rules and no pixels. `match` uses the rules as a
prior.
"""

from __future__ import annotations

from companion.referee.matching.accounts import Account, Standpoint
from companion.referee.matching.glimpses import LOOKS
from companion.referee.matching.hypotheses import seat_of
from companion.referee.matching.judging import match
from companion.referee.matching.memory import Belief, Memory, Origin
from companion.referee.matching.merging import agree, merge
from companion.referee.matching.referee import HISTORY, Referee
from companion.referee.matching.rereading import Doubt, rereadings

__all__ = [
    "HISTORY",
    "LOOKS",
    "Account",
    "Belief",
    "Doubt",
    "Memory",
    "Origin",
    "Referee",
    "Standpoint",
    "agree",
    "match",
    "merge",
    "rereadings",
    "seat_of",
]
