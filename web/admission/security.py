"""The rights of visitors: one table of all routes, and the checks before each request.

A browser on the same network is not trustworthy in itself. A foreign page can send forms to this port (so `Origin` must
equal `Host`), and a foreign name can be pointed at this machine, where `Origin` and `Host` agree (so `Host` must be a
name that strangers cannot own). Plain http to a local address has no `Sec-Fetch-*` headers, so everything depends on
these two rules. A route that `ROUTES` does not list is refused, and a test compares the list with the application.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from typing import Literal

from flask import Flask, Response, g, request

from companion.core.foundation.errors import CompanionError
from web.admission.access import Access, Role
from web.admission.cookies import keep, kept
from web.admission.pin import Visitor
from web.http.settings import WebSettings

Class = Literal["public-read", "join", "control", "host", "camera"]
"""The visitors that may use a route: everybody, by GET; everybody who tries to be admitted; the table; only the host;
only the phone that is the camera."""

ROUTES: Mapping[str, Class] = {
    "static": "public-read",
    "pages.favicon": "public-read",
    "pages.table": "public-read",
    "pages.panel": "public-read",
    "pages.screen": "public-read",
    "pages.setup": "public-read",
    "pages.camera": "public-read",
    "pages.lessons": "public-read",
    "pages.calibration": "public-read",
    "pages.rules": "public-read",
    "pages.sheet": "public-read",
    "pages.join": "public-read",
    "photographs.photo": "public-read",
    "photos.read": "control",
    "photos.score": "control",
    "photos.go_on": "control",
    "printing.overview": "public-read",
    "printing.kit": "public-read",
    "language.messages": "public-read",
    "stream.stream": "public-read",
    "camera.next_picture": "public-read",
    "camera.still": "public-read",
    "camera.motion": "public-read",
    "table.snapshot": "public-read",
    "table.moves": "public-read",
    "table.why": "public-read",
    "table.pieces": "public-read",
    "table.correction": "public-read",
    "table.play": "control",
    "table.let_chance_decide": "control",
    "table.agree": "control",
    "table.misread": "control",
    "table.doubt": "control",
    "table.answer": "control",
    "table.undo": "control",
    "table.set_clock": "control",
    "table.correct": "control",
    "table.set_position": "control",
    "table.as_seen": "control",
    "advice.advice": "public-read",
    "advice.verdict": "public-read",
    "hint.ask": "control",
    "hint.allow": "control",
    "setup.games": "public-read",
    "setup.start": "control",
    "setup.go_on": "control",
    "setup.again": "control",
    "setup.saved": "public-read",
    "setup.resume": "control",
    "lessons.begin": "control",
    "lessons.step": "control",
    "choosing.board": "public-read",
    "choosing.mat": "public-read",
    "choosing.look": "host",
    "choosing.use": "host",
    "remembered.overview": "public-read",
    "remembered.one": "public-read",
    "remembered.export": "public-read",
    "devices.statuses": "public-read",
    "health.health": "public-read",
    "health.metrics": "public-read",
    "eyes.status": "public-read",
    "eyes.readings": "public-read",
    "eyes.plan": "public-read",
    "eyes.set_plan": "control",
    "eyes.set_corners": "control",
    "eyes.look_again": "control",
    "eyes.control_playback": "control",
    "departure.agree": "control",
    "calibration.status": "public-read",
    "calibration.begin": "control",
    "calibration.end": "control",
    "calibration.remember": "control",
    "calibration.set_out": "control",
    "calibration.keep_taught": "control",
    "calibration.forget": "control",
    "calibration.later": "control",
    "rules.rules": "public-read",
    "rules.rule": "public-read",
    "journal.rows": "public-read",
    "journal.board": "public-read",
    "journal.chart": "public-read",
    "journal.export": "public-read",
    "door.me": "public-read",
    "people.signs": "public-read",
    "people.choose": "control",
    "door.join": "join",
    "door.sit": "control",
    "door.free": "host",
    "door.invite": "host",
    "door.send_away": "host",
    "phones.status": "host",
    "phones.let_in": "host",
    "phones.close": "host",
    "phones.change_pin": "host",
    "pages.phone": "public-read",
    "phone_camera.status": "host",
    "phone_camera.invite": "host",
    "phone_camera.remove": "host",
    "phone_camera.join": "join",
    "phone_camera.start": "camera",
    "phone_camera.take": "camera",
}
"""The rights for every endpoint of the application."""
BODIES: Mapping[str, str] = {"phone_camera.take": "image/jpeg", "photos.read": "application/octet-stream"}
"""The content types of changes that are not JSON. A plain form on another page can send none of them."""

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)

_FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")


class BadHost(CompanionError, status=400):
    """An error: the request uses a name to which the page does not answer."""


class ForeignOrigin(CompanionError, status=403):
    """An error: a page of another origin requested a change."""


class NoToken(CompanionError, status=401):
    """An error: a change was requested without the table's token."""


class NotAllowed(CompanionError, status=403):
    """An error: the token lacks the right, or the route is closed."""


class NotJson(CompanionError, status=415):
    """An error: the body of a change does not have the content type that the route accepts."""


