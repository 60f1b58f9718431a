"""The application of a hub: all tables of a club, and an evening of rounds.

It has no table of its own, so it can change no game; it shows of a table what that table's page shows everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from flask import Blueprint, Flask, Response, make_response, render_template

from companion import __version__
from companion.games import GAMES
from companion.referee.evening.director import EveningDirector
from web.admission.access import NO_PIN, Access
from web.admission.request_log import log_requests
from web.admission.security import Class, admit, from_this_machine, guard, role
from web.api.door import let_in
from web.http.answers import NothingThere, answer_errors, json_answer
from web.http.bundles import serve_bundles
from web.http.compression import compress_answers
from web.http.settings import WebSettings
from web.hub import evening
from web.hub.machines import Machines
from web.language import catalog as language

BODY_BYTES = 64 * 1024
ROUTES: Mapping[str, Class] = {
    "static": "public-read",
    "hub.overview": "public-read",
    "hub.evening": "public-read",
    "hub.wall": "public-read",
    "hub.join": "public-read",
    "hub.tables": "public-read",
    "hub.still": "public-read",
    "hub.health": "public-read",
    "hub.me": "public-read",
    "hub.enter": "join",
    "language.messages": "public-read",
    "evening.now": "public-read",
    "evening.export": "public-read",
    "evening.ratings": "public-read",
    "evening.begin": "control",
    "evening.pair": "control",
    "evening.withdraw": "control",
}
"""The rights for every endpoint of a hub; all other endpoints are refused."""


def create_hub_app(
    machines: Machines, director: EveningDirector, settings: WebSettings, access: Access | None = None
) -> Flask:
    """Returns the application that serves the page of a club.

    Args:
        access: The tokens and the PIN of people who may run the evening; by default only a browser on this machine may.
    """
    access = access or Access()
    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["settings"] = settings
    log_requests(app)
    guard(app, settings, access, ROUTES)
    answer_errors(app)
    language.speak(app)
    serve_bundles(app)
    compress_answers(app)
    app.register_blueprint(language.routes())
    app.register_blueprint(evening.routes(director))
    app.register_blueprint(_pages(machines, director, access))
    return app


def _fits(seats: range) -> list[str]:
    """Returns the kinds of pairings that a game can be played in: of "two", or at "tables" of three or four."""
    return [*(["two"] if 2 in seats else []), *(["tables"] if 3 in seats and 4 in seats else [])]


def _pages(machines: Machines, director: EveningDirector, access: Access) -> Blueprint:
    blueprint = Blueprint("hub", __name__)

    def page(template: str, **more: Any) -> Response:
        """Returns a page; a browser on this machine becomes the host on its first visit."""
        first = role() != "host" and from_this_machine()
        response = make_response(render_template(template, role="host" if first else role(), **more))
        if first:
            admit(response, access, "host")
        return response

    def told() -> dict[str, Any]:
        return evening.shown(director)

    @blueprint.get("/")
    def overview() -> Response:
        """Returns all tables of the club: picture, turn, scores and open matters."""
        return page("hub.html", tables=machines.tables())

    @blueprint.get("/evening", endpoint="evening")
    def evening_page() -> Response:
        """Returns the page of the evening: pairings, standings, and the possible actions."""
        found = director.ratings() or ()
        fits = {name: _fits(game.seats) for name, game in GAMES.items()}
        games = {name: {"title": GAMES[name].title, "fits": " ".join(ways)} for name, ways in fits.items() if ways}
        addresses = {table["name"]: table["at"] for table in machines.tables() if table["open"]}
        return page("evening.html", **told(), games=games, ratings=found, addresses=addresses)

    @blueprint.get("/evening/wall")
    def wall() -> Response:
        """Returns the evening for a wall screen, without controls."""
        return page("evening-wall.html", **told())

    @blueprint.get("/join")
    def join() -> Response:
        """Returns the page for joining by PIN."""
        return page("hub-join.html", pin=access.pin is not None, no_pin=NO_PIN)

    @blueprint.get("/api/tables")
    def tables() -> Response:
        """Returns all tables as JSON."""
        return json_answer({"tables": machines.tables()})

    @blueprint.get("/machines/<path:name>/still.jpg")
    def still(name: str) -> Response:
        """Returns the present picture of a table."""
        found = machines.picture(name)
        if found is None:
            raise NothingThere("There is no picture of this table now.")
        return Response(found, mimetype="image/jpeg")

    @blueprint.get("/healthz")
    def health() -> Response:
        """Returns the state of the journals."""
        well = director.trouble is None
        state: Literal["well", "trouble"] = "well" if well else "trouble"
        told = {"ok": well, "version": __version__, "journals": state}
        return json_answer(told if well else {**told, "error": director.trouble}, 200 if well else 503)

    @blueprint.get("/api/door")
    def me() -> Response:
        """Returns the role of this browser, and whether a PIN is accepted."""
        return json_answer({"role": role(), "pin": access.pin is not None})

    @blueprint.post("/api/door")
    def enter() -> Response:
        """Joins by ticket or PIN; the answer sets the cookie."""
        return let_in(access)

    return blueprint
