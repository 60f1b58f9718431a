"""The rocks in the bag of Ice Stalks, and one that was drawn and not shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from companion.core.contract import Chance, Drawn
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Piece
from companion.games.ice_stalks.options import MOST_PLAYERS
from companion.games.ice_stalks.rainbow import RAINBOW, ROCKS
from companion.games.ice_stalks.situation import UNKNOWN
from companion.games.ice_stalks.state import IceStalksState, one_less


def unseen(state: IceStalksState) -> Mapping[Piece, int]:
    """The rocks in the bag, and the one in the hand if the referee was not shown it."""
    return {ROCKS[color]: count for color, count in zip(RAINBOW, state.rocks, strict=True) if count}


def outcomes(state: IceStalksState) -> Iterable[tuple[Chance, int]]:
    """The rocks that may be drawn now."""
    if state.hand is None and state.done is None:
        for color, count in zip(RAINBOW, state.rocks, strict=True):
            if count:
                yield Drawn(state.turn, (ROCKS[color],)), count


def determinize(state: IceStalksState, rng: Random) -> IceStalksState:
    """A rock in the hand that was not shown, filled in from the bag."""
    if state.hand != UNKNOWN:
        return state
    color = rng.choices(range(len(RAINBOW)), state.rocks)[0]
    return type(state)(
        state.options, state.stalks, state.taken, one_less(state.rocks, color), state.turn, RAINBOW[color]
    )


_DRAWN = tuple(tuple(Drawn(seat, (ROCKS[color],)) for color in RAINBOW) for seat in range(MOST_PLAYERS))
"""By seat and color: a rock that is drawn."""


def sample(state: IceStalksState, rng: Random) -> Chance:
    """A rock out of the bag.

    :raises BadEvent: none may be drawn now.
    """
    left = sum(state.rocks)
    if state.hand is not None or state.done is not None or not left:
        raise BadEvent("No rock may be drawn now. Place a piece, or take the completed stalk.")
    place = int(rng.random() * left)
    color = 0
    while place >= state.rocks[color]:
        place -= state.rocks[color]
        color += 1
    return _DRAWN[state.turn][color]
