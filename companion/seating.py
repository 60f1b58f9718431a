"""How many can play, in words."""

from __future__ import annotations


def numbers(seats: range) -> str:
    """The possible numbers of players: "2 to 4", "2 or 4", "1"."""
    if len(seats) == 1:
        return str(seats[0])
    if seats.step == 1 and len(seats) > 2:
        return f"{seats[0]} to {seats[-1]}"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]}"
