"""A table that the configuration removes while a game is played on it: it stays until the game is over.

A configuration file may be empty for a moment, or contain a mistake. So the table's page first announces the removal,
and the players may agree to it at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from companion.core.foundation.errors import CompanionError
from web.api.setup import Nothing
from web.http.answers import body, json_answer

TAKEN_AWAY = (
    "The configuration takes this table away. It stays until this game is over; who sits here may let it go before."
)
"""The sentence on the page."""


class NobodyGoes(CompanionError, status=409):
    """An error: somebody agreed to the removal of a table that the configuration does not remove."""


class Departure:
    """The removal of one table, and the players' consent to it. Every method may be called from any thread."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        """
        Args:
            changed: A function that is called when the page has to show something else.
        """
        self._lock = threading.Lock()
        self._changed = changed
        self._announced = self._agreed = False

    @property
    def announced(self) -> bool:
        """True if the page says that the table is to be removed."""
        return self._announced

    @property
    def agreed(self) -> bool:
        """True if a player has agreed to the removal."""
        return self._agreed

    @property
    def text(self) -> str | None:
        """The sentence on the page, or None."""
        return TAKEN_AWAY if self._announced and not self._agreed else None

    def announce(self, *, going: bool) -> None:
        """Announces that the table is to be removed, or that it is not."""
        with self._lock:
            if going == self._announced:
                return
            self._announced, self._agreed = going, False
        self._changed()

    def agree(self) -> None:
        """Agrees to the removal of the table.

        Raises:
            NobodyGoes: The table is not to be removed.
        """
        with self._lock:
            if not self._announced:
                raise NobodyGoes("The configuration does not take this table away. Change it there first.")
            self._agreed = True
        self._changed()


def routes(departure: Departure, eyes: Callable[[], dict[str, Any]]) -> Blueprint:
    """Returns the route `/api/departure`.

    Args:
        eyes: Returns the state that the page shows beside the game, as `GET /api/eyes` does.
    """
    blueprint = Blueprint("departure", __name__, url_prefix="/api")

    @blueprint.post("/departure")
    def agree() -> Response:
        """Agrees that the configuration removes the table in the middle of its game."""
        body(Nothing)
        departure.agree()
        return json_answer(eyes())

    return blueprint
