"""`companion recognize`: reads photographs and lists the pieces on the table."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.commands.calibrate import known_table
from companion.app.commands.options import (
    PATH,
    PathType,
    calibration_option,
    corners_option,
    parse_corners,
    parse_mat,
    parse_sides,
)
from companion.core.foundation.errors import NoTable, SeeError, WrongUsage
from companion.core.plan import Mat, Point

if TYPE_CHECKING:
    from vision.calibration.calibration import Calibration
    from vision.image.picture import Picture
    from vision.registration.registered_image import RegisteredImage

    Place = Callable[[Picture], tuple[RegisteredImage, tuple[str, ...]]]
    """Returns the table that was found in a photograph, and remarks about it."""

Corners = tuple[Point, Point, Point, Point]

UNMARKED = (
    " Where no markers lie, --corners gives the corners of the mat in pixels, or those of a sheet or card of known "
    'size on the table: --sheet 297x210 --corners "x,y x,y x,y x,y", clockwise, the long side first, for a sheet A4; '
    "--sheet 86x54 for a bank card."
)


@click.command("recognize", short_help="Read photographs.")
@click.argument("photos", nargs=-1, required=True, type=PATH, metavar="PHOTO...")
@click.option(
    "--domain", required=True, metavar="D", help="Kind of pieces: cards, dice, pyramids, spectrangle or spectrum."
)
@click.option(
    "--mat",
    "mat_size",
    metavar="WxH",
    help="Distances of the marker centers in millimeters: 440x400; boards and dice need none.",
)
@click.option("--marker", "marker_mm", type=float, metavar="MM", help="Side of a marker's black square in millimeters.")
@corners_option
@click.option(
    "--sheet",
    "sheet_size",
    metavar="WxH",
    help="Size in millimeters of a sheet or card on a table without a mat; its corners are --corners.",
)
@calibration_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each photograph.")
@click.option(
    "--draw",
    "folder",
    type=PathType(file_okay=False),
    metavar="FOLDER",
    help="Write each photograph with its reading drawn over it.",
)
def recognize_command(
    photos: tuple[Path, ...],
    domain: str,
    mat_size: str | None,
    marker_mm: float | None,
    corners: str | None,
    sheet_size: str | None,
    calibration_path: Path | None,
    as_json: bool,
    folder: Path | None,
) -> None:
    """Read each PHOTO and list the pieces on the table.

    Exit status 0: all photographs were read; 1: at least one was not; 2: wrong usage.
    """
    from vision.domains import domain_reader

    domain_reader(domain)
    corners_px = None if corners is None else parse_corners(corners)
    place = _by_sheet(sheet_size, corners_px, mat_size, calibration_path)
    if place is None:
        from vision.photograph import UNMARKED

        by_itself = domain in UNMARKED and mat_size is None and marker_mm is None
        if by_itself and corners_px is None and calibration_path is None:
            _read_all(photos, domain, None, folder, as_json)
            return
        if mat_size is None or marker_mm is None:
            missing = "--mat" if mat_size is None else "--marker"
            raise click.UsageError(f"Missing option '{missing}'. A table without markers needs --sheet and --corners.")
        mat = parse_mat(mat_size, marker_mm)
        place = _by_mat(mat, corners_px, known_table(calibration_path, mat, domain))
    _read_all(photos, domain, place, folder, as_json)


def _read_all(photos: tuple[Path, ...], domain: str, place: Place | None, folder: Path | None, as_json: bool) -> None:
    """Reads all photographs and prints the answers."""
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUsage(
                f"The folder {folder} cannot be made ({error.strerror}). Choose another for --draw."
            ) from error
    failed = 0
    for photo in _with_progress(photos):
        answer = _answer(photo, domain, place, folder)
        failed += "error" in answer
        click.echo(json.dumps(answer) if as_json else _sentence(answer))
    if failed:
        sys.exit(1)


def _by_sheet(
    size: str | None, corners_px: Corners | None, mat_size: str | None, calibration_path: Path | None
) -> Place | None:
    """Returns a function that places a photograph by a sheet of known size; None if no sheet was given.

    Raises:
        WrongUsage: The corners of the sheet are missing, or a mat is given, too.
    """
    if size is None:
        return None
    if corners_px is None or mat_size is not None or calibration_path is not None:
        raise WrongUsage(
            "--sheet needs the sheet's four corners in pixels, clockwise, as --corners, and neither --mat nor "
            "--calibration."
        )
    size_mm = parse_sides("--sheet", size, "297x210", "A sheet or card", (30, 2000))

    def place(picture: Picture) -> tuple[RegisteredImage, tuple[str, ...]]:
        from vision.registration.unmarked import find_by_sheet

        found = find_by_sheet(picture, size_mm, corners_px)
        return found.table, found.remarks

    return place


def _by_mat(mat: Mat, corners_px: Corners | None, calibration: Calibration | None) -> Place:
    """Returns a function that places a photograph by a mat whose size was measured by hand, unless a calibration knows
    it.
    """

    def place(picture: Picture) -> tuple[RegisteredImage, tuple[str, ...]]:
        from vision.registration.mat_shape import find_shaped
        from vision.registration.registered_image import find_table

        if calibration is not None:
            return find_table(picture, mat, corners_px, calibration=calibration), ()
        try:
            table, remark = find_shaped(picture, mat, corners_px)
        except NoTable as error:
            raise NoTable(f"{error}{'' if corners_px is not None else UNMARKED}") from None
        return table, () if remark is None else (remark,)

    return place


def _answer(photo: Path, domain: str, place: Place | None, folder: Path | None) -> dict[str, Any]:
    """Returns the reading of one photograph, or the reason why it could not be read.

    Args:
        place: Finds the table; None: the markers, or the pieces on the table, are sufficient to find it.
    """
    from vision.domains import Remarking, domain_reader
    from vision.image.picture import read_picture
    from vision.photograph import photograph_reading

    begin = time.perf_counter()
    try:
        picture = read_picture(photo)
        remarks: tuple[str, ...] = ()
        if place is None:
            reading = photograph_reading(picture, domain)
        else:
            table, remarks = place(picture)
            reading = domain_reader(domain)(table)
        answer: dict[str, Any] = {"image": photo.name, **reading.truth()}
        for remark in (*remarks, *(reading.remarks() if isinstance(reading, Remarking) else ())):
            click.echo(f"companion recognize: {photo.name}: {remark}", err=True)
    except SeeError as error:
        return {"image": photo.name, "error": str(error)}
    answer["ms"] = round((time.perf_counter() - begin) * 1000, 1)
    if folder is not None:
        import cv2

        from vision.overlay import draw

        path = folder / (photo.stem + "-read.jpg")
        done, data = cv2.imencode(".jpg", draw(picture, reading.marks()), [cv2.IMWRITE_JPEG_QUALITY, 90])
        if done:
            path.write_bytes(data.tobytes())
    return answer


def _sentence(answer: dict[str, Any]) -> str:
    """Returns one line for people."""
    if "error" in answer:
        return f"{answer['image']}: {answer['error']}"
    parts = []
    for name, value in answer.items():
        if isinstance(value, list):
            there = [(place, item) for place, item in enumerate(value) if item is not None]
            count = f"{len(there)} of {len(value)} {name}" if len(there) < len(value) else f"{len(value)} {name}"
            named = "; ".join(_named(name, place, item) for place, item in there)
            parts.append(f"{count} ({named})" if named else count)
    return f"{answer['image']}: {', '.join(parts)}, {answer['ms']:.0f} ms"


def _named(name: str, place: int, item: dict[str, Any]) -> str:
    """Returns the name and the place of one piece in a few words."""
    match name:
        case "cells":
            return f"c{place} {item['left']}{item['right']}{item['flat']}{item['value']}"
        case "pawns":
            return f"{item['color']} on {item['path']} {item['space']}"
        case "stacks":
            return " under ".join(f"{piece['color']} {piece['size']}" for piece in item["pieces"])
        case "lying":
            return f"{item['color']} {item['size']}"
        case "cards":
            return "face down" if item["face"] == "down" else str(item["card"])
        case _:
            return str(item.get("face") or item.get("color") or "unknown")


def _with_progress(photos: Iterable[Path]) -> Iterable[Path]:
    """Yields the photographs, with a count on standard error if a person watches a long run."""
    listed = tuple(photos)
    shown = len(listed) > 3 and sys.stderr.isatty()
    for number, photo in enumerate(listed, 1):
        if shown:
            click.echo(f"\r{number}/{len(listed)} {photo.name[:50]:50s}", err=True, nl=False)
        yield photo
    if shown:
        click.echo("", err=True)
