"""`companion serve`: the live referee and its page."""

from __future__ import annotations

import re
from pathlib import Path

import click
from msgspec.structs import replace

from companion.backup import AutomaticBackups
from companion.commands.calibrate import known_table
from companion.commands.camera_shelf import CameraShelf
from companion.commands.configuration import FILE
from companion.commands.devices import TOWER_DICE, TableDevices, places_of
from companion.commands.option_words import parse_options
from companion.commands.runtime import Runtime, journal_path, show
from companion.demos import DEFAULT
from companion.errors import CompanionError, WrongUsage
from companion.games import GAMES, PLANS
from companion.journal.timeline import options_of
from companion.plan import DiceTray, PawnBoard, Plan, TileBoard, Zone, load_plan
from companion.referee.session_manager import SessionManager
from firmware_protocol.messages import DICE_MAX

ALL_ADDRESSES = "0.0.0.0"
PLAYERS = "Player 1,Player 2"
_HOST_NAME = re.compile(
    r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)


@click.command("serve", short_help="Referee a live table and show it on a page.")
@click.option(
    "--game",
    metavar="GAME",
    help="Begin this game, or go on with it; without it, the last one goes on that is not over.",
)
@click.option("--new", is_flag=True, help="Begin anew, whatever game is not over yet.")
@click.option(
    "--camera", metavar="SOURCE", help="Camera index or device, video file, folder of pictures, or http or rtsp stream."
)
@click.option("--players", metavar="A,B", help="Names, clockwise.  [default: Player 1,Player 2]")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; may be repeated.")
@click.option("--deal", is_flag=True, help="The program shuffles and deals the cards (card games).")
@click.option("--plan", "plan_path", type=click.Path(path_type=Path), metavar="FILE", help="Where things stand.")
@click.option(
    "--calibration",
    "calibration_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What `companion calibrate` has learned of this table.",
)
@click.option(
    "--mat", "mat_size", metavar="WxH", help="Distances of the marker centers in millimetres, if not the printed mat's."
)
@click.option(
    "--marker", "marker_mm", type=float, default=40.0, show_default=True, metavar="MM", help="Side of a marker."
)
@click.option("--tower", metavar="PORT", help="Dice tower: a port, PORT@BAUD, socket://host:port, paired or simulated.")
@click.option(
    "--tower-dice", type=click.Choice(["d6", "d12"]), default="d6", show_default=True, help="Dice that the tower holds."
)
@click.option(
    "--tower-cups",
    type=click.IntRange(0, DICE_MAX),
    default=DICE_MAX,
    show_default=True,
    help="Cups with a color sensor; 0: the tower tells that dice fell, and the camera reads them.",
)
@click.option("--leds", metavar="PORT", help="LED board: like --tower, or wled:HOST.")
@click.option(
    "--lights", "lights_path", type=click.Path(path_type=Path), metavar="FILE", help="Which lights stand where (JSON)."
)
@click.option("--journal", "journal", type=click.Path(path_type=Path), metavar="FILE", help="Keep the journal here.")
@click.option("--host", metavar="H", help="Address to listen on.  [default: 127.0.0.1, with --lan 0.0.0.0]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, metavar="P")
@click.option(
    "--name",
    "hosts",
    multiple=True,
    metavar="HOST",
    callback=lambda _, __, value: host_names(value),
    help="A name of this machine by which browsers open the page, as club-pi; may be repeated.",
)
@click.option(
    "--backups", type=click.Path(path_type=Path), metavar="FOLDER", help="Keep a backup here after each game."
)
@click.option(
    "--backups-kept",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Keep so many backups at most.",
)
@click.option(
    "--backups-days", type=click.FloatRange(0), metavar="DAYS", help="Delete backups that are older; the newest stays."
)
@click.option("--lan", is_flag=True, help="Let phones on the local network in, with a PIN.")
def serve_command(
    game: str | None,
    new: bool,
    camera: str | None,
    players: str | None,
    options: tuple[str, ...],
    deal: bool,
    plan_path: Path | None,
    calibration_path: Path | None,
    mat_size: str | None,
    marker_mm: float,
    tower: str | None,
    tower_dice: str,
    tower_cups: int,
    leds: str | None,
    lights_path: Path | None,
    journal: Path | None,
    host: str | None,
    port: int,
    hosts: tuple[str, ...],
    backups: Path | None,
    backups_kept: int,
    backups_days: float | None,
    lan: bool,
) -> None:
    """Referee a live table and show it on a page."""
    names = [name for name in (players or PLAYERS).split(",") if name.strip()]
    chosen = parse_options(options)
    if game is not None and game not in GAMES:
        raise WrongUsage(f'There is no game "{game}". Choose one of: {", ".join(GAMES)}.')
    if game is not None:
        options_of(GAMES[game], chosen)
    plan = _plan(game, len(names), plan_path, mat_size, marker_mm)
    known_table(calibration_path, plan.mat)
    places = None if leds is None else places_of(game, lights_path)
    with Runtime(journal or journal_path(), plan) as runtime, TableDevices(runtime.sessions) as devices:
        if camera is not None:
            mode = runtime.watch_apart(camera, calibration_path)
            if mode is not None:
                click.echo(mode.text)
        gone_on = not new and goes_on(runtime.sessions, game, None if players is None else names)
        if game is not None and not gone_on:
            if camera is not None and "hands" not in chosen and hasattr(options_of(GAMES[game], {}), "hands"):
                chosen["hands"] = "unseen"
                click.echo("The camera watches the board alone. Where hands lie in view: --option hands=open")
            runtime.sessions.start(game, names, chosen, draws="dealt" if deal else "told")
        if tower is not None:
            devices.add_tower(tower, TOWER_DICE[tower_dice], tower_cups)
        if leds is not None and places is not None:
            devices.add_lights(leds, places)
        after_game = None if backups is None else _backups(runtime, backups, backups_kept, backups_days).make
        shelf = CameraShelf(runtime, camera)
        try:
            show(runtime.sessions, host or (ALL_ADDRESSES if lan else "127.0.0.1"), port, lan, shelf, hosts, after_game)
        finally:
            shelf.close()


def host_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of this machine in lower case.

    :raises click.BadParameter: one is no host name (RFC 1123).
    """
    for name in names:
        if not _HOST_NAME.fullmatch(name):
            raise click.BadParameter(
                f'"{name}" is no name of a machine. Write it without http:// and port, as club-pi.'
            )
    return tuple(name.lower() for name in names)


def goes_on(sessions: SessionManager, game: str | None, names: list[str] | None) -> bool:
    """Go on with the game that lay on the table last, unless it is over or the command asks for another one.

    :param game: the game that is asked for; None: whichever it was.
    :param names: the players that are asked for; None: whoever they were.
    :return: whether it goes on; what has become of it is said in either case.
    """
    last = sessions.last_game.unfinished()
    if last is None:
        return False
    title, who = sessions.games[last.game].title, " and ".join(last.names)
    other = (game is not None and game != last.game) or (
        names is not None and tuple(map(str.strip, names)) != last.names
    )
    if other:
        click.echo(f"The game of {title} of {who} is not over; it stays in the journal. Go on with it under New game.")
        return False
    try:
        table = sessions.resume(last.id)
    except CompanionError as error:
        click.echo(f"The game of {title} of {who} cannot go on: {error}")
        return False
    click.echo(f"The game of {title} of {who} goes on after row {table.session.seq}. To begin anew: --new")
    return True


def _backups(runtime: Runtime, folder: Path, kept: int, days: float | None) -> AutomaticBackups:
    """The backups that are made after each game, with the configuration in force."""
    return AutomaticBackups(
        runtime.sessions.journal.path,
        folder,
        kept=kept,
        days=days,
        configuration=click.get_current_context().meta.get(FILE),
        say=lambda sentence: click.echo(sentence, err=True),
    )


def _plan(game: str | None, seats: int, path: Path | None, mat_size: str | None, marker_mm: float) -> Plan:
    """The plan of a file, else of the printed mat, with the size that was measured."""
    if path is not None:
        return load_plan(path)
    name = game if game in PLANS else DEFAULT
    plan = PLANS[name](seats if game is not None and seats in GAMES[name].seats else GAMES[name].seats[0])
    # People lay the board where they like, so it is looked for; the strips for hands hold only on the printed mat.
    zones = tuple(TileBoard() if isinstance(zone, TileBoard) else zone for zone in plan.zones)
    if mat_size is None:
        return replace(plan, zones=zones)
    from companion.commands.mat_words import parse_mat

    boards = tuple(PawnBoard() if isinstance(zone, PawnBoard) else zone for zone in zones if _is_found(zone))
    return Plan(parse_mat(mat_size, marker_mm), boards)


def _is_found(zone: Zone) -> bool:
    """Whether a zone is looked for between the markers, so that it needs no place on a mat of another size."""
    return isinstance(zone, TileBoard | PawnBoard) or (isinstance(zone, DiceTray) and zone.outline_mm is None)
