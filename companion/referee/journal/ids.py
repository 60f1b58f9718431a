"""Ids of games: by name and time where one table keeps its journal, drawn at random where many machines share one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from math import isfinite
from time import gmtime, strftime, struct_time

from companion.referee.journal.rows import Header

_LAST = 253402300799.0
"""The end of the year 9999."""


def utc(seconds: float) -> struct_time:
    """Seconds since the epoch as a date in UTC; values without a date become the nearest one."""
    return gmtime(min(max(seconds, 0.0), _LAST) if isfinite(seconds) else 0.0)


IsKnown = Callable[[str], bool]
"""Returns true if the journal has a game of this id."""
IdOf = Callable[[Header, IsKnown], str]
"""Makes the id of a game that begins, unlike those that the journal has already."""

_ID = re.compile(r"[a-z0-9-]{1,32}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_DRAWN = 12


def is_id(text: str) -> bool:
    """True if a text may be the id of a game: 1 to 32 of a-z, 0-9 and "-"."""
    return _ID.fullmatch(text) is not None


def by_time(header: Header, is_known: IsKnown) -> str:
    """The game's name and the time, in UTC: `spectrangle-20231114-221320`."""
    stem = f"{header.game[:12].strip('-')}-{strftime('%Y%m%d-%H%M%S', utc(header.started))}"
    name, again = stem, 2
    while is_known(name):
        name, again = f"{stem}-{again}", again + 1
    return name


def drawn(header: Header, is_known: IsKnown) -> str:
    """The game's name, the day and 60 random bits, which no other machine draws: `spectra-20231114-k3vq6ydm2hfa`."""
    while True:
        tail = "".join(secrets.choice(_LETTERS) for _ in range(_DRAWN))
        name = f"{header.game[:10].strip('-')}-{strftime('%Y%m%d', utc(header.started))}-{tail}"
        if not is_known(name):
            return name
