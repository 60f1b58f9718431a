"""The pages themselves: thin templates that one script each brings to life.

What matters is in the page before any script runs: names, scores, whose turn, the board. So the first look is quick,
and a browser without scripts still shows the table, with a motion-JPEG picture.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion.core.contract import Seat
from companion.core.foundation.kept_file import decode_json
from companion.games import MANIFESTS
from web.admission.access import NO_PIN, Access
from web.admission.security import admit, from_this_machine, role
from web.http.answers import NothingThere
from web.language.catalog import chosen
from web.lessons.catalog import LESSONS
from web.pages.current_seat import current_seat
from web.pages.rulebook import Rulebook
from web.scene.marks import Marks
from web.scene.shape import svg
from web.telling import ADVISERS
from web.views.table_view import TableView


def routes(view: TableView, book: Rulebook, access: Access) -> Blueprint:
    """All pages."""
    blueprint = Blueprint("pages", __name__)

    def page(template: str, seat: Seat | None = None, **more: Any) -> Response:
        return rendered(view, access, template, seat, **more)

    def board(seat: Seat | None = None) -> Markup:
        """The board as it stands, for the first look."""
        table = view.sessions.table
        if table is None:
            return Markup("")
        marks = Marks(last=view.last_spots(table, table.session.timeline))
        return Markup(svg(view.board(table, table.session.state, marks, seat=seat)))

    @blueprint.get("/")
    def table() -> Response:
        """The table: board, picture, alert, scores, history."""
        table = view.sessions.table
        if table is None:
            return page("table.html")
        game, seat = table.session.game, current_seat(view)
        own, example = game.name in ADVISERS, view.presenter(game).example
        return page(
            "table.html",
            seat,
            board=board(seat),
            own=own,
            example=example,
            panel=_panel(game.name),
            own_panel=_own_panel(game.name),
        )

    @blueprint.get("/games/<game>/panel.js")
    def panel(game: str) -> Response:
        """The panel of a game that another package brings."""
        known = MANIFESTS.get(game)
        if known is None or isinstance(known.panel, str):
            raise NothingThere("No other package brings a panel for this game. Go back to the table.")
        return Response(known.panel.read_bytes(), content_type="text/javascript; charset=utf-8")

    @blueprint.get("/screen")
    def screen() -> Response:
        """The same for a wall, without controls."""
        return page("screen.html", board=board())

    @blueprint.get("/setup")
    def setup() -> Response:
        """A new game, or an earlier one."""
        return page("setup.html")

    @blueprint.get("/lessons")
    def lessons() -> Response:
        """A lesson for each kind of game."""
        return page("lessons.html", lessons=LESSONS.values())

    @blueprint.get("/camera")
    def camera() -> Response:
        """Camera check, corners and zones."""
        return page("camera.html")

    @blueprint.get("/calibration")
    def calibration() -> Response:
        """The three steps in which a table is set up."""
        return page("calibration.html")

    @blueprint.get("/rules/<game>")
    def rules(game: str) -> Response:
        """The numbered rules of a game."""
        query = request.args.get("q", "")[:100]
        known = view.sessions.games.get(game)
        title = known.title if known is not None else game
        found = book.search(game, query, chosen().tag)
        return page("rules.html", game=game, title=title, query=query, rules=found)

    @blueprint.get("/sheet")
    def sheet() -> Response:
        """The score sheet, to print."""
        table = view.sessions.table
        if table is None:
            raise NothingThere("No game is on the table yet. Set one up first.")
        return page(
            "sheet.html", rows=[view.row_of(table, row) for row in table.session.rows()], undone=table.session.undone()
        )

    @blueprint.get("/join")
    def join() -> Response:
        """Come in by link or PIN."""
        return page("join.html", pin=access.pin is not None, no_pin=NO_PIN)

    @blueprint.get("/phone")
    def phone() -> Response:
        """The page that makes a phone the camera. No role is given out here, on this machine either."""
        return make_response(render_template("phone.html"))

    @blueprint.get("/favicon.ico")
    def favicon() -> BaseResponse:
        """The sign in the browser's tab."""
        response = make_response("", 302)
        response.headers["Location"] = url_for("static", filename="icon.svg")
        return response

    return blueprint


def _own_panel(game: str) -> str:
    """The name of a game's own panel among the modules of this package."""
    named = MANIFESTS[game].panel if game in MANIFESTS else ""
    return named.removesuffix(".js") if isinstance(named, str) else ""


def rendered(view: TableView, access: Access, template: str, seat: Seat | None = None, **more: Any) -> Response:
    """A page as a seat may see it; a browser on this machine is let in as the host on its first visit."""
    let_in = role() != "host" and from_this_machine()
    data = decode_json(view.snapshot(seat), dict[str, Any])
    who = "host" if let_in else role()
    response = make_response(render_template(template, role=who, data=data, **more))
    if let_in:
        admit(response, access, "host")
    return response


def _panel(game: str) -> str:
    """The address of a game's own panel; empty where it takes the one for boards of cells."""
    named = MANIFESTS[game].panel if game in MANIFESTS else ""
    if not isinstance(named, str):
        return url_for("pages.panel", game=game)
    return url_for("static", filename=f"js/{named}") if named else ""
