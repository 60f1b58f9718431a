"""A phone is the camera: from the code on the table's page to a move that it saw, through TLS and a made-up camera."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.app.demos import load_demo
from tests.browser.conftest import CHROMIUM, FLAGS, WAIT_MS

DEMO, FOLDER = load_demo("spectrangle")
EMPTY, FIRST = "frame-0000.jpg", "frame-0006.jpg"
"""The empty board, and a legal first tile."""
FRAMES = 30
"""The pictures a second of Chromium's made-up camera."""
PHONE = {"viewport": {"width": 390, "height": 844}, "ignore_https_errors": True, "is_mobile": True, "has_touch": True}


def film(path: Path, *scenes: tuple[str, float]) -> Path:
    """Pictures as Chromium's made-up camera plays them, again and again; no two that follow each other are equal."""
    with path.open("wb") as file:
        for name, seconds in scenes:
            picture = cv2.imread(str(FOLDER / name))
            two = [cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, q])[1].tobytes() for q in (78, 82)]
            for number in range(int(seconds * FRAMES)):
                file.write(two[number % 2])
    return path


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[str]:
    """The page of `companion serve`."""
    command = [sys.executable, "-m", "companion", "serve", "--game", "spectrangle", "--players", "Ada,Ben"]
    command += ["--port", "0", "--https-port", "0", "--journal", str(folder / "journal.sqlite"), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://[\d.]+:\d+/", line):
                yield found.group()
                break
        else:
            pytest.fail("no page")
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[[Path], Any]]:
    """Makes a phone whose rear camera sees a film."""
    opened = []

    def make(seen: Path) -> Any:
        flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        flags.append(f"--use-file-for-fake-video-capture={seen}")
        browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        opened.append(browser)
        context = browser.new_context(**PHONE)
        context.set_default_timeout(4 * WAIT_MS)
        return context.new_page()

    yield make
    for browser in opened:
        browser.close()


def rows(page: Any, url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.request.get(f"{url}api/journal/rows").json()["rows"]
    return found


def eventually(check: Callable[[], bool], timeout_s: float = 90.0) -> None:
    until = time.monotonic() + timeout_s
    while not check():
        assert time.monotonic() < until
        time.sleep(0.2)


def test_a_phone_sees_a_move(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 7.0), (FIRST, 7.0))
    with serving(tmp_path, "--camera", "phone") as url:
        host = chromium.new_page(viewport={"width": 1366, "height": 768})
        host.goto(f"{url}camera")
        host.click("#use-phone")
        link = host.inner_text(".phones code.long >> nth=0")
        assert re.fullmatch(r"https://[\d.]+:\d+/phone#[0-9a-f]{32}", link)
        page = phone(seen)
        page.goto(link)
        page.wait_for_selector(".viewfinder:not([hidden])")
        host.wait_for_selector("text=pictures a second come from it")
        eventually(lambda: any(row["kind"] == "move" for row in rows(host, url)))
        assert next(row for row in rows(host, url) if row["kind"] == "move")["text"] == "YPG2 c17 YPG"
        page.wait_for_function("document.querySelector('#rate').textContent.includes('pictures a second')")

        # The way in by HTTPS shows nobody the table, and the code is used up.
        root = link.partition("phone#")[0]
        assert page.request.get(root).status == 404
        assert page.request.get(f"{root}api/table").status == 404
        again = page.request.post(
            f"{root}api/camera/phone/join", data={"code": link.partition("#")[2]}, headers={"Origin": root.rstrip("/")}
        )
        assert again.status == 403

        # Locking the phone is said on the table's page, and unlocking it goes on.
        page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
        began = time.monotonic()
        eventually(lambda: host.request.get(f"{url}api/eyes").json()["blind"] is not None, 20)
        assert time.monotonic() - began < 15, "3 s, and what a busy machine takes"
        assert "phone" in host.request.get(f"{url}api/eyes").json()["text"]
        page.evaluate("delete document.hidden")
        eventually(lambda: host.request.get(f"{url}api/eyes").json()["blind"] is None, 30)

        host.click("text=Remove this phone")
        page.wait_for_selector("#start:not([hidden])")
        assert host.request.get(f"{url}api/eyes").json()["state"] == "off"
        page.close()
        host.close()


def test_the_front_camera_is_refused(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 1.0))
    with serving(tmp_path) as url:
        host = chromium.new_page()
        host.goto(f"{url}camera")
        host.click("#use-phone")
        link = host.inner_text(".phones code.long >> nth=0")
        host.close()
        page = phone(seen)
        page.add_init_script(
            "const own = MediaStreamTrack.prototype.getSettings;"
            "MediaStreamTrack.prototype.getSettings = function () { return { ...own.call(this), facingMode: 'user' } };"
        )
        page.goto(link)
        page.wait_for_selector("text=This is the front camera")
