"""Runs the evening of a hub: it keeps the evening on disk, and a thread takes results from the journals."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import gmtime, strftime
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from companion.core.foundation.errors import BadFile, CompanionError, RoundNotDue, StaleCommand, WrongUsage
from companion.core.foundation.kept_file import Spoiled, decode_json, read_kept, write_whole
from companion.core.foundation.logs import note
from companion.referee.evening.evening import Evening, System, begin, can_be, is_open, over, withdraw
from companion.referee.evening.journals import TableJournals, take_results
from companion.referee.evening.pairing import pair
from companion.referee.results.result import Result

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


class Rating(Struct, frozen=True):
    """A player's estimated strength, from the results of games."""

    name: str
    ordinal: float
    """A lower bound of the strength that holds with high probability: mean minus three deviations."""
    mean: float
    deviation: float
    games: int


def available() -> bool:
    """True if the package openskill is installed."""
    return find_spec("openskill") is not None


def ratings(results: Iterable[Result]) -> tuple[Rating, ...]:
    """Returns the ratings of all players, the strongest first; games count in the given order.

    Players are identified by their names without regard to case. Games of a single player do not count.

    Raises:
        WrongUsage: The package openskill is missing.
    """
    if not available():
        raise WrongUsage('Ratings need the package openskill: pip install "tabletop-companion[ratings]".')
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, tuple[str, PlackettLuceRating, int]] = {}
    for result in results:
        if len(result.names) < 2 or len({name.casefold() for name in result.names}) < len(result.names):
            continue
        before = [known.get(name.casefold(), (name, model.rating(), 0)) for name in result.names]
        ranks = [next(n for n, place in enumerate(result.places) if seat in place) for seat in range(len(before))]
        after = model.rate([[rating] for _, rating, _ in before], ranks=[float(rank) for rank in ranks])
        for name, (_, _, games), (rating,) in zip(result.names, before, after, strict=True):
            known[name.casefold()] = name, rating, games + 1
    found = [Rating(name, one.ordinal(), one.mu, one.sigma, games) for name, one, games in known.values()]
    return tuple(sorted(found, key=lambda rating: (-rating.ordinal, rating.name)))


LARGEST_BYTES = 5 * 1024 * 1024


def _decoded(data: bytes) -> Evening:
    """Raises Spoiled: The data is not an evening, or describes an impossible one."""
    evening = decode_json(data, Evening)
    if not can_be(evening):
        raise Spoiled("its players, teams and rounds do not fit each other")
    return evening


class KeptEvening:
    """The file in which a hub keeps its evening."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> Evening | None:
        """Returns the saved evening; None if there is none, or if it cannot be read (the file is then set aside)."""
        return read_kept(self.path, _decoded, LARGEST_BYTES)

    def save(self, evening: Evening) -> None:
        """Saves the evening; it is on disk when this returns.

        Raises:
            BadFile: The file cannot be written; the previously saved evening stays.
        """
        data = msgspec.json.format(msgspec.json.encode(evening), indent=2)
        try:
            write_whole(self.path, data, durable=True)
        except OSError as error:
            raise BadFile(f"The evening {self.path} cannot be written ({error.strerror}).") from error

    def set_aside(self, now: float) -> None:
        """Renames the file of the previous evening, so that a new one may begin.

        Raises:
            BadFile: The file cannot be renamed.
        """
        stem = f"{self.path.stem}-{strftime('%Y%m%d-%H%M%S', gmtime(now))}"
        try:
            if self.path.exists():
                self.path.replace(self.path.with_name(stem + self.path.suffix))
        except OSError as error:
            raise BadFile(f"The evening {self.path} cannot be set aside ({error.strerror}).") from error


LOOK_S = 3.0
"""The number of seconds between two looks at the journals."""
MOST_REPLAYED = 20
"""The number of games that are replayed for ratings in one look, so that a large journal does not delay results."""

_LOG = logging.getLogger("companion.evening")


class EveningDirector:
    """The changes to an evening. As a context manager it starts and ends the thread that follows the journals."""

    def __init__(
        self,
        kept: KeptEvening,
        journals: TableJournals,
        *,
        tables: Callable[[], Sequence[str]] = tuple,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """
        Args:
            tables: Returns the tables on which games can be played, the best first.
        """
        self._kept, self._journals, self._tables, self._clock = kept, journals, tables, clock
        self._lock = threading.Lock()
        self._evening = kept.load()
        self._version = 1
        self._results: list[Result] = []
        self.trouble: str | None = None
        """A sentence about a problem with a journal or the file; None if there is none."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="evening", daemon=True)

    def now(self) -> tuple[int, Evening | None]:
        """Returns the version, which rises with every change, and the evening."""
        with self._lock:
            return self._version, self._evening

    def begin(
        self,
        expected: int,
        title: str,
        system: System,
        players: Sequence[str],
        *,
        game: str = "",
        teams: int = 0,
        planned: int | None = None,
    ) -> None:
        """Begins an evening; the previous one is set aside.

        Raises:
            StaleCommand: The evening has changed since version `expected`.
            BadOptions: An evening of this kind is impossible.
            BadFile: The evening could not be saved; nothing has changed.
        """
        with self._lock:
            self._check(expected)
            evening = begin(title, system, players, game=game, teams=teams, planned=planned)
            self._kept.set_aside(self._clock())
            self._keep(evening)

    def pair(self, expected: int) -> None:
        """Pairs the next round.

        Raises:
            StaleCommand: The evening has changed since version `expected`.
            RoundNotDue: There is no evening, a game is still open, or all rounds were played.
        """
        with self._lock:
            self._check(expected)
            self._journals.look()
            self._keep(pair(self._present(), known=self._journals.known, tables=self._tables()))

    def withdraw(self, expected: int, player: str) -> None:
        """Withdraws a player who goes home.

        Raises:
            StaleCommand: The evening has changed since version `expected`.
            BadOptions: The evening has no player of that name.
            RoundNotDue: There is no evening.
        """
        with self._lock:
            self._check(expected)
            self._keep(withdraw(self._present(), player))

    def look(self) -> None:
        """Takes new results from the journals."""
        with self._lock:
            self._journals.look()
            self.trouble = self._journals.trouble
            self._results = self._journals.results(MOST_REPLAYED)
            if self._evening is None:
                return
            found = take_results(self._evening, self._journals)
            if found != self._evening:
                self._keep(found)
                note(_LOG, logging.INFO, "results", open=is_open(found), over=over(found))

    def ratings(self) -> tuple[Rating, ...] | None:
        """Returns everybody's rating by all games of the journals; None without the package openskill."""
        if not available():
            return None
        return ratings(self._results)

    def __enter__(self) -> EveningDirector:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(5)
        with self._lock:
            self._journals.close()

    def _follow(self) -> None:
        while True:
            try:
                self.look()
            except CompanionError as error:
                self.trouble = str(error)
                note(_LOG, logging.ERROR, "evening", why=error)
            if self._over.wait(LOOK_S):
                return

    def _present(self) -> Evening:
        if self._evening is None:
            raise RoundNotDue("No evening has begun. Begin one first.")
        return self._evening

    def _check(self, expected: int) -> None:
        if expected != self._version:
            raise StaleCommand("The evening has gone on since. Look at it and try again.")

    def _keep(self, evening: Evening) -> None:
        self._kept.save(evening)
        self._evening = evening
        self._version += 1
