"""The HTTP interface as an OpenAPI 3.1 document, composed from the routes and the types that check their bodies.

`python -m web.description.openapi > docs/openapi.json` writes the file; a test fails if it differs from the
application.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from flask import Flask
from msgspec import Struct

from companion import __version__
from companion.core.plan import Plan
from web.admission.security import ROUTES, Class
from web.api import calibration, choosing, door, eyes, hint, lessons, people, phone_camera, phones, photos, setup, table
from web.description.route_answers import ANSWERS, PAGE
from web.http.answers import wants_json
from web.tables import ROUTES as TABLES_ROUTES


class Query(NamedTuple):
    """One query parameter of a request."""

    name: str
    type: str
    text: str


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
    "printing.kit": (
        Query("seats", "integer", "How many players sit at the table."),
        Query("paper", "string", "a4, a3 or letter."),
    ),
    "remembered.one": (Query("row", "integer", "The row after which the position is shown; the last one without it."),),
    "rules.rules": (Query("q", "string", "Words that a rule must hold."),),
    "photos.read": (
        Query("game", "string", "The game that the photo shows."),
        Query("corners", "string", "Corners of the mat in pixels, eight numbers with commas."),
    ),
    "phone_camera.take": (Query("session", "string", "The word that the start of the phone's camera gave."),),
    "calibration.status": (Query("colors", "string", "Colors of the row that is drawn, between commas."),),
    "pages.rules": (Query("q", "string", "Words that a rule must hold."),),
}
"""The query parameters by endpoint."""

PICTURES: Mapping[str, str] = {"phone_camera.take": "image/jpeg", "photos.read": "application/octet-stream"}
"""The content types of bodies that are not JSON, by endpoint."""
BODIES: Mapping[str, type[Struct]] = {
    "table.play": table.PlayCommand,
    "table.let_chance_decide": table.ChanceCommand,
    "table.agree": table.Seen,
    "table.misread": table.Seen,
    "table.doubt": table.Settle,
    "table.answer": table.Answer,
    "table.undo": table.Undo,
    "table.set_clock": table.SetClock,
    "table.as_seen": table.AsSeen,
    "table.correct": table.Correct,
    "table.set_position": table.Position,
    "hint.ask": hint.Ask,
    "hint.allow": hint.Allow,
    "setup.start": setup.Start,
    "setup.go_on": setup.Nothing,
    "setup.again": setup.Nothing,
    "setup.resume": setup.Resume,
    "eyes.look_again": setup.Nothing,
    "departure.agree": setup.Nothing,
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
    "calibration.keep_taught": calibration.Keep,
    "calibration.forget": setup.Nothing,
    "calibration.later": setup.Nothing,
    "people.choose": people.ChooseSign,
    "door.join": door.Join,
    "door.sit": door.Sit,
    "door.free": door.Free,
    "door.invite": setup.Nothing,
    "door.send_away": setup.Nothing,
    "phones.let_in": phones.ChosenPin,
    "phones.close": setup.Nothing,
    "phones.change_pin": phones.ChosenPin,
    "photos.score": photos.Row,
    "photos.go_on": photos.GoOn,
    "phone_camera.invite": setup.Nothing,
    "phone_camera.remove": setup.Nothing,
    "phone_camera.join": phone_camera.Code,
    "phone_camera.start": setup.Nothing,
    "hub.enter": door.Join,
}
"""The bodies of changes by endpoint, except those of a hub."""


@cache
def request_bodies() -> Mapping[str, type[Struct]]:
    """Returns the bodies of changes by endpoint, including those of a hub if the club's rooms are installed."""
    if find_spec("web.hub") is None:
        return BODIES
    from web.hub import evening

    return {
        **BODIES,
        "evening.begin": evening.BeginEvening,
        "evening.pair": evening.NextRound,
        "evening.withdraw": evening.Withdraw,
    }


@cache
def _route_classes() -> Mapping[str, Class]:
    """Returns the rights for all routes by endpoint."""
    if find_spec("web.hub") is None:
        return {**TABLES_ROUTES, **ROUTES}
    from web.hub.app import ROUTES as HUB_ROUTES

    return {**HUB_ROUTES, **TABLES_ROUTES, **ROUTES}


