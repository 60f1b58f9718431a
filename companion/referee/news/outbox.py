"""The messages for one receiver, in order: bounded, and dropped ones are counted and reported."""

from __future__ import annotations

import logging
import threading
from collections import deque

from companion.core.foundation.logs import note
from companion.referee.news.bulletin import News

MOST = 1000
"""News that wait at most: an evening has a few hundred rows."""

_LOG = logging.getLogger("companion.news")


class Outbox:
    """News on their way to one receiver. `put` never waits; one thread takes. Every method is safe from any thread."""

    def __init__(self, name: str, most: int = MOST) -> None:
        """
        Args:
            name: Of the receiver, without secrets, for the log and the numbers.
        """
        self.name = name
        self._most = most
        self._news: deque[News] = deque()
        self._changed = threading.Condition()
        self._woken = False
        self.dropped = 0
        """So many did not fit, the oldest first."""
        self.sent = 0
        """So many were taken and reached their receiver."""

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: News) -> None:
        """Add news at the end; if there is no room the oldest goes, which is counted and logged."""
        with self._changed:
            self._news.append(news)
            lost = self._news.popleft() if len(self._news) > self._most else None
            if lost is not None:
                self.dropped += 1
            self._changed.notify_all()
        if lost is not None:
            note(_LOG, logging.WARNING, "dropped", to=self.name, id=lost.id, dropped=self.dropped)

    def take(self, timeout_s: float) -> News | None:
        """The oldest news; None after `timeout_s`, or at once if somebody calls `wake`."""
        with self._changed:
            self._changed.wait_for(lambda: self._news or self._woken, timeout_s)
            self._woken = False
            return self._news.popleft() if self._news else None

    def wake(self) -> None:
        """Let whoever waits in `take` look around."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()
