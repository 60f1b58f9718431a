"""Plays Spectrump at random with dealt hands that the referee does not know; complete tricks are gathered."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import ToMove
from companion.core.layout import Layout
from companion.core.pieces import WHEEL
from companion.core.recording import RecordedMat, Recording
from companion.games.shared.cards.deck import CODES, NUMBER
from companion.games.shared.cards.hands import heap
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.manifest import recorded
from companion.games.spectrump.moves import PLAYS, Play
from companion.games.spectrump.options import DECKS, SHAPES, Options
from companion.games.spectrump.state import SpectrumpState, trick_spot
from simulation.cards.played import Step

_TRICK = [190, 100, 410, 300]
"""The trick's zone on the mat."""


class Played:
    """A table of which only the trick is visible."""

    name = "spectrump"

    def __init__(self, seats: int = 4) -> None:
        self._seats = seats
        self._lies = False
        """True if a complete trick still lies on the table."""

    def begin(self, rng: Random) -> tuple[SpectrumpState, Recording]:
        """Returns a start after a bid, with the lead of the bidder."""
        options, self._lies = Options(), False
        shape, deck = SHAPES[options.deck][self._seats], [CODES[card] for card in DECKS[options.deck]]
        rng.shuffle(deck)
        hands = [[[deck.pop() for _ in range(shape.cards)] for _ in range(shape.sets)] for _ in range(self._seats)]
        bid = {"player": rng.randrange(self._seats), "color": rng.choice(WHEEL), "number": 1}
        recording = recorded(RecordedMat(600, 400, 40), {"players": self._seats, "bid": bid, "trick": _TRICK})
        position = {**(recording.position or {}), "hands": hands}
        state: SpectrumpState = SPECTRUMP.from_record(self._seats, options, position)
        return state, recording

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns a play, or the gathering of a complete trick; None after the last set of a session."""
        if self._lies:
            self._lies = False
            return Step((), state, self.table(state))
        if not isinstance(state.expects(), ToMove):
            return None
        move = rng.choice([one for one in state.legal_moves() if isinstance(one, Play)])
        then = state.apply(move)
        self._lies = not then.trick
        return None if then.dealing else Step((_words(state, move),), then, self.table(then))

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns a card that a player lays out of turn."""
        free = [seat for seat in range(self._seats) if seat != state.mover and not self._lying(state, seat)]
        seat = rng.choice(free) if free and not self._lies else None
        if seat is None or not isinstance(state.expects(), ToMove):
            return None
        play = PLAYS[seat][rng.choice(state.sets[seat][state.playing])]
        table = self.table(state)
        heaps = {**table.heaps, trick_spot(seat): heap((NUMBER[play.card],))}
        return Step((_words(state, play),), state, Layout(heaps=heaps), state.violations(play))

    def _lying(self, state: Any, seat: int) -> bool:
        return bool(self.table(state).heaps[trick_spot(seat)])

    def table(self, state: Any) -> Layout:
        """Returns the trick before the seats."""
        spots = [trick_spot(seat) for seat in range(self._seats)]
        if not state.trick and not self._lies:
            return Layout(heaps=dict.fromkeys(spots, ()))
        return Layout(heaps={spot: state.layout().heaps[spot] for spot in spots})


def _words(state: Any, play: Play) -> dict[str, Any]:
    words = SPECTRUMP.words(state, play)
    assert words is not None
    return words
