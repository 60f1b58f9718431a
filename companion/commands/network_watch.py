"""Looks whether this machine is in another network now: a table that was opened to phones goes with it."""

from __future__ import annotations

import threading
from collections.abc import Callable

LOOK_S = 5.0
"""The address of the machine is looked at this often; a look takes less than a millisecond and sends nothing."""


class NetworkWatch:
    """Follows the network. A context manager: leaving it ends its thread."""

    def __init__(self, follow: Callable[[], None], look_s: float = LOOK_S) -> None:
        """
        :param follow: goes where the machine is now.
        :param look_s: seconds from one look to the next.
        """
        self._follow, self._look_s = follow, look_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="network", daemon=True)

    def __enter__(self) -> NetworkWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(30)

    def _watch(self) -> None:
        while not self._over.wait(self._look_s):
            self._follow()
