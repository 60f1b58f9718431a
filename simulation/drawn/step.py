"""One picture's worth of a game: what was done since the last steady picture, and what a referee should say to it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

from companion.core.contract import Event, Violation
from companion.core.game import Game
from companion.core.recording import Recording
from companion.referee.table.table import Table
from simulation.drawn.spread import Spread

Kind = Literal["legal", "illegal", "back", "nothing"]
"""`back`: an illegal move is taken back. `nothing`: pieces were only pushed about."""


class Habits(NamedTuple):
    """What players do beside a plain turn; the usual ones leave every game of a seed as it always was."""

    near: float = 0.0
    """Share of pictures in which a piece is set down 5 to 40 mm from where another one stood until then."""
    two_turns: float = 0.0
    """Chance that the next player's turn begins in the same picture."""
    wide: bool = False
    """True if mistakes are of every kind that the rules know, out of turn and with trees, too."""


class Step(NamedTuple):
    """What happened between two steady pictures."""

    kind: Kind
    events: tuple[Event, ...]
    """In order; of an illegal step the one event, of a step back the event that was taken back."""
    words: tuple[dict[str, Any], ...]
    """The same in a recording's words, those that a camera can see."""
    breaches: tuple[Violation, ...]
    """Of an illegal step: every rule that its event breaks."""
    before: Any
    """The position before the events."""
    after: Any
    """The position that the table shows; after an illegal step that which it would be if it stood."""
    place_mm: tuple[float, float]
    """Where the hand was last."""


def step_of(
    game: Game[Any], kind: Kind, events: tuple[Event, ...], before: Any, after: Any, place_mm: tuple[float, float]
) -> Step:
    """Returns the step of some events, with what they are called and what they break."""
    words, here = [], before
    for event in events:
        told = game.words(here, event)
        words += [] if told is None else [told]
        here = here.apply(event) if kind == "legal" else here
    breaches = before.violations(events[0]) if kind == "illegal" else ()
    return Step(kind, events, tuple(words), breaches, before, after, place_mm)


class Player(Protocol):
    """Plays a random game on a spread, one picture's worth at a time."""

    game: Game[Any]
    spread: Spread
    state: Any
    """The position on the table."""

    def recording(self) -> Recording:
        """Returns how refereeing begins."""

    def step(self) -> Step | None:
        """Play on, move the pieces; None when the game is over."""

    def set_up(self, table: Table, state: Any) -> None:
        """Tell a table, as a person would, that this is the position."""
