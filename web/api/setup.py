"""Setting up: which games there are, their options, starting one and going on with an earlier one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from web.answers import body, json_answer
from web.boards import PRESENTERS
from web.desk_view import DeskView
from web.options import fields


class Start(Struct, forbid_unknown_fields=True):
    """A new game: its name, the players clockwise, the options that differ from their defaults."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    names: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=20)]
    options: dict[str, Any] = {}
    draws: Literal["told", "unseen"] = "told"


class Resume(Struct, forbid_unknown_fields=True):
    """The game to go on with."""

    game: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,32}$")]


def routes(view: DeskView) -> Blueprint:
    """`/api/games` and `/api/saved`."""
    blueprint = Blueprint("setup", __name__, url_prefix="/api")

    @blueprint.get("/games")
    def games() -> Response:
        """Games that can be refereed and shown, with seats and options."""
        found = [
            {
                "name": game.name,
                "title": game.title,
                "seats": list(game.seats),
                "options": msgspec.to_builtins(fields(game.Options)),
            }
            for name, game in view.desk.games.items()
            if name in PRESENTERS
        ]
        return json_answer({"games": found})

    @blueprint.post("/games")
    def start() -> Response:
        """Begin a game; the one before stays in the journal."""
        told = body(Start)
        view.presenter(view.desk.game(told.game))
        table = view.desk.start(told.game, told.names, told.options, draws=told.draws)
        return json_answer({"game": table.header.id}, 201)

    @blueprint.get("/saved")
    def saved() -> Response:
        """Games of the journal, the newest first."""
        now = view.desk.table
        headers = reversed(view.desk.journal.games())
        found = [
            {
                "id": header.id,
                "name": header.game,
                "title": view.desk.games[header.game].title if header.game in view.desk.games else header.game,
                "names": header.names,
                "started": header.started,
                "here": now is not None and header.id == now.header.id,
            }
            for header in headers
        ]
        return json_answer({"saved": found[:200]})

    @blueprint.post("/saved")
    def resume() -> Response:
        """Go on with a game of the journal."""
        table = view.desk.resume(body(Resume).game)
        return json_answer({"game": table.header.id})

    return blueprint
