"""The cookies by which a browser is known: named by the port and the table, so that one table never locks another out.

Browsers share the cookies of a host among all its ports, and several tables answer on one port.
"""

from __future__ import annotations

from typing import Literal

from flask import Response, current_app, request

from web.http.settings import WebSettings

Kind = Literal["table", "seat", "device", "camera"]
"""The secret in a cookie: of a role at the table, of a seat, of a device that was let in, or of the phone that is the
table's camera."""

KEPT_S = 60 * 24 * 3600
"""The time that a browser keeps its secrets: phones go to sleep and come back for the next evening."""


def cookie_names(kind: Kind) -> tuple[str, ...]:
    """Names under which the present request may bring a secret; the first one is given out.

    Of a table without a name also the one without a port, which earlier versions gave out, so that phones stay joined.
    """
    port = request.host.rpartition(":")[2]
    plain = f"companion_{kind}"
    own = f"{plain}_{port}" if port.isascii() and port.isdigit() else plain
    table = _settings().table
    return (f"{own}_{table}",) if table else tuple(dict.fromkeys((own, plain)))


def kept(kind: Kind) -> str | None:
    """The secret that the present request brings; None without one."""
    return next((found for name in cookie_names(kind) if (found := request.cookies.get(name))), None)


def keep(response: Response, kind: Kind, secret: str) -> None:
    """Give the browser a secret; it sends it to this table alone."""
    response.set_cookie(
        cookie_names(kind)[0],
        secret,
        max_age=KEPT_S,
        httponly=True,
        samesite="Strict",
        path=f"{_settings().root}/",
        secure=request.scheme == "https",
    )


def _settings() -> WebSettings:
    settings = current_app.extensions["settings"]
    assert isinstance(settings, WebSettings)
    return settings
