"""The dice of a tray that were rolled again: a comparison of two readings, and a memory that compares each reading.

Hands leave kept dice as they lie, or push them a little; rolled dice come to lie elsewhere, or at least turned. So a
die of the same kind with the same face, near its place and about as it was turned, was not rolled. Where place and turn
are exactly as before and only the face differs, the die was misread or turned by hand: it counts as kept with its new
face.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from vision.readers.dice.reader import SeenDie

PUSHED_MM = 8.0
"""A die with its face of before that lies within this distance was not rolled; one that was comes to lie so near, with
that face and that turn, once in some thousand rolls."""
PUSHED_DEG = 20.0
SAME_MM = 2.5
"""Two readings of an untouched die agree within this distance."""
SAME_DEG = 6.0


class Rolls(Struct, frozen=True):
    """The fate of the dice between two readings; numbers are places in these."""

    kept: tuple[tuple[int, int], ...]
    """Dice that lie as they lay: number before and number now. The face differs where one reading is wrong, or where
    somebody turned the die."""
    rolled: tuple[int, ...]
    """Dice of the reading now that moved, turned or came."""
    lifted: tuple[int, ...]
    """Dice of the reading before that do not lie as they lay."""


def rolls(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> Rolls:
    """Compare two readings of one tray; hand in flat dice only, since a cocked one is yet to be rolled.

    >>> rolls((), ())
    Rolls(kept=(), rolled=(), lifted=())
    """
    gaps = sorted(
        (one.die.face != other.die.face, _gap_mm(one, other), i, j)
        for i, one in enumerate(before)
        for j, other in enumerate(now)
        if _same(one, other)
    )
    kept: dict[int, int] = {}
    for _, _, i, j in gaps:
        if i not in kept and j not in kept.values():
            kept[i] = j
    return Rolls(
        tuple(sorted(kept.items())),
        tuple(j for j in range(len(now)) if j not in kept.values()),
        tuple(i for i in range(len(before)) if i not in kept),
    )


class TrayMemory:
    """The dice of one tray as they lay when game and table last agreed."""

    def __init__(self) -> None:
        self._agreed: tuple[SeenDie, ...] | None = None
        self._seen: tuple[SeenDie, ...] | None = None

    def moved(self, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...] | None:
        """Flat dice of a new reading that were rolled since; None if `confirm_position` was never called."""
        self._seen = tuple(dice)
        if self._agreed is None:
            return None
        return tuple(dice[j] for j in rolls(self._agreed, dice).rolled)

    def confirm_position(self) -> None:
        """Game and table agree on the last reading: what moves from here on is news."""
        if self._seen is not None:
            self._agreed = self._seen


def _gap_mm(one: SeenDie, other: SeenDie) -> float:
    return float(np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm))


def _same(one: SeenDie, other: SeenDie) -> bool:
    """Returns true if both may be one die that was not rolled."""
    if one.die.kind != other.die.kind:
        return False
    period = one.candidate.solid.turn_deg
    turn = abs((one.place.yaw_deg - other.place.yaw_deg + period / 2) % period - period / 2)
    if one.die.face == other.die.face:
        return _gap_mm(one, other) <= PUSHED_MM and turn <= PUSHED_DEG
    return _gap_mm(one, other) <= SAME_MM and turn <= SAME_DEG
