"""The parts of a lesson: three scenes of one game, each a position and one task in it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Task = Literal["move", "refused", "question"]
"""Make a legal move; see an illegal one refused; answer what the referee asks."""


class LessonScene(Struct, frozen=True):
    """One position and one thing to do in it."""

    task: Task
    before: tuple[str, ...]
    """The earlier events in the game's notation: they lead from the start of the game to the position."""
    say: str
    """The learner's text before the task."""
    then: str
    """The learner's text after the task."""
    shown: tuple[str, ...] = ()
    """The events of the lesson itself, in the game's notation: an illegal move, or the two events between which the
    camera cannot decide. Empty: the learner makes all moves."""
    told: bool = False
    """True if the events are entered, as on the page, and not seen by the camera."""


class Lesson(Struct, frozen=True):
    """A lesson for one kind of game."""

    kind: str
    title: str
    about: str
    """Which games are of this kind, in a sentence."""
    game: str
    names: tuple[str, ...]
    scenes: tuple[LessonScene, LessonScene, LessonScene]
