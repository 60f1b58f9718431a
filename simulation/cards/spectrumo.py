"""Plays Spectrumo at random with unknown hands: cards on the pile, draws, and illegal plays with their penalty."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Drawn, Event, ToDraw, ToMove
from companion.core.layout import Layout
from companion.core.recording import RecordedMat, Recording
from companion.games.shared.cards.deck import CODES, COLORS, NUMBER, NUMBER_CARDS, RANKS
from companion.games.shared.cards.hands import heap
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.manifest import recorded
from companion.games.spectrumo.moves import PLAYS, Draw, Penalty, Play
from companion.games.spectrumo.observation import DISCARD, STOCK
from companion.games.spectrumo.options import Options
from companion.games.spectrumo.state import SpectrumoState
from simulation.cards.played import Step

_DRAWS, _SPECIALS = 0.12, 0.15
"""The shares of turns in which a player draws, and in which a special card is played if one fits."""
_BOX = [308, 153, 388, 257], [212, 153, 292, 257]
"""The discard deck and the draw deck on the mat."""
_SWAPS = NUMBER_CARDS + COLORS // 2
"""Color swaps have lower numbers than this; the other specials move hands or decks, which nobody sees."""


class Played:
    """A table on which only the pile and the draw deck are visible."""

    name = "spectrumo"

    def __init__(self, seats: int = 2) -> None:
        self._seats = seats
        self._refused: Play | None = None
        """The last illegal play."""

    def begin(self, rng: Random) -> tuple[SpectrumoState, Recording]:
        """Returns a start with a number card on the table."""
        setup = {"players": self._seats, "table_card": CODES[rng.randrange(NUMBER_CARDS)]}
        recording = recorded(RecordedMat(600, 400, 40), {**setup, "discard": _BOX[0], "stock": _BOX[1]})
        state: SpectrumoState = SPECTRUMO.from_record(self._seats, Options(), recording.position or {})
        return state, recording

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns a play, a draw, or the penalty for the play before; None if the hand is over."""
        if not isinstance(state.expects(), ToMove):
            return None
        if state.foul and self._refused is not None:
            return self._step(state, Penalty(state.turn, self._refused.card), (STOCK,))
        moves = [*state.legal_moves()]
        plays = [move for move in moves if isinstance(move, Play) and NUMBER[move.card] < NUMBER_CARDS]
        specials = [move for move in moves if isinstance(move, Play) and NUMBER[move.card] >= NUMBER_CARDS]
        # A special on its own copy changes nothing that a camera sees.
        swaps = [move for move in specials if NUMBER[move.card] < _SWAPS and NUMBER[move.card] != state.discard[-1]]
        draws = [move for move in moves if isinstance(move, Draw)]
        if draws and (not plays or rng.random() < _DRAWS):
            return self._step(state, draws[0], (STOCK,))
        chosen = swaps if swaps and rng.random() < _SPECIALS else plays or swaps
        return self._step(state, rng.choice(chosen), ()) if chosen else None

    def _step(self, state: Any, move: Event, visited: tuple[str, ...]) -> Step | None:
        """Returns a move with the draws after it; None if it ends the hand, whose cards are then counted."""
        then = state.apply(move)
        while isinstance(due := then.expects(), ToDraw):
            if due.shown:
                return None
            then = then.apply(Drawn(due.seat, (None,) * due.count))
        words = SPECTRUMO.words(state, move)
        assert words is not None
        return Step((words,), then, self.table(then), visited=visited)

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns a play of a number card that does not fit the table card."""
        for _ in range(20):
            play = PLAYS[state.turn][rng.randrange(COLORS * RANKS)]
            breaches = state.violations(play)
            if NUMBER[play.card] in state.discard or not breaches or breaches[0].where != (DISCARD,):
                continue
            words, penalties = SPECTRUMO.words(state, play), SPECTRUMO.penalties
            assert words is not None and penalties is not None
            self._refused = play
            table = Layout(heaps={DISCARD: heap((*state.discard, NUMBER[play.card]))})
            return Step((words,), penalties.after_refusal(state, play), table, breaches)
        return None

    def table(self, state: Any) -> Layout:
        """Returns the pile."""
        return Layout(heaps={DISCARD: heap(state.discard)})
