"""Several tables in one server: each below an address of its own, and a page that shows them all.

A table that cannot be opened is named with its reason and keeps none of the others from playing. Tables come, pause and
go when the configuration file is changed; nothing else, and no request, can add one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from companion.commands.repeated_look import RepeatedLook
from companion.commands.runtime import Runtime, open_to, page_of, say_while_serving
from companion.commands.served_table import TableOptions, open_table, passwords
from companion.commands.services import RunningServices
from companion.errors import CompanionError
from companion.logs import note
from companion.results import Keeper
from web.health import PAUSED
from web.phones import Phones
from web.server import Server
from web.settings import WebSettings
from web.tables import OpenTable, ServedTables, create_tables_app

AGAIN_S = 10.0
"""A table that could not be opened is tried again this often: a disk or a network may come later than the server."""
LOOK_S = 1.0
"""The configuration is looked at this often."""

Wanted = Mapping[str, TableOptions | None]
"""Tables by name; None: paused."""

_LOG = logging.getLogger("companion.tables")


class RunningTables:
    """The tables that are wanted, opened and closed as that changes."""

    def __init__(
        self,
        settings: WebSettings,
        after_game: Callable[[Runtime, str], Callable[[], object] | None],
        outside: RunningServices,
    ) -> None:
        self.served = ServedTables()
        self.phones: dict[str, Phones] = {}
        """The ways of phones to those that are open."""
        self._settings, self._after_game, self._outside = settings, after_game, outside
        self._options: dict[str, TableOptions | None] = {}
        self._stacks: dict[str, ExitStack] = {}
        self._closed: dict[str, str] = {}
        """Why those are not open that should be."""
        self._changing = threading.RLock()

    @property
    def pins(self) -> dict[str, str | None]:
        """The PINs of those that are open."""
        return {name: phones.pin for name, phones in self.phones.items()}

    def become(self, wanted: Wanted) -> None:
        """Open what is new, close what is gone, and what is told otherwise close and open; others notice nothing."""
        with self._changing:
            for name in [name for name in self._options if name not in wanted]:
                self._close(name)
                self.served.remove(name)
                del self._options[name]
                note(_LOG, logging.INFO, "removed", table=name)
            for name, told in wanted.items():
                if name in self._options and self._options[name] == told:
                    continue
                self._close(name)
                self._options[name] = told
                if told is None:
                    self.served.put(name, PAUSED)
                    note(_LOG, logging.INFO, "paused", table=name)
                else:
                    self._open(name, told, len(wanted))

    def try_again(self) -> None:
        """Open those that could not be opened before, if that is possible now."""
        with self._changing:
            for name in list(self._closed):
                told = self._options[name]
                if told is not None:
                    self._open(name, told, len(self._options))
                if name in self._stacks:
                    say_while_serving(f"Table {name} is open.")

    def close(self) -> None:
        """Close all of them."""
        with self._changing:
            for name in list(self._stacks):
                self._close(name)

    def _open(self, name: str, told: TableOptions, count: int) -> None:
        # Shared out evenly, so that no table takes the others' places.
        settings = replace(
            self._settings,
            table=name,
            subscriptions=min(self._settings.subscriptions, max(8, self._settings.subscriptions // count)),
            held_pictures=min(self._settings.held_pictures, max(3, self._settings.held_pictures // count)),
        )
        for password in passwords(told):
            self._outside.log.hide(password)
        own = ExitStack()
        try:
            opened = open_table(own, told, False, name)
            page = page_of(
                opened.runtime.sessions, settings, opened.cameras, self._outside, partial(self._tell_pin, name)
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
        self._stacks[name] = own
        self.phones[name] = page.phones
        self.served.put(name, OpenTable(page.app, opened.runtime.sessions))
        note(_LOG, logging.INFO, "open", table=name)

    def _tell_pin(self, name: str, phones: Phones) -> None:
        """The PIN of a table was changed on its page."""
        say_while_serving(f"Table {name} has another PIN: {phones.pin}")

    def _close(self, name: str) -> None:
        stack = self._stacks.pop(name, None)
        self._closed.pop(name, None)
        self.phones.pop(name, None)
        if stack is not None:
            # Nobody may ask for it any more before it is let go of.
            self.served.put(name, PAUSED)
            stack.close()


class ConfigurationWatch:
    """Looks whether the file has changed."""

    def __init__(self, path: Path, read: Callable[[], Wanted], tables: RunningTables) -> None:
        self._path, self._read, self._tables = path, read, tables
        self._seen = self._bytes()

    def look(self) -> None:
        """Carry out what has changed; a file that cannot be used changes nothing and is named once."""
        now = self._bytes()
        if now == self._seen:
            return
        self._seen = now
        before = set(self._tables.phones)
        try:
            self._tables.become(self._read())
        except CompanionError as error:
            click.echo(f"The tables stay as they are: {error}", err=True)
            note(_LOG, logging.ERROR, "configuration", why=error)
            return
        for name, pin in self._tables.pins.items():
            if name not in before:
                click.echo(f"Table {name} is open." + (f" PIN {pin}" if pin is not None else ""))

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
) -> None:
    """Serve all tables until interrupted.

    :param stack: everything that is opened is let go of when it is left.
    :param path: the configuration file, which is read again whenever it changes.
    :param read: the tables that it names.
    :param settings: of the page of all tables; what is limited is shared out among the tables.
    :param after_game: what is done after each game of a table, by its name.
    :param outside: log and programs outside, which are told of every table.
    """
    tables = RunningTables(settings, after_game, outside)
    stack.callback(tables.close)
    tables.become(read())
    server = Server(create_tables_app(tables.served, settings, outside.news), host, port)
    stack.callback(server.close)
    click.echo(f"The tables are at {server.url}")
    for name, phones in tables.phones.items():
        click.echo(f"Table {name}: {server.url}t/{name}/")
        if settings.lan:
            click.echo(open_to(phones, server.port))
    click.echo("Ctrl+C ends it; the journals keep the games.")
    stack.enter_context(RepeatedLook("configuration", ConfigurationWatch(path, read, tables).look, LOOK_S))
    stack.enter_context(RepeatedLook("closed tables", tables.try_again, AGAIN_S))
    server.run()
