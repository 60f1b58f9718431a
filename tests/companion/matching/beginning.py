"""A referee at the beginning of a game, for the tests."""

from __future__ import annotations

from typing import Any

from companion.layout import Layout
from companion.matching import match
from companion.matching.accounts import Standpoint
from companion.matching.referee import Referee
from simulation.play import game_of


def begun(state: Any, look: Layout | None = None) -> tuple[Referee, Standpoint]:
    """A referee who was told a position and has seen it, with where the game stands.

    :param look: how it was seen; None: exactly.
    """
    referee = Referee(game_of(state), match, draws_unseen=False, trusting=False, origin="told")
    here = Standpoint(state, (), 0)
    seen = state.layout() if look is None else look
    referee.remember(referee.verdict(here, seen), here, seen)
    return referee, here
