"""HTTPS for the phone that is the camera: it begins with an invitation and ends soon after the phone was removed."""

from __future__ import annotations

import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask

from companion.app.commands.phone_camera import HttpsDoor, TlsOptions

PICTURE = "api/camera/phone/picture"


@pytest.fixture
def app() -> Flask:
    app = Flask("refusing")
    app.add_url_rule(f"/{PICTURE}", view_func=lambda: ("removed", 403))
    return app


def door_of(app: Flask, folder: Path, farewell_s: float) -> HttpsDoor:
    phones = cast(Any, SimpleNamespace(by=None))
    tls, find = TlsOptions(port=0), lambda: "127.0.0.1"
    return HttpsDoor(app, folder / "own.tls", tls, phones, "127.0.0.1", find=find, farewell_s=farewell_s)


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
