"""The addresses of lessons: each under an address of its own, `/lesson/ID/`, beside the running game.

A lesson is a whole application with a session manager of its own and a journal in a folder that is thrown away. So
the page is the real one, and a learner cannot reach the game on the table.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

from companion.core.game import Game
from companion.core.plan import Plan
from companion.games import PLANS
from companion.referee.journal import Journal
from web.http.answers import NothingThere
from web.lessons.catalog import LESSONS
from web.lessons.classroom import Classroom

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
