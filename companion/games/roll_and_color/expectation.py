"""The worth of a roll: the expected value of stopping and of every choice of dice to re-roll.

One of two goals is maximized, both under the best choices until the entry of this round:

- `points`: the points that this round's entry brings.
- `sheet`: these points less what the filled row would have brought later. An open row is taken to be worth its par,
  the expected points of a round that is played for this row alone. If every later round were played so, the sheet
  would end at these points plus the pars of the rows that stay open; the goal is that total less a constant.

Nothing is sampled. A table over all 550,368 rolls is worked backwards from the entry over the fourth re-roll to the
first, so the values of `points` are exact. Those of `sheet` are exact for that plain way to play on; good play brings
more, so as a forecast of the game they are an estimate from below.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.roll_and_color.moves import DICE, ENTRIES, REROLLS, SIZES, Enter, Reroll, takes
from companion.games.roll_and_color.rolls import Kept, Table, best_kept, counts, place_of, thrown
from companion.games.roll_and_color.scoring import CELLS, RUNS
from companion.games.roll_and_color.sheet import POINTS, ROWS, open_rows
from companion.games.roll_and_color.situation import Situation
from companion.games.shared.color_dice import D6, D12

Goal = Literal["points", "sheet"]

PARS: Mapping[str, float] = {
    "secondary": 5.1711,
    "primary": 4.7916,
    "secondary sequence": 25.7601,
    "spectrum sequence": 40.6984,
    "primary sequence": 16.8040,
    "secondary combo": 9.3134,
    "spectrum combo": 10.2851,
    "primary combo": 15.3546,
}
"""By group of rows: the par of one, as `par` works it out."""

_KEPT = tuple(tuple(DICE - count for count in range(1, DICE + 1) if takes(made, count)) for made in range(len(SIZES)))
"""By number of the re-roll: how many dice may stay."""
_REMEMBERED = 64
"""So many tables of kept dice stay in memory, at most 0.1 MB each."""


class EntryChoice(Struct, frozen=True):
    """One thing that the player may do now, and the value that it leads to."""

    event: Enter | Reroll
    value: float


class Outlook(Struct, frozen=True):
    """Everything that the player may do now, by value."""

    goal: Goal
    entries: tuple[EntryChoice, ...]
    """To stop: for each open row its best cell; the best row first."""
    rerolls: tuple[EntryChoice, ...]
    """The choices of dice to re-roll, which differ in the dice kept, the best first; empty after the fourth re-roll."""


def outlook(situation: Situation, goal: Goal = "points") -> Outlook:
    """The worth of stopping and of every re-roll for the seat on turn.

    A roll with re-rolls left takes up to half a second the first time for a sheet, then a few milliseconds.
    """
    seat, dice, made = situation.turn, situation.dice, situation.rerolls
    rows = open_rows(situation.sheets[seat])
    stops = [ENTRIES[seat][row][situation.levels[row]][-1] for row in rows]
    entries = [EntryChoice(enter, POINTS[enter.entry] - cost(enter.row, goal)) for enter in stops]
    again: dict[tuple[int, ...], EntryChoice] = {}
    if made < len(SIZES):
        kept = _kept(_distinct(rows), goal, made)
        for reroll in REROLLS[seat][made]:
            place = place_of(dice, [number not in reroll.dice for number in range(1, DICE + 1)])
            if place not in again:
                again[place] = EntryChoice(reroll, kept.value(place))
    return Outlook(
        goal,
        tuple(sorted(entries, key=lambda choice: -choice.value)),
        tuple(sorted(again.values(), key=lambda choice: -choice.value)),
    )


def cost(row: int, goal: Goal) -> float:
    """The loss of later rounds when a row is filled."""
    return PARS[ROWS[row].group] if goal == "sheet" else 0.0


def par(row: int) -> float:
    """The expected points of a round that is played for this row alone, worked out anew."""
    nothing = place_of((0,) * DICE, (False,) * DICE)
    return thrown(_value((row,), "points", 0), (0,)).value(nothing)


def _distinct(rows: tuple[int, ...]) -> tuple[int, ...]:
    """Rows without the second one of equal rows, so that equal sheets share their tables."""
    known: dict[tuple[str, int | None], int] = {}
    for row in rows:
        known.setdefault((ROWS[row].group, ROWS[row].color), row - (ROWS[row].name.endswith("2")))
    return tuple(known.values())


@lru_cache(maxsize=_REMEMBERED)
def _kept(rows: tuple[int, ...], goal: Goal, made: int) -> Kept:
    """The value of keeping some dice in re-roll number `made`, counted from 0."""
    return thrown(_value(rows, goal, made + 1), _KEPT[made])


def _value(rows: tuple[int, ...], goal: Goal, made: int) -> Table:
    """The value of every roll after so many re-rolls: the better of stopping and going on."""
    stop = _stop(rows, goal)
    return stop if made == len(SIZES) else np.maximum(stop, best_kept(_kept(rows, goal, made)))


def _stop(rows: tuple[int, ...], goal: Goal) -> Table:
    """The value of entering every roll in the best of these rows."""
    best = np.full(_points(rows[0]).shape, -np.inf, np.float32)
    for row in rows:
        np.maximum(best, _points(row) - np.float32(cost(row, goal)), out=best)
    return best


@cache
def _points(row: int) -> NDArray[np.uint8]:
    """The points of every roll in a row, (S6, S12) uint8."""
    by_level = np.array([ROWS[row].points[cells[-1] - 1] if cells else 0 for cells in CELLS[row]], np.uint8)
    six, twelve = counts(D6), counts(D12)
    found: NDArray[np.uint8] = by_level[_levels(row, six, twelve)]
    return np.broadcast_to(found, (len(six), len(twelve)))


def _levels(row: int, six: NDArray[np.uint8], twelve: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The level of every roll in a row; one column for all d6 where only the d12 count."""
    about = ROWS[row]
    if about.color is not None:
        return six[:, about.color][:, None] + twelve[:, about.color][None]
    if about.kind == "sequence":
        bits = 1 << np.arange(12)
        shown = (six > 0) @ bits
        return np.array(RUNS[about.palette], np.uint8)[shown[:, None] | ((twelve > 0) @ bits)[None]]
    if about.palette == "spectrum":
        first, second = (_top(six, twelve, start)[0] for start in (0, 1))
        return 10 * np.maximum(first, second) + np.minimum(first, second)
    more, less = _top(six, twelve, 0 if about.palette == "primary" else 1)
    return 10 * more + less


def _top(six: NDArray[np.uint8], twelve: NDArray[np.uint8], start: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Of every roll: dice of the commonest and of the second color among primaries (start 0) or secondaries (1)."""
    more = less = np.zeros((len(six), len(twelve)), np.uint8)
    for color in range(start, 12, 2):
        count = six[:, color][:, None] + twelve[:, color][None]
        less = np.maximum(less, np.minimum(more, count))
        more = np.maximum(more, count)
    return more, less
