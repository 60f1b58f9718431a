"""Whole games are printed from the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.printing.kit import print_kit
from companion.games import GAMES
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from web.admission.access import Access
from web.app import create_app
from web.pages.printing import ALONE


@pytest.fixture
def stranger(sessions: SessionManager, access: Access) -> Iterator[Browser]:
    """Somebody who may only read."""
    yield Browser(create_app(sessions, access=access, kits=print_kit), None, "127.0.0.1")


def test_the_page_offers_every_game(stranger: Browser) -> None:
    page = stranger.get("/print").text
    for name in (*GAMES, *ALONE):
        assert f'action="/print/{name}.pdf"' in page


def test_a_game_is_a_pdf_in_the_language_of_the_page(stranger: Browser) -> None:
    answer = stranger.get("/print/ice-stalks.pdf?seats=3&paper=a3")
    assert answer.status_code == 200 and answer.content_type == "application/pdf" and answer.data.startswith(b"%PDF")
    assert stranger.get("/print/markers.pdf").data.startswith(b"%PDF")


def test_what_cannot_be_printed_is_said(stranger: Browser, reader: Browser) -> None:
    assert stranger.get("/print/chess.pdf").status_code == 404
    assert stranger.get("/print/spectra.pdf?seats=9").status_code == 400
    assert stranger.get("/print/spectra.pdf?paper=a9").status_code == 400
    assert reader.get("/print/spectra.pdf").status_code == 404, "a page that was given no printer says so"
