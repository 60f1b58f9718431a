"""The HTTP interface as OpenAPI 3.1, put together from the routes and the types that check them.

`python -m web.openapi > docs/openapi.json` writes the file; a test fails when it differs from what the application
does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from flask import Flask
from msgspec import Struct

from companion import __version__
from companion.plan import Plan
from web.answers import wants_json
from web.api import calibration, choosing, door, eyes, hint, lessons, people, setup, table
from web.hub import evening
from web.hub.app import ROUTES as HUB_ROUTES
from web.security import ROUTES, Class
from web.tables import ROUTES as TABLES_ROUTES


class Query(NamedTuple):
    """One parameter of a question."""

    name: str
    type: str
    text: str


class RouteAnswer(NamedTuple):
    """What a route gives when all is well."""

    kind: str
    text: str
    keys: tuple[str, ...] = ()
    """Keys that a JSON answer always has."""
    status: int = 200


_ROW = ("seq", "row")
_PIECE = Query("piece", "string", "Code of a piece, such as GGY4.")
_SPOT = Query("spot", "string", "Name of a spot, such as c21.")
_AFTER = Query("after", "integer", "Number of the last one known.")

QUERIES: Mapping[str, tuple[Query, ...]] = {
    "stream.stream": (Query("game", "string", "Id of the game that the page shows."), _AFTER),
    "camera.next_picture": (_AFTER,),
    "table.moves": (_PIECE,),
    "table.why": (_SPOT, _PIECE),
    "table.pieces": (_SPOT, _PIECE, Query("unseen", "integer", "1: what may still be drawn.")),
    "table.correction": (
        _SPOT,
        _PIECE,
        Query("how", "string", "`position`: set the position up, whatever the rules say."),
    ),
    "advice.advice": (Query("about", "string", "A seat's number, or the color of a rock."),),
    "advice.verdict": (Query("text", "string", "A move in the game's notation."),),
    "journal.rows": (_AFTER,),
    "people.signs": (Query("name", "string", "Whose sign is chosen."),),
    "choosing.mat": (
        Query("seats", "integer", "How many players sit at the table."),
        Query("paper", "string", "a4, a3 or letter."),
    ),
    "remembered.one": (Query("row", "integer", "The row after which the position is shown; the last one without it."),),
    "rules.rules": (Query("q", "string", "Words that a rule must hold."),),
    "calibration.status": (Query("colors", "string", "Colors of the row that is drawn, between commas."),),
    "pages.rules": (Query("q", "string", "Words that a rule must hold."),),
}
"""Questions' parameters by endpoint."""

BODIES: Mapping[str, type[Struct]] = {
    "table.play": table.PlayCommand,
    "table.agree": table.Seen,
    "table.misread": table.Seen,
    "table.doubt": table.Settle,
    "table.answer": table.Answer,
    "table.undo": table.Undo,
    "table.set_clock": table.SetClock,
    "table.as_seen": table.Seen,
    "table.correct": table.Correct,
    "table.set_position": table.Position,
    "hint.ask": hint.Ask,
    "hint.allow": hint.Allow,
    "setup.start": setup.Start,
    "setup.go_on": setup.Nothing,
    "setup.again": setup.Nothing,
    "setup.resume": setup.Resume,
    "eyes.look_again": setup.Nothing,
    "eyes.set_corners": eyes.Corners,
    "eyes.control_playback": eyes.Control,
    "eyes.set_plan": Plan,
    "choosing.look": setup.Nothing,
    "lessons.begin": lessons.Begin,
    "lessons.step": lessons.LessonStep,
    "choosing.use": choosing.Choose,
    "calibration.begin": setup.Nothing,
    "calibration.end": setup.Nothing,
    "calibration.remember": calibration.Remember,
    "calibration.set_out": calibration.PieceRow,
    "calibration.forget": setup.Nothing,
    "calibration.later": setup.Nothing,
    "people.choose": people.ChooseSign,
    "door.join": door.Join,
    "door.sit": door.Sit,
    "door.free": door.Free,
    "door.invite": setup.Nothing,
    "door.send_away": setup.Nothing,
    "hub.enter": door.Join,
    "evening.begin": evening.BeginEvening,
    "evening.pair": evening.NextRound,
    "evening.withdraw": evening.Withdraw,
}
"""Bodies of changes by endpoint."""

