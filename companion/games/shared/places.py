"""The ranking of seats at the end of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.contract import Seat


def places(reached: Iterable[Any], *, least_first: bool = False) -> tuple[tuple[Seat, ...], ...]:
    """Seats by what they reached, the most first; equal ones share a place.

    >>> places([7, 12, 7])
    ((1,), (0, 2))
    """
    seats: dict[Any, list[Seat]] = {}
    for seat, rank in enumerate(reached):
        seats.setdefault(rank, []).append(seat)
    return tuple(tuple(seats[rank]) for rank in sorted(seats, reverse=not least_first))
