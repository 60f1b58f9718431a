"""One table of a server: journal, session manager, eyes and devices, opened by the options of `companion serve`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import click
from msgspec.structs import replace

from companion.app.commands.calibrate import known_table
from companion.app.commands.camera_registry import CameraRegistry
from companion.app.commands.configuration import defaults, tables_of
from companion.app.commands.devices import TOWER_DICE, LightStrip, TableDevices
from companion.app.commands.options import parse_options
from companion.app.commands.phone_camera import PHONE
from companion.app.commands.runtime import Runtime, journal_path, say_while_serving, usual_journal
from companion.app.demos import DEFAULT
from companion.core.foundation.errors import BadConfiguration, CompanionError, WrongUsage
from companion.core.foundation.secrecy import SecretAddress
from companion.core.foundation.sqlite_file import LOGS
from companion.core.plan import DiceTray, PawnBoard, Plan, TileBoard, Zone, load_plan
from companion.games import GAMES, PLANS
from companion.referee.journal.places import Database
from companion.referee.journal.timeline import options_of
from companion.referee.session_manager import SessionManager

PLAYERS = "Player 1,Player 2"
FILES_BESIDE = (".results", ".calibration", ".table", ".keys", ".seats", ".signs", ".heads", ".log")
"""The suffixes of the files beside a journal."""
PASSWORD_LEAST = 4
"""The length below which a password is not hidden in texts, because it is part of too many words."""
PAUSE = "paused"
"""The key of a table that is named but not opened."""


class TableOptions(NamedTuple):
    """The options of `companion serve` for one table, by click's names."""

    game: str | None
    camera: SecretAddress | None
    players: str | None
    options: tuple[str, ...]
    deal: bool
    plan_path: Path | None
    calibration_path: Path | None
    mat_size: str | None
    marker_mm: float
    tower: SecretAddress | None
    tower_dice: str
    tower_cups: int
    leds: SecretAddress | None
    lights_path: Path | None
    journal: Path | Database | None


def passwords(told: TableOptions) -> list[str]:
    """Returns the passwords of a table's camera and database, which a library may repeat in its own error messages."""
    found = [one.password for one in (told.camera, told.journal) if isinstance(one, SecretAddress)]
    return [password for password in found if password is not None and len(password) >= PASSWORD_LEAST]


class ServedTable(NamedTuple):
    """A table that stays open until the stack that opened it is left."""

    runtime: Runtime
    cameras: CameraRegistry


def table_values(path: Path, name: str, serve: click.Command, table: Mapping[str, Any]) -> TableOptions:
    """Returns the options of `[tables.NAME]`: the options of the command that concern one table, with their defaults.

    Raises:
        BadConfiguration: A key or a value cannot be used, or a key concerns the whole server.
    """
    said = defaults(path, f"tables.{name}", serve, table)
    for key in said:
        if key not in TableOptions._fields:
            raise BadConfiguration(f"{path}: [tables.{name}] has a key for the whole server. Move it to [serve].")
    context = click.Context(serve, default_map=said)
    values: dict[str, Any] = dict.fromkeys(TableOptions._fields)
    for option in serve.params:
        if option.name in TableOptions._fields:
            option.handle_parse_result(context, {}, [])
            value = context.params[option.name]
            # Versions of click differ in how they represent a missing value.
            values[option.name] = (
                value if isinstance(value, bool | int | float | str | Path | SecretAddress | tuple) else None
            )
    return TableOptions(**values)


def wanted_tables(path: Path, serve: click.Command) -> dict[str, TableOptions | None]:
    """Returns every table that a configuration file names; None: the table is paused.

    Raises:
        BadConfiguration: A name, a key or a value cannot be used.
        WrongUsage: Two tables would have the same journal or camera.
    """
    found: dict[str, TableOptions | None] = {}
    for name, table in tables_of(path).items():
        paused = table.get(PAUSE, False)
        if not isinstance(paused, bool):
            raise BadConfiguration(f'{path}: "{PAUSE}" in [tables.{name}] must be true or false.')
        values = table_values(path, name, serve, {key: value for key, value in table.items() if key != PAUSE})
        found[name] = None if paused else values
    playing = {name: one for name, one in found.items() if one is not None}
    _refuse_shared(path, "journal", {name: files_of(journal_of(name, one)) for name, one in playing.items()})
    cameras = {name: one.camera for name, one in playing.items() if one.camera is not None}
    shared = {name: camera for name, camera in cameras.items() if camera.reveal() != PHONE}
    _refuse_shared(path, "camera", {name: frozenset([_one_camera(camera)]) for name, camera in shared.items()})
    return found


def _advise_name(camera: SecretAddress) -> None:
    """Recommends the maker's name for a camera that was given by number, if there are several, because restarts swap
    numbers.
    """
    from vision.sources.device import cameras_there, steady_name

    text = camera.reveal()
    if text.isascii() and text.isdecimal() and len(cameras_there()) > 1 and (name := steady_name(text)) != text:
        say_while_serving(f'Camera {text} is "{name}". By that name a restart takes no other camera for it.')


