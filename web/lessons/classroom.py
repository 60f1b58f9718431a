"""One lesson in progress: a session manager of its own, and made-up readings in place of a camera.

The rules, the referee and the page are those of every game. Only the readings are made up: the table as it would look
after the move of a scene, or, if the camera should be unsure, a mixture of two tables.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

from companion.core.foundation.errors import IllegalMove
from companion.core.game import Game
from companion.core.layout import Candidate, Detection, Layout
from companion.core.plan import Plan
from companion.core.protocols.eyes import NoEyes
from companion.games import PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from web.http.answers import BadBody, NothingThere
from web.lessons.catalog import ADVICE, LESSONS, Lesson, LessonScene

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


# The addresses of lessons: each under an address of its own, `/lesson/ID/`, beside the running game.
#
# A lesson is a whole application with a session manager of its own and a journal in a folder that is thrown away. So
# the page is the real one, and a learner cannot reach the game on the table.

AT_ONCE = 6
"""The largest number of lessons at the same time; a further one ends the oldest, because each may occupy threads of the
server."""
STREAMS = 3
"""The largest number of live streams of one lesson."""
PREFIX = "/lesson/"

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class _Room:
    def __init__(self, classroom: Classroom, app: Flask, folder: TemporaryDirectory[str]) -> None:
        self.classroom = classroom
        self.app = app
        self.folder = folder

    def close(self) -> None:
        self.app.extensions["live"].close()
        self.classroom.close()
        self.folder.cleanup()


class Lessons:
    """The lessons in progress. Every method may be called from any thread."""

    def __init__(self, games: Mapping[str, Game[Any]], app: Callable[[Classroom], Flask]) -> None:
        """
        Args:
            app: Returns the application for a lesson.
        """
        self._games = games
        self._app = app
        self._rooms: dict[str, _Room] = {}
        self._lock = threading.Lock()

    def begin(self, kind: str) -> str:
        """Begins a lesson and returns its address.

        Raises:
            NothingThere: There is no lesson for this kind of game.
        """
        lesson = LESSONS.get(kind)
        if lesson is None:
            raise NothingThere(f"There is no such lesson. Choose one of: {', '.join(LESSONS)}.")
        folder = TemporaryDirectory(prefix="companion-lesson-", ignore_cleanup_errors=True)
        plan = PLANS.get(lesson.game, _no_plan)(len(lesson.names))
        classroom = Classroom(lesson, Journal.open(Path(folder.name) / "lesson.sqlite"), self._games, plan)
        room = _Room(classroom, self._app(classroom), folder)
        number = secrets.token_hex(6)
        gone = []
        with self._lock:
            while len(self._rooms) >= AT_ONCE:
                gone.append(self._rooms.pop(next(iter(self._rooms))))
            self._rooms[number] = room
        for old in gone:
            old.close()
        return f"{PREFIX}{number}/"

    def beside(self, main: Wsgi) -> Wsgi:
        """Returns an application that serves the lessons, and passes all other requests to `main`."""

        def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            path = environ.get("PATH_INFO", "")
            number, slash, rest = path.removeprefix(PREFIX).partition("/")
            room = self._rooms.get(number) if path.startswith(PREFIX) and slash else None
            if room is None:
                return main(environ, start_response)
            under = environ.get("SCRIPT_NAME", "") + PREFIX + number
            return room.app.wsgi_app({**environ, "SCRIPT_NAME": under, "PATH_INFO": "/" + rest}, start_response)

        return answer

    def close(self) -> None:
        """Ends all lessons."""
        with self._lock:
            rooms, self._rooms = list(self._rooms.values()), {}
        for room in rooms:
            room.close()


def _no_plan(seats: int) -> Plan:
    """Returns an arbitrary plan for a card game, which has no mat: all readings are made up."""
    return PLANS["spectrangle"](2)
