"""Short words for tests of any game: the rules that an event breaks, and the position after some."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Event, Seat, ToMove
from companion.core.game import Game


def rules(state: Any, event: Event) -> set[str]:
    """The rules that an event breaks, by number."""
    return {breach.rule for breach in state.violations(event)}


def after(state: Any, *events: Event) -> Any:
    """The position after several events, each of them legal."""
    for event in events:
        state = state.apply(event)
    return state


def heard(game: Game[Any], state: Any, event: Event, *seats: Seat | None) -> tuple[Event | None, ...]:
    """An event that comes now as each of these seats, or the public, may know it."""
    return tuple(game.redact(state, event, seat) for seat in seats)


def assert_unchanged(game: Game[Any], state: Any, events: int = 60) -> None:
    """A position is the same after others have come from it."""
    rng, kept = Random(5), []
    for _ in range(events):
        kept.append((state, repr(state)))
        moving = isinstance(state.expects(), ToMove)
        state = state.apply(rng.choice(list(state.legal_moves())) if moving else game.sample(state, rng))
    assert all(repr(one) == was for one, was in kept)


class Lines:
    """The same for events that are written in a game's notation."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def play(self, state: Any, *lines: str) -> Any:
        """The position after these lines, each of them legal."""
        for line in lines:
            state = state.apply(self.game.parse(state, line))
        return state

    def broken(self, state: Any, line: str) -> list[str]:
        """Numbers of the rules that a line breaks, the most telling first."""
        return [breach.rule for breach in state.violations(self.game.parse(state, line))]

    def rules(self, state: Any, line: str) -> set[str]:
        """The rules that a line breaks, by number."""
        return set(self.broken(state, line))

    def legal(self, state: Any) -> set[str]:
        """Every legal move as a line."""
        return {self.game.text(move) for move in state.legal_moves()}

    def legal_of_all(self, state: Any) -> set[str]:
        """Every legal move, written without its player."""
        return {line.partition(" ")[2].partition(" ")[2] for line in self.legal(state)}
