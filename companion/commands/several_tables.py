"""Several tables in one server: each below an address of its own, and a page that shows them all.

A table that cannot be opened is named with its reason and keeps none of the others from playing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack

import click

from companion.commands.runtime import Runtime, page_of
from companion.commands.served_table import TableOptions, open_table
from companion.commands.services import RunningServices
from companion.errors import CompanionError
from companion.results import Keeper
from web.server import Server, lan_address
from web.settings import WebSettings
from web.tables import OpenTable, create_tables_app

STREAMS, HELD = 120, 24
"""Live streams and waiting pictures of one server, shared out evenly, so that no table takes the others' places."""


def serve_tables(
    stack: ExitStack,
    tables: Mapping[str, TableOptions],
    host: str,
    port: int,
    lan: bool,
    names: tuple[str, ...],
    after_game: Callable[[Runtime, str], Callable[[], object] | None],
    outside: RunningServices,
) -> None:
    """Serve all tables until interrupted.

    :param stack: everything that is opened is let go of when it is left.
    :param after_game: what is done after each game of a table, by its name.
    :param outside: log and programs outside, which are told of every table.
    """
    found: dict[str, OpenTable | str] = {}
    pins = []
    for name, told in tables.items():
        settings = WebSettings(
            table=name,
            names=names,
            lan=lan,
            subscriptions=max(8, STREAMS // len(tables)),
            held_pictures=max(3, HELD // len(tables)),
        )
        own = ExitStack()
        try:
            opened = open_table(own, told, False, name)
            page = page_of(opened.runtime.sessions, settings, opened.cameras, outside)
            own.enter_context(Keeper(opened.runtime.sessions, page.results, after_game(opened.runtime, name)))
        except CompanionError as error:
            own.close()
            found[name] = str(error)
            click.echo(f"Table {name} is not open: {error}", err=True)
            continue
        stack.push(own)
        pins.append((name, page.access.pin))
        found[name] = OpenTable(page.app, opened.runtime.sessions)
    server = Server(create_tables_app(found, WebSettings(lan=lan, names=names), outside.news), host, port)
    stack.callback(server.close)
    click.echo(f"The tables are at {server.url}")
    for name, pin in pins:
        click.echo(f"Table {name}: {server.url}t/{name}/")
        if lan:
            click.echo(f"On the local network: http://{lan_address()}:{server.port}/t/{name}/  PIN {pin}")
    click.echo("Ctrl+C ends it; the journals keep the games.")
    server.run()
