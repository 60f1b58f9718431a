"""Decides whether a game of Regenbogen is over (RGB-25 to RGB-28)."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from companion.core.contract import Seat
from companion.games.regenbogen.board import NAMES, PLACE
from companion.games.regenbogen.data import DATA, SIDES


class Ending(Struct, frozen=True):
    """The end of a game: its rule, a sentence, and the places."""

    rule: str
    text: str
    places: tuple[tuple[Seat, ...], ...]


def _bits(names: tuple[str, ...]) -> int:
    return sum(1 << PLACE[name] for name in names)


_WAYS = tuple((kind, _bits(way), way) for kind, ways in DATA.dominations.items() for way in ways)


def _domination(dead: int) -> str | None:
    for kind, bits, way in _WAYS:
        if dead & bits == bits:
            return f"{kind} domination ({', '.join(way)})"
    return None


DOMINATION: tuple[str | None, ...] = tuple(_domination(dead) for dead in range(1 << len(NAMES)))
"""For each set of a side's dead Wizards (a bit mask), the domination that wins against it, or None (RGB-25)."""


@cache
def by_domination(dead: tuple[int, int]) -> Ending | None:
    """Returns the end caused by dead Wizards, or None.

    Args:
        dead: By seat: its dead Wizards, a bit each.
    """
    won = [DOMINATION[dead[1 - seat]] for seat in range(len(SIDES))]
    if all(won):
        return Ending("RGB-26", "One action gave both sides a domination, so the game is a draw.", ((0, 1),))
    for seat, kind in enumerate(won):
        if kind:
            return Ending("RGB-25", f"{SIDES[seat].capitalize()} wins by {kind}.", ((seat,), (1 - seat,)))
    return None


AGREED = Ending("RGB-27", "Both sides agreed on a draw.", ((0, 1),))


def repeated(times: int) -> Ending:
    """Returns the draw by repetition of a position."""
    return Ending("RGB-27", f"The same position with the same side to move occurred {times} times: a draw.", ((0, 1),))


def quiet(turns: int) -> Ending:
    """Returns the draw after turns without damage."""
    return Ending("RGB-27", f"{turns} turns passed without damage: a draw.", ((0, 1),))
