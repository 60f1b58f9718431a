"""The choice of a game's board, its printed mat, and a camera of this machine.

Only the host sees pictures of cameras that do not watch the table, because they may show a room that was not meant to
be shared.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Annotated

from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadOptions
from companion.core.foundation.words import Words
from companion.core.plan import PAPERS_MM
from companion.core.protocols.eyes import Cameras
from companion.games import PLANS
from web.api.setup import Nothing
from web.facts.options import sample_position
from web.http.answers import BadBody, NothingThere, body, json_answer, number, word
from web.language.catalog import chosen
from web.scene.marks import Marks
from web.scene.shape import BoardFrame
from web.scene.svg import tree
from web.views.table_view import TableView

Mats = Callable[[str, int, str, Words], bytes]
"""Returns the PDF of a mat, from the game, the number of players, the paper and the translator."""


def no_mats(game: str, seats: int, paper: str, words: Words) -> bytes:
    """Raises an error, because printing is not available.

    Raises:
        NothingThere: Always.
    """
    raise NothingThere("No mat can be printed from this page. Use `companion mat`.")


class Choose(Struct, forbid_unknown_fields=True):
    """The camera that is to watch the table; "" for none."""

    camera: Annotated[str, Meta(max_length=200)]


def routes(view: TableView, cameras: Cameras, mats: Mats) -> Blueprint:
    """Returns the routes `/api/games/GAME/board`, `/mat/GAME.pdf` and `/api/cameras`."""
    blueprint = Blueprint("choosing", __name__)

    @blueprint.get("/api/games/<game>/board")
    def board(game: str) -> Response:
        """Returns a picture of a game's board some moves into a game with as few players as it allows."""
        known = view.sessions.games.get(game)
        if known is None:
            raise NothingThere("There is no such game. Choose one of those on the page.")
        seats = known.seats[0]
        names = tuple(f"Player {seat + 1}" for seat in range(seats))
        frame = BoardFrame(f"picture-{game}", f"Board of {known.title}", live=False, names=names)
        shown = view.presenter(known).board(sample_position(known), Marks(), frame)
        return json_answer({"board": tree(shown)})

    @blueprint.get("/mat/<game>.pdf")
    def mat(game: str) -> Response:
        """Returns the printable mat of a game for `?seats=` players, on `?paper=`: a4, a3 or letter."""
        known = view.sessions.games.get(game)
        if known is None or game not in PLANS:
            raise NothingThere("There is no printed mat for this game: no camera watches it.")
        seats, paper = number("seats", known.seats[0]), word("paper", longest=10) or "a4"
        if seats not in known.seats:
            raise BadOptions(f"{known.title} is not for {seats} players. Choose another number.")
        if paper not in PAPERS_MM:
            raise BadBody(f"There is no such paper. Choose one of: {', '.join(PAPERS_MM)}.")
        headers = {"Content-Disposition": f'inline; filename="{game}-{seats}-{paper}.pdf"'}
        return Response(mats(game, seats, paper, chosen().translate), headers=headers, content_type="application/pdf")

    @blueprint.post("/api/cameras/look")
    def look() -> Response:
        """Returns every camera of this machine with its present picture, as a data address."""
        body(Nothing)
        found = [
            {
                "name": offered.name,
                "label": offered.label,
                "picture": offered.jpeg and f"data:image/jpeg;base64,{b64encode(offered.jpeg).decode()}",
                "text": offered.text,
                "watched": offered.watched,
            }
            for offered in cameras.look()
        ]
        return json_answer({"cameras": found})

    @blueprint.post("/api/cameras")
    def use() -> Response:
        """Chooses another camera to watch the table, or none."""
        cameras.use(body(Choose).camera)
        return json_answer(view.eyes())

    return blueprint
