"""What a lesson is made of: three scenes of one game, each a position and one thing to do in it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Task = Literal["move", "refused", "question"]
"""Make a legal move; see an illegal one refused; answer what the referee asks."""


class LessonScene(Struct, frozen=True):
    """One position and one thing to do in it."""

    task: Task
    before: tuple[str, ...]
    """What has happened, in the game's notation: it leads from the start of the game to the position."""
    say: str
    """What the learner reads before."""
    then: str
    """What the learner reads when it is done."""
    shown: tuple[str, ...] = ()
    """What the lesson itself does, in the game's notation. An illegal move, or the two events between which the
    camera cannot tell; empty: the learner does everything."""
    told: bool = False
    """True if what is shown is told, as on the page, and not seen by the camera."""


class Lesson(Struct, frozen=True):
    """A lesson for one kind of game."""

    kind: str
    title: str
    about: str
    """Which games are of this kind, in a sentence."""
    game: str
    names: tuple[str, ...]
    scenes: tuple[LessonScene, LessonScene, LessonScene]