def journal_of(name: str, told: TableOptions) -> Path:
    """Returns the file of a table's journal."""
    return told.journal if isinstance(told.journal, Path) else usual_journal(name)


def files_of(journal: Path) -> frozenset[str]:
    """Returns the files of a table with this journal, in canonical form; no two tables may share any of them."""
    whole, same = os.path.realpath(journal), set[str]()
    with suppress(OSError, ValueError):
        found = journal.stat()
        same.add(f"{found.st_dev}:{found.st_ino}")
    return frozenset({whole, *same, *(f"{whole}{end}" for end in (*FILES_BESIDE, *LOGS))})


def _one_camera(camera: SecretAddress) -> str:
    """Returns the canonical name of a camera."""
    text = camera.reveal()
    if camera.is_address:
        return camera.encoded()
    return os.path.realpath(f"/dev/video{int(text)}" if text.isascii() and text.isdecimal() else text)


def _refuse_shared(path: Path, kind: str, used: Mapping[str, frozenset[str]]) -> None:
    """Raises WrongUsage: Two tables use the same file or camera."""
    for (one, first), (other, second) in combinations(used.items(), 2):
        if first & second:
            raise WrongUsage(f"{path} gives two tables, {one} and {other}, the same {kind}. Give each table its own.")


def open_table(stack: ExitStack, told: TableOptions, new: bool, name: str = "") -> ServedTable:
    """Opens a table and continues its game, or begins the requested one.

    Args:
        new: True to begin a new game even if one is unfinished.
        name: The name of one of several tables; empty: the only table.

    Raises:
        CompanionError: The table cannot be opened; the message says why.
    """
    game = told.game
    names = [one for one in (told.players or PLAYERS).split(",") if one.strip()]
    chosen = parse_options(told.options)
    if game is not None and game not in GAMES:
        raise WrongUsage(f'There is no game "{game}". Choose one of: {", ".join(GAMES)}.')
    if game is not None:
        options_of(GAMES[game], chosen)
    plan = table_plan(game, len(names), told.plan_path, told.mat_size, told.marker_mm)
    known_table(told.calibration_path, plan.mat)
    if told.camera is not None:
        from vision.sources.opening import check_configured

        check_configured(told.camera)
        _advise_name(told.camera)
    strip = LightStrip.load(told.lights_path, game)
    kept = told.journal if isinstance(told.journal, Path) else journal_path(name)
    runtime = stack.enter_context(Runtime(kept, plan))
    if isinstance(told.journal, Database):
        stack.enter_context(runtime.deliver(told.journal))
    devices = stack.enter_context(TableDevices(runtime.sessions))
    if told.camera is not None:
        where = f"Table {name}: " if name else ""
        runtime.watch_apart(
            told.camera, told.calibration_path, lambda sentence: say_while_serving(f"{where}{sentence}")
        )
    gone_on = not new and goes_on(runtime.sessions, game, None if told.players is None else names)
    if game is not None and not gone_on:
        if told.camera is not None and "hands" not in chosen and "hands" in GAMES[game].Options.__struct_fields__:
            chosen["hands"] = "unseen"
            click.echo("The camera watches the board alone. Where hands lie in view: --option hands=open")
        runtime.sessions.start(game, names, chosen, draws="dealt" if told.deal else "told")
    if told.tower is not None:
        devices.add_tower(told.tower, TOWER_DICE[told.tower_dice], told.tower_cups)
    if told.leds is not None:
        devices.add_lights(told.leds, strip)
    shelf = CameraRegistry(runtime, told.camera)
    stack.callback(shelf.close)
    return ServedTable(runtime, shelf)


def goes_on(sessions: SessionManager, game: str | None, names: list[str] | None) -> bool:
    """Continues the last game of the table, unless it is over or the command requests another one.

    Args:
        game: The requested game; None: any.
        names: The requested players; None: any.

    Returns:
        True if the game continues; a sentence is printed in either case.
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
    click.echo(f"The game of {title} of {who} goes on after row {table.session.seq}. To start a new game: --new")
    return True


def table_plan(game: str | None, seats: int, path: Path | None, mat_size: str | None, marker_mm: float) -> Plan:
    """Returns the plan of a file, or else of the printed mat with the measured size."""
    if path is not None:
        return load_plan(path)
    name = game if game in PLANS else DEFAULT
    plan = PLANS[name](seats if game is not None and seats in GAMES[name].seats else GAMES[name].seats[0])
    # People lay the board anywhere, so the reader looks for it; the strips for hands are valid only on the printed mat.
    zones = tuple(TileBoard() if isinstance(zone, TileBoard) else zone for zone in plan.zones)
    if mat_size is None:
        return replace(plan, zones=zones)
    from companion.app.commands.options import parse_mat

    boards = tuple(PawnBoard() if isinstance(zone, PawnBoard) else zone for zone in zones if _is_found(zone))
    return Plan(parse_mat(mat_size, marker_mm), boards)


def _is_found(zone: Zone) -> bool:
    """True if the reader finds a zone by itself between the markers, so that it needs no place on a mat of another
    size.
    """
    return isinstance(zone, TileBoard | PawnBoard) or (isinstance(zone, DiceTray) and zone.outline_mm is None)