_ERRORS: Mapping[Class, tuple[int, ...]] = {
    "public-read": (400, 404, 409, 422),
    "join": (400, 403, 413, 415, 429),
    "control": (400, 401, 403, 404, 409, 413, 415, 422),
    "host": (400, 403, 404, 409, 413, 415, 422),
    "camera": (400, 403, 409, 413, 415, 422, 503),
}
_MEANINGS = {
    400: "The body, a parameter or the `Host` does not fit.",
    401: "The table's token is missing.",
    403: "A foreign origin, or a token without this right.",
    404: "There is no such thing.",
    409: "No game yet, an illegal move, the table has moved on since `expected`, or pieces stand on it.",
    413: "The body is larger than 256 KiB, or a picture than 3 MB.",
    415: "The body is not declared as JSON, or as what the address takes.",
    422: "It cannot be done at this table now.",
    429: "Too soon after a wrong PIN; `Retry-After` says how long.",
    503: "All places are taken, and `Retry-After` says how long; or games cannot be kept.",
}


def openapi(app: Flask, beside: Mapping[str, Flask] | None = None) -> dict[str, Any]:
    """Returns the whole description.

    Args:
        app: The application of one table.
        beside: The applications of several tables and of a hub by name; only their additional addresses are described.
            has not got.
    """
    taken = sorted(set(request_bodies().values()), key=lambda body: body.__name__)
    _, components = msgspec.json.schema_components(taken, ref_template="#/components/schemas/{name}")
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
            "schemas": {**{name: _without_indent(one) for name, one in components.items()}, "Error": _error()},
            "responses": {
                **{str(status): _failure(text) for status, text in _MEANINGS.items()},
                **{f"page-{status}": _failure_page(_MEANINGS[status]) for status in _ERRORS["public-read"]},
            },
            "securitySchemes": _schemes(),
        },
    }


def _without_indent(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema whose descriptions do not depend on the version of msgspec: 0.23 strips their indent."""
    text = schema.get("description")
    return {**schema, "description": inspect.cleandoc(text)} if text else schema


def _operation(app: Flask, endpoint: str, path: str, method: str) -> dict[str, Any]:
    kind = _route_classes()[endpoint]
    answer = ANSWERS.get(endpoint, PAGE)
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
    if endpoint in PICTURES:
        operation["requestBody"] = {"required": True, "content": {PICTURES[endpoint]: {}}}
    elif method == "POST":
        given = {"$ref": f"#/components/schemas/{request_bodies()[endpoint].__name__}"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": given}}}
    if kind in ("control", "host"):
        operation["security"] = [{"cookie": []}, {"bearer": []}]
    if kind == "camera":
        operation["security"] = [{"phone": []}]
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
        "phone": {"type": "apiKey", "in": "cookie", "name": "companion_camera_8443"},
    }


def beside(folder: Path) -> dict[str, Flask]:
    """Returns the applications of several tables and of a hub, which have addresses of their own.

    Args:
        folder: The folder of the hub's evening.
    """
    from companion.referee.evening import KeptEvening
    from companion.referee.evening.director import EveningDirector
    from companion.referee.evening.journals import TableJournals
    from web.http.settings import WebSettings
    from web.hub.app import create_hub_app
    from web.hub.machines import Machines
    from web.tables import create_tables_app

    director = EveningDirector(KeptEvening(folder / "evening.json"), TableJournals({}, {}))
    hub = create_hub_app(Machines(()), director, WebSettings())
    return {"several tables": create_tables_app({}, WebSettings()), "hub": hub}


def main() -> None:
    """Prints the description."""
    from companion.core.plan import Mat
    from companion.referee.journal import Journal
    from companion.referee.session_manager import SessionManager
    from web.app import create_app

    with TemporaryDirectory(prefix="companion-") as folder:
        journal = Journal.open(Path(folder) / "journal.sqlite")
        try:
            # The routes do not depend on the session manager, and no request is made.
            app = create_app(SessionManager(journal, {}, Plan(Mat(1, 1, 1))))
            described = msgspec.json.encode(openapi(app, beside(Path(folder))))
        finally:
            journal.close()
    sys.stdout.write(msgspec.json.format(described, indent=2).decode() + "\n")


if __name__ == "__main__":
    main()
