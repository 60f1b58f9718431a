"""A process that reads, played by a thread: what it says and when it dies is up to a test."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from companion.core.protocols.calibration import Notice
from companion.core.protocols.eyes import EyesStatus
from vision.reader_process.messages import BeginWatching, Opened, Pulse, ToHouse, ToReader, decode_to_reader, encode

Play = Callable[["Scripted"], None]


class Scripted:
    """One process: `play` is what it does; it is dead when that returns, or when it is killed."""

    def __init__(self, theirs: Connection, play: Play) -> None:
        self.link = Connection(theirs.fileno(), readable=True, writable=True)
        theirs._handle = None  # type: ignore[attr-defined]  # the house closes its hold, as it does after a spawn
        self._line = os.dup(self.link.fileno())
        self.begun: BeginWatching | None = None
        self.pid = id(self)
        self._dead, self._closing = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._run, args=(play,), daemon=True)
        self._thread.start()

    def hear(self) -> ToReader:
        return decode_to_reader(self.link.recv_bytes())

    def say(self, message: ToHouse) -> None:
        self.link.send_bytes(encode(message))

    def open(self) -> None:
        """Begin as every process does."""
        begun = self.hear()
        assert isinstance(begun, BeginWatching)
        self.begun = begun
        self.say(Opened(None))
        self.beat()

    def beat(self, *, frame: int = 1, busy_s: float = 0.0) -> None:
        self.say(Pulse(EyesStatus("looking", "Looking at the table.", frame, 0.1), Notice(False), None, busy_s))

    def kill(self) -> None:
        """Break the line; the script's own thread closes it, since two that close would hit another one's."""
        self._break()
        self._dead.wait(5)

    def join(self, timeout: float | None = None) -> None:
        """Two may wait: who closes the eyes, and the thread that starts the next process."""
        if self._dead.wait(timeout):
            with self._closing:
                line, self._line = self._line, -1
            if line >= 0:
                os.close(line)

    def _break(self) -> None:
        with suppress(OSError), socket.socket(fileno=os.dup(self._line)) as line:
            line.shutdown(socket.SHUT_RDWR)

    def _run(self, play: Play) -> None:
        with suppress(EOFError, OSError, TypeError):  # killed
            play(self)
        self._break()
        self.link.close()
        self._dead.set()


class Processes:
    """Every process that was started, each played by the next script; the last script plays all further ones."""

    def __init__(self, *scripts: Play) -> None:
        self._scripts = scripts
        self.started: list[Scripted] = []

    def __call__(self, theirs: Connection) -> Any:
        play = self._scripts[min(len(self.started), len(self._scripts) - 1)]
        self.started.append(Scripted(theirs, play))
        return self.started[-1]
