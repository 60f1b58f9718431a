"""A phone as the camera: who may send pictures, which pictures are taken, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from companion.core.foundation.errors import CameraError
from companion.referee.session_manager import SessionManager
from tests.web.conftest import ORIGIN, Browser
from tests.web.doubles import PaintedEyes
from vision.image.picture import check_jpeg
from web.admission.access import Access
from web.admission.keys import Keys
from web.admission.phone_camera import CODE_S, PhoneCamera, kind_of_device
from web.app import create_app


def jpeg(width: int = 640, height: int = 360, seed: int = 1) -> bytes:
    picture = np.random.default_rng(seed).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    return cv2.imencode(".jpg", cv2.resize(picture, (width, height)))[1].tobytes()


class Door:
    """HTTPS that is open or closed."""

    fingerprint = "AA:BB"
    is_open = False

    def open(self) -> str:
        self.is_open = True
        return "https://192.168.1.7:8443/"

    def close(self) -> None:
        self.is_open = False


class Pictures:
    """Pictures on their way to the reader."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.begun = self.ended = 0

    def begin(self) -> None:
        self.begun += 1

    def take(self, jpeg: bytes) -> float:
        check_jpeg(jpeg, 1920)
        self.taken.append(jpeg)
        return 0.125

    def end(self) -> None:
        self.ended += 1


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture
def camera(access: Access, door: Door, clock: Clock) -> PhoneCamera:
    return PhoneCamera(access.keys, door, clock=clock)


@pytest.fixture
def app(sessions: SessionManager, access: Access, camera: PhoneCamera, pictures: Pictures) -> Iterator[Flask]:
    app = create_app(sessions, access=access, phone_camera=camera, phone_pictures=pictures)
    app.config["TESTING"] = True
    yield app
    app.extensions["lessons"].close()


def invited(host: Browser) -> str:
    answer = host.post("/api/camera/phone/invite", {}).json
    return str(answer["link"]).partition("#")[2]


def joined(app: Flask, host: Browser) -> Browser:
    phone = Browser(app)
    assert phone.post("/api/camera/phone/join", {"code": invited(host)}).status_code == 200
    return phone


def started(phone: Browser) -> str:
    return str(phone.post("/api/camera/phone/start", {}).json["session"])


def send(phone: Browser, session: str, data: bytes, kind: str = "image/jpeg", origin: str = ORIGIN) -> Any:
    return phone.flask.post(
        f"/api/camera/phone/picture?session={session}",
        data=data,
        headers={"Origin": origin, "Content-Type": kind},
        environ_base={"REMOTE_ADDR": phone.address},
    )


def test_a_phone_with_a_code_is_the_camera(app: Flask, host: Browser, pictures: Pictures, clock: Clock) -> None:
    phone = joined(app, host)
    session = started(phone)
    answer = send(phone, session, jpeg())
    assert answer.status_code == 200, answer.json
    assert answer.json["wait_ms"] == 125
    assert answer.json["seen"]["text"]
    assert (pictures.begun, len(pictures.taken)) == (1, 1)
    device = host.get("/api/camera/phone").json["device"]
    assert device["age_s"] == 0
    clock.now += 5
    assert host.get("/api/camera/phone").json["device"]["age_s"] == 5


def test_fewer_pictures_are_wanted_while_the_table_rests(app: Flask, host: Browser, eyes: PaintedEyes) -> None:
    phone = joined(app, host)
    session = started(phone)
    for state, quiet_ms in (("looking", 300), ("moving", 125), ("reading", 125), ("no-table", 125)):
        eyes.become(state, "A sentence.")
        assert send(phone, session, jpeg()).json["quiet_ms"] == quiet_ms


def test_the_code_lets_one_phone_in_once_and_grows_old(app: Flask, host: Browser, clock: Clock) -> None:
    code = invited(host)
    first, second = Browser(app), Browser(app)
    assert first.post("/api/camera/phone/join", {"code": code}).status_code == 200
    late = second.post("/api/camera/phone/join", {"code": code})
    assert late.status_code == 403
    assert "used before" in late.json["error"]
    code = invited(host)
    clock.now += CODE_S + 1
    assert second.post("/api/camera/phone/join", {"code": code}).status_code == 403
    assert second.post("/api/camera/phone/join", {"code": ""}).status_code == 403


def test_a_fresh_code_replaces_an_earlier_one(app: Flask, host: Browser) -> None:
    earlier = invited(host)
    invited(host)
    assert Browser(app).post("/api/camera/phone/join", {"code": earlier}).status_code == 403


def test_a_second_phone_takes_the_place_of_the_first(app: Flask, host: Browser) -> None:
    first = joined(app, host)
    session = started(first)
    second = joined(app, host)
    refused = send(first, session, jpeg())
    assert refused.status_code == 403
    assert "not the table's camera" in refused.json["error"]
    assert send(second, started(second), jpeg()).status_code == 200


def test_pictures_of_an_earlier_opening_are_refused(app: Flask, host: Browser, pictures: Pictures) -> None:
    phone = joined(app, host)
    earlier = started(phone)
    session = started(phone)
    refused = send(phone, earlier, jpeg())
    assert refused.status_code == 409
    assert "opened again" in refused.json["error"]
    assert send(phone, session, jpeg()).status_code == 200
    assert len(pictures.taken) == 1


