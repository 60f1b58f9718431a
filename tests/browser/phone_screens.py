"""The pictures of the way with a phone: `python -m tests.browser.phone_screens docs/screens` makes them all anew."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
from playwright.sync_api import sync_playwright

from simulation.printed.paper import print_page
from simulation.printed.tables import printed
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.filmed_phone import EMPTY, FIRST, PHONE, film, serving

WAIT_MS = 120_000
SHOWN = {"x": 0, "y": 0, "width": 390, "height": 360}
"""The upper part of the phone's page."""
SHEET_PX = 420
"""The width of the printed sheet."""


def sheet(folder: Path) -> None:
    """A sheet of printed tiles."""
    game = printed("spectrangle")
    page = print_page(game.pdf, game.mat_pages).cut((0.0, 0.0), (210.0, 297.0))
    small = cv2.resize(page, (SHEET_PX, round(SHEET_PX * 297 / 210)), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / "printed-tiles.png"), small, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def pages(folder: Path, kept: Path, playwright: Any) -> None:
    """The code on the table's page, and the page of the phone that sees the board."""
    seen = film(kept / "table.mjpeg", (EMPTY, 12.0), (FIRST, 60.0))
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    flags = [*FLAGS, *fake, f"--use-file-for-fake-video-capture={seen}"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
    with serving(kept) as url:
        host = browser.new_page(viewport={"width": 900, "height": 640}, color_scheme="light")
        host.goto(f"{url}camera#use-phone")
        host.wait_for_selector(".phones svg")
        host.wait_for_timeout(500)
        host.screenshot(path=folder / "phone-code.png")
        context = browser.new_context(**PHONE, color_scheme="light")
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(host.inner_text(".phones code.long >> nth=0"))
        page.wait_for_selector("#advice:has-text('Looking')")
        page.wait_for_selector("#rate:has-text('pictures a second')")
        page.wait_for_timeout(2000)
        page.screenshot(path=folder / "phone-camera.jpg", type="jpeg", quality=80, clip=SHOWN)
    browser.close()


def main(folder: Path) -> None:
    """Take all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    sheet(folder)
    with TemporaryDirectory() as kept, sync_playwright() as playwright:
        pages(folder, Path(kept), playwright)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