_EYES = (
    "state",
    "text",
    "blind",
    "trouble",
    "markers",
    "corners_px",
    "size_px",
    "mode",
    "setup",
    "overlay",
    "playback",
    "lesson",
)
_EVENING = ("version", "evening", "standings", "open", "over", "trouble")
_CALIBRATION = ("useful", "why", "open", "known", "steps", "markers", "words", "colors", "remembered_s", "pictures")
_PAGE = RouteAnswer("text/html", "A page.")
ANSWERS: Mapping[str, RouteAnswer] = {
    "static": RouteAnswer("*/*", "A file of the page."),
    "stream.stream": RouteAnswer("text/event-stream", "Events `game`, `row`, `alert`, `eyes` and `beat`."),
    "camera.next_picture": RouteAnswer("image/jpeg", "A picture; `X-Frame` is its number, `X-Frame-At` its time."),
    "camera.still": RouteAnswer("image/jpeg", "A picture."),
    "camera.motion": RouteAnswer("multipart/x-mixed-replace", "Pictures until the stream ends after two minutes."),
    "table.snapshot": RouteAnswer(
        "application/json", "The table; `game` is null before the first game.", ("game", "eyes")
    ),
    "table.moves": RouteAnswer(
        "application/json", "Spots with their best points, and a board.", ("seq", "spots", "board")
    ),
    "table.why": RouteAnswer(
        "application/json",
        "Legal ways, or broken rules.",
        ("seq", "spot", "name", "holds", "ways", "breaches", "sentence"),
    ),
    "table.pieces": RouteAnswer("application/json", "Pieces with code, name, JSON and picture.", ("pieces",)),
    "table.correction": RouteAnswer(
        "application/json", "What would change and the request that does it; or `problem`.", ("seq", "spot", "name")
    ),
    "table.play": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.agree": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.misread": RouteAnswer("application/json", "The alert is gone.", ("seq",)),
    "table.doubt": RouteAnswer("application/json", "The doubt is settled.", ("seq",)),
    "table.answer": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.undo": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.as_seen": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.set_clock": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.correct": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "table.set_position": RouteAnswer("application/json", "The row that was entered.", _ROW),
    "advice.advice": RouteAnswer(
        "application/json", "What a game tells besides its board.", ("seq", "pieces", "seats")
    ),
    "advice.verdict": RouteAnswer(
        "application/json", "What the rules say to it.", ("seq", "event", "text", "legal", "breaches", "problem")
    ),
    "hint.ask": RouteAnswer(
        "application/json", "A legal move and its picture.", ("seq", "seat", "event", "text", "sentence", "board")
    ),
    "hint.allow": RouteAnswer("application/json", "The row that was entered.", (*_ROW, "allow")),
    "setup.games": RouteAnswer("application/json", "Games with seats and options.", ("games",)),
    "setup.start": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "setup.go_on": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "setup.again": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "setup.saved": RouteAnswer("application/json", "Games of the journal, the newest first.", ("saved",)),
    "setup.resume": RouteAnswer("application/json", "The game's id.", ("game",)),
    "pages.panel": RouteAnswer("text/javascript", "The panel that another package brings for its game."),
    "language.messages": RouteAnswer("application/json", "English to translated text.", ("messages",)),
    "lessons.begin": RouteAnswer("application/json", "The address of the lesson.", ("at",), 201),
    "lessons.step": RouteAnswer("application/json", "How the lesson stands.", ("lesson",)),
    "choosing.board": RouteAnswer("application/json", "A picture of the game's board.", ("board",)),
    "choosing.mat": RouteAnswer("application/pdf", "The mat, over as many sheets as it needs."),
    "choosing.look": RouteAnswer("application/json", "Cameras with their pictures.", ("cameras",)),
    "choosing.use": RouteAnswer("application/json", "How the eyes are.", _EYES),
    "remembered.overview": _PAGE,
    "remembered.one": _PAGE,
    "remembered.export": RouteAnswer("*/*", "A file, or a link to BG Stats."),
    "devices.statuses": RouteAnswer("application/json", "Dice tower and LED board.", ("devices",)),
    "health.health": RouteAnswer("application/json", "Whether games can be kept.", ("ok", "version", "tables")),
    "health.metrics": RouteAnswer("text/plain", "Numbers for Prometheus."),
    "eyes.status": RouteAnswer("application/json", "How the eyes are.", (*_EYES, "frame", "age_s")),
    "eyes.readings": RouteAnswer("application/json", "The last readings, the newest last.", ("readings",)),
    "eyes.plan": RouteAnswer("application/json", "The plan.", ("plan",)),
    "eyes.set_plan": RouteAnswer("application/json", "The plan.", ("plan",)),
    "eyes.set_corners": RouteAnswer("application/json", "How the eyes are.", _EYES),
    "eyes.look_again": RouteAnswer("application/json", "How the eyes are.", _EYES),
    "eyes.control_playback": RouteAnswer("application/json", "How the eyes are.", _EYES),
    "calibration.status": RouteAnswer("application/json", "What is known of the table.", _CALIBRATION),
    "calibration.begin": RouteAnswer("application/json", "The set-up is open.", _CALIBRATION),
    "calibration.end": RouteAnswer("application/json", "The set-up is over.", _CALIBRATION),
    "calibration.remember": RouteAnswer("application/json", "The table is remembered.", _CALIBRATION),
    "calibration.set_out": RouteAnswer("application/json", "The colors are known.", _CALIBRATION),
    "calibration.forget": RouteAnswer("application/json", "The table is forgotten.", _CALIBRATION),
    "calibration.later": RouteAnswer("application/json", "The offer is withdrawn.", _CALIBRATION),
    "rules.rules": RouteAnswer("application/json", "Rules.", ("game", "rules")),
    "rules.rule": RouteAnswer("application/json", "One rule.", ("rule", "title", "text")),
    "journal.rows": RouteAnswer("application/json", "Rows.", ("game", "rows", "undone")),
    "journal.board": RouteAnswer("application/json", "A position.", ("n", "row", "scores", "board")),
    "journal.chart": RouteAnswer("application/json", "Scores over time.", ("names", "totals", "chart")),
    "journal.export": RouteAnswer("text/plain", "A file."),
    "people.signs": RouteAnswer("application/json", "The signs there are.", ("shapes", "colors", "now", "taken")),
    "people.choose": RouteAnswer("application/json", "The person's sign from now on.", ("sign",)),
    "door.me": RouteAnswer("application/json", "This browser's role and seat.", ("role", "pin", "seat")),
    "door.sit": RouteAnswer("application/json", "The seat, and the cookie.", ("seat",)),
    "door.free": RouteAnswer("application/json", "The seats that are taken.", ("taken",)),
    "door.send_away": RouteAnswer("application/json", "Every browser but the host's must join again."),
    "door.join": RouteAnswer("application/json", "The role, and the cookie.", ("role",)),
    "door.invite": RouteAnswer("application/json", "A one-time link.", ("link", "square", "pin", "lan")),
    "tables": RouteAnswer("application/json", "All tables of the server.", ("tables",)),
    "hub.tables": RouteAnswer("application/json", "All tables of the club.", ("tables",)),
    "hub.health": RouteAnswer("application/json", "All is well.", ("ok", "version", "journals")),
    "hub.me": RouteAnswer("application/json", "This browser's role.", ("role", "pin")),
    "hub.enter": RouteAnswer("application/json", "The role, and the cookie.", ("role",)),
    "hub.still": RouteAnswer("image/jpeg", "A picture."),
    "evening.now": RouteAnswer("application/json", "The evening; null before the first.", _EVENING),
    "evening.begin": RouteAnswer("application/json", "The evening.", _EVENING),
    "evening.pair": RouteAnswer("application/json", "The evening with its next round.", _EVENING),
    "evening.withdraw": RouteAnswer("application/json", "The evening.", _EVENING),
    "evening.export": RouteAnswer("*/*", "A file."),
    "evening.ratings": RouteAnswer("application/json", "How strong everybody is.", ("ratings",)),
}
"""Answers by endpoint; every page answers with HTML."""