def test_nobody_else_sends_invites_or_removes(app: Flask, host: Browser, phone: Browser, reader: Browser) -> None:
    camera = joined(app, host)
    session = started(camera)
    for other in (phone, reader, host):
        assert send(other, session, jpeg()).status_code == 403
    for other in (phone, reader, camera):
        assert other.post("/api/camera/phone/invite", {}).status_code == 403
        assert other.post("/api/camera/phone/remove", {}).status_code == 403
        assert other.get("/api/camera/phone").status_code == 403
    assert camera.post("/api/table/play", {"expected": 0, "text": "x"}).status_code == 401


def test_a_foreign_page_cannot_send_a_picture(app: Flask, host: Browser, pictures: Pictures) -> None:
    phone = joined(app, host)
    session = started(phone)
    assert send(phone, session, jpeg(), origin="http://evil.example").status_code == 403
    assert send(phone, session, jpeg(), kind="text/plain").status_code == 415
    assert send(phone, session, b"{}", kind="application/json").status_code == 415
    assert pictures.taken == []


def test_by_https_the_origin_is_that_of_https(app: Flask, host: Browser) -> None:
    phone = joined(app, host)
    phone.flask.set_cookie("companion_camera", _secret(phone), domain="localhost")
    again = phone.flask.post(
        "/api/camera/phone/start", json={}, base_url="https://localhost", headers={"Origin": "https://localhost"}
    )
    assert again.status_code == 200
    plain = phone.flask.post(
        "/api/camera/phone/start", json={}, base_url="https://localhost", headers={"Origin": "http://localhost"}
    )
    assert plain.status_code == 403


def _secret(phone: Browser) -> str:
    cookie = phone.flask.get_cookie("companion_camera")
    assert cookie is not None
    return str(cookie.value)


def test_a_removed_phone_sends_nothing_and_https_ends(
    app: Flask, host: Browser, door: Door, pictures: Pictures
) -> None:
    phone = joined(app, host)
    session = started(phone)
    assert door.is_open
    assert host.post("/api/camera/phone/remove", {}).json["device"] is None
    assert not door.is_open
    assert pictures.ended == 1
    assert send(phone, session, jpeg()).status_code == 403
    assert phone.post("/api/camera/phone/start", {}).status_code == 403


def test_a_phone_stays_the_camera_after_a_restart(tmp_path: Path, door: Door) -> None:
    path = tmp_path / "journal.sqlite.keys"
    first = PhoneCamera(Keys(path), door)
    secret = first.join(first.invite().partition("#")[2], "Mozilla/5.0 (Linux; Android 15)")
    door.close()
    second = PhoneCamera(Keys(path))
    assert second.is_camera(secret)
    second.attach(door)
    assert door.is_open
    second.remove()
    assert not PhoneCamera(Keys(path)).is_camera(secret)


def test_a_table_without_https_says_so(sessions: SessionManager, access: Access) -> None:
    app = create_app(sessions, access=access)
    try:
        host = Browser(app, access.token("host"), "127.0.0.1")
        assert host.get("/api/camera/phone").json["available"] is False
        refused = host.post("/api/camera/phone/invite", {})
        assert refused.status_code == 403
        assert "companion serve" in refused.json["error"]
    finally:
        app.extensions["lessons"].close()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (jpeg(2200, 400), "at most 1920"),
        (jpeg(400, 2200), "at most 1920"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "incomplete"),
        (b"hello there, this is text", "text"),
        (jpeg()[:-200], "incomplete"),
        (b"\xff\xd8\xff" + b"\xff" * (3 * 1024 * 1024 + 10), "more than 3 MB"),
    ],
)
def test_what_is_no_picture_of_ours_gets_a_sentence(app: Flask, host: Browser, data: bytes, sentence: str) -> None:
    phone = joined(app, host)
    refused = send(phone, started(phone), data)
    assert 400 <= refused.status_code < 500, refused.status_code
    assert sentence in refused.json["error"]


def test_a_thousand_damaged_pictures_end_in_a_sentence_each(app: Flask, host: Browser) -> None:
    phone = joined(app, host)
    session = started(phone)
    random, whole = Random(48), jpeg(320, 200)
    for _ in range(1000):
        data = bytearray(whole)
        for _ in range(random.randrange(1, 12)):
            data[random.randrange(len(data))] = random.randrange(256)
        if random.random() < 0.3:
            del data[random.randrange(len(data)) :]
        answer = send(phone, session, bytes(data))
        assert answer.status_code in (200, 400, 413, 422), answer.status_code
        assert answer.status_code == 200 or answer.json["error"].strip()


def test_a_full_disk_is_said(app: Flask, host: Browser, pictures: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(data: bytes) -> float:
        raise CameraError("The picture of the phone cannot be kept. Make room there.")

    phone = joined(app, host)
    session = started(phone)
    monkeypatch.setattr(pictures, "take", full)
    assert "Make room" in send(phone, session, jpeg()).json["error"]


def test_only_the_camera_page_may_use_the_camera(reader: Browser) -> None:
    assert reader.get("/phone").headers["Permissions-Policy"].startswith("camera=(self)")
    assert reader.get("/").headers["Permissions-Policy"].startswith("camera=()")


@pytest.mark.parametrize(
    ("browser", "kind"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "iPhone"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel 8)", "Android phone"),
        ("curl/8", "phone"),
    ],
)
def test_the_kind_of_phone_is_named(browser: str, kind: str) -> None:
    assert kind_of_device(browser) == kind
