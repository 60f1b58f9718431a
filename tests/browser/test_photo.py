"""Score a photo on a phone's screen: turns from several photos, a correction by tap, tapped corners, and the game goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.demos import load_demo
from tests.browser.conftest import WAIT_MS
from tests.browser.filmed_phone import eventually, serving

FOLDER = load_demo("spectrangle")[1]
SCREEN = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def page(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """The page for photos of a server without a game."""
    with serving(tmp_path, game=False) as url:
        context = chromium.new_context(**SCREEN)
        context.set_default_timeout(4 * WAIT_MS)
        page = context.new_page()
        page.goto(url)
        page.click("text=Score a photo")
        page.wait_for_selector("#photo-file")
        yield page
        context.close()


def upload(page: Any, frame: str) -> None:
    page.set_input_files("#photo-file", str(FOLDER / frame))
    page.wait_for_selector("#photo-answer:has-text('Read.'), #photo-answer:has-text('doubtful')")


def turns(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#photo-score ol > li", "all => all.map(one => one.textContent)")
    return found


def test_a_row_of_photos_is_scored_corrected_and_played_on(page: Any) -> None:
    page.select_option("#photo-game", "spectrangle")
    assert page.get_attribute("#photo-file", "capture") == "environment"
    upload(page, "frame-0006.jpg")
    eventually(lambda: len(turns(page)) == 1)
    assert turns(page)[0].endswith("2") and "YPG2 on c17" in turns(page)[0]

    page.set_input_files("#photo-file", [])
    upload(page, "frame-0009.jpg")
    eventually(lambda: len(turns(page)) == 2)
    assert "YYG5 on c16" in turns(page)[1] and turns(page)[1].endswith("5")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    # A tap on the tile in the photo opens its letters; what is put there is judged at once.
    spot = page.get_attribute("[data-key='entry-c16']", "data-key")
    marks = page.locator(".photo-mark")
    assert marks.count() >= 2
    for number in range(marks.count()):
        marks.nth(number).dispatch_event("click")
        if page.evaluate("document.activeElement.dataset.key") == spot:
            break
    assert page.evaluate("document.activeElement.dataset.key") == spot
    page.fill(f"[data-key='{spot}']", "RRR")
    page.press(f"[data-key='{spot}']", "Tab")
    page.wait_for_selector("#photo-score .breaches >> text=TRI-11")
    page.fill(f"[data-key='{spot}']", "YYG")
    page.press(f"[data-key='{spot}']", "Tab")
    page.wait_for_selector("#photo-score .breaches", state="detached")

    root = page.url.partition("photo")[0]
    page.click("text=Go on from here")
    page.wait_for_selector("#turn")
    scores = [player["total"] for player in page.request.get(f"{root}api/table").json()["seats"]]
    assert scores == [2, 5]


def test_corners_are_tapped_where_scale_is_missing(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 120, np.uint8))
    page.select_option("#photo-game", "spectra")
    page.set_input_files("#photo-file", str(path))
    page.wait_for_selector("#photo-answer:has-text('known size')")
    page.click("text=Tap the corners of the mat")
    page.wait_for_selector("#photo-answer:has-text('top left corner')")
    box = page.locator("svg.photo").bounding_box()
    for x, y in ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)):
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.wait_for_selector("#photo-answer:has-text('Read.')")
