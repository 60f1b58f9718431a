"""The live picture: one JPEG per request, so that a slow phone never falls behind.

The page requests the next picture after the one it shows and draws it on a canvas. The picture's number is in a header,
and the overlay names the number to which it belongs. A motion-JPEG stream serves browsers without scripts. Pictures are
not stored.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.core.protocols.eyes import Eyes, Frame
from web.admission.security import NotAllowed, role
from web.http.answers import NothingThere, TryLater, number
from web.http.settings import WebSettings
from web.views.table_view import TableView

HOLD_S = 2.0
"""The number of seconds that a request waits for the next picture."""
MOTION_S = 120.0
"""The number of seconds after which a motion-JPEG stream ends; a browser that still shows the page is asked to
reload."""
_MOTION_PAUSE_S = 0.2


def routes(view: TableView, settings: WebSettings) -> Blueprint:
    """Returns the routes `/camera/next.jpg`, `/camera/still.jpg` and `/camera/motion.mjpg`."""
    blueprint = Blueprint("camera", __name__, url_prefix="/camera")
    held = threading.BoundedSemaphore(settings.held_pictures)

    def check() -> None:
        if not settings.camera_for_all and role() is None:
            raise NotAllowed(
                "The live picture is shown to the table only. Join with the PIN or the link on the host's page."
            )

    @blueprint.get("/next.jpg")
    def next_picture() -> Response:
        """Returns the newest picture with a number above `?after=`; 204 if none comes in time."""
        check()
        after = number("after", -1)
        waits = request.method == "GET" and held.acquire(blocking=False)
        try:
            frame = view.sessions.eyes.frame(after, HOLD_S if waits else 0.0)
        finally:
            if waits:
                held.release()
        if frame is None:
            return Response(status=204)
        return _picture(frame)

    @blueprint.get("/still.jpg")
    def still() -> Response:
        """Returns the newest picture at once."""
        check()
        frame = view.sessions.eyes.frame(-1, 0.0)
        if frame is None:
            raise NothingThere("There is no picture: " + view.sessions.eyes.status().text)
        return _picture(frame)

    @blueprint.get("/motion.mjpg")
    def motion() -> Response:
        """Returns motion JPEG, at most five pictures a second, for browsers without scripts."""
        check()
        kind = "multipart/x-mixed-replace; boundary=picture"
        if request.method == "HEAD":
            return Response(status=200, content_type=kind)
        if not held.acquire(blocking=False):
            raise TryLater("Too many pictures are watched at once. Close one and reload.", 5)
        response = Response(_motion(view.sessions.eyes), content_type=kind)
        response.call_on_close(held.release)
        return response

    return blueprint


def _picture(frame: Frame) -> Response:
    headers = {"X-Frame": str(frame.number), "X-Frame-At": f"{frame.at_s:.3f}"}
    return Response(frame.jpeg, headers=headers, mimetype="image/jpeg")


def _motion(eyes: Eyes) -> Iterator[bytes]:
    number_shown = -1
    end = time.monotonic() + MOTION_S
    while time.monotonic() < end:
        frame = eyes.frame(number_shown, 1.0)
        if frame is None:
            if eyes.status().state in ("off", "ended"):
                return
            time.sleep(_MOTION_PAUSE_S)
            continue
        number_shown = frame.number
        head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(frame.jpeg)}\r\n\r\n"
        yield head.encode() + frame.jpeg + b"\r\n"
        time.sleep(_MOTION_PAUSE_S)
