"""The cookies that identify a browser. Their names contain the port and the table, so that tables do not overwrite each
other's cookies.

Browsers share the cookies of a host among all its ports, and several tables may answer on one port.
"""

from __future__ import annotations

from typing import Literal

from flask import Response, current_app, request

from web.http.settings import WebSettings

Kind = Literal["table", "seat", "device", "camera"]
"""The kind of secret in a cookie: of a role at the table, of a seat, of an admitted device, or of the phone that is the
table's camera."""

KEPT_S = 60 * 24 * 3600
"""The number of seconds that a browser keeps its secrets, so that phones can return for the next evening."""


def cookie_names(kind: Kind) -> tuple[str, ...]:
    """Returns the names under which the present request may bring a secret; a new cookie gets the first one.

    For a table without a name this includes the name without a port, which earlier versions used, so that phones stay
    joined.
    """
    port = request.host.rpartition(":")[2]
    plain = f"companion_{kind}"
    own = f"{plain}_{port}" if port.isascii() and port.isdigit() else plain
    table = _settings().table
    return (f"{own}_{table}",) if table else tuple(dict.fromkeys((own, plain)))


def kept(kind: Kind) -> str | None:
    """Returns the secret that the present request brings; None if it brings none."""
    return next((found for name in cookie_names(kind) if (found := request.cookies.get(name))), None)


def keep(response: Response, kind: Kind, secret: str) -> None:
    """Gives the browser a secret, which it sends only to this table."""
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
