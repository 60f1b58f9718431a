"""HTTPS for the phone that is the camera: it begins with an invitation and ends soon after the phone was removed."""

from __future__ import annotations

import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.app.commands.phone_camera import (
    HttpsDoor,
    TableDoor,
    TlsOptions,
    is_camera_page,
    is_camera_page_of_a_table,
)

PICTURE = "api/camera/phone/picture"


@pytest.fixture
def app() -> Flask:
    app = Flask("refusing")
    app.add_url_rule(f"/{PICTURE}", view_func=lambda: ("removed", 403))
    return app


def door_of(app: Flask, folder: Path, farewell_s: float) -> HttpsDoor:
    tls, find = TlsOptions(port=0), lambda: "127.0.0.1"
    return HttpsDoor(app, folder / "own.tls", tls, is_camera_page, "127.0.0.1", find=find, farewell_s=farewell_s)


@pytest.fixture
def patient(app: Flask, tmp_path: Path) -> Iterator[HttpsDoor]:
    door = door_of(app, tmp_path, 3600)
    yield door
    door.leave()


def status(url: str) -> int | None:
    """Returns the HTTP status of a picture's address; None if the server does not answer."""
    context = ssl._create_unverified_context()
    try:
        with urllib.request.urlopen(url + PICTURE, timeout=30, context=context) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None


def test_a_removed_phone_still_hears_that_it_was_removed(patient: HttpsDoor) -> None:
    url = patient.open()
    patient.close()
    assert status(url) == 403
    assert patient.fingerprint


def test_an_invitation_before_the_end_keeps_it_open(app: Flask, tmp_path: Path) -> None:
    door = door_of(app, tmp_path, 1.0)
    url = door.open()
    door.close()
    assert door.open() == url
    time.sleep(1.5)
    assert status(url) == 403
    door.leave()
    assert status(url) is None


def test_it_ends_by_itself(app: Flask, tmp_path: Path) -> None:
    door = door_of(app, tmp_path, 0.05)
    url = door.open()
    door.close()
    until = time.monotonic() + 60
    while door.fingerprint:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert status(url) is None


def test_a_move_to_another_network_does_not_reopen_what_ends(patient: HttpsDoor) -> None:
    url = patient.open()
    patient.close()
    patient.follow()
    patient.leave()
    assert not patient.fingerprint
    assert status(url) is None


def test_it_stays_open_while_another_table_needs_it(app: Flask, tmp_path: Path) -> None:
    door = door_of(app, tmp_path, 0.05)
    blue, red = (TableDoor(door, name) for name in ("blue", "red"))
    url = blue.open()
    assert url.endswith("/t/blue/") and red.open() == url.replace("blue", "red")
    blue.close()
    time.sleep(0.3)
    assert red.fingerprint and status(url.removesuffix("t/blue/")) == 403
    red.close()
    until = time.monotonic() + 60
    while red.fingerprint:
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("path", "served"),
    [
        ("/t/blue/phone", True),
        ("/t/blue/api/camera/phone/picture", True),
        ("/t/blue/static/js/phone.js", True),
        ("/t/blue/", False),
        ("/t/blue/api/table", False),
        ("/t//phone", False),
        ("/phone", False),
        ("/t/phone", False),
        ("/static/js/phone.js", False),
    ],
)
def test_of_several_tables_the_camera_pages_alone_are_served(path: str, served: bool) -> None:
    assert is_camera_page_of_a_table(path) is served
