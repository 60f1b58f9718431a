"""A server as people start it, and a phone whose made-up camera plays a film of a recorded game."""

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
def serving(folder: Path, *more: str, game: bool = True) -> Iterator[str]:
    """The page of `companion serve`, with a game of Spectrangle or none."""
    command = [sys.executable, "-m", "companion", "serve"]
    command += ["--game", "spectrangle", "--players", "Ada,Ben"] if game else []
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
