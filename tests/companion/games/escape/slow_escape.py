"""A second, slow reading of docs/rules/escape.md that shares nothing with the engine but the names of colors.

Pawns are a dict, a round is a list of what happened, and every question is answered by looking at all of it again.
"""

from __future__ import annotations

from companion.core.pieces import PRIMARIES, WHEEL

Pawns = dict[tuple[str, int], int]
"""(color, seat) to position."""
Done = tuple[int, str, str, int | str]
"""seat, what ("personal", "common", "lose personal", "lose common", "withdraw"), color, where to."""


class SlowRound:
    """One round: its dice and what has been done in it."""

    def __init__(self, seats: int, first: int, alone: str) -> None:
        self.seats, self.first, self.alone = seats, first, alone
        self.personal: list[str] = []
        self.common: list[str] = []
        self.done: list[Done] = []

    def who(self) -> int | None:
        """The seat to move: once around, then once around without those that withdrew (ESC-13, ESC-15)."""
        order = [(self.first + i) % self.seats for i in range(self.seats)]
        out = {seat for seat, what, _, _ in self.done if what == "withdraw"}
        turns = order + [seat for seat in order if seat not in out]
        return turns[len(self.done)] if len(self.done) < len(turns) else None

    def left(self) -> list[str]:
        """Common dice that nobody has used."""
        rest = list(self.common)
        for _, what, color, _ in self.done:
            if what == "common":
                rest.remove(color)
        return rest


def moves_to(pawns: Pawns, color: str, seat: int, alone: str, stock: int) -> int | str | None:
    """Where a move in a color brings a seat's pawn; "out" if it escapes, None if it is not allowed (ESC-2 to ESC-10)."""
    standing = sorted((place, who) for (where, who), place in pawns.items() if where == color)
    mine = pawns.get((color, seat))
    if mine is None:
        if stock == 0:
            return None
        if not standing:
            return 1
        beyond = standing[-1][0] + 1
        return beyond if beyond <= 9 else None
    if standing[-1][1] != seat:
        to = standing[-1][0] + 1
    elif len(standing) == 1:
        to = mine + 1 if alone == "one" else mine + mine
    else:
        to = mine + (mine - standing[-2][0])
    return to if to <= 9 else "out"


def all_moves(pawns: Pawns, escaped: list[int], now: SlowRound) -> set[Done]:
    """Every legal move of the seat to move."""
    seat = now.who()
    if seat is None:
        return set()
    stock = 10 - escaped[seat] - len([1 for _, who in pawns if who == seat])
    mine = [what for who, what, _, _ in now.done if who == seat]
    found: set[Done] = set()
    if not any("personal" in what for what in mine):
        color = now.personal[seat]
        to = moves_to(pawns, color, seat, now.alone, stock)
        found.add((seat, "lose personal", "", "") if to is None else (seat, "personal", color, to))
    if not any("common" in what for what in mine):
        able = {(color, moves_to(pawns, color, seat, now.alone, stock)) for color in now.left()}
        plays: set[Done] = {(seat, "common", color, to) for color, to in able if to is not None}
        found |= plays or {(seat, "lose common", "", "")}
    if not mine:
        found |= {(seat, "withdraw", color, "") for color, who in pawns if who == seat}
    return found


def do(pawns: Pawns, escaped: list[int], now: SlowRound, move: Done) -> None:
    """Carry a move out."""
    seat, what, color, to = move
    if what == "withdraw":
        del pawns[color, seat]
    elif to == "out":
        del pawns[color, seat]
        escaped[seat] += 1
    elif isinstance(to, int):
        pawns[color, seat] = to
    now.done.append(move)


def colors_of(sides: int) -> tuple[str, ...]:
    return PRIMARIES if sides == 6 else WHEEL
