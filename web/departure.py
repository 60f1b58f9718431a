"""A table that the configuration takes away while a game is played there: it stays until the game is over.

A configuration file may be empty for a moment, or be changed in the wrong line. So what would end a game is said on the
table's page first, and whoever sits there may let the table go at once.
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
    """Somebody lets a table go that the configuration does not take away."""


class Departure:
    """The removal of one table, and the consent to it. Every method may be called from any thread."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        """
        Args:
            changed: Is called when the page has something else to show.
        """
        self._lock = threading.Lock()
        self._changed = changed
        self._announced = self._agreed = False

    @property
    def announced(self) -> bool:
        """The page says that the table is to go."""
        return self._announced

    @property
    def agreed(self) -> bool:
        """Somebody has let it go."""
        return self._agreed

    @property
    def text(self) -> str | None:
        """The sentence on the page, or None."""
        return TAKEN_AWAY if self._announced and not self._agreed else None

    def announce(self, *, going: bool) -> None:
        """Say that the table is to go, or no longer."""
        with self._lock:
            if going == self._announced:
                return
            self._announced, self._agreed = going, False
        self._changed()

    def agree(self) -> None:
        """Lets the table go.

        Raises:
            NobodyGoes: The table is not to be removed.
        """
        with self._lock:
            if not self._announced:
                raise NobodyGoes("The configuration does not take this table away. Change it there first.")
            self._agreed = True
        self._changed()


def routes(departure: Departure, eyes: Callable[[], dict[str, Any]]) -> Blueprint:
    """`/api/departure`.

    Args:
        eyes: What the page shows beside the game, as `GET /api/eyes` answers.
    """
    blueprint = Blueprint("departure", __name__, url_prefix="/api")

    @blueprint.post("/departure")
    def agree() -> Response:
        """Let the table go that the configuration takes away, in the middle of its game."""
        body(Nothing)
        departure.agree()
        return json_answer(eyes())

    return blueprint
