"""A thread of its own that follows the tables until it is closed."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class Follower(ABC):
    """`_run` works in a thread from `start` to `close`, and looks at `_stop` often."""

    thread_name: str

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def _run(self) -> None:
        """The work, until `_stop` is set."""

    def start(self) -> None:
        """Begin to follow."""
        self._thread = threading.Thread(target=self._run, name=self.thread_name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
            self._thread = None
