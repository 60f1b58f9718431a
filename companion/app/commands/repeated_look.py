"""Tasks that are repeated while a page is served: checks of the machine's network and of the configuration file."""

from __future__ import annotations

import threading
from collections.abc import Callable


class RepeatedLook:
    """A look that is taken again and again. A context manager: leaving it ends its thread."""

    def __init__(self, name: str, look: Callable[[], object], every_s: float) -> None:
        """
        :param name: of its thread.
        :param look: looks, and carries out what follows from it.
        :param every_s: seconds from the end of one look to the next.
        """
        self._look, self._every_s = look, every_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._repeat, name=name, daemon=True)

    def __enter__(self) -> RepeatedLook:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(30)

    def _repeat(self) -> None:
        while not self._over.wait(self._every_s):
            self._look()
