"""The rolls of Roll & Color."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from companion.core.contract import Chance, Rolled, ToRoll
from companion.games.roll_and_color.situation import KINDS
from companion.games.roll_and_color.state import RollState
from companion.games.shared import color_dice
from companion.games.shared.color_dice import D6, D12, thrown


def outcomes(state: RollState) -> Iterable[tuple[Chance, int]]:
    """Every roll that is due, its dice in any order, with the number of ways in which it falls; lazily."""
    due = state.expects()
    if state.may_move or state.outcome() is not None:
        return
    kinds = due.dice if isinstance(due, ToRoll) else KINDS
    for cubes, ways in color_dice.outcomes(D6, kinds.count(D6)):
        for others, more in color_dice.outcomes(D12, kinds.count(D12)):
            yield Rolled((*cubes, *others)), ways * more


def sample(state: RollState, rng: Random) -> Chance:
    """The roll that is due.

    :raises BadEvent: none is due.
    """
    return thrown(state.expects(), rng)
