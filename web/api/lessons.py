"""Lessons: beginning a lesson, and its steps."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Blueprint, Response
from msgspec import Meta, Struct

from web.http.answers import BadBody, NothingThere, body, json_answer
from web.lessons.classroom import Classroom
from web.lessons.lessons import Lessons


class Begin(Struct, forbid_unknown_fields=True):
    """The kind of game to learn."""

    kind: Annotated[str, Meta(min_length=1, max_length=40)]


class LessonStep(Struct, forbid_unknown_fields=True):
    """The command for the lesson: show its scene, go on to the next one, or repeat this one."""

    do: Literal["show", "next", "again"]


def routes(lessons: Lessons, classroom: Classroom | None) -> Blueprint:
    """Returns the routes `/api/lessons` and `/api/lesson`.

    Args:
        classroom: The lesson that this application serves; None: it serves the table.
    """
    blueprint = Blueprint("lessons", __name__, url_prefix="/api")

    @blueprint.post("/lessons")
    def begin() -> Response:
        """Begins a lesson on a session manager of its own; the game on the table is not affected."""
        told = body(Begin)
        if classroom is not None:
            raise BadBody("This is a lesson already. Go back to the table, and begin another one there.")
        return json_answer({"at": lessons.begin(told.kind)}, 201)

    @blueprint.post("/lesson")
    def step() -> Response:
        """Takes a step of this lesson; a scene with an illegal move is refused as the move itself would be."""
        told = body(LessonStep)
        if classroom is None:
            raise NothingThere("No lesson is being taken here. Begin one first.")
        {"show": classroom.show, "next": classroom.go_on, "again": classroom.again}[told.do]()
        return json_answer({"lesson": classroom.status()})

    return blueprint
