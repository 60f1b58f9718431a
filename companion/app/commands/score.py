"""`companion score`: judges photographs of a game by its rules; several photographs are a series of turns."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.app.commands.options import PATH, corners_option, parse_corners
from companion.core.foundation.errors import NoTable, SeeError, WrongUsage
from companion.referee.photographs import DOMAINS, PhotoReport, report_on

CORNERS = ' Here --corners "x,y x,y x,y x,y" gives these corners in pixels of the photo, clockwise from the top left.'


@click.command("score", short_help="Score photographs of a game.")
@click.argument("photos", nargs=-1, required=True, type=PATH, metavar="PHOTO...")
@click.option("--game", required=True, type=click.Choice(list(DOMAINS)), help="The game in the photographs.")
@click.option("--seats", type=click.IntRange(1, 8), default=2, show_default=True, help="Number of players.")
@corners_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for the whole row.")
def score_command(photos: tuple[Path, ...], game: str, seats: int, corners: str | None, as_json: bool) -> None:
    """Score PHOTOs of one game, the oldest first; no setup is needed.

    Exit status 0: all photographs were read; 1: at least one was not; 2: wrong usage.
    """
    from companion.app.photographs import Photographs

    reader, readings = Photographs(), []
    corners_px = None if corners is None else parse_corners(corners)
    begin = time.perf_counter()
    for photo in photos:
        try:
            seen = reader.read(_data(photo), game, corners_px)
        except SeeError as error:
            asked = isinstance(error, NoTable) and corners_px is None
            _refuse(photo, f"{error}{CORNERS if asked else ''}", as_json)
        if not as_json and seen["doubtful"]:
            click.echo(f"{photo.name}: look again at {', '.join(seen['doubtful'])}.", err=True)
        readings.append(seen["reading"])
    report = report_on(game, readings, seats)
    if as_json:
        plain: dict[str, Any] = {"images": [photo.name for photo in photos], **msgspec.to_builtins(report)}
        plain["ms"] = round((time.perf_counter() - begin) * 1000, 1)
        click.echo(json.dumps(plain))
        return
    _say(report)


def _data(photo: Path) -> bytes:
    from vision.image.picture import MAX_BYTES

    try:
        with photo.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise WrongUsage(f"{photo} cannot be opened ({error.strerror}). Check its name.") from error


def _refuse(photo: Path, why: str, as_json: bool) -> None:
    click.echo(json.dumps({"image": photo.name, "error": why}) if as_json else f"{photo.name}: {why}", err=not as_json)
    sys.exit(1)


def _say(report: PhotoReport) -> None:
    """Prints a line for each turn and note."""
    for turn in report.turns:
        click.echo(f"{turn.text}{'' if turn.points is None else f' {turn.points} points'}")
    if report.totals:
        click.echo("Totals: " + ", ".join(f"player {seat + 1} {total}" for seat, total in enumerate(report.totals)))
    for note in report.notes:
        click.echo(f"{'not allowed: ' if note.broken else ''}{note.text}{f' ({note.rule})' if note.rule else ''}")
