"""One lesson in progress: a session manager of its own, and made-up readings in place of a camera.

The rules, the referee and the page are those of every game. Only the readings are made up: the table as it would look
after the move of a scene, or, if the camera should be unsure, a mixture of two tables.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from companion.core.foundation.errors import IllegalMove
from companion.core.game import Game
from companion.core.layout import Candidate, Detection, Layout
from companion.core.plan import Plan
from companion.core.protocols.eyes import NoEyes
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from web.http.answers import BadBody
from web.lessons.catalog import ADVICE, Lesson, LessonScene

_FIRST, _SECOND = 0.5, 0.48
"""The probabilities of the two pieces in a doubtful reading."""


class Classroom:
    """A lesson in progress. Every method may be called from any thread."""

    def __init__(self, lesson: Lesson, journal: Journal, games: Mapping[str, Game[Any]], plan: Plan) -> None:
        """
        Args:
            journal: The journal of this lesson alone.
            plan: The plan of the lesson's game.
        """
        self.lesson = lesson
        self.sessions = SessionManager(journal, games, plan, eyes=_LessonEyes(self))
        self._scene = 0
        self._frame = 0
        self._shown = False
        # The lock is for steps only: a table asks its eyes to look, and the page asks for the status, while they hold
        # locks of their own.
        self._lock = threading.RLock()
        self._lay_out()

    def status(self) -> dict[str, Any]:
        """Returns the state of the lesson for the page."""
        scene, done = self._now, self._is_done()
        if done:
            text = scene.then
        elif self._shown:
            text = ADVICE[scene.task]
        else:
            text = scene.say
        return {
            "title": self.lesson.title,
            "scene": self._scene + 1,
            "scenes": len(self.lesson.scenes),
            "text": text,
            "done": done,
            "show": bool(scene.shown) and not self._shown,
            "over": done and self._scene == len(self.lesson.scenes) - 1,
        }

    def show(self) -> None:
        """Carries out the scene.

        Raises:
            BadBody: The scene has nothing to show, or it was already shown.
            IllegalMove: The event breaks a rule, as intended.
        """
        with self._lock:
            scene, table = self._now, self._table
            if not scene.shown or self._shown:
                raise BadBody("There is nothing to be shown now. Do what the lesson says, or begin it again.")
            game, state = table.session.game, table.session.state
            events = [game.parse(state, text) for text in scene.shown]
            if scene.told:
                try:
                    table.play(events[0], source="page")
                except IllegalMove:
                    self._shown = True
                    self.sessions.touch()
                    raise
                return
            self._see(state.layout())
            self._see(blended([state.apply_unchecked(event).layout() for event in events]))
            self._shown = True
            self.sessions.touch()

    def go_on(self) -> None:
        """Goes on to the next scene.

        Raises:
            BadBody: The present scene is not done, or is the last.
        """
        with self._lock:
            if not self._is_done() or self._scene == len(self.lesson.scenes) - 1:
                raise BadBody("This step is not done yet. Do what the lesson says, or begin it again.")
            self._scene += 1
            self._lay_out()

    def again(self) -> None:
        """Starts the same scene again."""
        with self._lock:
            self._lay_out()

    def look(self) -> None:
        """Reads the table as it was before the shown event, because a person says that it was put back."""
        if self._shown and not self._now.told:
            self._see(self._table.session.state.layout())

    def close(self) -> None:
        """Closes the journal."""
        self.sessions.journal.close()

    @property
    def _now(self) -> LessonScene:
        return self.lesson.scenes[self._scene]

    @property
    def _table(self) -> Any:
        assert self.sessions.table is not None
        return self.sessions.table

    def _lay_out(self) -> None:
        self._shown = False
        game = self.sessions.games[self.lesson.game]
        table = self.sessions.start(game.name, self.lesson.names, {})
        for text in self._now.before:
            table.play(game.parse(table.session.state, text), source="software")
        self.sessions.touch()

    def _see(self, layout: Layout) -> None:
        self._frame += 1
        # Two more equal readings, because a steady table looks the same in the next picture.
        self.sessions.see(layout, self._frame, further=(layout, layout))

    def _is_done(self) -> bool:
        table = self._table
        if self._now.shown:
            return self._shown and table.session.alert is None
        return any(row.source == "page" and row.event is not None for row in table.session.rows())


class _LessonEyes(NoEyes):
    """Eyes that read what the lesson makes up, when they are asked to look again."""

    def __init__(self, classroom: Classroom) -> None:
        self._classroom = classroom

    def look_again(self) -> None:
        self._classroom.look()


def blended(layouts: list[Layout]) -> Layout:
    """Returns one reading that cannot decide between two layouts; a single layout is returned unchanged.

    Pieces are compared in their order, so both layouts must have the same number of pieces in each heap.
    """
    first = layouts[0]
    if len(layouts) == 1:
        return first
    second = layouts[1]
    cells = {spot: _either(one, second.cells.get(spot, one)) for spot, one in first.cells.items()}
    heaps = {
        spot: tuple(_either(*pair) for pair in zip(heap, second.heaps.get(spot, heap), strict=True))
        for spot, heap in first.heaps.items()
    }
    return Layout(cells=cells, heaps=heaps, covered=first.covered)


def _either(one: Detection, other: Detection) -> Detection:
    if one.piece == other.piece:
        return one
    return Detection((Candidate(one.piece, _FIRST), Candidate(other.piece, _SECOND)))
