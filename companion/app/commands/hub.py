"""`companion hub`: a club's server without a camera: tables of several machines, and an evening of rounds."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Literal

import click

from companion.app.commands.address import address_options, listening_address
from companion.app.commands.options import PATH, journal_place, language_option
from companion.app.commands.runtime import journal_path, open_to
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.logs import EventLog, LogSettings
from companion.core.foundation.secrecy import SecretAddress
from companion.core.foundation.words import is_table_name
from companion.games import GAMES
from companion.referee.evening import KeptEvening
from companion.referee.evening.director import EveningDirector
from companion.referee.evening.journals import TableJournals
from companion.referee.journal.database import check_address
from companion.referee.journal.opening import read_journal
from companion.referee.journal.places import Database
from web.admission.access import Access
from web.admission.keys import Keys
from web.admission.phones import Phones
from web.http.settings import WebSettings
from web.hub.app import create_hub_app
from web.hub.machines import Machine, Machines
from web.sockets.server import Server, bound_heaps


@click.command("hub", short_help="Show the tables of a club and lead an evening of rounds.")
@click.option(
    "--machine",
    "machines",
    type=lambda said: said if isinstance(said, Machine) else parse_machine(said),
    multiple=True,
    metavar="NAME=URL",
    help="Show the tables of this machine, such as hall=http://club-pi:8000; repeatable.",
)
@click.option(
    "--journal",
    "journals",
    type=journal_place,
    multiple=True,
    metavar="FILE",
    help="Take results from this journal: a file, or postgresql://USER@HOST/DATABASE; repeatable.",
)
@click.option(
    "--evening", type=PATH, metavar="FILE", help="Keep the evening in this file.  [default: beside the usual journal]"
)
@address_options(8100)
@language_option
@click.option("--lan", is_flag=True, help="Let phones on the local network in; leading the evening needs the PIN.")
def hub_command(
    machines: tuple[Machine, ...],
    journals: tuple[Path | Database, ...],
    evening: Path | None,
    host: str | None,
    port: int,
    hosts: tuple[str, ...],
    language: Literal["en", "de"] | None,
    lan: bool,
) -> None:
    """Show the tables of several machines on one page and lead an evening of rounds.

    Nobody types results: they come from the journals of the tables. These are files on this machine or, for other
    machines, the database to which they copy their journals.
    """
    if len({machine.name for machine in machines}) < len(machines):
        raise WrongUsage("Two machines have the same name. Give each machine its own.")
    for place in journals:
        if isinstance(place, Database):
            check_address(place)
    kept = KeptEvening(evening or journal_path().with_name("evening.json"))
    access_keys = Keys(kept.path.with_name(kept.path.name + ".keys"))
    access = Access.with_pin(access_keys) if lan else Access(keys=access_keys)
    bound_heaps()
    with ExitStack() as stack:
        log = stack.enter_context(EventLog(LogSettings(path=kept.path.with_name(kept.path.name + ".log"))))
        for secret in (access.pin, access.token("host"), access.token("table")):
            log.hide(secret)
        shown = stack.enter_context(Machines(machines))
        openers = {str(place): partial(read_journal, place) for place in journals}
        director = EveningDirector(kept, TableJournals(openers, GAMES), tables=shown.names)
        stack.enter_context(director)
        address = listening_address(host, lan=lan)
        settings = WebSettings(names=hosts, language=language or "", host=address, lan=lan)
        server = Server(create_hub_app(shown, director, settings, access), address, port)
        stack.callback(server.close)
        click.echo(f"The hub is at {server.url}")
        if lan:
            click.echo(open_to(Phones(access, settings), server.port))
        click.echo("Ctrl+C ends it; the evening is kept.")
        server.run()


def parse_machine(text: str) -> Machine:
    """Returns the machine in a text `NAME=http://HOST:PORT`.

    Raises:
        click.BadParameter: The text has another form.
    """
    name, _, url = text.partition("=")
    address = SecretAddress(url)
    plain = address.user is None and "?" not in address.target and "#" not in address.target
    good = address.scheme in ("http", "https") and address.host and plain
    if not is_table_name(name) or not good:
        # The message does not repeat the text, because somebody may have written a password into it.
        raise click.BadParameter("This names no machine. Write NAME=http://HOST:PORT, as hall=http://club-pi:8000.")
    return Machine(name, address.encoded().rstrip("/"))
