"""Plays Solitaire at random, mostly with useful moves, so that games advance."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Event, ToDraw
from companion.core.foundation.errors import MoveError
from companion.core.layout import Layout
from companion.core.recording import RecordedMat, Recording
from companion.games.shared.cards.deck_events import card_words
from companion.games.shared.cards.hands import heap
from companion.games.solitaire.game import SOLITAIRE, SolitaireDeal
from companion.games.solitaire.manifest import recorded
from companion.games.solitaire.moves import CONCEDE, HOMES, PUTS, TURN, TURN_OVER, Home, Turn
from companion.games.solitaire.situation import Options
from companion.games.solitaire.state import SolitaireState
from simulation.cards.played import Step


class Played:
    """A game of one person; the last turned packet lies fanned on the waste."""

    name = "solitaire"

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._deal = SolitaireDeal(())
        self._fanned = 0

    def begin(self, rng: Random) -> tuple[SolitaireState, Recording]:
        """Returns a fresh deal."""
        self._deal = SolitaireDeal.of(rng.randbytes(32))
        state = SOLITAIRE.start(1, self._options)
        options = {"draw": self._options.draw, "max_passes": self._options.max_passes}
        return self._served(state)[0], recorded(RecordedMat(1060, 640, 40), {"options": options})

    def _served(self, state: Any) -> tuple[Any, tuple[Event, ...]]:
        """Returns the position after all due cards were turned up, and their events."""
        events: list[Event] = []
        while isinstance(state.expects(), ToDraw):
            drawn, _ = self._deal.serve(state, SOLITAIRE.unseen)
            events += drawn
            for one in drawn:
                state = state.apply(one)
        return state, tuple(events)

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns a legal move: often to a foundation if possible, otherwise often from the stock; None if there is
        none.
        """
        moves = [move for move in state.legal_moves() if move != CONCEDE]
        if not moves:
            return None
        homes = [move for move in moves if isinstance(move, Home)]
        turns = [move for move in moves if move in (TURN, TURN_OVER)]
        pool = homes if homes and rng.random() < 0.7 else turns if turns and rng.random() < 0.5 else moves
        move = rng.choice(pool)
        then, drawn = self._served(state.apply(move))
        visited = ("stock",) if move in (TURN, TURN_OVER) else ()
        self._fan(state, move, then)
        words = tuple(card_words(event) for event in (move, *drawn))
        return Step(words, then, self.table(then), visited=visited)

    def carry_out(self, state: Any, move: Event) -> Any:
        """Returns the position after a move and the cards that are turned up after it."""
        then, _ = self._served(state.apply(move))
        self._fan(state, move, then)
        return then

    def _fan(self, before: Any, move: Event, after: Any) -> None:
        """Updates the number of fanned cards on top of the waste."""
        if isinstance(move, Turn):
            self._fanned = len(after.waste) - len(before.waste)
        elif move == TURN_OVER:
            self._fanned = 0
        else:
            self._fanned = max(0, self._fanned - (len(before.waste) - len(after.waste)))

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns a move of a card or a column to a place where it does not fit."""
        face_up = [card for cards in (*state.ups, state.waste[-1:]) for card in cards]
        moves: list[Event] = [PUTS[pile][card] for pile in range(12) for card in face_up]
        moves += [HOMES[cards[-1]] for cards in (*state.ups, state.waste) if cards]
        rng.shuffle(moves)
        for move in moves:
            breaches = state.violations(move)
            if not breaches:
                continue
            try:
                then = state.apply_unchecked(move)
            except MoveError:
                continue
            if then.layout().differences(state.layout()):
                return Step((card_words(move),), state, self.table(then), breaches)
        return None

    def table(self, state: Any) -> Layout:
        """Returns the layout; the waste shows the rest of its last packet, or its top card."""
        shown = state.waste[-max(1, self._fanned) :]
        return Layout(heaps={**state.layout().heaps, "waste": heap(shown)})
