"""Logs one line for each request: the visitor, the route and the status, without any content.

Addresses are logged as route patterns (`/api/rules/<game>`), so no parameter, query, header or body can bring a secret
into the log. Every answer names its request (`X-Request-Id`), and so does its line.
"""

from __future__ import annotations

import logging
import secrets
import time
from typing import Any

from flask import Flask, Response, g, request

from companion.core.foundation.logs import REQUEST, note
from web.admission.security import role

_LOG = logging.getLogger("companion.web")
HEADER = "X-Request-Id"


def log_requests(app: Flask) -> None:
    """Gives every request of `app` an id and a line in the log. Call this before anything else handles requests."""

    @app.before_request
    def begin() -> None:
        g.began_s = time.perf_counter()
        g.request_id = secrets.token_hex(4)
        REQUEST.set(g.request_id)

    @app.after_request
    def finish(response: Response) -> Response:
        identity = g.get("request_id", "")
        response.headers[HEADER] = identity
        level = logging.ERROR if response.status_code >= 500 else logging.INFO
        if request.method in ("GET", "HEAD", "OPTIONS") and response.status_code < 400:
            level = logging.DEBUG
        note(
            _LOG,
            level,
            "request",
            request=identity,
            method=request.method if request.url_rule is not None else "-",
            route=_route(),
            status=response.status_code,
            ms=round(1000 * (time.perf_counter() - g.get("began_s", time.perf_counter()))),
            who=role() or "reader",
        )
        return response

    def fault(error: Any) -> None:
        note(_LOG, logging.ERROR, "fault", error=error, route=_route())

    app.log_exception = fault  # type: ignore[method-assign, assignment]

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        REQUEST.set("")


def _route() -> str:
    return "-" if request.url_rule is None else request.url_rule.rule
