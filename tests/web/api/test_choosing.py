"""Choosing a game, its mat and a camera over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.commands.runtime import mat
from companion.games import GAMES
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from tests.web.doubles import PaintedCameras, PaintedEyes
from web.admission.access import Access
from web.app import create_app


@pytest.fixture
def host(sessions: SessionManager, eyes: PaintedEyes, access: Access) -> Iterator[Browser]:
    """The host of a page that can choose cameras and print mats."""
    app = create_app(sessions, access=access, cameras=PaintedCameras(eyes), mats=mat)
    yield Browser(app, access.token("host"), "127.0.0.1")


def test_every_game_has_a_picture(reader: Browser) -> None:
    for name in GAMES:
        answer = reader.get(f"/api/games/{name}/board")
        assert answer.status_code == 200 and answer.json["board"][0] == "svg", name
        assert answer.json["board"][1]["id"] == f"picture-{name}", "several stand on one page"
    assert reader.get("/api/games/chess/board").status_code == 404


def test_a_mat_is_a_pdf_for_so_many_players(host: Browser, phone: Browser) -> None:
    answer = host.get("/mat/spectra.pdf?seats=3&paper=a3")
    assert answer.status_code == 200 and answer.content_type == "application/pdf" and answer.data.startswith(b"%PDF")
    assert host.get("/mat/spectra.pdf?seats=9").status_code == 400
    assert host.get("/mat/spectra.pdf?paper=a9").status_code == 400
    assert host.get("/mat/chess.pdf").status_code == 404
    assert phone.get("/mat/spectra.pdf").status_code == 404, "a page that was given no printer says so"


def test_the_host_alone_sees_and_chooses_cameras(host: Browser, phone: Browser, tmp_path: Path) -> None:
    first, second = host.post("/api/cameras/look", {}).json["cameras"]
    assert first["picture"].startswith("data:image/jpeg;base64,/9j/") and not first["watched"]
    assert second["picture"] is None and second["text"] == "It does not open."
    assert host.post("/api/cameras", {"camera": "2"}).json["error"] == "It does not open."
    assert host.post("/api/cameras", {"camera": "0"}).status_code == 200
    assert host.post("/api/cameras/look", {}).json["cameras"][0]["watched"]
    assert phone.post("/api/cameras/look", {}).status_code == 403
    assert phone.post("/api/cameras", {"camera": "0"}).status_code == 403
