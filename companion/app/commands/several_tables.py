"""Several tables in one server: each has an address of its own, and one page shows them all.

A table that cannot be opened is shown with the reason, and the others play on. Changes to the configuration file add,
pause and remove tables; no request can add one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path

import click
from msgspec.structs import replace

from companion.app.commands.phone_camera import (
    CERTIFICATE_END,
    HttpsDoor,
    TableDoor,
    TlsOptions,
    is_camera_page_of_a_table,
)
from companion.app.commands.runtime import (
    NETWORK_LOOK_S,
    RepeatedLook,
    Runtime,
    let_phone_in,
    open_to,
    page_of,
    say_while_serving,
)
from companion.app.commands.served_table import TableOptions, files_of, journal_of, open_table, passwords
from companion.app.commands.services import RunningServices
from companion.core.foundation.errors import CompanionError, WrongUsage
from companion.core.foundation.logs import note
from companion.referee.results.store import Keeper
from web.admission.phones import Phones
from web.departure import Departure
from web.http.settings import WebSettings
from web.pages.health import PAUSED
from web.sockets.server import Server
from web.tables import OpenTable, ServedTables, create_tables_app

AGAIN_S = 10.0
"""The number of seconds after which a table that could not be opened is tried again; a disk or a network may start
later than the server."""
LOOK_S = 1.0
"""The number of seconds between two looks at the configuration."""
SAID_S = 60.0
"""The number of seconds for which a file must stay unchanged before a table in play is removed, or an empty file is
obeyed."""

Wanted = Mapping[str, TableOptions | None]
"""The tables by name; None: paused."""

_LOG = logging.getLogger("companion.tables")


class RunningTables:
    """The requested tables, which are opened and closed when the requests change."""

    def __init__(
        self,
        settings: WebSettings,
        after_game: Callable[[Runtime, str], Callable[[], object] | None],
        outside: RunningServices,
    ) -> None:
        self.served = ServedTables()
        self.phones: dict[str, Phones] = {}
        """The access of phones to each open table."""
        self.door: HttpsDoor | None = None
        """The page of all tables by HTTPS, for phones that are cameras; None: there is none."""
        self._settings, self._after_game, self._outside = settings, after_game, outside
        self._options: dict[str, TableOptions | None] = {}
        self._stacks: dict[str, ExitStack] = {}
        self._files: dict[str, frozenset[str]] = {}
        """The files of the open tables."""
        self._departures: dict[str, Departure] = {}
        self._closed: dict[str, str] = {}
        """The reason why a requested table is not open, by name."""
        self._changing = threading.RLock()

    @property
    def pins(self) -> dict[str, str | None]:
        """The PINs of the open tables."""
        return {name: phones.pin for name, phones in self.phones.items()}

    def become(self, wanted: Wanted, said_s: float = inf) -> bool:
        """Opens new tables, closes removed ones, and reopens changed ones; the others are not disturbed.

        A table with a game in play is not removed unless a player there agrees, or the game is over and the
        configuration has been unchanged for a minute.

        Args:
            said_s: The age of the requested configuration in seconds.

        Returns:
            True if all changes were made; otherwise the caller must repeat the call.
        """
        with self._changing:
            done = True
            for name, before in list(self._options.items()):
                told = wanted.get(name)
                if name in wanted and told == before:
                    self._departure(name).announce(going=False)
                elif not self._may_go(name, told, said_s):
                    done = False
                elif name in wanted:
                    self._change(name, told, len(wanted))
                else:
                    self._remove(name)
            for name, told in wanted.items():
                if name not in self._options:
                    self._change(name, told, len(wanted))
            return done

    def _may_go(self, name: str, told: TableOptions | None, said_s: float) -> bool:
        """True if a table may be changed now; the players of a running game are asked first.

        Args:
            told: The table's new options; None: it is removed or paused.
        """
        before, departure = self._options[name], self._departure(name)
        if before is None or not _takes_away(before, told):
            return True
        over = not self._in_play(name)
        if departure.announced:
            over = departure.agreed or (over and said_s >= SAID_S)
        elif not over:
            say_while_serving(f"Table {name} stays until its game is over, or somebody there lets it go.")
            note(_LOG, logging.WARNING, "to go", table=name)
            departure.announce(going=True)
        return over

    def _remove(self, name: str) -> None:
        self._close(name)
        self.served.remove(name)
        del self._options[name]
        note(_LOG, logging.INFO, "removed", table=name)

    def _change(self, name: str, told: TableOptions | None, count: int) -> None:
        """Closes a table, and opens it with its new options. If that fails, a table in play continues as before."""
        before, in_play = self._options.get(name), self._in_play(name)
        self._departure(name).announce(going=False)
        self._close(name)
        self._options[name] = told
        if told is None:
            self.served.put(name, PAUSED)
            note(_LOG, logging.INFO, "paused", table=name)
            return
        self._open(name, told, count)
        if name in self._closed and in_play and before is not None:
            click.echo(f"Table {name} goes on as before.", err=True)
            self._open(name, before, count)

    def _in_play(self, name: str) -> bool:
        """True while a game is played at a table."""
        opened = self.served.open().get(name)
        table = None if opened is None else opened.sessions.table
        return table is not None and table.session.state.outcome() is None

    def _departure(self, name: str) -> Departure:
        if name not in self._departures:
            self._departures[name] = Departure(partial(self._touch, name))
        return self._departures[name]

    def _touch(self, name: str) -> None:
        opened = self.served.open().get(name)
        if opened is not None:
            opened.sessions.touch()

    def try_again(self) -> None:
        """Opens the tables that could not be opened before, if this is possible now."""
        with self._changing:
            for name in list(self._closed):
                told = self._options[name]
                if told is not None:
                    self._open(name, told, len(self._options))
                if name in self._stacks:
                    say_while_serving(f"Table {name} is open.")

    def close(self) -> None:
        """Closes all tables."""
        with self._changing:
            for name in list(self._stacks):
                self._close(name)

    def _open(self, name: str, told: TableOptions, count: int) -> None:
        # The limits are divided evenly, so that no table takes the places of the others.
        settings = replace(
            self._settings,
            table=name,
            subscriptions=min(self._settings.subscriptions, max(8, self._settings.subscriptions // count)),
            held_pictures=min(self._settings.held_pictures, max(3, self._settings.held_pictures // count)),
        )
        for password in passwords(told):
            self._outside.log.hide(password)
        own = ExitStack()
        files = files_of(journal_of(name, told))
        try:
            if any(files & used for used in self._files.values()):
                raise WrongUsage("Another table has the same journal still. It is tried again when that one is gone.")
            opened = open_table(own, told, False, name)
            page = page_of(
                opened.runtime.sessions,
                settings,
                opened.cameras,
                self._outside,
                partial(self._tell_pin, name),
                self._departure(name),
                opened.cameras.phone,
            )
            own.callback(self._outside.news.leave, name)
            own.enter_context(Keeper(opened.runtime.sessions, page.results, self._after_game(opened.runtime, name)))
        except CompanionError as error:
            own.close()
            why = str(error)
            if self._closed.get(name) != why:
                self.served.put(name, why)
                click.echo(f"Table {name} is not open: {why}", err=True)
                note(_LOG, logging.ERROR, "not open", table=name, why=why)
            self._closed[name] = why
            return
        self._closed.pop(name, None)
        self._stacks[name], self._files[name] = own, files
        self.phones[name] = page.phones
        self.served.put(name, OpenTable(page.app, opened.runtime.sessions))
        if self.door is not None:
            door = TableDoor(self.door, name)
            own.callback(door.close)
            let_phone_in(page.phone_camera, door, f"Table {name}: ")
        note(_LOG, logging.INFO, "open", table=name)

    def _tell_pin(self, name: str, phones: Phones) -> None:
        """Reports that the PIN of a table was changed on its page."""
        say_while_serving(f"Table {name} has another PIN: {phones.pin}")

    def _close(self, name: str) -> None:
        stack = self._stacks.pop(name, None)
        self._closed.pop(name, None)
        self.phones.pop(name, None)
        if stack is not None:
            # The table is hidden before it is closed, so that no request reaches it meanwhile.
            self.served.put(name, PAUSED)
            stack.close()
            del self._files[name]


def _takes_away(before: TableOptions, told: TableOptions | None) -> bool:
    """True if a change ends the game on a table: the table is removed, or gets another journal, game or players."""
    if told is None:
        return True
    other = told.game not in (None, before.game) or told.players not in (None, before.players)
    return other or told.journal != before.journal


class ConfigurationWatch:
    """Checks whether the file has changed, and carries the change out once the file is stable."""

    def __init__(
        self, path: Path, read: Callable[[], Wanted], tables: RunningTables, tick: Callable[[], float] = time.monotonic
    ) -> None:
        """
        Args:
            tick: Returns the time in seconds of a clock that never goes back.
        """
        self._path, self._read, self._tables, self._tick = path, read, tables, tick
        self._seen = self._done = self._bytes()
        self._since_s = tick()
        self._waits = False
        """True if a table with a game in play waits to be removed."""

    def look(self) -> None:
        """Carries out changes of the file; an invalid file has no effect and is reported once.

        Editors empty a file before they write it, so two looks must read the same contents, and an empty file must stay
        empty for a minute.
        """
        now, now_s = self._bytes(), self._tick()
        if now != self._seen:
            self._seen, self._since_s = now, now_s
            return
        said_s = now_s - self._since_s
        if (now == self._done and not self._waits) or now is None or (not now.strip() and said_s < SAID_S):
            return
        before = set(self._tables.phones)
        try:
            self._waits = not self._tables.become(self._read(), said_s)
        except CompanionError as error:
            click.echo(f"The tables stay as they are: {error}", err=True)
            note(_LOG, logging.ERROR, "configuration", why=error)
        self._done = now
        for name, pin in self._tables.pins.items():
            if name not in before:
                say_while_serving(f"Table {name} is open." + (f" PIN {pin}" if pin is not None else ""))

    def _bytes(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except OSError:
            return None


def serve_tables(
    stack: ExitStack,
    path: Path,
    read: Callable[[], Wanted],
    host: str,
    port: int,
    settings: WebSettings,
    after_game: Callable[[Runtime, str], Callable[[], object] | None],
    outside: RunningServices,
    tls: TlsOptions,
    kept: Path,
) -> None:
    """Serves all tables until interrupted.

    Args:
        stack: Everything that is opened is closed when this stack is left.
        path: The configuration file, which is read again whenever it changes.
        read: Returns the tables that the file names.
        settings: The settings of the page of all tables; limits are divided among the tables.
        after_game: A function for a table's runtime and name that returns the function to call after each game.
        outside: The log and the receivers of news about every table.
        tls: The settings of the command line for HTTPS.
        kept: The journal beside which the server's own certificate is kept.
    """
    tables = RunningTables(settings, after_game, outside)
    app = create_tables_app(tables.served, settings, outside.news)

    def serves(path: str) -> bool:
        return settings.lan or is_camera_page_of_a_table(path)

    door = tables.door = HttpsDoor(app, kept.with_name(kept.name + CERTIFICATE_END), tls, serves, host)
    stack.callback(door.leave)
    stack.callback(tables.close)
    tables.become(read())
    server = Server(app, host, port)
    stack.callback(server.close)
    click.echo(f"The tables are at {server.url}")
    if tls.chain is not None:
        click.echo(f"By HTTPS they are at {door.open()}")
    for name, phones in tables.phones.items():
        click.echo(f"Table {name}: {server.url}t/{name}/")
        if settings.lan:
            click.echo(open_to(phones, server.port))
    click.echo("Ctrl+C ends it; the journals keep the games.")
    stack.enter_context(RepeatedLook("configuration", ConfigurationWatch(path, read, tables).look, LOOK_S))
    stack.enter_context(RepeatedLook("closed tables", tables.try_again, AGAIN_S))
    stack.enter_context(RepeatedLook("network", door.follow, NETWORK_LOOK_S))
    server.run()
