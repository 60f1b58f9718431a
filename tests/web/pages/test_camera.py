"""Pictures over HTTP."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
import pytest
from flask import Flask

from companion.core.protocols.eyes import NoEyes
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from tests.web.doubles import SIZE_PX, PaintedEyes
from web.admission.access import Access
from web.app import create_app
from web.http.settings import WebSettings
from web.pages import camera


@pytest.fixture(autouse=True)
def short_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "HOLD_S", 0.4)


def test_the_newest_picture_comes_with_its_number(reader: Browser, eyes: PaintedEyes) -> None:
    eyes.picture()
    number = eyes.picture()
    answer = reader.get("/camera/next.jpg?after=1")
    assert answer.mimetype == "image/jpeg" and answer.headers["X-Frame"] == str(number) == "3"
    assert float(answer.headers["X-Frame-At"]) > 0
    image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape[1::-1] == SIZE_PX


def test_a_request_waits_for_the_next_picture(reader: Browser, eyes: PaintedEyes) -> None:
    timer = threading.Timer(0.05, eyes.picture)
    timer.start()
    answer = reader.get("/camera/next.jpg?after=1")
    timer.join()
    assert answer.status_code == 200 and answer.headers["X-Frame"] == "2"


def test_without_a_newer_picture_the_answer_is_empty(reader: Browser) -> None:
    assert reader.get("/camera/next.jpg?after=1").status_code == 204
    assert reader.get("/camera/next.jpg?after=x").status_code == 400


def test_only_so_many_wait_and_the_rest_are_answered_at_once(sessions: SessionManager) -> None:
    app = create_app(sessions, settings=WebSettings(held_pictures=1))
    waiting = threading.Thread(target=Browser(app).get, args=("/camera/next.jpg?after=1",))
    waiting.start()
    time.sleep(0.1)
    started = time.monotonic()
    assert Browser(app).get("/camera/next.jpg?after=1").status_code == 204
    assert time.monotonic() - started < 0.2
    assert Browser(app).get("/camera/motion.mjpg").status_code == 503
    waiting.join()


def test_without_a_camera_there_is_no_picture(sessions: SessionManager, reader: Browser) -> None:
    sessions.eyes = NoEyes()
    assert reader.get("/camera/next.jpg").status_code == 204
    still = reader.get("/camera/still.jpg")
    assert still.status_code == 404 and "No camera" in still.json["error"]
    assert reader.get("/camera/motion.mjpg").data == b""


def test_motion_jpeg_for_browsers_without_scripts(sessions: SessionManager, eyes: PaintedEyes, app: Flask) -> None:
    answer = app.test_client().get("/camera/motion.mjpg")
    assert answer.content_type == "multipart/x-mixed-replace; boundary=picture"
    parts = answer.iter_encoded()
    assert b"Content-Type: image/jpeg" in next(iter(parts))
    eyes.picture()
    assert next(iter(parts)).startswith(b"--picture\r\n")
    eyes.become("ended", "The film is over.")
    assert b"".join(parts) == b""
    answer.close()
    assert app.test_client().head("/camera/motion.mjpg").status_code == 200


def test_the_picture_can_be_kept_from_those_who_have_not_joined(sessions: SessionManager, access: Access) -> None:
    app = create_app(sessions, settings=WebSettings(camera_for_all=False), access=access)
    for path in ("/camera/next.jpg", "/camera/still.jpg", "/camera/motion.mjpg"):
        assert Browser(app).get(path).status_code == 403, path
    assert Browser(app, access.token("table")).get("/camera/still.jpg").status_code == 200
