"""Plays Casino at random; a taking card is laid beside or on the cards that it takes, and all are gathered."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Event, Over, ToDraw
from companion.core.layout import Detection, Layout
from companion.core.recording import RecordedMat, Recording
from companion.games.casino.game import CASINO
from companion.games.casino.manifest import recorded
from companion.games.casino.moves import Put, Take
from companion.games.casino.situation import BOARD_SPOT, Options
from companion.games.casino.state import CasinoState
from companion.games.shared.cards.deck import CARDS, CODES
from simulation.cards.played import Step


class Played:
    """A table of two to four players whose hands are hidden."""

    name = "casino"

    def __init__(self, seats: int = 2) -> None:
        self._seats = seats

    def begin(self, rng: Random) -> tuple[CasinoState, Recording]:
        """Returns a start with an open board and the first hands dealt."""
        state, first = CASINO.start(self._seats, Options()), None
        while isinstance(state.expects(), ToDraw):
            state = state.apply(CASINO.sample(state, rng))
            first = first or CODES[state.board[0]]
        board = [first, *(CODES[card] for card in state.board if CODES[card] != first)]
        setup = {"players": self._seats, "board": board}
        return state, recorded(RecordedMat(600, 400, 40), setup)

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns a take in two pictures, or a put, or the cards that come to the board; None if the game is over or
        the rest of it is invisible.
        """
        due = state.expects()
        if isinstance(due, Over):
            return None
        if isinstance(due, ToDraw):
            then = self._dealt(state, rng)
            return None if then is None else Step((), then, self.table(then))
        moves = [*state.legal_moves()]
        move = rng.choice(moves)
        if state.is_last_play and isinstance(move, Take):
            # All cards go to the same player, so the referee may name any of the takes; it names the largest.
            move = max((one for one in moves if one.card == move.card), key=lambda take: len(take.taken))
        then = state.apply(move)
        table = Layout(heaps={BOARD_SPOT: then.layout().heaps[BOARD_SPOT]})
        if not isinstance(then.expects(), Over) and then.past:
            return None
        halfway = (self._laid(state, move, rng),) if isinstance(move, Take) or state.is_last_play else ()
        if isinstance(then.expects(), ToDraw) and not then.to_board:
            then = self._dealt(then, rng)
        return Step((_words(state, move),), then, table, halfway=halfway)

    def _dealt(self, state: Any, rng: Random) -> Any:
        """Returns the position after all due cards were dealt."""
        while isinstance(state.expects(), ToDraw):
            state = state.apply(CASINO.sample(state, rng))
        return state

    def _laid(self, state: Any, move: Take | Put, rng: Random) -> Layout:
        """Returns the layout in which the played card lies on the board, half of the time covering a card that it
        takes.
        """
        under = rng.choice(move.taken) if isinstance(move, Take) and rng.random() < 0.5 else None
        lying = [CARDS[card] for card in state.board if CARDS[card] != under]
        return Layout(heaps={BOARD_SPOT: tuple(Detection.sure(card) for card in (*lying, move.card))})

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns a take of cards that do not add up."""
        if isinstance(state.expects(), ToDraw | Over):
            return None
        for _ in range(20):
            card = rng.choice(state.hands.known[state.turn])
            taken = tuple(CARDS[one] for one in state.board if rng.random() < 0.4)
            take = Take(state.turn, CARDS[card], taken)
            breaches = state.violations(take)
            if taken and breaches and state.captures.by[card % 12 + 1]:
                left = [one for one in state.board if CARDS[one] not in taken]
                table = Layout(heaps={BOARD_SPOT: tuple(Detection.sure(CARDS[one]) for one in left)})
                halfway = (self._laid(state, take, rng),)
                return Step((_words(state, take),), state, table, breaches, halfway=halfway)
        return None

    def table(self, state: Any) -> Layout:
        """Returns the board."""
        return Layout(heaps={BOARD_SPOT: state.layout().heaps[BOARD_SPOT]})


def _words(state: Any, event: Event) -> dict[str, Any]:
    words = CASINO.words(state, event)
    assert words is not None
    return words
