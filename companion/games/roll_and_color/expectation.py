"""Computes the value of a roll: the expected value of stopping and of every choice of dice to re-roll.

It maximizes one of two goals, both with the best choices until the entry of this round:

- `points`: the points of this round's entry.
- `sheet`: these points minus the later worth of the filled row. The worth of an open row is its par, the expected
  points of a round that is played only for this row. If every later round were played so, the sheet would end at these
  points plus the pars of the rows that stay open; the goal is that total minus a constant.

There is no sampling. A table over all 550,368 rolls is computed backwards from the entry over the fourth re-roll to the
first, so the values of `points` are exact. Those of `sheet` are exact for that simple way to continue; good play gains
more, so as a forecast of the game they are an underestimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.roll_and_color.moves import CUBES, DICE, ENTRIES, REROLLS, SIZES, Enter, Reroll, takes
from companion.games.roll_and_color.sheet import CELLS, POINTS, ROWS, RUNS, open_rows
from companion.games.roll_and_color.situation import Situation
from companion.games.shared.color_dice import D6, D12, colors

# The rolls of the nine dice, and the sets of kept dice between an empty tray and a full roll.
#
# Dice of one kind have no order, so the four d6 show one of 126 sets of colors and the five d12 one of 4,368: 550,368
# rolls instead of 322 million. Sets of fewer dice are rolls of which some are still in the hand. `joined` and `left`
# lead from one to the next, a die at a time, and with them a table over all rolls is worked through as arrays.

Places = NDArray[np.int32]
Table = NDArray[np.float32]
"""A table of float32 values by set of d6 and set of d12, of shape (S6, S12)."""


class Sets(NamedTuple):
    """All sets of dice of one kind, by number of dice."""

    members: tuple[tuple[tuple[int, ...], ...], ...]
    """For each number of dice, the sets, with their colors rising."""
    joined: tuple[Places, ...]
    """For each number of dice, (sets, colors) int32: the index of the set with one more die of that color."""
    left: tuple[Places, ...]
    """For each number of dice, (sets, dice) int32: the index of the set without one of its dice."""


@cache
def sets(kind: str) -> Sets:
    """Returns the sets of the dice of a kind, from none to all."""
    most = CUBES if kind == D6 else DICE - CUBES
    faces = tuple(colors(kind))
    members = tuple(tuple(combinations_with_replacement(faces, count)) for count in range(most + 1))
    place = [{one: at for at, one in enumerate(level)} for level in members]
    joined = tuple(
        np.array(
            [[place[count + 1][tuple(sorted((*one, face)))] for face in faces] for one in members[count]], np.int32
        )
        for count in range(most)
    )
    left = tuple(
        np.array(
            [[place[count - 1][one[:at] + one[at + 1 :]] for at in range(count)] for one in members[count]], np.int32
        )
        for count in range(1, most + 1)
    )
    return Sets(members, joined, (np.zeros((1, 0), np.int32), *left))


@cache
def _places(kind: str) -> tuple[dict[tuple[int, ...], int], ...]:
    return tuple({one: at for at, one in enumerate(level)} for level in sets(kind).members)


Place = tuple[int, int, int, int]
"""The index of a set of kept dice: the number of d6, the number of d12, and the indices of the two sets."""


def place_of(dice: Iterable[int], kept: Sequence[bool]) -> Place:
    """Returns the node for the kept dice of a roll.

    Args:
        dice: The nine colors by number, the d6 first.
        kept: By number, whether the die stays.
    """
    both = list(zip(dice, kept, strict=True))
    cubes = tuple(sorted(color for color, stays in both[:CUBES] if stays))
    others = tuple(sorted(color for color, stays in both[CUBES:] if stays))
    return len(cubes), len(others), _places(D6)[len(cubes)][cubes], _places(D12)[len(others)][others]


def counts(kind: str) -> NDArray[np.uint8]:
    """Returns the number of dice that show each color of the wheel in each set of all dice of a kind, (sets, 12)
    uint8.
    """
    whole = sets(kind).members[-1]
    found = np.zeros((len(whole), 12), np.uint8)
    for at, one in enumerate(whole):
        for color in one:
            found[at, color] += 1
    return found


class Kept(NamedTuple):
    """Tables by the numbers of kept d6 and kept d12."""

    tables: dict[tuple[int, int], Table]

    def value(self, place: Place) -> float:
        """Returns the entry for the kept dice of a roll."""
        cubes, others, at, beside = place
        return float(self.tables[cubes, others][at, beside])


def thrown(table: Table, keeps: Iterable[int]) -> Kept:
    """Returns the exact mean of a table over all throws of the dice that are not kept, for every set of `keeps` kept
    dice.

    Means of means: each step throws one die more, and each of its faces is as likely as the others.
    """
    wanted = set(keeps)
    six, twelve = sets(D6), sets(D12)
    most_six, most_twelve = CUBES, DICE - CUBES
    tables: dict[tuple[int, int], Table] = {(most_six, most_twelve): table}
    for others in range(most_twelve - 1, max(-1, min(wanted) - most_six - 1), -1):
        tables[most_six, others] = _mean(tables[most_six, others + 1], twelve.joined[others], axis=1)
    for cubes in range(most_six - 1, -1, -1):
        for others in range(most_twelve + 1):
            if cubes + others >= min(wanted):
                tables[cubes, others] = _mean(tables[cubes + 1, others], six.joined[cubes], axis=0)
    return Kept({level: one for level, one in tables.items() if sum(level) in wanted})


def _mean(table: Table, joined: Places, axis: int) -> Table:
    """Returns the mean over one more die, along the axis of its kind."""
    total = table.take(joined[:, 0], axis=axis)
    for face in range(1, joined.shape[1]):
        total += table.take(joined[:, face], axis=axis)
    total /= joined.shape[1]
    return total


def best_kept(kept: Kept) -> Table:
    """Returns, for every roll of nine dice, the best entry among the sets that can be kept."""
    six, twelve = sets(D6), sets(D12)
    found: dict[tuple[int, int], Table] = {}
    for size in range(min(map(sum, kept.tables)), DICE + 1):
        for cubes in range(max(0, size - (DICE - CUBES)), min(CUBES, size) + 1):
            others = size - cubes
            best = kept.tables.get((cubes, others))
            if (cubes - 1, others) in found:
                best = _most(best, found[cubes - 1, others], six.left[cubes], axis=0)
            if (cubes, others - 1) in found:
                best = _most(best, found[cubes, others - 1], twelve.left[others], axis=1)
            assert best is not None
            found[cubes, others] = best
        for level in [level for level in found if sum(level) < size]:
            del found[level]
    return found[CUBES, DICE - CUBES]


def _most(best: Table | None, table: Table, left: Places, axis: int) -> Table:
    """Returns the larger of `best` and the entries without one of the dice along the axis of its kind."""
    for at in range(left.shape[1]):
        one = table.take(left[:, at], axis=axis)
        best = one if best is None else np.maximum(best, one, out=one)
    assert best is not None
    return best


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
"""Group of rows to the par of one of its rows, as `par` computes it."""

_KEPT = tuple(tuple(DICE - count for count in range(1, DICE + 1) if takes(made, count)) for made in range(len(SIZES)))
"""For each re-roll, the numbers of dice that may be kept."""
_REMEMBERED = 64
"""The largest number of tables of kept dice in memory; each takes at most 0.1 MB."""


class EntryChoice(Struct, frozen=True):
    """One possible action of the player and its value."""

    event: Enter | Reroll
    value: float


class Outlook(Struct, frozen=True):
    """All possible actions of the player, by value."""

    goal: Goal
    entries: tuple[EntryChoice, ...]
    """The entries after stopping: the best cell of each open row, the best row first."""
    rerolls: tuple[EntryChoice, ...]
    """The choices of dice to re-roll, one for each set of kept dice, the best first; empty after the fourth re-roll."""


def outlook(situation: Situation, goal: Goal = "points") -> Outlook:
    """Returns the worth of stopping and of every re-roll for the seat on turn.

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
    """Returns the loss of later rounds when a row is filled."""
    return PARS[ROWS[row].group] if goal == "sheet" else 0.0


