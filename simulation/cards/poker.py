"""Plays Poker at random: shared cards are opened, and hands are turned up one after the other."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Drawn, Over, ToDraw
from companion.core.layout import Layout
from companion.core.recording import RecordedMat, Recording
from companion.games.poker.game import POKER
from companion.games.poker.manifest import recorded
from companion.games.poker.moves import TURN_UPS
from companion.games.poker.situation import Options
from companion.games.poker.state import PokerState
from simulation.cards.played import Step

_FLOP = 3


class Played:
    """A showdown; shared cards come first, three together and then one by one."""

    name = "poker"

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()

    def begin(self, rng: Random) -> tuple[PokerState, Recording]:
        """Returns a start with all hands dealt."""
        seats = rng.randrange(2, 9)
        state = POKER.start(seats, self._options)
        while state.to_deal:
            state = state.apply(POKER.sample(state, rng))
        options = {"cards": self._options.cards, "shared": self._options.shared}
        return state, recorded(RecordedMat(1000, 700, 40), {"players": seats, "options": options})

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns newly opened shared cards, or the next hand turned up; None if the game is over."""
        due = state.expects()
        if isinstance(due, Over):
            return None
        if isinstance(due, ToDraw):
            count = min(due.count, 1 if state.shared else _FLOP)
            pieces = POKER.sample(state, rng).pieces[:count]
            then = state.apply(Drawn(due.seat, pieces))
            return Step((), then, self.table(then))
        move = TURN_UPS[state.turn]
        words = POKER.words(state, move)
        assert words is not None
        then = state.apply(move)
        return Step((words,), then, self.table(then))

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns None: no picture shows an illegal move, because players only say the category of a hand."""
        return None

    def table(self, state: Any) -> Layout:
        """Returns the shared cards and the hands that were turned up."""
        heaps = dict(state.layout().heaps)
        for seat in range(state.seats):
            if not state.shown >> seat & 1:
                heaps[f"seat{seat}.hand"] = ()
        return Layout(heaps=heaps)
