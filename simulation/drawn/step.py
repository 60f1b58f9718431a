"""Defines the events of one picture of a game since the last steady one, and the players that make them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

from companion.core.contract import Event, Violation
from companion.core.game import Game
from companion.core.recording import Recording
from companion.referee.table.table import Table
from simulation.drawn.spread import Spread

Kind = Literal["legal", "illegal", "back", "nothing"]
"""The kind of a step. "legal" and "illegal": events were made. "back": an illegal move is taken back. "nothing": pieces
were only pushed about.
"""


class Habits(NamedTuple):
    """The habits of players beyond plain turns; the default ones leave every game of a seed unchanged."""

    near: float = 0.0
    """The share of pictures in which a piece is set down 5 to 40 mm from the last place of another one."""
    two_turns: float = 0.0
    """The probability that the next player's turn begins in the same picture."""
    wide: bool = False
    """True if mistakes are of every kind, including those out of turn and with trees."""


class Step(NamedTuple):
    """The changes between two steady pictures."""

    kind: Kind
    events: tuple[Event, ...]
    """The events in order; for an illegal step its one event, for a step back the withdrawn event."""
    words: tuple[dict[str, Any], ...]
    """The visible events in the words of a recording."""
    breaches: tuple[Violation, ...]
    """Every rule that the event of an illegal step breaks."""
    before: Any
    """The position before the events."""
    after: Any
    """The position on the table; for an illegal step the position that results if the event stands."""
    place_mm: tuple[float, float]
    """The last place of the hand."""


def step_of(
    game: Game[Any], kind: Kind, events: tuple[Event, ...], before: Any, after: Any, place_mm: tuple[float, float]
) -> Step:
    """Returns a step with the words of its events and the rules that they break."""
    words, here = [], before
    for event in events:
        told = game.words(here, event)
        words += [] if told is None else [told]
        here = here.apply(event) if kind == "legal" else here
    breaches = before.violations(events[0]) if kind == "illegal" else ()
    return Step(kind, events, tuple(words), breaches, before, after, place_mm)


class Player(Protocol):
    """A simulation of all players, which makes events on a spread, one picture at a time."""

    game: Game[Any]
    spread: Spread
    state: Any
    """The position on the table."""

    def recording(self) -> Recording:
        """Returns the beginning of the recording."""

    def step(self) -> Step | None:
        """Plays on and moves the pieces; returns None when the game is over."""

    def set_up(self, table: Table, state: Any) -> None:
        """Sets a position on a table's page, as a person would."""