_ERRORS: Mapping[Class, tuple[int, ...]] = {
    "public-read": (400, 404, 409, 422),
    "join": (400, 403, 413, 415, 429),
    "control": (400, 401, 403, 404, 409, 413, 415, 422),
    "host": (400, 403, 404, 409, 413, 415, 422),
}
_MEANINGS = {
    400: "The body, a parameter or the `Host` does not fit.",
    401: "The table's token is missing.",
    403: "A foreign origin, or the token does not reach so far.",
    404: "There is no such thing.",
    409: "No game yet, an illegal move, the table has moved on since `expected`, or pieces stand on it.",
    413: "The body is larger than 256 KiB.",
    415: "The body is not declared as JSON.",
    422: "It cannot be done at this table now.",
    429: "Too soon after a wrong PIN; `Retry-After` says how long.",
    503: "All places are taken, and `Retry-After` says how long; or games cannot be kept.",
}


def openapi(app: Flask, beside: Mapping[str, Flask] | None = None) -> dict[str, Any]:
    """The whole description.

    :param app: of one table.
    :param beside: the applications of several tables and of a hub by what serves them; of these the addresses that a
        table has not got.
    """
    bodies = sorted(set(BODIES.values()), key=lambda body: body.__name__)
    _, components = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")
    paths: dict[str, Any] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            paths.setdefault(path, {})[method.lower()] = _operation(app, rule.endpoint, path, method)
    for by, other in (beside or {}).items():
        for rule in sorted(other.url_map.iter_rules(), key=lambda rule: rule.rule):
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            for method in sorted((rule.methods or set()) & {"GET", "POST"}):
                if method.lower() not in paths.get(path, {}):
                    told = {**_operation(other, rule.endpoint, path, method), "x-served-by": by}
                    paths.setdefault(path, {})[method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": __version__,
            "description": "The page of a table and what other programs can ask of it. See docs/http.md.",
        },
        "paths": paths,
        "components": {
            "schemas": {**components, "Error": _error()},
            "responses": {
                **{str(status): _failure(text) for status, text in _MEANINGS.items()},
                **{f"page-{status}": _failure_page(_MEANINGS[status]) for status in _ERRORS["public-read"]},
            },
            "securitySchemes": _schemes(),
        },
    }


