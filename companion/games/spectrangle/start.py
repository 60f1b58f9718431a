"""Who begins: each seat draws a tile, the highest value begins, ties draw again (TRI-7).

`Lots` holds what each seat has drawn so far; whether a seat must draw, and who has won, follows from it alone.
"""

from __future__ import annotations

from companion.contract import Seat
from companion.pieces import TILES

Lots = tuple[tuple[int, ...], ...]
"""By seat: numbers of the tiles drawn for the start, the first one first."""


def tied(lots: Lots) -> tuple[tuple[Seat, ...], int]:
    """The seats still in the draw and the number of tiles each of them has drawn or is drawing."""
    seats: tuple[Seat, ...] = tuple(range(len(lots)))
    drawn = 0
    while all(len(lots[seat]) > drawn for seat in seats):
        best = max(TILES[lots[seat][drawn]].value for seat in seats)
        seats = tuple(seat for seat in seats if TILES[lots[seat][drawn]].value == best)
        drawn += 1
        if len(seats) == 1:
            break
    return seats, drawn + (len(seats) > 1)


def due(lots: Lots) -> tuple[Seat, ...]:
    """The seats that must still draw in this round; empty once somebody has won."""
    seats, drawn = tied(lots)
    return tuple(seat for seat in seats if len(lots[seat]) < drawn)


def winner(lots: Lots, bag: int) -> Seat | None:
    """The seat that begins, or None while it is open.

    A bag too small for another round cannot break the tie; then the first of the tied seats begins (a ruling of TRI-7).
    """
    seats, drawn = tied(lots)
    if len(seats) == 1:
        return seats[0]
    fresh = all(len(lots[seat]) == drawn - 1 for seat in seats)
    return seats[0] if fresh and bag < len(seats) else None
