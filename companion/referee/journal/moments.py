"""Dates of games, whatever the clock said: one that was never set stands before 1970, one that jumped anywhere."""

from __future__ import annotations

from math import isfinite
from time import gmtime, struct_time

_LAST = 253402300799.0
"""The end of the year 9999."""


def utc(seconds: float) -> struct_time:
    """Seconds since the epoch as a date in UTC; values without a date become the nearest one."""
    return gmtime(min(max(seconds, 0.0), _LAST) if isfinite(seconds) else 0.0)
