"""Photos are read, corrected, scored and played on from over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.photographs import Photographs
from companion.referee.session_manager import SessionManager
from simulation.printed.readings import tiles_read
from tests.web.conftest import Browser
from web.admission.access import Access
from web.api.photos import UPLOAD_BYTES
from web.app import create_app

RAW = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def table(sessions: SessionManager, access: Access) -> Iterator[Browser]:
    """A phone at the table, before a server that reads photos."""
    yield Browser(create_app(sessions, access=access, photographs=Photographs()), access.token("table"))


def read(browser: Browser, data: bytes, query: str = "game=spectrangle") -> Any:
    return browser.post(f"/api/photos/read?{query}", data=data, headers=RAW)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_a_photo_becomes_a_game(table: Browser, kind: str) -> None:
    drawn = tiles_read(0).picture
    answer = read(table, bytes(cv2.imencode(kind, drawn)[1]))
    assert answer.status_code == 200, answer.json
    seen = answer.json
    assert seen["size_px"] == [drawn.shape[1], drawn.shape[0]]
    tiles = sum(cell is not None for cell in seen["reading"]["cells"])
    assert tiles > 0 and sum(mark["kind"] != "board" for mark in seen["marks"]) >= tiles
    row = {"game": "spectrangle", "readings": [seen["reading"]]}
    report = table.post("/api/photos/score", {**row, "seats": 2}).json
    assert len(report["notes"]) >= tiles and report["position"] is not None
    if kind == ".jpg":
        begun = table.post("/api/photos/game", {**row, "names": ["Ada", "Ben"]})
        assert begun.status_code == 201 and begun.json["game"]
        assert table.get("/api/table").json["game"]["name"] == "spectrangle"


def test_a_photo_is_turned_as_its_exif_says(table: Browser) -> None:
    data = bytes(cv2.imencode(".jpg", np.zeros((100, 200, 3), np.uint8))[1])
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    turned = data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]
    answer = read(table, turned)
    assert "board" in answer.json["error"], "it is decoded, and shows no table"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\0\0\0\x18ftypheic" + bytes(60), "JPEG"),
        (b"hello", "text"),
        (bytes(cv2.imencode(".jpg", np.full((480, 640, 3), 128, np.uint8))[1]), "board"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(table: Browser, data: bytes, says: str) -> None:
    answer = read(table, data)
    assert 400 <= answer.status_code < 500 and says in answer.json["error"]


def test_uploads_are_bounded_before_they_are_read(table: Browser) -> None:
    assert read(table, bytes(UPLOAD_BYTES + 1)).status_code == 413


def test_readers_may_not_have_photos_read(reader: Browser, phone: Browser) -> None:
    assert read(reader, b"x").status_code in (401, 403)
    assert read(phone, b"x").status_code == 404, "a page without a reader says so"


def test_bad_corners_are_refused(table: Browser) -> None:
    for corners in ("1,2,3", "a,b,c,d,e,f,g,h", "0,0,0,0,0,0,0,0", "nan,0,1,0,1,1,0,1"):
        assert read(table, b"x", f"game=spectrangle&corners={corners}").status_code == 400
