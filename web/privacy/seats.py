"""Records which browser belongs to which player, so that only the owner sees hidden cards.

A player takes a seat with a phone. From then on this browser sees what the seat may know, and every other one only what
the public may know. A seat belongs to its browser until the browser leaves it or the host frees it, also while another
game is on the table, and after a restart. A browser has one secret for all its games, of which only the hash is stored.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from companion.core.contract import Seat
from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import decode_json, read_kept, write_whole

_Taken = dict[str, dict[str, str]]
"""By game and seat: the hash of the secret of the browser that has the seat."""


class SeatTaken(CompanionError, status=409):
    """An error: another browser has the seat."""


class SeatNotKept(CompanionError, status=503):
    """An error: the holder of a seat could not be saved, so nothing was changed."""


class Seats:
    """The taken seats by game. Every method may be called from any thread."""

    def __init__(self, path: Path | None = None, token: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        """
        Args:
            path: The file of the taken seats; None: they are not saved.
            token: Draws a random secret of 128 bits.
        """
        self._path = path
        self._draw = token
        self._taken = _read(path)
        self._people: dict[str, str] = {}
        """By name: the hash of the secret of the browser that last had a seat of that name in this run."""
        self._lock = threading.Lock()

    def take(self, game: str, seat: Seat, token: str | None) -> str:
        """Gives a seat to a browser, which loses any other seat of this game, and returns the browser's secret.

        Args:
            token: The secret that the browser already has.

        Raises:
            SeatTaken: Another browser has the seat.
            SeatNotKept: The holder could not be saved.
        """
        with self._lock:
            mine = _hash(token)
            holder = self._taken.get(game, {}).get(str(seat))
            if holder is not None:
                if mine is not None and token is not None and secrets.compare_digest(holder, mine):
                    return token
                raise SeatTaken(
                    "Another browser shows this player's cards. Leave the seat there, or ask the host to free it."
                )
            known = any(mine == one for seats in self._taken.values() for one in seats.values())
            if token is None or not known:
                token = self._draw()
                mine = _hash(token)
            assert mine is not None
            self._change(game, {**self._without(game, mine), str(seat): mine})
            return token

    def leave(self, game: str, token: str | None) -> Seat | None:
        """Frees the seat of the browser with this secret; returns the seat, or None if it had none."""
        with self._lock:
            mine = _hash(token)
            seat = next((seat for seat, one in self._taken.get(game, {}).items() if one == mine), None)
            if seat is None or mine is None:
                return None
            self._people = {name: one for name, one in self._people.items() if one != mine}
            self._change(game, self._without(game, mine))
            return int(seat)

    def free(self, game: str, seat: Seat) -> bool:
        """Frees a seat; returns true if it was taken."""
        with self._lock:
            seats = self._taken.get(game, {})
            if str(seat) not in seats:
                return False
            self._people = {name: one for name, one in self._people.items() if one != seats[str(seat)]}
            self._change(game, {other: one for other, one in seats.items() if other != str(seat)})
            return True

    def follow(self, game: str, names: Sequence[str], following: str, names_there: Sequence[str]) -> None:
        """Keeps everybody's seat when the next game begins, so that people take a seat only once an evening.

        A person who sat out a game gets the seat of that name back afterwards. If the seats cannot be saved, people
        must take them again.

        Args:
            names: The players of the previous game, by seat.
            names_there: The players of the next game.
        """
        with self._lock:
            for seat, holder in self._taken.get(game, {}).items():
                self._people = {name: one for name, one in self._people.items() if one != holder}
                self._people[names[int(seat)].casefold()] = holder
            kept = {
                str(seat): self._people[name.casefold()]
                for seat, name in enumerate(names_there)
                if name.casefold() in self._people
            }
            with suppress(SeatNotKept):
                self._change(following, kept)

    def seat(self, game: str, token: str | None) -> Seat | None:
        """Returns the seat of the browser with this secret; None for the public. Secrets are compared in constant
        time.
        """
        mine = _hash(token)
        if mine is None:
            return None
        with self._lock:
            held = tuple(self._taken.get(game, {}).items())
        return next((int(seat) for seat, one in held if secrets.compare_digest(one, mine)), None)

    def taken(self, game: str) -> tuple[Seat, ...]:
        """Returns the seats that a browser has taken."""
        with self._lock:
            return tuple(sorted(int(seat) for seat in self._taken.get(game, {})))

    def _without(self, game: str, mine: str) -> dict[str, str]:
        return {seat: one for seat, one in self._taken.get(game, {}).items() if one != mine}

    def _change(self, game: str, seats: dict[str, str]) -> None:
        """Saves the holders of seats, whole or not at all; a change that cannot be saved is not made."""
        changed = {name: others for name, others in self._taken.items() if name != game}
        if seats:
            changed[game] = seats
        if self._path is not None:
            try:
                write_whole(self._path, msgspec.json.encode(changed))
            except OSError as error:
                raise SeatNotKept(
                    f"The holder of the seat could not be saved ({error.strerror}). Nothing was changed; make room,"
                    " and try again."
                ) from error
        self._taken = changed


def _read(path: Path | None) -> _Taken:
    """Returns the holders of seats from the file; none if it is damaged, so that people take their seats again."""
    found = None if path is None else read_kept(path, lambda data: decode_json(data, _Taken))
    return found or {}


def _hash(token: str | None) -> str | None:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest() if token else None
