"""Which browser belongs to which player, so that hidden cards are shown to their owner alone.

Whoever plays takes a seat with a phone; from then on this one browser sees what the seat may know, and every other one
what the public may know. A seat is taken by one browser at a time, and the host can free one whose phone is gone.
Nothing of this is stored: after a restart everybody sits down anew.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

from companion.contract import Seat
from companion.errors import CompanionError

SEAT_COOKIE = "companion_seat"


class SeatTaken(CompanionError):
    """Another browser sits there."""

    status = 409


class Seats:
    """The seats that are taken, by game. Every method may be called from any thread."""

    def __init__(self, token: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        """
        :param token: draws a secret of 128 bits.
        """
        self._draw = token
        self._taken: dict[tuple[str, Seat], str] = {}
        self._lock = threading.Lock()

    def take(self, game: str, seat: Seat, token: str | None) -> str:
        """The secret by which a browser is known as the one of a seat; it gives up any other seat of this game.

        :param token: the secret that the browser has already.
        :raises SeatTaken: another browser has the seat.
        """
        with self._lock:
            holder = self._taken.get((game, seat))
            if holder is not None:
                if token is not None and secrets.compare_digest(_bytes(holder), _bytes(token)):
                    return holder
                raise SeatTaken(
                    "Another browser shows this player's cards. Leave the seat there, or ask the host to free it."
                )
            self._leave(game, token)
            # Games that are no longer played need no seats.
            self._taken = {key: known for key, known in self._taken.items() if key[0] == game}
            fresh = self._draw()
            self._taken[game, seat] = fresh
            return fresh

    def leave(self, game: str, token: str | None) -> None:
        """The browser with this secret gives its seat up."""
        with self._lock:
            self._leave(game, token)

    def free(self, game: str, seat: Seat) -> None:
        """Whoever has the seat loses it."""
        with self._lock:
            self._taken.pop((game, seat), None)

    def follow(self, game: str, following: str) -> None:
        """Everybody stays seated as the next game of a match begins."""
        with self._lock:
            self._taken = {(following, seat): known for (of, seat), known in self._taken.items() if of == game}

    def seat(self, game: str, token: str | None) -> Seat | None:
        """The seat of the browser with this secret; None for the public. Compared in constant time."""
        if not token:
            return None
        with self._lock:
            held = tuple(self._taken.items())
        for (known, seat), secret in held:
            if known == game and secrets.compare_digest(_bytes(secret), _bytes(token)):
                return seat
        return None

    def taken(self, game: str) -> tuple[Seat, ...]:
        """Seats that a browser has taken."""
        with self._lock:
            return tuple(sorted(seat for known, seat in self._taken if known == game))

    def _leave(self, game: str, token: str | None) -> None:
        if token is not None:
            self._taken = {
                key: known
                for key, known in self._taken.items()
                if key[0] != game or not secrets.compare_digest(_bytes(known), _bytes(token))
            }


def _bytes(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")
