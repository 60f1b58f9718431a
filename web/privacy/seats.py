"""Which browser belongs to which player, so that hidden cards are shown to their owner alone.

Whoever plays takes a seat with a phone; from then on this one browser sees what the seat may know, and every other one
what the public may know. A seat belongs to the browser that took it until it leaves, or the host frees it because the
phone is gone: also while another game is on the table, and after a restart. A browser has one secret for all its games,
of which only the hash is kept.
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
"""By game and seat: the hash of the secret of the browser that has it."""


class SeatTaken(CompanionError, status=409):
    """Another browser sits there."""


class SeatNotKept(CompanionError, status=503):
    """The holder of a seat could not be saved, so nothing was changed."""


class Seats:
    """The seats that are taken, by game. Every method may be called from any thread."""

    def __init__(self, path: Path | None = None, token: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        """
        Args:
            path: Where it is kept who has which seat; None: nowhere.
            token: Draws a secret of 128 bits.
        """
        self._path = path
        self._draw = token
        self._taken = _read(path)
        self._people: dict[str, str] = {}
        """By name: the hash of the secret of the browser that had a seat of that name last in this run."""
        self._lock = threading.Lock()

    def take(self, game: str, seat: Seat, token: str | None) -> str:
        """The secret by which a browser is known as the one of a seat; it gives up any other seat of this game.

        Args:
            token: The secret that the browser has already.

        Raises:
            SeatTaken: Another browser has the seat.
            SeatNotKept: It could not be written down.
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
        """The browser with this secret gives its seat up; the seat, None if it had none."""
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
        """Everybody stays seated as the next game begins: people sit down once an evening, whatever is played.

        Whoever sat out a game has the seat of that name again afterwards. If it cannot be written down, people sit down
        anew.

        Args:
            names: Those who play the game before, by seat.
            names_there: Those who play the next one.
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
        """The seat of the browser with this secret; None for the public. Compared in constant time."""
        mine = _hash(token)
        if mine is None:
            return None
        with self._lock:
            held = tuple(self._taken.get(game, {}).items())
        return next((int(seat) for seat, one in held if secrets.compare_digest(one, mine)), None)

    def taken(self, game: str) -> tuple[Seat, ...]:
        """Seats that a browser has taken."""
        with self._lock:
            return tuple(sorted(int(seat) for seat in self._taken.get(game, {})))

    def _without(self, game: str, mine: str) -> dict[str, str]:
        return {seat: one for seat, one in self._taken.get(game, {}).items() if one != mine}

    def _change(self, game: str, seats: dict[str, str]) -> None:
        """Writes the holders of seats, whole or not at all; unsaved changes do not hold."""
        changed = {name: others for name, others in self._taken.items() if name != game}
        if seats:
            changed[game] = seats
        if self._path is not None:
            try:
                write_whole(self._path, msgspec.json.encode(changed))
            except OSError as error:
                raise SeatNotKept(
                    f"Who has the seat could not be written down ({error.strerror}). Nothing was changed; make room,"
                    " and try again."
                ) from error
        self._taken = changed


def _read(path: Path | None) -> _Taken:
    """The holders of seats when the program ended; none if the file is damaged, so that seats are taken anew."""
    found = None if path is None else read_kept(path, lambda data: decode_json(data, _Taken))
    return found or {}


def _hash(token: str | None) -> str | None:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest() if token else None
