"""Decides who begins: each seat draws a tile, the highest value begins, ties draw again (TRI-7).

`Lots` holds the draws of each seat; the next draw and the winner follow from them.
"""

from __future__ import annotations

from companion.core.contract import Seat
from companion.core.pieces import TILES

Lots = tuple[tuple[int, ...], ...]
"""By seat: numbers of the tiles drawn for the start, the first one first."""


def due(lots: Lots) -> tuple[Seat, ...]:
    """The seats that must still draw in this round; empty once somebody has won."""
    tied = tuple(range(len(lots)))
    drawn = 0
    while len(tied) > 1:
        waiting = tuple([seat for seat in tied if len(lots[seat]) == drawn])
        if waiting:
            return waiting
        values = [TILES[lots[seat][drawn]].value for seat in tied]
        best = max(values)
        tied = tuple([seat for seat, value in zip(tied, values, strict=True) if value == best])
        drawn += 1
    return ()


def winner(lots: Lots, waiting: tuple[Seat, ...], bag: int) -> Seat | None:
    """The seat that begins, or None while it is open; `waiting` are the seats that are `due`.

    A bag too small for another round cannot break the tie; then the first of the tied seats begins (a ruling of TRI-7).
    """
    if not waiting:
        values = [[TILES[number].value for number in lot] for lot in lots]
        return values.index(max(values))
    if bag >= len(waiting):
        return None
    rounds = max([len(lot) for lot in lots])
    return waiting[0] if rounds and all(len(lots[seat]) == rounds for seat in waiting) else None
