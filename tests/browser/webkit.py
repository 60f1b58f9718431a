"""WebKit as Debian ships it (GTK's MiniBrowser on a display in memory), by its own driver and the WebDriver protocol.

It stands for Safari, which runs on no machine of ours. Two things are less than in the other browsers: a window is never
narrower than its tool bar, and the driver does not tell what was written to the console.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

DRIVER, DISPLAY = "WebKitWebDriver", "Xvfb"
PAINTED_PLAINLY = {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}
"""Where there is no graphics card, painting in layers only costs time."""
START_S = 30.0
ANSWER_S = 60.0
_VALUE = "(async () => JSON.stringify((await ({})) ?? null))().then((v) => arguments[0]([v]), (e) => arguments[0]([null, String(e)]));"


class WebKitFailed(Exception):
    """WebKit did not start, or refused a command."""


def browser_program() -> str | None:
    """The browser that belongs to the driver; None if anything lacks."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return str(found[-1]) if found and shutil.which(DRIVER) and shutil.which(DISPLAY) else None


class WebKit:
    """One window with one tab."""

    def __init__(self, program: str) -> None:
        """
        :param program: path of the browser.
        :raises WebKitFailed: it does not start.
        """
        self.errors: list[str] = []
        """Stays empty: the driver does not tell."""
        self._toolbar = 0
        self._processes: list[subprocess.Popen[str]] = []
        try:
            display = self._show()
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            self._start([DRIVER, f"--port={port}"], display)
            self._driver = f"http://127.0.0.1:{port}/session"
            options = {"binary": program, "args": ["--automation"]}
            wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
            self._session = f"/{self._begin(wanted)['sessionId']}"
            self._command("POST", "/timeouts", {"script": int(ANSWER_S * 1000)})
            self._toolbar = self._measured()
        except BaseException:
            self._end()
            raise

    def _show(self) -> str:
        """A display in memory; its name."""
        reading, writing = os.pipe()
        server = [DISPLAY, "-displayfd", str(writing), "-screen", "0", "2000x1300x24", "-nolisten", "tcp"]
        self._processes.append(
            subprocess.Popen(
                server, pass_fds=(writing,), text=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
        )
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        if not number:
            raise WebKitFailed("There is no display in memory.")
        return f":{number}"

    def _start(self, command: list[str], display: str) -> None:
        surroundings = {**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11", **PAINTED_PLAINLY}
        quiet = subprocess.DEVNULL
        self._processes.append(subprocess.Popen(command, env=surroundings, text=True, stdout=quiet, stderr=quiet))

    def _begin(self, wanted: dict[str, Any]) -> Any:
        """Ask the driver for a browser until the driver listens."""
        end_s = time.monotonic() + START_S
        self._session = ""
        while True:
            try:
                return self._command("POST", "", wanted)
            except OSError as error:
                if time.monotonic() > end_s:
                    raise WebKitFailed(f"The driver does not listen: {error}") from error
                time.sleep(0.05)

    def _command(self, method: str, path: str, told: dict[str, Any]) -> Any:
        request = urllib.request.Request(self._driver + self._session + path, json.dumps(told).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise WebKitFailed(f"{method} {path}: {error.read().decode()[:400]}") from error

    def open(self, address: str) -> None:
        """Go to a page and wait until it is there."""
        self._command("POST", "/url", {"url": address})

    def size(self, width: int, height: int) -> int:
        """Give the page so many CSS pixels; the width that it has then, which may be more.

        :raises WebKitFailed: it does not take that height.
        """
        shown = self._window(width, height + self._toolbar)
        self._until(f"innerWidth === {shown} && innerHeight === {height}")
        return shown

    def _measured(self) -> int:
        """The height of what is above the page."""
        self._window(1000, 800)
        self._until("outerHeight === 800 && innerHeight < 800")
        return 800 - int(self.ask("innerHeight"))

    def _window(self, width: int, height: int) -> int:
        return int(self._command("POST", "/window/rect", {"width": width, "height": height})["width"])

    def _until(self, expression: str) -> None:
        end_s = time.monotonic() + START_S
        while not self.ask(expression):
            if time.monotonic() > end_s:
                raise WebKitFailed(f"It never came to this: {expression}")
            time.sleep(0.01)

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript; a promise is waited for.

        :raises WebKitFailed: it throws.
        """
        told = {"script": _VALUE.replace("{}", expression, 1), "args": []}
        value, *problem = self._command("POST", "/execute/async", told)
        if problem:
            raise WebKitFailed(problem[0])
        return json.loads(value)

    def close(self) -> None:
        """End it."""
        try:
            self._command("DELETE", "", {})
        finally:
            self._end()

    def _end(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait(timeout=10)
