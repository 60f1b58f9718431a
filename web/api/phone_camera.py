"""A phone as the camera: the host invites and removes it, and the phone sends pictures."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, request
from msgspec import Meta, Struct

from companion.core.foundation.errors import CompanionError
from companion.core.protocols.eyes import BLIND, PhonePictures
from web.admission.cookies import keep
from web.admission.phone_camera import CODE_S, PhoneCamera
from web.api.door import square
from web.api.setup import Nothing
from web.http.answers import body, json_answer, word
from web.scene.svg import tree
from web.views.table_view import TableView

PICTURE_BYTES = 3 * 1024 * 1024
"""The size in bytes above which a picture is refused before it is read; a picture of 1920 pixels needs a tenth of
it."""

QUIET_S = 0.3
"""The interval of pictures while phone and referee see nothing move; from 0.4 s on a picture stands alone."""


class PictureTooHeavy(CompanionError, status=413):
    """An error: a phone sent a picture of more than 3 MB."""


class Code(Struct, forbid_unknown_fields=True):
    """The code of an invitation."""

    code: Annotated[str, Meta(max_length=64)]


def routes(view: TableView, phone: PhoneCamera, pictures: PhonePictures) -> Blueprint:
    """Returns the routes below `/api/camera/phone`."""
    blueprint = Blueprint("phone_camera", __name__, url_prefix="/api/camera/phone")

    def now() -> dict[str, Any]:
        device = phone.device()
        return {"available": phone.available, "device": device and device._asdict(), "fingerprint": phone.fingerprint}

    @blueprint.get("")
    def status() -> Response:
        """Returns the phone that is the camera, and the fingerprint of the certificate that its browser shows."""
        return json_answer(now())

    @blueprint.post("/invite")
    def invite() -> Response:
        """Returns a link with a code for one phone, as text and as a QR code; an earlier code expires."""
        body(Nothing)
        link = phone.invite()
        return json_answer({**now(), "link": link, "square": tree(square(link)), "valid_s": CODE_S})

    @blueprint.post("/remove")
    def remove() -> Response:
        """Removes the phone as a camera; it cannot send pictures any more."""
        body(Nothing)
        phone.remove()
        pictures.end()
        return json_answer(now())

    @blueprint.post("/join")
    def join() -> Response:
        """Uses up a code; the answer's cookie makes the phone the camera."""
        told = body(Code)
        secret = phone.join(told.code, request.user_agent.string)
        response = json_answer({})
        keep(response, "camera", secret)
        return response

    @blueprint.post("/start")
    def start() -> Response:
        """Starts the phone's camera; its pictures must carry the word in the answer."""
        body(Nothing)
        pictures.begin()
        return json_answer({"session": phone.start(request.user_agent.string)})

    @blueprint.post("/picture")
    def take() -> Response:
        """Takes one JPEG picture; the answer says when the next is wanted, and what the referee sees."""
        phone.count(word("session", longest=32))
        request.max_content_length = PICTURE_BYTES
        if (request.content_length or 0) > PICTURE_BYTES:
            raise PictureTooHeavy("The picture has more than 3 MB. Reload the page on the phone.")
        wait_s = pictures.take(request.get_data(cache=False))
        eyes = view.sessions.eyes.status()
        seen = {
            "state": eyes.state,
            "text": eyes.text,
            "blind": BLIND.get(eyes.state),
            "markers": eyes.markers,
            "corners_px": eyes.corners_px,
            "size_px": eyes.size_px,
        }
        quiet_s = max(wait_s, QUIET_S) if eyes.state == "looking" else wait_s
        return json_answer({"wait_ms": round(1000 * wait_s), "quiet_ms": round(1000 * quiet_s), "seen": seen})

    return blueprint
