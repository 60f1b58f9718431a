"""A recorded game runs through the camera and the page: a question is answered and a misread tile corrected by taps.

The camera is a motion-JPEG stream of the demo's pictures, which stands still until the page shows what a picture brought.
Two tiles come at once, so their order is asked. One tile is painted in another color, so it is misread; the pictures after
it show what really lies there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.browser.conftest import LIVE
from tests.companion.app.commands.test_serve import FOLDER, Stage, Stream, eventually, serving

WAIT_MS = 25_000
"""A picture is looked at several times before it counts."""
PURPLE_TO_GREEN = -75
"""The step of hue, in OpenCV's half degrees."""


def painted(path: Path) -> str:
    """The picture in which the tile of c27 comes, its purple painted green."""
    before, after = (cv2.imread(str(FOLDER / f"frame-00{number}.jpg")) for number in (16, 18))
    came = cv2.GaussianBlur(cv2.absdiff(before, after).max(axis=2), (0, 0), 3) > 25
    hsv = cv2.cvtColor(after, cv2.COLOR_BGR2HSV)
    purple = (hsv[..., 0] > 120) & (hsv[..., 0] < 170) & (hsv[..., 1] > 60)
    hsv[..., 0] = np.where(came & purple, hsv[..., 0].astype(int) + PURPLE_TO_GREEN, hsv[..., 0]).astype(np.uint8)
    cv2.imwrite(str(path), cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))
    return str(path)


@pytest.fixture
def table(tmp_path: Path, chromium: Any) -> Iterator[Any]:
    """The page of a table whose camera shows the stage."""
    Stage.name = "frame-0000.jpg"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.set_default_timeout(WAIT_MS)
    with serving(f"http://127.0.0.1:{server.server_address[1]}/video", tmp_path) as url:
        page = context.new_page()
        page.goto(url, wait_until="domcontentloaded")
        page.wait_for_selector(LIVE)
        eventually(f"{url}api/table", lambda shown: shown["judged"])
        yield page
        context.close()
    server.shutdown()
    server.server_close()


def test_a_recorded_game_with_a_question_and_a_misread_tile(table: Any, tmp_path: Path) -> None:
    page = table

    def show(picture: int | str) -> None:
        Stage.name = picture if isinstance(picture, str) else f"frame-{picture:04d}.jpg"

    def row(text: str) -> None:
        page.wait_for_selector(f"#history .row-more >> text={text}", state="attached")

    show(2)
    page.wait_for_selector("#alert.refused .rule-line >> text=TRI-8")
    show(4)
    page.wait_for_selector("#alert", state="hidden")
    for picture, move in ((6, "YPG2 c17 YPG"), (9, "YYG5 c16 YYG"), (11, "WWW1 c26 WWW")):
        show(picture)
        row(move)
    show(14)
    page.wait_for_selector("#alert.refused .rule-line >> text=TRI-11")
    show(16)
    page.wait_for_selector("#alert", state="hidden")
    show(painted(tmp_path / "painted.jpg"))
    row("GGY4 c27 YGG")
    page.click('.board [data-spot="c27"]')
    page.click('[data-key="another"]')
    page.click('#cell .piece[data-code="PPY5"]')
    page.wait_for_selector("#cell h3 >> text=How does it lie?")
    page.click('#cell .piece:has-text("YPP")')
    page.click('[data-key="confirm"]')
    row("PPY5 c27 YPP")
    show(18)
    show(22)
    page.click("#alert.unclear .choice >> text=/Ada lays red yellow red.* Ben lays purple green green/")
    row("GGP4 c9 PGG")
    show(25)
    row("GGR5 c10 GGR")
    assert page.locator("#scores .total").all_inner_texts() == ["20", "14"]
    assert "misread" in page.inner_text("#history .row.correct, #history .row.position")