def _operation(app: Flask, endpoint: str, path: str, method: str) -> dict[str, Any]:
    kind = {**HUB_ROUTES, **TABLES_ROUTES, **ROUTES}[endpoint]
    answer = ANSWERS.get(endpoint, _PAGE)
    about = (app.view_functions[endpoint].__doc__ or "A file of the page.").strip().splitlines()[0]
    schema = {"schema": _object(answer.keys)} if answer.kind == "application/json" else {}
    responses: dict[str, Any] = {str(answer.status): {"description": answer.text, "content": {answer.kind: schema}}}
    if endpoint == "pages.favicon":
        responses = {"302": {"description": "Where the sign is."}}
    if endpoint == "camera.next_picture":
        responses["204"] = {"description": "No newer picture came in time."}
    statuses = (*_ERRORS[kind], 503) if endpoint in ("stream.stream", "health.health", "hub.health") else _ERRORS[kind]
    for status in statuses:
        name = f"{status}" if wants_json(path) else f"page-{status}"
        responses[str(status)] = {"$ref": f"#/components/responses/{name}"}
    operation: dict[str, Any] = {"operationId": endpoint, "summary": about, "x-access": kind, "responses": responses}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if name == "n" else "string"}}
        for name in sorted(re.findall(r"{(\w+)}", path))
    ]
    parameters += [
        {"name": query.name, "in": "query", "description": query.text, "schema": {"type": query.type}}
        for query in QUERIES.get(endpoint, ())
    ]
    if parameters:
        operation["parameters"] = parameters
    if method == "POST":
        given = {"$ref": f"#/components/schemas/{BODIES[endpoint].__name__}"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": given}}}
    if kind in ("control", "host"):
        operation["security"] = [{"cookie": []}, {"bearer": []}]
    return operation


def _object(keys: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "object", "required": list(keys), "properties": {key: {} for key in keys}}


def _failure(text: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}


def _failure_page(text: str) -> dict[str, Any]:
    return {"description": text, "content": {"text/html": {}}}


def _error() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {"type": "string", "description": "One sentence: what was seen, which limit, what to do."},
            "rule": {"type": "string", "description": "The first broken rule, where a move was refused."},
            "breaches": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["rule", "text", "where"],
                    "properties": {
                        "rule": {"type": "string"},
                        "text": {"type": "string"},
                        "where": {"type": "array", "items": {"type": "string"}},
                    },
                },
            },
        },
    }


def _schemes() -> dict[str, Any]:
    return {
        "cookie": {"type": "apiKey", "in": "cookie", "name": "companion_table_8000"},
        "bearer": {"type": "http", "scheme": "bearer"},
    }


def beside(folder: Path) -> dict[str, Flask]:
    """The applications of several tables and of a hub, which have addresses of their own.

    :param folder: where the hub would keep its evening.
    """
    from companion.evening import KeptEvening
    from companion.evening.director import EveningDirector
    from companion.evening.journals import TableJournals
    from web.hub import Machines, create_hub_app
    from web.settings import WebSettings
    from web.tables import create_tables_app

    director = EveningDirector(KeptEvening(folder / "evening.json"), TableJournals({}, {}))
    hub = create_hub_app(Machines(()), director, WebSettings())
    return {"several tables": create_tables_app({}, WebSettings()), "hub": hub}


def main() -> None:
    """Print the description."""
    from companion.journal import Journal
    from companion.plan import Mat
    from companion.referee.session_manager import SessionManager
    from web.app import create_app

    with TemporaryDirectory(prefix="companion-") as folder:
        journal = Journal.open(Path(folder) / "journal.sqlite")
        try:
            # The routes do not depend on the session manager, and nothing is asked of it.
            app = create_app(SessionManager(journal, {}, Plan(Mat(1, 1, 1))))
            described = msgspec.json.encode(openapi(app, beside(Path(folder))))
        finally:
            journal.close()
    sys.stdout.write(msgspec.json.format(described, indent=2).decode() + "\n")


if __name__ == "__main__":
    main()
