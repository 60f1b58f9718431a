"""From a server without a game to a refereed one: start page, code, phone, empty table, legal move, illegal move."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.filmed_phone import eventually, film, phone, rows, serving

__all__ = ["phone"]

SCENES = (("frame-0000.jpg", 8.0), *((f"frame-{n:04}.jpg", 4.0) for n in (6, 9, 11, 14)))
"""The empty board, three legal tiles, and RRR6 beside a purple edge; then the film begins again."""
TEN_MINUTES_S = 600.0


def test_ten_minutes(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen, began = film(tmp_path / "table.mjpeg", *SCENES), time.monotonic()
    with serving(tmp_path, game=False) as url:
        host = chromium.new_page(viewport={"width": 1366, "height": 768})
        host.goto(url)

        # Two taps on the first screen, none but the code on the phone: its made-up browser asks nobody for the camera.
        host.click("text=Use a phone as the camera")
        host.wait_for_selector(".phones svg")
        link = host.inner_text(".phones code.long >> nth=0")
        page = phone(seen)
        page.goto(link)
        page.wait_for_selector(".viewfinder:not([hidden])")
        host.wait_for_selector("text=pictures a second come from it")
        host.click("dialog >> text=Close")

        # The phone's page names the markers that it sees, once a game says which table it is.
        host.goto(f"{url}setup")
        host.check('input[name="game"][value="spectrangle"]')
        for number, name in enumerate(("Ada", "Ben"), 1):
            host.fill(f'[aria-label="Name of player {number}"]', name)
        host.click("text=Start the game")
        host.wait_for_selector("#turn")
        eventually(lambda: host.request.get(f"{url}api/eyes").json()["markers"] == [0, 1, 2, 3])
        eventually(lambda: any(row["kind"] == "move" for row in rows(host, url)))
        assert next(row for row in rows(host, url) if row["kind"] == "move")["text"] == "YPG2 c17 YPG"
        host.wait_for_selector("#alert >> text=RRR6", timeout=120_000)
        told = host.request.get(f"{url}api/table").json()["alert"]
        assert "TRI-11" in str(told)
        host.wait_for_selector("#alert >> text=TRI-11")
        assert time.monotonic() - began < TEN_MINUTES_S
        page.close()
        host.close()
