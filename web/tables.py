"""The page of all tables of one server, and the way to each of them: `/t/NAME/`.

Each table is an application of its own, like a single table, mounted below its name. This page only reads, and shows
only public information about a table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from flask import Flask, Response, render_template

from companion.core.foundation.kept_file import decode_json
from companion.referee.news.news_publisher import NewsPublisher
from companion.referee.session_manager import SessionManager
from web.admission.access import Access
from web.admission.request_log import log_requests
from web.admission.security import Class, guard
from web.http.answers import answer_errors, json_answer
from web.http.bundles import serve_bundles
from web.http.compression import compress_answers
from web.http.settings import WebSettings
from web.language import catalog as language
from web.pages import health
from web.views.table_view import TableView

PREFIX = "/t/"
ROUTES: Mapping[str, Class] = {
    "static": "public-read",
    "overview": "public-read",
    "tables": "public-read",
    "language.messages": "public-read",
    "health.health": "public-read",
    "health.metrics": "public-read",
}
"""The rights for every endpoint of this page; `web.admission.security` lists those of a single table."""


class OpenTable(NamedTuple):
    """An open table: its application and its session manager."""

    app: Flask
    sessions: SessionManager


class ServedTables:
    """The present tables of a server; they open, pause and close while others play. Safe from any thread."""

    def __init__(self, tables: Mapping[str, OpenTable | str] | None = None) -> None:
        self._lock = threading.Lock()
        self._tables: dict[str, OpenTable | str] = dict(tables or {})
        self._views: dict[str, TableView] = {}

    def put(self, name: str, table: OpenTable | str) -> None:
        """Sets a table as open, or as closed for the reason in this sentence; its previous page, if any, is closed."""
        with self._lock:
            before, self._tables[name] = self._tables.get(name), table
            self._views.pop(name, None)
        _let_go(before)

    def remove(self, name: str) -> None:
        """Removes a table."""
        with self._lock:
            before = self._tables.pop(name, None)
            self._views.pop(name, None)
        _let_go(before)

    def open(self) -> dict[str, OpenTable]:
        """Returns the open tables."""
        with self._lock:
            return {name: table for name, table in self._tables.items() if isinstance(table, OpenTable)}

    def states(self) -> dict[str, SessionManager | str]:
        """Returns the session manager of each open table, and the reason for each closed one, at one moment."""
        with self._lock:
            tables = self._tables.items()
            return {name: table if isinstance(table, str) else table.sessions for name, table in tables}

    def named(self) -> list[tuple[str, TableView | str]]:
        """Returns the view of each open table, or the reason for a closed one, in the order in which they were
        added.
        """
        with self._lock:
            found: list[tuple[str, TableView | str]] = []
            for name, table in self._tables.items():
                if isinstance(table, OpenTable):
                    if name not in self._views:
                        self._views[name] = TableView(table.sessions)
                    found.append((name, self._views[name]))
                else:
                    found.append((name, table))
            return found


def _let_go(table: OpenTable | str | None) -> None:
    if isinstance(table, OpenTable):
        for extension in ("live", "lessons"):
            table.app.extensions[extension].close()


class _All:
    """Closes an extension of all tables, as `web.sockets.server` expects it of one application."""

    def __init__(self, tables: ServedTables, extension: str) -> None:
        self._tables, self._extension = tables, extension

    def close(self) -> None:
        for table in self._tables.open().values():
            table.app.extensions[self._extension].close()


def create_tables_app(
    tables: ServedTables | Mapping[str, OpenTable | str], settings: WebSettings, news: NewsPublisher | None = None
) -> Flask:
    """Returns the application that serves the page of several tables.

    Args:
        news: The publisher of news for outside programs; by default none.
        tables: By name: each open table, or the reason why it is closed.
    """
    served = tables if isinstance(tables, ServedTables) else ServedTables(tables)
    app = Flask(__name__)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["live"] = _All(served, "live")
    app.extensions["lessons"] = _All(served, "lessons")
    app.extensions["settings"] = settings
    log_requests(app)
    guard(app, settings, Access(), ROUTES)
    answer_errors(app)
    language.speak(app)
    serve_bundles(app)
    compress_answers(app)
    app.register_blueprint(language.routes())
    app.register_blueprint(health.routes(served.states, news))

    def shown() -> list[dict[str, Any]]:
        return [_summary(name, view) for name, view in served.named()]

    @app.get("/")
    def overview() -> str:
        """Returns the page of all tables: picture, turn, scores and open matters."""
        return render_template("tables.html", tables=shown())

    @app.get("/api/tables", endpoint="tables")
    def tables_now() -> Response:
        """Returns all tables as JSON."""
        return json_answer({"tables": shown()})

    below = app.wsgi_app

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        name, slash, rest = path.removeprefix(PREFIX).partition("/")
        table = served.open().get(name) if path.startswith(PREFIX) and slash else None
        if table is None:
            return below(environ, start_response)
        under = environ.get("SCRIPT_NAME", "") + PREFIX + name
        return table.app.wsgi_app({**environ, "SCRIPT_NAME": under, "PATH_INFO": "/" + rest}, start_response)

    app.wsgi_app = answer  # type: ignore[method-assign]
    return app


def _summary(name: str, view: TableView | str) -> dict[str, Any]:
    """Returns the public summary of a table."""
    if isinstance(view, str):
        return {"name": name, "open": False, "trouble": view}
    at = f"{PREFIX}{name}/"
    return {
        **summary(name, decode_json(view.snapshot(None), dict[str, Any])),
        "at": at,
        "still": f"{at}camera/still.jpg",
    }


def summary(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the summary of a table from the public answer of `GET /api/table`."""
    game, eyes, alert = data["game"], data["eyes"], data.get("alert")
    return {
        "name": name,
        "open": True,
        "game": None if game is None else game["title"],
        "seq": data.get("seq", 0),
        "players": [{"name": seat["name"], "total": seat["total"]} for seat in data.get("seats", ())],
        "turn": None if game is None else data["turn"]["text"],
        "alert": None if alert is None else alert["title"],
        "trouble": eyes["trouble"] or eyes["blind"],
        "eyes": {"state": eyes["state"], "text": eyes["text"]},
        "picture": eyes["state"] != "off",
    }