def host_name(host: str) -> str:
    """Returns the name in a `Host` header in lower case, without port and brackets; empty if there is none."""
    text = host.strip().lower()
    if text.startswith("["):
        name, bracket, rest = text[1:].partition("]")
        return name if bracket and (not rest or _is_port(rest)) and ":" in name else ""
    name, colon, port = text.partition(":")
    if colon and not _is_port(colon + port):
        return ""
    return name.removesuffix(".")


def _is_port(text: str) -> bool:
    return text.startswith(":") and text[1:].isascii() and text[1:].isdigit() and int(text[1:]) < 65536


def host_is_ours(host: str, names: tuple[str, ...]) -> bool:
    """True if strangers cannot own the name in a `Host` header.

    An IP address needs no look-up that could be forged; `localhost` and `*.local` never leave the local network; any
    other name must be configured.
    """
    name = host_name(host)
    return bool(name) and (
        name == "localhost" or name.endswith(".local") or name in names or _address(name) is not None
    )


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def is_loopback(name: str) -> bool:
    """True if a name or address stands for this machine itself."""
    address = _address(name)
    return name == "localhost" or (address is not None and address.is_loopback)


def from_this_machine() -> bool:
    """True if the request comes directly from a browser on this machine.

    Behind a proxy on this machine every request seems to do so. The headers of a proxy give no rights, but they take
    this one away.
    """
    if any(header in request.headers for header in _FORWARDED):
        return False
    return is_loopback(request.remote_addr or "") and is_loopback(host_name(request.host))


def role() -> Role | None:
    """Returns the role of the present request; None for a visitor without rights."""
    found: Role | None = g.get("role")
    return found


def admit(response: Response, access: Access, admitted: Role) -> None:
    """Gives the browser the token of its role."""
    g.role = admitted
    keep(response, "table", access.token(admitted))
    make_known(response, access)


def make_known(response: Response, access: Access) -> None:
    """Makes the browser a known device; a browser that is already known keeps its secret and gets a later expiry
    date.
    """
    secret = kept("device")
    keep(response, "device", secret if secret and access.known_device(secret) else access.device())


def visitor(access: Access) -> Visitor:
    """Returns the visitor of a request, for the brake on wrong PINs."""
    return Visitor(request.remote_addr or "", access.known_device(kept("device")))


def guard(
    app: Flask,
    settings: WebSettings,
    access: Access,
    routes: Mapping[str, Class] = ROUTES,
    is_camera: Callable[[str | None], bool] = lambda _: False,
) -> None:
    """Installs the checks before every request of `app`, and the headers of every answer.

    Args:
        routes: The rights for each endpoint of `app`.
        is_camera: Returns true for the secret of the phone that is the camera.
    """

    @app.before_request
    def check() -> None:
        if not host_is_ours(request.host, settings.names):
            raise BadHost(
                "The page does not answer to this name. Open it by its IP address, or add the name to its settings:"
                " names in the configuration, or --name."
            )
        bearer = request.headers.get("Authorization", "")
        token = bearer.removeprefix("Bearer ") if bearer.startswith("Bearer ") else None
        g.role = access.role(token) or access.role(kept("table"))
        if request.endpoint is None:
            return  # answered with 404 or 405
        needed = routes.get(request.endpoint)
        if needed is None:
            raise NotAllowed("This address is not open to anybody.")
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _check_change(settings, by_header=token is not None, kind=BODIES.get(request.endpoint, "application/json"))
        if needed == "control" and g.role is None:
            raise NoToken("Only players at the table can do this. Join with the PIN or the link on the host's page.")
        if needed == "camera" and not is_camera(kept("camera")):
            raise NotAllowed(
                "This device is not the table's camera. Scan a code on the table's page: Camera, Use a phone."
            )
        if needed == "host" and g.role != "host":
            raise NotAllowed("Only the host may see this. Open it on the machine that runs the table.")

    @app.after_request
    def seal(response: Response) -> Response:
        page = (request.endpoint or "").startswith("pages.") and response.status_code == 200
        if page and role() is not None and access.known_device(kept("device")) is None:
            make_known(response, access)  # it was admitted before devices were known
        headers = response.headers
        headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["X-Frame-Options"] = "DENY"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if settings.scheme == "https" or is_loopback(host_name(request.host)):
            # Elsewhere browsers ignore it, and complain about it on every page of a phone.
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
        camera = "(self)" if request.endpoint == "pages.phone" else "()"
        headers["Permissions-Policy"] = f"camera={camera}, microphone=(), geolocation=()"
        headers.setdefault("Cache-Control", "no-store")
        return response


def _check_change(settings: WebSettings, *, by_header: bool, kind: str) -> None:
    """Refuses a change from a foreign page, or with a body that a plain form could send.

    Args:
        kind: The content type that the route accepts.
    """
    scheme = "https" if request.scheme == "https" else settings.scheme
    origin = request.headers.get("Origin")
    if origin is None:
        # A browser sends Origin with every POST. A program with the token in a header has no cookie to abuse.
        if not by_header or kept("table") is not None:
            raise ForeignOrigin(
                "The request names no origin. Send it from the table's own page, or with a bearer token."
            )
    elif origin.lower() != f"{scheme}://{request.host}".lower():
        raise ForeignOrigin("The request comes from a foreign page. Use the table's own page.")
    if request.mimetype != kind:
        what = {"application/json": "JSON", "image/jpeg": "a JPEG picture"}.get(kind, "a picture")
        raise NotJson(f"The body must be {what} and say so: Content-Type: {kind}.")
