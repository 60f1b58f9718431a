"""Plays 500 at random with hidden hands."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Event, Over, ToDraw
from companion.core.layout import Detection, Layout
from companion.core.recording import RecordedMat, Recording
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.manifest import recorded
from companion.games.five_hundred.moves import CallSpectrum, Discard, DrawStock, Stop, lay_meld
from companion.games.five_hundred.situation import Options
from companion.games.five_hundred.state import FiveHundredState
from companion.games.five_hundred.violations import DISCARDS_SPOT, melds_spot
from companion.games.shared.cards.deck import CODES
from companion.games.shared.cards.hands import heap
from companion.games.shared.search.bit_sets import bits
from simulation.cards.played import Step


class Played:
    """A game of one hand with two to four players."""

    name = "five-hundred"

    def begin(self, rng: Random) -> tuple[FiveHundredState, Recording]:
        """Returns a start after the deal, with the first discard open."""
        seats = rng.randrange(2, 5)
        state = FIVE_HUNDRED.start(seats, Options())
        while isinstance(state.expects(), ToDraw):
            state = state.apply(FIVE_HUNDRED.sample(state, rng))
        setup = {"players": seats, "discard": CODES[state.discards[-1]]}
        return state, recorded(RecordedMat(1000, 700, 40), setup)

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns a legal step; a draw is reported with the event that follows it, and possible melds are laid."""
        words: list[dict[str, Any]] = []
        while not isinstance(due := state.expects(), Over):
            if isinstance(due, ToDraw):
                if due.source == "hand":
                    return None
                state = state.apply(FIVE_HUNDRED.sample(state, rng))
                continue
            moves = [move for move in state.legal_moves() if not isinstance(move, CallSpectrum | Stop)]
            if not moves:
                return None
            melds = [move for move in moves if not isinstance(move, Discard | DrawStock)]
            move = rng.choice(melds if melds and rng.random() < 0.6 else moves)
            words.append(_words(state, move))
            state = state.apply(move)
            if state.is_ended:
                return None  # The hands count now, and the referee does not know them.
            if not isinstance(move, DrawStock):
                return Step(tuple(words), state, self.table(state))
        return None

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns four laid cards that are not a meld; None if none was found."""
        if state.step != "play" or state.due is not None:
            return None
        hand = state.hands.known[state.turn]
        for _ in range(10):
            if len(hand) < 5:
                return None
            meld = lay_meld(state.turn, tuple(sorted(rng.sample(hand, 4))))
            breaches = state.violations(meld)
            if breaches:
                table = dict(self.table(state).heaps)
                spot = melds_spot(state.turn)
                table[spot] = (*table[spot], *(Detection.sure(card) for card in meld.cards))
                return Step((_words(state, meld),), state, Layout(heaps=table), breaches)
        return None

    def table(self, state: Any) -> Layout:
        """Returns the discards and the melds."""
        heaps = {melds_spot(seat): heap(bits(cards)) for seat, cards in enumerate(state.laid)}
        return Layout(heaps={**heaps, DISCARDS_SPOT: heap(state.discards)})


def _words(state: Any, event: Event) -> dict[str, Any]:
    words = FIVE_HUNDRED.words(state, event)
    assert words is not None
    return words
