"""Scoring photos: it reads the pieces of a photo, and reports on corrected readings by the rules."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response, request
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadRecord, CompanionError
from companion.core.plan import Point, go_round
from companion.core.protocols.photographs import PhotographReader
from companion.referee.photographs import LONGEST_ROW, report_on
from web.api.setup import check_private, check_running, suited
from web.http.answers import BadBody, body, json_answer, word
from web.views.table_view import TableView

UPLOAD_BYTES = 10 * 1024 * 1024
"""The size in bytes above which a photo is refused before it is read; a phone's photo has 2 to 6 MB."""


class PhotoTooHeavy(CompanionError, status=413):
    """An error: the photo has more than 10 MB."""


_Game = Annotated[str, Meta(min_length=1, max_length=40)]
_Readings = Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=LONGEST_ROW)]


class Row(Struct, forbid_unknown_fields=True):
    """The readings of one game's photos, the oldest first."""

    game: _Game
    readings: _Readings
    seats: Annotated[int, Meta(ge=1, le=8)] = 2


class GoOn(Struct, forbid_unknown_fields=True):
    """The game that continues from the last photo, with the players in clockwise order."""

    game: _Game
    readings: _Readings
    names: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=20)]
    instead: Annotated[str, Meta(max_length=32)] = ""
    """The id of the running game that this one replaces."""


def routes(view: TableView, reader: PhotographReader) -> Blueprint:
    """Returns the routes below `/api/photos`."""
    blueprint = Blueprint("photos", __name__, url_prefix="/api/photos")

    @blueprint.post("/read")
    def read() -> Response:
        """Reads one photo (the body) of `?game=`; `?corners=x,y,x,y,x,y,x,y` are tapped corners."""
        request.max_content_length = UPLOAD_BYTES
        if (request.content_length or 0) > UPLOAD_BYTES:
            raise PhotoTooHeavy("The photo has more than 10 MB. Send a smaller one.")
        game, corners = word("game", longest=40), _corners(word("corners", longest=200))
        return json_answer(reader.read(request.get_data(cache=False), game, corners))

    @blueprint.post("/score")
    def score() -> Response:
        """Returns the report of the rules on readings, corrected or not."""
        told = body(Row)
        return json_answer(msgspec.to_builtins(report_on(told.game, told.readings, told.seats)))

    @blueprint.post("/game")
    def go_on() -> Response:
        """Begins a game from the last photo; the previous game stays in the journal."""
        told = body(GoOn)
        check_private(view)
        if view.sessions.playback is None:
            check_running(view, told.instead)
        report = report_on(told.game, told.readings, len(told.names))
        if report.position is None:
            raise BadRecord("No game goes on from this photo. Correct what is marked in it.")
        plan = suited(view.sessions.plan, told.game, len(told.names))
        table = view.sessions.start(told.game, told.names, report.options, plan=plan, position=report.position)
        return json_answer({"game": table.session.header.id}, 201)

    return blueprint


def _corners(text: str) -> tuple[Point, Point, Point, Point] | None:
    """Returns the four tapped corners of the mat in pixels of the photo; None if there are none.

    Raises:
        BadBody: The text is not four corners in clockwise order.
    """
    if not text:
        return None
    try:
        a, b, c, d, e, f, g, h = (float(part) for part in text.split(","))
    except ValueError as error:
        raise BadBody("Tapped corners are eight numbers with commas. Tap them again.") from error
    corners = (a, b), (c, d), (e, f), (g, h)
    if not go_round(corners):
        raise BadBody("The four corners must go round the mat: top left, top right, bottom right, bottom left.")
    return corners
