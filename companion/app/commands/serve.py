"""`companion serve`: the live referee and its page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource

from companion.app.backup.making import AutomaticBackups
from companion.app.commands.address import PORT, address_options, listening_address
from companion.app.commands.config import printable
from companion.app.commands.configuration import FILE, served_journals
from companion.app.commands.options import ADDRESS, PATH, calibration_option, journal_place, language_option
from companion.app.commands.phone_camera import TlsOptions, tls_options
from companion.app.commands.runtime import Runtime, show
from companion.app.commands.served_table import TableOptions, open_table, passwords, wanted_tables
from companion.app.commands.services import Services, with_services
from companion.app.commands.several_tables import serve_tables
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.secrecy import SecretAddress
from companion.referee.journal.places import Database
from firmware_protocol.messages import DICE_MAX
from web.http.settings import WebSettings
from web.sockets.server import bound_heaps


@click.command("serve", short_help="Referee a live table and show it on a page.")
@click.option(
    "--game", metavar="GAME", help="Begin this game, or continue it; without it, continue the last unfinished one."
)
@click.option("--new", is_flag=True, help="Begin a new game even if one is unfinished.")
@click.option(
    "--camera",
    type=ADDRESS,
    metavar="SOURCE",
    help="Camera index or device, video file, folder of pictures, http or rtsp stream, or phone (let in on the page).",
)
@click.option("--players", metavar="A,B", help="Names of the players, clockwise.  [default: Player 1,Player 2]")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; repeatable.")
@click.option("--deal", is_flag=True, help="The program shuffles and deals the cards (card games).")
@click.option("--plan", "plan_path", type=PATH, metavar="FILE", help="Plan of the table: the places of its zones.")
@calibration_option
@click.option(
    "--mat",
    "mat_size",
    metavar="WxH",
    help="Distances of the marker centers in millimeters; default: those of the printed mat.",
)
@click.option(
    "--marker", "marker_mm", type=float, default=40.0, show_default=True, metavar="MM", help="Side of a marker."
)
@click.option(
    "--tower",
    type=ADDRESS,
    metavar="PORT",
    help="Dice tower: a port, PORT@BAUD, socket://host:port, paired or simulated.",
)
@click.option(
    "--tower-dice", type=click.Choice(["d6", "d12"]), default="d6", show_default=True, help="Kind of dice in the tower."
)
@click.option(
    "--tower-cups",
    type=click.IntRange(0, DICE_MAX),
    default=DICE_MAX,
    show_default=True,
    help="Number of cups with a color sensor; 0: the tower reports that dice fell, and the camera reads them.",
)
@click.option("--leds", type=ADDRESS, metavar="PORT", help="LED board: like --tower, or wled:HOST.")
@click.option("--lights", "lights_path", type=PATH, metavar="FILE", help="Places of the lights (JSON).")
@click.option(
    "--journal",
    "journal",
    type=journal_place,
    metavar="FILE",
    help="Keep the journal in this file; postgresql://USER@HOST/DATABASE: also copy it to that database.",
)
@address_options(PORT)
@tls_options
@click.option("--backups", type=PATH, metavar="FOLDER", help="Keep a backup in this folder after each game.")
@click.option(
    "--backups-kept",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Largest number of backups.",
)
@click.option(
    "--backups-days",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Delete backups that are older than this; the newest stays.",
)
@language_option
@click.option(
    "--streams",
    type=click.IntRange(1, 140),
    default=120,
    show_default=True,
    metavar="N",
    help="Largest number of live screens at once; several tables share them.",
)
@click.option(
    "--held-pictures",
    type=click.IntRange(1, 100),
    default=24,
    show_default=True,
    metavar="N",
    help="Largest number of requests that wait for the next picture; several tables share them.",
)
@click.option("--lan", is_flag=True, help="Let phones on the local network in, with a PIN.")
@with_services
def serve_command(
    game: str | None,
    new: bool,
    camera: SecretAddress | None,
    players: str | None,
    options: tuple[str, ...],
    deal: bool,
    plan_path: Path | None,
    calibration_path: Path | None,
    mat_size: str | None,
    marker_mm: float,
    tower: SecretAddress | None,
    tower_dice: str,
    tower_cups: int,
    leds: SecretAddress | None,
    lights_path: Path | None,
    journal: Path | Database | None,
    host: str | None,
    port: int,
    hosts: tuple[str, ...],
    backups: Path | None,
    backups_kept: int,
    backups_days: float | None,
    language: Literal["en", "de"] | None,
    streams: int,
    held_pictures: int,
    lan: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    https_port: int,
    services: Services,
) -> None:
    """Referee a live table and show it on a page."""
    tls = TlsOptions(tls_cert, tls_key, https_port)
    tls.check()
    told = TableOptions(
        game,
        camera,
        players,
        options,
        deal,
        plan_path,
        calibration_path,
        mat_size,
        marker_mm,
        tower,
        tower_dice,
        tower_cups,
        leds,
        lights_path,
        journal,
    )
    address = listening_address(host, lan=lan)
    settings = WebSettings(
        names=hosts, language=language or "", host=address, lan=lan, subscriptions=streams, held_pictures=held_pictures
    )

    context = click.get_current_context()
    path: Path | None = context.meta.get(FILE)
    configuration = partial(printable, context.find_root())

    def after_game(runtime: Runtime, name: str = "") -> Callable[[], object] | None:
        folder = None if backups is None else backups / name
        return None if folder is None else _backups(runtime, folder, backups_kept, backups_days, configuration).make

    several = _several(path)
    journals = served_journals(path, journal if isinstance(journal, Path) else None)
    bound_heaps()
    with ExitStack() as stack:
        outside = stack.enter_context(services.running(next(iter(journals.values()))))
        if several and path is not None:
            read = partial(wanted_tables, path, context.command)
            kept = next(iter(journals.values()))
            serve_tables(stack, path, read, address, port, settings, after_game, outside, tls, kept)
            return
        for password in passwords(told):
            outside.log.hide(password)
        table = open_table(stack, told, new)
        backups_after = after_game(table.runtime)
        phone = table.cameras.phone
        show(table.runtime.sessions, address, port, settings, table.cameras, backups_after, outside, phone, tls)


def _several(path: Path | None) -> dict[str, TableOptions | None]:
    """Returns the tables that the configuration names; if it names none, the command line describes the only table.

    Raises:
        WrongUsage: Both the configuration and the command line name a table.
    """
    context = click.get_current_context()
    found = {} if path is None else wanted_tables(path, context.command)
    said = {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT, ParameterSource.DEFAULT_MAP}
    if found and any(context.get_parameter_source(key) in said for key in ("new", *TableOptions._fields)):
        raise WrongUsage(
            f"{path} names several tables, so options for one table belong in its part there, such as [tables.blue]."
            " Leave them out here and in [serve], or name another file with --config."
        )
    return found


def _backups(
    runtime: Runtime, folder: Path, kept: int, days: float | None, configuration: Callable[[], str | None]
) -> AutomaticBackups:
    """Returns the backups that are made after each game, with the configuration in force."""
    return AutomaticBackups(
        runtime.sessions.journal.path,
        folder,
        kept=kept,
        days=days,
        configuration=configuration,
        say=lambda sentence: click.echo(sentence, err=True),
    )
