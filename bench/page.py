"""Measures how soon the table's page is there and how soon a tap is a row, in Chromium on this machine.

First paint is measured in a fresh profile; a tap lays a tile, and the time ends when its row is on the page.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.figure import Figure
from companion.core.contract import ToMove
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from web.app import create_app
from web.sockets.server import Server

PAINTS, TAPS = 7, 15
PAINT_MS, TAP_MS = 600.0, 100.0
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
_LIVE = 'body:not(:has([aria-busy="true"])) #state.live'
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_TAP = """number => new Promise((done) => {
  const start = performance.now();
  const look = () => document.querySelector(`#history [data-key="row-${number}"]`) && done(performance.now() - start);
  new MutationObserver(look).observe(document.getElementById('history'), {childList: true, subtree: true});
  document.querySelector('[data-plays]').click();
})"""


def figures() -> Iterator[Figure]:
    """First paint and taps."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        journal = Journal.open(Path(folder) / "journal.sqlite")
        sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
        server = Server(create_app(sessions), port=0, threads=24)
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            sessions.start("spectrangle", ("Anna", "Bert"), {"hands": "unseen"})
            paints = [_painted(browser, server.url) for _ in range(PAINTS)]
            yield Figure("first paint of the table's page", median(paints), "ms", at_most=PAINT_MS)
            taps = list(_taps(browser, server.url, sessions))
            yield Figure("a tap to its row", median(taps), "ms", at_most=TAP_MS)
        finally:
            browser.close()
            server.close()
            journal.close()


def _painted(browser: Any, url: str) -> float:
    profile = browser.new_context(viewport={"width": 1366, "height": 768})
    page = profile.new_page()
    page.goto(url, wait_until="load")
    page.wait_for_selector(_LIVE)
    painted = float(page.evaluate(_PAINT))
    profile.close()
    return painted


def _taps(browser: Any, url: str, sessions: SessionManager) -> Iterator[float]:
    """Lay tiles, each by a tap on the button of a way that is open."""
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(url, wait_until="domcontentloaded")
    table = sessions.table
    assert table is not None
    for _ in range(TAPS):
        page.wait_for_selector(_LIVE)
        assert isinstance(table.session.state.expects(), ToMove)
        cell = next(move.cell for move in table.session.legal() if hasattr(move, "cell"))
        page.click(f"#board-c{cell}")
        page.wait_for_selector("#cell [data-plays]")
        yield float(page.evaluate(_TAP, table.session.seq + 1))
