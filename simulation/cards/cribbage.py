"""Plays Cribbage at random: cards in turn, Go if no card fits, the counts of hands, and the crib."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Event, Over, ToDraw
from companion.core.layout import Detection, Layout
from companion.core.recording import RecordedMat, Recording
from companion.games.cribbage.counting import FULL
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.manifest import recorded
from companion.games.cribbage.moves import PLAYS, Count, Play
from companion.games.cribbage.situation import Options
from companion.games.cribbage.state import CribbageState
from companion.games.cribbage.violations import CRIB_SPOT, played_spot
from companion.games.shared.cards.deck import RANKS
from simulation.cards.played import Step


class Played:
    """A table of two or four players; a game ends at its target, or with the hand in which the recording ends."""

    name = "cribbage"

    def __init__(self, seats: int = 2) -> None:
        self._seats = seats
        self._crib_lies_open = False
        self._laid: tuple[dict[str, Any], ...] = ()
        """The events that become known with the next starter, such as hidden lay-aways."""

    def begin(self, rng: Random) -> tuple[CribbageState, Recording]:
        """Returns a start after the deal, with cards laid away."""
        dealer = rng.randrange(self._seats)
        state = CRIBBAGE.from_record(self._seats, Options(), {"dealer": dealer})
        setup = {"players": self._seats, "dealer": dealer}
        return _laid_away(state, rng), recorded(RecordedMat(800, 600, 40), setup)

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns the events up to the next visible one: a starter, a card, the open crib, a cleared table."""
        words: list[dict[str, Any]] = []
        while not isinstance(due := state.expects(), Over):
            if isinstance(due, ToDraw):
                words, self._laid = list(self._laid), ()
                return self._step(words, state.apply(CRIBBAGE.sample(state, rng)))
            move = rng.choice([*state.legal_moves()])
            counts_crib = isinstance(move, Count) and move.of == "crib"
            if counts_crib and not self._crib_lies_open:
                self._crib_lies_open = True
                return self._step(words, state)
            words.append(_words(state, move))
            state = state.apply(move)
            if counts_crib:
                self._crib_lies_open = False
                if isinstance(state.expects(), Over):
                    return None
                self._laid = tuple(
                    {"player": seat, "type": "lay-away", "cards": ["??"] * state.sizes.laid}
                    for seat in range(state.seats)
                )
                return self._step(words, _laid_away(state, rng))
            if isinstance(move, Play):
                return self._step(words, state)
        return None

    def _step(self, words: list[dict[str, Any]], after: Any) -> Step:
        return Step(tuple(words), after, self.table(after))

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns a card out of turn, with a total at which Go is impossible; otherwise it would look like a card after
        Go.
        """
        if state.starter is None or state.is_played:
            return None
        plays = [PLAYS[seat][card] for seat in range(state.seats) for card in state.hands.known[seat]]
        rng.shuffle(plays)
        for play in plays:
            breaches = state.violations(play)
            if breaches and state.total <= FULL - RANKS:
                heaps = dict(self.table(state).heaps)
                spot = played_spot(play.seat)
                heaps[spot] = (*heaps[spot], Detection.sure(play.card))
                return Step((_words(state, play),), state, Layout(heaps=heaps), breaches)
        return None

    def table(self, state: Any) -> Layout:
        """Returns the played cards, the starter, and the crib once it is turned up."""
        heaps = dict(state.layout().heaps)
        if not self._crib_lies_open:
            heaps[CRIB_SPOT] = ()
        return Layout(heaps=heaps)


def _laid_away(state: Any, rng: Random) -> Any:
    """Returns the position before the starter, after cards were dealt and laid away."""
    while not isinstance(due := state.expects(), ToDraw) or due.source == "deck":
        move = CRIBBAGE.sample(state, rng) if isinstance(due, ToDraw) else rng.choice(state.legal_moves())
        state = state.apply(move)
    return state


def _words(state: Any, event: Event) -> dict[str, Any]:
    words = CRIBBAGE.words(state, event)
    assert words is not None
    return words
