"""Two readings of the tray, one after the other: which dice were re-rolled (ROL-3).

A die that shows the same face within a few millimeters of where it lay was not touched. Dice of the same kind and face
that changed places cannot be told from dice that stayed, which is the same for the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import hypot

from msgspec import Struct

from companion.contract import Breach, Rolled
from companion.games.color_dice import D6, PLACE, is_roll_of
from companion.games.roll_and_color.moves import Reroll
from companion.games.roll_and_color.sighted import lying, missing
from companion.games.roll_and_color.situation import KINDS
from companion.games.roll_and_color.state import RollState
from companion.pieces import Die

STILL_MM = 6.0
"""A die that lies within this of an earlier place did not move: readers are good to 2 or 3 mm, a die is 16 mm wide."""


class LyingDice(Struct, frozen=True):
    """One die of a reading; table space as in `companion.plan`."""

    die: Die
    x_mm: float
    y_mm: float


class Rerolled(Struct, frozen=True):
    """What happened to the tray between two readings."""

    reroll: Reroll
    rolled: Rolled
    breaches: tuple[Breach, ...]
    """Why the re-roll is not allowed, ROL-3 for a wrong number of dice; empty if it is."""


def moved(before: Sequence[LyingDice], after: Sequence[LyingDice]) -> tuple[LyingDice, ...]:
    """The dice of the later reading that lie elsewhere, or show something else, than in the earlier one.

    Pairs are made of equal dice, the nearest first, so that a crowded tray pairs each die with itself.
    """
    near = sorted(
        (hypot(old.x_mm - new.x_mm, old.y_mm - new.y_mm), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(after)
        if old.die == new.die
    )
    was: set[int] = set()
    still: set[int] = set()
    for distance_mm, i, j in near:
        if distance_mm <= STILL_MM and i not in was and j not in still:
            was.add(i)
            still.add(j)
    return tuple(new for j, new in enumerate(after) if j not in still)


def rerolled(state: RollState, before: Sequence[LyingDice], after: Sequence[LyingDice]) -> Rerolled | None:
    """The re-roll between two readings, judged; None if no die moved, or the readings are not of this roll.

    :param before: the tray as the position has it: all nine dice with the faces of `state`.
    :param after: the tray now, all nine dice.
    """
    if Counter(one.die for one in before) != Counter(lying(state)):
        return None
    now = Counter(one.die for one in after)
    return judged(state, now - Counter(one.die for one in moved(before, after)), now)


def judged(state: RollState, stayed: Counter[Die], now: Counter[Die]) -> Rerolled | None:
    """The same for a reader that knows by itself which dice nobody touched.

    :param stayed: dice of the roll that lie as they lay.
    :param now: all nine dice as they lie.
    """
    new = now - stayed
    if not state.may_move or not new or not is_roll_of(now.elements(), KINDS) or stayed - Counter(lying(state)):
        return None
    picked = missing(state, stayed)
    reroll = Reroll(state.turn, picked)
    rolled = Rolled(tuple(sorted(new.elements(), key=lambda one: (one.kind != D6, PLACE[one]))))
    return Rerolled(reroll, rolled, state.explain(reroll))
