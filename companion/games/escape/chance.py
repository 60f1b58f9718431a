"""The rolls of Spectrum Escape."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

from companion.core.contract import Chance, Rolled
from companion.games.escape.situation import dice_of
from companion.games.escape.state import EscapeState
from companion.games.shared import color_dice
from companion.games.shared.color_dice import D6, D12, TWELVE, die, thrown


def outcomes(state: EscapeState) -> Iterable[tuple[Chance, int]]:
    """Every roll that is due with the number of ways in which it falls, lazily; there are very many."""
    if state.rolled or state.ending is not None:
        return
    kinds = dice_of(state.round, state.seats)
    own = kinds[: state.seats]
    common = [kinds[state.seats :].count(kind) for kind in (D6, D12)]
    faces = [[one for one in TWELVE if kind == D12] or [die(D6, color) for color in range(0, 12, 2)] for kind in own]
    for personal in product(*faces):
        for cubes, ways in color_dice.outcomes(D6, common[0]):
            for others, more in color_dice.outcomes(D12, common[1]):
                yield Rolled((*personal, *cubes, *others)), ways * more


def sample(state: EscapeState, rng: Random) -> Chance:
    """The roll that is due.

    :raises BadEvent: none is due.
    """
    return thrown(state.expects(), rng)