def par(row: int) -> float:
    """Returns the expected points of a round that is played for this row alone, worked out anew."""
    nothing = place_of((0,) * DICE, (False,) * DICE)
    return thrown(_value((row,), "points", 0), (0,)).value(nothing)


def _distinct(rows: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the rows without repetitions of equal rows, so that equal sheets share their tables."""
    known: dict[tuple[str, int | None], int] = {}
    for row in rows:
        known.setdefault((ROWS[row].group, ROWS[row].color), row - (ROWS[row].name.endswith("2")))
    return tuple(known.values())


@lru_cache(maxsize=_REMEMBERED)
def _kept(rows: tuple[int, ...], goal: Goal, made: int) -> Kept:
    """Returns the value of keeping some dice in re-roll number `made`, counted from 0."""
    return thrown(_value(rows, goal, made + 1), _KEPT[made])


def _value(rows: tuple[int, ...], goal: Goal, made: int) -> Table:
    """Returns the value of every roll after `made` re-rolls: the larger of stopping and continuing."""
    stop = _stop(rows, goal)
    return stop if made == len(SIZES) else np.maximum(stop, best_kept(_kept(rows, goal, made)))


def _stop(rows: tuple[int, ...], goal: Goal) -> Table:
    """Returns the value of entering every roll in the best of these rows."""
    best = np.full(_points(rows[0]).shape, -np.inf, np.float32)
    for row in rows:
        np.maximum(best, _points(row) - np.float32(cost(row, goal)), out=best)
    return best


@cache
def _points(row: int) -> NDArray[np.uint8]:
    """Returns the points of every roll in a row, (S6, S12) uint8."""
    by_level = np.array([ROWS[row].points[cells[-1] - 1] if cells else 0 for cells in CELLS[row]], np.uint8)
    six, twelve = counts(D6), counts(D12)
    found: NDArray[np.uint8] = by_level[_levels(row, six, twelve)]
    return np.broadcast_to(found, (len(six), len(twelve)))


def _levels(row: int, six: NDArray[np.uint8], twelve: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the level of every roll in a row; one column for all d6 where only the d12 count."""
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
    """Returns, for every roll, the numbers of dice of the most and second most frequent primary (start 0) or secondary
    (1).
    """
    more = less = np.zeros((len(six), len(twelve)), np.uint8)
    for color in range(start, 12, 2):
        count = six[:, color][:, None] + twelve[:, color][None]
        less = np.maximum(less, np.minimum(more, count))
        more = np.maximum(more, count)
    return more, less
