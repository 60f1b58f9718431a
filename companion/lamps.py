"""Lights on the table: where the piece in play may go, and a flash where a move was refused.

A thread of its own follows the desk, so that neither a long list of moves nor a dead board ever delays a verdict.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from companion.contract import Event
from companion.desk import Desk
from companion.layout import Spot
from companion.table import Table
from companion.verdict import Refused

PATIENCE_S = 0.5
"""How often the thread looks whether it should end."""


class Lamps(Protocol):
    """A board of lights. Every method returns at once, whatever the device does."""

    def legal(self, spots: Iterable[Spot]) -> None:
        """Light up these places and nothing else."""

    def refused(self, spots: Iterable[Spot]) -> None:
        """Flash these places over the picture, which stays."""

    def dark(self) -> None:
        """All lights off."""


Trace = Callable[[str, Event], Spot | None]
"""Name of the game and an event: the place where the event can be seen once it has happened."""


class LampKeeper:
    """Keeps the lamps in step with the game. `step` does the work; `start` runs it in a thread."""

    def __init__(self, desk: Desk, lamps: Lamps, trace: Trace) -> None:
        self._desk = desk
        self._lamps = lamps
        self._trace = trace
        self._shown: tuple[Any, ...] | None = None
        self._flashed: tuple[str, int] | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def step(self) -> None:
        """Show what holds now."""
        table = self._desk.table
        if table is None or table.state.outcome() is not None:
            self._show(None, ())
            return
        self._show((table.header.id, table.seq), self._legal(table))
        alert = table.alert
        if alert is not None and isinstance(alert.verdict, Refused):
            key = table.header.id, alert.number
            if key != self._flashed:
                self._flashed = key
                self._lamps.refused(self._refused(table, alert.verdict))

    def start(self) -> None:
        """Follow the desk until `close`."""
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; the lights go out."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
            self._thread = None
        self._lamps.dark()

    def _run(self) -> None:
        version = -1
        while not self._stop.is_set():
            now = self._desk.wait(version, PATIENCE_S)
            if now != version:
                version = now
                self.step()

    def _show(self, key: tuple[Any, ...] | None, spots: Iterable[Spot]) -> None:
        if key is None:
            if self._shown is not None:
                self._lamps.dark()
        elif key != self._shown:
            self._lamps.legal(spots)
        self._shown = key

    def _legal(self, table: Table) -> tuple[Spot, ...]:
        """Places where some legal move can be seen, in the order of the moves."""
        found = (self._trace(table.game.name, move) for move in table.legal())
        return tuple(dict.fromkeys(spot for spot in found if spot is not None))

    def _refused(self, table: Table, refused: Refused) -> tuple[Spot, ...]:
        own = self._trace(table.game.name, refused.event)
        where = [spot for breach in refused.breaches for spot in breach.where]
        return tuple(dict.fromkeys([*([own] if own is not None else []), *where]))
