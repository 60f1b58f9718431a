"""Open invitations on a screen: each admits as many browsers as it has places.

Everybody who scans the QR code on the screen is admitted by its code. The code changes after each admitted browser
and from time to time; a code that is no longer shown stays valid for a short while, so that friends may scan the same
QR code at once. An invitation ends when its places are taken, or when no screen shows it any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from msgspec import Struct

RENEW_S = 60.0
"""The longest time in seconds for which a code is shown."""
HOLD_S = 60.0
"""The time in seconds for which a code stays valid after it was last shown."""
MOST = 16
"""The largest number of invitations at the same time."""


class Invited(Struct, frozen=True):
    """An invitation, as the screen that asked for it shows it."""

    id: str
    code: str | None
    """A code that no browser has used; None: all places are taken."""
    left: int
    joined: int


class _Invitation(Struct):
    places: int
    joined: int = 0
    fresh: str | None = None
    since: float = 0.0
    until: float = 0.0


class Invitations:
    """All open invitations. Every method may be called from any thread."""

    def __init__(self, clock: Callable[[], float], draw: Callable[[], str]) -> None:
        """
        Args:
            clock: Returns the time in seconds, which never goes back.
            draw: Draws a random secret of 128 bits.
        """
        self._clock, self._draw = clock, draw
        self._open: dict[str, _Invitation] = {}
        self._codes: dict[str, tuple[str, float]] = {}
        """By code: its invitation, and the time at which the code expires."""
        self._lock = threading.Lock()

    def show(self, places: int, known: str | None = None) -> Invited:
        """Returns an invitation for a screen, with a code that is recent enough.

        Args:
            places: The number of browsers that a new invitation admits.
            known: The id of the invitation that the screen already shows; None: a new invitation.
        """
        with self._lock:
            now = self._clock()
            self._forget(now)
            if known is None or known not in self._open:
                known = self._draw()
                while len(self._open) >= MOST:
                    del self._open[next(iter(self._open))]
                self._open[known] = _Invitation(max(1, places))
            one = self._open[known]
            one.until = now + RENEW_S + HOLD_S
            left = one.places - one.joined
            if left <= 0:
                one.fresh = None
            elif one.fresh is None or now - one.since >= RENEW_S:
                one.fresh, one.since = self._draw(), now
            if one.fresh is not None:
                self._codes[one.fresh] = (known, now + RENEW_S + HOLD_S)
            return Invited(known, one.fresh, max(0, left), one.joined)

    def use(self, code: str) -> bool:
        """Takes a place; returns false if the code is invalid or no place is left."""
        with self._lock:
            now = self._clock()
            self._forget(now)
            known, _ = self._codes.get(code, ("", 0.0))
            one = self._open.get(known)
            if one is None or one.joined >= one.places:
                return False
            one.joined += 1
            one.fresh = None
            return True

    def close(self) -> None:
        """Ends all invitations."""
        with self._lock:
            self._open.clear()
            self._codes.clear()

    def _forget(self, now: float) -> None:
        self._open = {known: one for known, one in self._open.items() if one.until > now}
        self._codes = {
            code: (known, until) for code, (known, until) in self._codes.items() if until > now and known in self._open
        }
