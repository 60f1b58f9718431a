"""The page *Print*, which prints whole games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request

from companion.core.foundation.errors import BadOptions
from companion.core.foundation.words import Words
from companion.core.game import Game
from companion.core.plan import PAPERS_MM
from web.admission.access import Access
from web.http.answers import BadBody, NothingThere, number, word
from web.language.catalog import chosen
from web.pages.pages import rendered
from web.views.table_view import TableView

Kits = Callable[[str, int, str, Words], bytes]
"""Returns a PDF for the name of a game or an entry of `ALONE`, the number of players, the paper and the translator."""

ALONE: Mapping[str, str] = {"deck": "The deck of cards alone", "markers": "The four markers alone"}
"""The printed kits that are not games."""


def no_kits(name: str, seats: int, paper: str, words: Words) -> bytes:
    """Raises an error, because printing is not available.

    Raises:
        NothingThere: Always.
    """
    raise NothingThere("Nothing can be printed from this page. Use `companion print`.")


def routes(view: TableView, access: Access, kits: Kits) -> Blueprint:
    """Returns the routes `/print` and `/print/NAME.pdf`."""
    blueprint = Blueprint("printing", __name__)

    @blueprint.get("/print")
    def overview() -> Response:
        """Returns the games and kits that can be printed."""
        games = list(view.sessions.games.values())
        return rendered(view, access, "print.html", games=games, alone=ALONE, papers=PAPERS_MM, usual=usual_seats)

    @blueprint.get("/print/<game>.pdf")
    def kit(game: str) -> Response:
        """Returns the printed parts of a game for `?seats=` players, on `?paper=`: a4, a3 or letter."""
        known = view.sessions.games.get(game)
        if known is None and game not in ALONE:
            raise NothingThere("There is no such game to print. Choose one of those on the page.")
        seats = number("seats", usual_seats(known)) if "seats" in request.args else usual_seats(known)
        paper = word("paper", longest=10) or "a4"
        if known is not None and seats not in known.seats:
            raise BadOptions(f"{known.title} is not for {seats} players. Choose another number.")
        if paper not in PAPERS_MM:
            raise BadBody(f"There is no such paper. Choose one of: {', '.join(PAPERS_MM)}.")
        headers = {"Content-Disposition": f'inline; filename="{game}-{paper}.pdf"'}
        return Response(kits(game, seats, paper, chosen().translate), headers=headers, content_type="application/pdf")

    return blueprint


def usual_seats(game: Game[Any] | None) -> int:
    """Returns two players, or the smallest number that a game allows."""
    return 2 if game is None or 2 in game.seats else game.seats[0]
