"""The pages themselves: thin templates, each with one script.

The important content is in the page before any script runs: names, scores, turn, board. So the first visit is quick,
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
from web.scene.svg import svg
from web.telling import ADVISERS
from web.views.table_view import TableView


def routes(view: TableView, book: Rulebook, access: Access) -> Blueprint:
    """Returns the routes of all pages."""
    blueprint = Blueprint("pages", __name__)

    def page(template: str, seat: Seat | None = None, **more: Any) -> Response:
        return rendered(view, access, template, seat, **more)

    def board(seat: Seat | None = None) -> Markup:
        """Returns the present board for the first visit."""
        table = view.sessions.table
        if table is None:
            return Markup("")
        marks = Marks(last=view.last_spots(table, table.session.timeline))
        return Markup(svg(view.board(table, table.session.state, marks, seat=seat)))

    @blueprint.get("/")
    def table() -> Response:
        """Returns the page of the table: board, picture, alert, scores, history."""
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
        """Returns the panel of a game from another package."""
        known = MANIFESTS.get(game)
        if known is None or isinstance(known.panel, str):
            raise NothingThere("No other package brings a panel for this game. Go back to the table.")
        return Response(known.panel.read_bytes(), content_type="text/javascript; charset=utf-8")

    @blueprint.get("/screen")
    def screen() -> Response:
        """Returns the table for a wall screen, without controls."""
        return page("screen.html", board=board())

    @blueprint.get("/setup")
    def setup() -> Response:
        """Returns the page for a new game or an earlier one."""
        return page("setup.html")

    @blueprint.get("/lessons")
    def lessons() -> Response:
        """Returns the page with a lesson for each kind of game."""
        return page("lessons.html", lessons=LESSONS.values())

    @blueprint.get("/camera")
    def camera() -> Response:
        """Returns the page for camera check, corners and zones."""
        return page("camera.html")

    @blueprint.get("/calibration")
    def calibration() -> Response:
        """Returns the page with the three steps in which a table is set up."""
        return page("calibration.html")

    @blueprint.get("/rules/<game>")
    def rules(game: str) -> Response:
        """Returns the numbered rules of a game."""
        query = request.args.get("q", "")[:100]
        known = view.sessions.games.get(game)
        title = known.title if known is not None else game
        found = book.search(game, query, chosen().tag)
        return page("rules.html", game=game, title=title, query=query, rules=found)

    @blueprint.get("/sheet")
    def sheet() -> Response:
        """Returns the score sheet for printing."""
        table = view.sessions.table
        if table is None:
            raise NothingThere("No game is on the table yet. Set one up first.")
        return page(
            "sheet.html", rows=[view.row_of(table, row) for row in table.session.rows()], undone=table.session.undone()
        )

    @blueprint.get("/join")
    def join() -> Response:
        """Returns the page for joining by link or PIN."""
        return page("join.html", pin=access.pin is not None, no_pin=NO_PIN)

    @blueprint.get("/phone")
    def phone() -> Response:
        """Returns the page that makes a phone the camera. It gives no role, even on this machine."""
        return make_response(render_template("phone.html"))

    @blueprint.get("/favicon.ico")
    def favicon() -> BaseResponse:
        """Returns the icon for the browser's tab."""
        response = make_response("", 302)
        response.headers["Location"] = url_for("static", filename="icon.svg")
        return response

    return blueprint


def _own_panel(game: str) -> str:
    """Returns the name of a game's own panel among the modules of this package; empty if it has none."""
    named = MANIFESTS[game].panel if game in MANIFESTS else ""
    return named.removesuffix(".js") if isinstance(named, str) else ""


def rendered(view: TableView, access: Access, template: str, seat: Seat | None = None, **more: Any) -> Response:
    """Returns a page as a seat may see it; a browser on this machine becomes the host on its first visit."""
    let_in = role() != "host" and from_this_machine()
    data = decode_json(view.snapshot(seat), dict[str, Any])
    who = "host" if let_in else role()
    response = make_response(render_template(template, role=who, data=data, **more))
    if let_in:
        admit(response, access, "host")
    return response


def _panel(game: str) -> str:
    """Returns the address of a game's own panel; empty if it uses the panel for boards of cells."""
    named = MANIFESTS[game].panel if game in MANIFESTS else ""
    if not isinstance(named, str):
        return url_for("pages.panel", game=game)
    return url_for("static", filename=f"js/{named}") if named else ""
