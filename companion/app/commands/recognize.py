"""`companion recognize`: photographs in, what lies on the table out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.commands.calibrate import known_table, parse_corners, parse_mat
from companion.app.commands.options import PATH, PathType, calibration_option, corners_option, marker_option
from companion.core.foundation.errors import SeeError, WrongUsage
from companion.core.plan import Mat, Point

if TYPE_CHECKING:
    from vision.calibration.calibration import Calibration


@click.command("recognize", short_help="Read photographs.")
@click.argument("photos", nargs=-1, required=True, type=PATH, metavar="PHOTO...")
@click.option(
    "--domain", required=True, metavar="D", help="Kind of pieces: cards, dice, pyramids, spectrangle or spectrum."
)
@click.option(
    "--mat", "mat_size", required=True, metavar="WxH", help="Distances of the marker centers in millimeters: 440x400."
)
@marker_option
@corners_option
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
    mat_size: str,
    marker_mm: float,
    corners: str | None,
    calibration_path: Path | None,
    as_json: bool,
    folder: Path | None,
) -> None:
    """Read each PHOTO and list the pieces on the table.

    Exit status 0: all were read; 1: at least one was not; 2: wrong usage.
    """
    from vision.domains import domain_reader

    domain_reader(domain)
    mat = parse_mat(mat_size, marker_mm)
    calibration = known_table(calibration_path, mat, domain)
    corners_px = None if corners is None else parse_corners(corners)
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUsage(
                f"The folder {folder} cannot be made ({error.strerror}). Choose another for --draw."
            ) from error
    failed = 0
    for photo in _with_progress(photos):
        answer = _answer(photo, domain, mat, corners_px, calibration, folder)
        failed += "error" in answer
        click.echo(json.dumps(answer) if as_json else _sentence(answer))
    if failed:
        sys.exit(1)


def _answer(
    photo: Path,
    domain: str,
    mat: Mat,
    corners_px: tuple[Point, Point, Point, Point] | None,
    calibration: Calibration | None,
    folder: Path | None,
) -> dict[str, Any]:
    """The reading of one photograph, or the reason why it could not be read."""
    from vision.domains import Remarking, recognize
    from vision.image.picture import read_picture

    begin = time.perf_counter()
    try:
        picture = read_picture(photo)
        reading = recognize(picture, domain, mat, corners_px, calibration)
        answer: dict[str, Any] = {"image": photo.name, **reading.truth()}
        for remark in reading.remarks() if isinstance(reading, Remarking) else ():
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
    """One line for people."""
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
    """One thing that was read, in a word or two, and where."""
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
    """The photographs, with a count on standard error where a person watches a long run."""
    listed = tuple(photos)
    shown = len(listed) > 3 and sys.stderr.isatty()
    for number, photo in enumerate(listed, 1):
        if shown:
            click.echo(f"\r{number}/{len(listed)} {photo.name[:50]:50s}", err=True, nl=False)
        yield photo
    if shown:
        click.echo("", err=True)
