"""Every roll of the nine dice, and what lies between a roll and an empty tray: sets of dice that are kept.

Dice of one kind have no order, so the four d6 show one of 126 sets of colors and the five d12 one of 4,368: 550,368
rolls instead of 322 million. Sets of fewer dice are rolls of which some are still in the hand. `joined` and `left` lead
from one to the next, a die at a time, and with them a table over all rolls is worked through as arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.roll_and_color.moves import CUBES, DICE
from companion.games.shared.color_dice import D6, D12, colors

Places = NDArray[np.int32]
Table = NDArray[np.float32]
"""By set of d6 and set of d12: (S6, S12) float32."""


class Sets(NamedTuple):
    """All sets of dice of one kind, by their number."""

    members: tuple[tuple[tuple[int, ...], ...], ...]
    """By number of dice: the sets, colors rising."""
    joined: tuple[Places, ...]
    """By number of dice: (sets, colors) int32, the place of the set with one die more."""
    left: tuple[Places, ...]
    """By number of dice: (sets, dice) int32, the place of the set without one of its dice."""


@cache
def sets(kind: str) -> Sets:
    """The sets of the dice of a kind, from none to all."""
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
"""Where a set of kept dice stands: number of d6, number of d12, and the places of the two sets."""


def place_of(dice: Iterable[int], kept: Sequence[bool]) -> Place:
    """The node for the kept dice of a roll.

    :param dice: the nine colors by number, the d6 first.
    :param kept: by number, whether the die stays.
    """
    both = list(zip(dice, kept, strict=True))
    cubes = tuple(sorted(color for color, stays in both[:CUBES] if stays))
    others = tuple(sorted(color for color, stays in both[CUBES:] if stays))
    return len(cubes), len(others), _places(D6)[len(cubes)][cubes], _places(D12)[len(others)][others]


def counts(kind: str) -> NDArray[np.uint8]:
    """By set of all dice of a kind: how many show each color of the wheel, (sets, 12) uint8."""
    whole = sets(kind).members[-1]
    found = np.zeros((len(whole), 12), np.uint8)
    for at, one in enumerate(whole):
        for color in one:
            found[at, color] += 1
    return found


class Kept(NamedTuple):
    """Tables by number of d6 and of d12 that are kept."""

    tables: dict[tuple[int, int], Table]

    def value(self, place: Place) -> float:
        """The entry for the kept dice of a roll."""
        cubes, others, at, beside = place
        return float(self.tables[cubes, others][at, beside])


def thrown(table: Table, keeps: Iterable[int]) -> Kept:
    """The mean of a table over all throws of the dice that are not kept, exactly, for every set of so many kept dice.

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
    """The mean over one die more, along the axis of its kind."""
    total = table.take(joined[:, 0], axis=axis)
    for face in range(1, joined.shape[1]):
        total += table.take(joined[:, face], axis=axis)
    total /= joined.shape[1]
    return total


def best_kept(kept: Kept) -> Table:
    """For every roll of nine dice: the best entry among the sets that can be kept of it."""
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
    """The larger of `best` and the entries without one of the dice along the axis of its kind."""
    for at in range(left.shape[1]):
        one = table.take(left[:, at], axis=axis)
        best = one if best is None else np.maximum(best, one, out=one)
    assert best is not None
    return best
