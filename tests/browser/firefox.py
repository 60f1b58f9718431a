"""Firefox as Debian ships it, spoken to in its own words: WebDriver BiDi over a web socket, which needs no other driver.

The browser of a test must be the one that people have; the drivers in packages bring browsers of their own.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

START_S = 60.0
ANSWER_S = 30.0
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class FirefoxFailed(Exception):
    """Firefox did not start, or refused a command."""


class Firefox:
    """One headless Firefox with one tab."""

    def __init__(self, program: str, folder: Path, **session: Any) -> None:
        """
        :param program: path of the browser.
        :param folder: where it may keep its profile.
        :param session: what it is asked for, beyond a plain session.
        :raises FirefoxFailed: it does not start.
        """
        command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(folder)]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self._numbers = count(1)
        self._open = ExitStack()
        self.errors: list[str] = []
        """What was said as an error or a warning since it was last emptied."""
        try:
            self._socket: ClientConnection = self._open.enter_context(
                connect(f"{self._address()}/session", max_size=None)
            )
            self.command("session.new", **{"capabilities": {}, **session})
            self.command("session.subscribe", events=["log.entryAdded"])
            self.tab = self.command("browsingContext.getTree")["contexts"][0]["context"]
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise

    def _address(self) -> str:
        """Where it listens, as it says on its standard error; that is read on, or the browser would stop when it is full."""
        found: list[str] = []
        told = threading.Event()
        assert self._process.stderr is not None
        lines = self._process.stderr

        def listen() -> None:
            with lines:
                for line in lines:
                    if match := _LISTENS.search(line):
                        found.append(match[1])
                        told.set()
            told.set()

        self._listening = threading.Thread(target=listen, daemon=True)
        self._listening.start()
        if not told.wait(START_S) or not found:
            raise FirefoxFailed("Firefox did not say where it listens.")
        return found[0]

    def command(self, method: str, **params: Any) -> Any:
        """Do one command and wait for its answer.

        :raises FirefoxFailed: it is refused.
        """
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(timeout=ANSWER_S))
            if told.get("type") == "event":
                self._note(told)
            elif told["id"] == number:
                if told["type"] == "error":
                    raise FirefoxFailed(f"{method}: {told['error']}: {told['message']}")
                return told["result"]

    def _note(self, told: dict[str, Any]) -> None:
        entry = told["params"]
        if told["method"] == "log.entryAdded" and entry["level"] in ("error", "warn"):
            self.errors.append(str(entry["text"]))

    def open(self, address: str) -> None:
        """Go to a page and wait until its document is there."""
        self.command("browsingContext.navigate", context=self.tab, url=address, wait="interactive")

    def size(self, width: int, height: int) -> int:
        """Give the page so many CSS pixels; the width that it has then."""
        self.command("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})
        return width

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript; a promise is waited for.

        :raises FirefoxFailed: it throws.
        """
        text = f"(async () => JSON.stringify((await ({expression})) ?? null))()"
        found = self.command(
            "script.evaluate", expression=text, target={"context": self.tab}, awaitPromise=True, userActivation=True
        )
        if found["type"] == "exception":
            raise FirefoxFailed(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def close(self) -> None:
        """End it."""
        self._open.close()
        self._process.terminate()
        self._process.wait(timeout=10)
        self._listening.join(timeout=10)
